"""Two clauses of a short text that cannot both be so: a state asserted and denied, a thing gone and used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...core.types import Evidence, Span
from ..extraction.clauses.arguments import Arguments
from ..extraction.coreference.pronouns import PronounReader
from ..extraction.mentions.finder import find_mentions
from ..extraction.mentions.narrator import find_narrator
from ..extraction.parsing.chapter import ParsedChapter
from ..graph_rag.conditions import MOOD, Condition, read_conditions
from ..graph_rag.thing_states import Moment, read_moments
from ..lexicon.emotions import tone
from ..model.findings import Severity, Violation
from .background.name_likeness import same_name
from .thing_conflicts import thing_conflicts

__all__ = ["CLAIM", "STORY", "StateConflict"]

STORY, CLAIM = "story", "claim"
"""The document ids on the evidence of a story and of a claim about it."""

_RULE = "state_conflict"
_GAP = "\n\n"
_TONE = 0.3  # of VADER's compound score; nearer to 0 its sign says little
_TRANSIENT = frozenset({MOOD})


class Parser(Protocol):
    """Text to parse; see StoryReader."""

    def parse(self, text: str, /) -> ParsedChapter: ...


@dataclass(frozen=True, slots=True)
class StateConflict:
    """What a short text (a summary, a draft of a scene) says of one person or thing, held against itself, and
    a claim about such a text held against the text.

    It reads every clause, where the story log keeps only what lasts and what people do, so it is no rule of
    the critic over a novel's graph: it takes the text. In a text told for itself states change, so there only
    things that are gone and used all the same count (``thing_conflicts``; of one thing over chapters, by
    whose it is, ``rules.object_conflict`` tells more). A claim retells: it may change nothing, so its states
    (``graph_rag.conditions``) are set beside the last that the text tells of the same subject on the same
    scale. Where none is found on either side and ``tones`` is on, a claim whose tone is opposed to that of
    the text's last sentence is a finding too: a hint, so severity INFO.

    Assumes that a noun means one thing throughout a text of ``window`` characters. Cannot see what follows
    only from knowledge of the world, which is most of what contradicts in PASTA (Ghosh et al. 2023) and
    TimeTravel (Qin et al. 2019); of TRIP (Storks et al. 2021) it sees things gone, broken, off, and sleepers.
    """

    parser: Parser
    window: int = 3000
    tones: bool = True

    def check(self, text: str) -> tuple[Violation, ...]:
        """In order of the later quote. Costs one parse of the text. Raises ModelMissing."""
        chapter, arguments = self._read(text)
        moments = read_moments(chapter, arguments)
        return tuple(
            _gone(before, later, text) for before, later in thing_conflicts(moments, window=self.window)
        )

    def check_claim(self, story: str, claim: str) -> tuple[Violation, ...]:
        """What in the story speaks against the claim: evidence names the documents ``STORY`` and ``CLAIM``,
        with offsets into each; the surest finding first. Costs one parse of both. Raises ModelMissing."""
        text = story + _GAP + claim
        chapter, arguments = self._read(text)
        conditions = tuple(read_conditions(chapter, arguments))
        told = [one for one in conditions if one.at < len(story)]
        claimed = [one for one in conditions if one.at >= len(story) + len(_GAP)]
        found: list[Violation] = []
        agreed = False
        for one in claimed:
            last = _last(told, one)
            agreed = agreed or (last is not None and last.pole == one.pole)
            if last is not None and last.pole != one.pole:
                found.append(self._denied(story, claim, last, one))
        if not found and not agreed and self.tones:
            ends = [each.span for _, each in chapter.sentences() if each.span.end <= len(story)]
            found += _out_of_tone(story, claim, ends[-1:])
        return tuple(sorted(dict.fromkeys(found), key=lambda one: one.severity is Severity.INFO))

    def _read(self, text: str) -> tuple[ParsedChapter, Arguments]:
        chapter = self.parser.parse(text)
        find_mentions(chapter)
        find_narrator(chapter)
        return chapter, Arguments.of(chapter, PronounReader.of(chapter))

    @staticmethod
    def _denied(story: str, claim: str, told: Condition, claimed: Condition) -> Violation:
        start = len(story) + len(_GAP)
        sentence = Span(claimed.sentence.start - start, claimed.sentence.end - start)
        said = " ".join(part for part in (told.scale, told.of) if part)
        mood = told.scale in _TRANSIENT
        return Violation(
            rule=_RULE,
            severity=Severity.INFO if mood else Severity.WARNING,
            message=f"Of {told.subject} the text says otherwise ({said}) than the claim.",
            entities=(told.subject,),
            evidence=(_quote(STORY, told.sentence, story), _quote(CLAIM, sentence, claim)),
            suggestion="Say what the text says, or leave it out.",
            unless="the text tells a change after the first quote",
        )


def _out_of_tone(story: str, claim: str, ends: Sequence[Span]) -> list[Violation]:
    if not ends:
        return []
    told, claimed = tone(ends[0].of(story)), tone(claim)
    if told * claimed >= 0 or min(abs(told), abs(claimed)) < _TONE:
        return []
    return [
        Violation(
            rule=_RULE,
            severity=Severity.INFO,
            message="The text ends on another tone than the claim's.",
            entities=(),
            evidence=(_quote(STORY, ends[0], story), _quote(CLAIM, Span(0, len(claim)), claim)),
            suggestion="Say how it ends as the text does.",
            unless="the claim is about something that the end does not touch",
        )
    ]


def _last(told: Iterable[Condition], claimed: Condition) -> Condition | None:
    """The last that the text tells of the same subject on the same scale."""
    found = None
    for one in told:
        same = one.scale == claimed.scale and (one.of == claimed.of or not one.of or not claimed.of)
        if same and same_name(one.subject, claimed.subject):
            found = one
    return found


def _gone(before: Moment, later: Moment, text: str) -> Violation:
    person = before.thing.startswith("@")
    what = before.thing.removeprefix("@")
    then = "acts" if person else "is used"
    return Violation(
        rule=_RULE,
        severity=Severity.WARNING,
        message=f"The {what} is {before.act}, yet {then} after that."
        if not person
        else f"{what} is {before.act}, yet {then} after that.",
        entities=(what,),
        evidence=(_quote(STORY, before.sentence, text), _quote(STORY, later.sentence, text)),
        suggestion=f"Tell how the {what} comes back, or have another." if not person else "Tell the waking.",
        unless="it is found, mended or made anew between the two quotes, or another is meant",
    )


def _quote(document: str, span: Span, text: str) -> Evidence:
    return Evidence(document, 1, span, span.of(text))
