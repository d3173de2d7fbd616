"""How much a passage matters to the story, 1 to 10, as a sum that a reader can check; and its key events."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ...core.text.sentences import sentences
from ...core.types import Span
from ..model.chapter_reading import ChapterReading, Happening

LOWEST, HIGHEST = 1, 10
REVELATION = 2
EVENT, GRAVE_EVENT = 1, 3
SURE = 0.5
"""With less confidence than this an event does not count."""

_GRAVE = frozenset({"DIES", "KILLS"})
_SUFFERED = frozenset({"DIES", "KILLS", "ATTACKS", "BETRAYS", "DECEIVES", "SAVES"})
_DONE = frozenset({"FORGIVES", "MARRIES", "LEAVES", "STEALS_FROM"})
_FATES = (
    "exploded|blew up|collapsed|caved in|gave way|crashed|overturned|capsized|foundered|ran aground|sank"
    "|caught fire|burned down|burnt down|burst into flames|went up in flames|burst its banks"
    "|w(?:as|ere) (?:wrecked|destroyed|demolished|struck by lightning|stolen|flooded|murdered)"
    "|w(?:as|ere) burn(?:ed|t) to the ground"
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


def importance(
    *,
    characters: int,
    revelation: bool = False,
    dialogue: bool = False,
    action: bool = False,
    events: int = 0,
    grave: bool = False,
) -> int:
    """From 1 (nobody, and nothing happens): +1 with a character, +1 more with more than two, +2 for a
    revelation, +1 for dialogue, +1 for action, +1 for a key event, or +3 where one is ``grave``: somebody
    dies. All of it together is 10."""
    points = LOWEST + (characters > 0) + (characters > 2) + dialogue + action
    points += REVELATION if revelation else 0
    points += GRAVE_EVENT if grave else EVENT if events else 0
    return min(points, HIGHEST)


def key_events(body: str, reading: ChapterReading, spoken: Sequence[Span]) -> list[tuple[Span, bool]]:
    """The key events of a chapter in order of the text: where in the body each is told, and whether it is
    grave.

    From the reading: deaths, killings, attacks, betrayals, deceptions, rescues, pardons, weddings, partings
    and thefts that the text vouches for (what is planned, denied, reported or imagined is left out). From the
    text: things that burn, sink, fall or blow up, in plain statements of the narrator. ``spoken`` are the
    body's stretches of direct speech, in order.
    """
    found = [
        (happening.evidence[0], happening.predicate in _GRAVE)
        for happening in reading.happenings
        if happening.modality.happened and happening.confidence >= SURE and _befalls(happening)
        if not _NEARLY.search(" ".join(happening.evidence[0].of(body).split()))
    ]
    return sorted([*found, *((span, False) for span in _fates(body, spoken))])


def _befalls(happening: Happening) -> bool:
    """Is it a key event of which enough is told: whom it befell, and who did it where that matters?"""
    if happening.patient is None:
        return False
    by_somebody = happening.agent is not None and happening.predicate in _DONE
    return by_somebody or happening.predicate in _SUFFERED


def _fates(body: str, spoken: Sequence[Span]) -> Iterator[Span]:
    """The sentences in which something befalls a thing."""
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
            yield sentence
