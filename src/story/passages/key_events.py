"""What happens in a chapter that is worth a line ("Barnaby died", "The bridge collapsed"), with its quote."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ...core.text.sentences import sentences
from ...core.types import Chapter, Document, Evidence, Span
from ..model.chapter_reading import ChapterReading, Happening
from ..model.types import Modality

__all__ = ["GRAVE", "KeyEvent", "key_events"]

SURE = 0.5
"""With less confidence than this an event is not said."""

GRAVE = frozenset({"DIES", "KILLS"})

_DONE = MappingProxyType(
    {
        "KILLS": "killed",
        "ATTACKS": "attacked",
        "BETRAYS": "betrayed",
        "DECEIVES": "deceived",
        "SAVES": "saved",
        "FORGIVES": "forgave",
        "MARRIES": "married",
        "LEAVES": "left",
        "STEALS_FROM": "stole from",
    }
)
_HAD_DONE = MappingProxyType({"FORGIVES": "forgiven", "STEALS_FROM": "stolen from"})
_SUFFERED = frozenset({"KILLS", "ATTACKS", "BETRAYS", "DECEIVES", "SAVES"})

HAPPENS = "HAPPENS"
_FATES = "|".join(
    (
        "exploded|blew up|collapsed|caved in|gave way|crashed|overturned|capsized|foundered|ran aground|sank",
        "caught fire|burned down|burnt down|burst into flames|went up in flames|burst its banks",
        "w(?:as|ere) (?:wrecked|destroyed|demolished|struck by lightning|stolen|flooded|murdered)",
        "w(?:as|ere) burn(?:ed|t) to the ground",
    )
)
_THING = re.compile(
    r"(?:(?<=^)|(?<=[\"”’';,] )|(?<=\band ))"
    r"(?:[Tt]he|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Mm]y)\s+(?:[a-z][\w’'-]*\s+){1,3}?"
    rf"(?:{_FATES})\b"
)
_UNSURE = re.compile(
    r"\b(?:if|unless|lest|until|when|whenever|would|could|might|may|shall|should|will|never|not|nearly|almost"
    r"|as though|like|hoped?|afraid|dream(?:ed|t)|imagin\w+|said|says?)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_NEARLY = re.compile(
    r"\b(?:almost|nearly|all but|half) (?:\w+ )?(?:kill|murder|shot|dead|dying|died)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """Something that turns the story. ``predicate`` is one of ``model.predicates``, or ``"HAPPENS"`` where it
    befalls a thing. ``wording`` names people as the chapter names them; the evidence is the sentence that
    tells it."""

    wording: str
    predicate: str
    evidence: Evidence


def key_events(
    document: Document, chapter: Chapter, reading: ChapterReading, spoken: Sequence[Span]
) -> list[KeyEvent]:
    """The key events of a chapter in order of the text, each once a sentence.

    From the reading: deaths, killings, attacks, betrayals, deceptions, rescues, pardons, weddings, partings
    and thefts that the text vouches for (what is planned, denied, reported or imagined is left out; what
    happened before is worded "had"). From the text: things that burn, sink, fall or blow up, in plain
    statements of the narrator. ``spoken`` are the body's stretches of direct speech, in order.
    """
    body = chapter.body.of(document.text)
    found = [
        (happening.evidence[0], wording, happening.predicate)
        for happening in reading.happenings
        if happening.modality.happened and happening.confidence >= SURE
        if not _NEARLY.search(" ".join(happening.evidence[0].of(body).split()))
        for wording in [_worded(happening, reading)]
        if wording
    ]
    found += [(span, wording, HAPPENS) for span, wording in _fates(body, spoken)]
    return [
        KeyEvent(wording, predicate, _evidence(document, chapter, span))
        for span, wording, predicate in sorted(dict.fromkeys(found))
    ]


def _worded(happening: Happening, reading: ChapterReading) -> str:
    """ "X killed Y"; empty for what is no key event, or lacks whom it befell."""
    agent, patient = (
        None if index is None else reading.mentions[index].surface
        for index in (happening.agent, happening.patient)
    )
    before = "had " if happening.modality is Modality.FLASHBACK else ""
    if happening.predicate == "DIES":
        return f"{_opened(patient)} {before}died" if patient else ""
    done = _DONE.get(happening.predicate, "")
    if not done or not patient:
        return ""
    if agent:
        verb = _HAD_DONE.get(happening.predicate, done) if before else done
        return f"{_opened(agent)} {before}{verb} {patient}"
    if happening.predicate in _SUFFERED:
        return f"{_opened(patient)} {'had been' if before else 'was'} {done}"
    return ""


def _opened(name: str) -> str:
    return name[:1].upper() + name[1:]


def _fates(body: str, spoken: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    if not re.search(_FATES, body):
        return
    ends = [speech.end for speech in spoken]
    for sentence in sentences(body):
        text = sentence.of(body)
        told = _THING.search(text)
        if told is None or _UNSURE.search(text):
            continue
        place = Span(sentence.start + told.start(), sentence.start + told.end())
        nearest = spoken[bisect_right(ends, place.start) :][:1]  # the first that does not end before it
        if not any(speech.overlaps(place) for speech in nearest):
            yield sentence, _opened(" ".join(told[0].split()))


def _evidence(document: Document, chapter: Chapter, span: Span) -> Evidence:
    start = chapter.body.start
    return Evidence.of(document, chapter.number, Span(start + span.start, start + span.end))
