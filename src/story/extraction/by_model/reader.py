"""A language model as a second reader of chapters: what it says counts only with a quote from the chapter.

The model is asked window by window for facts with quotes, in a fixed form. A claim is dropped, and counted,
where its predicate is not in the table, its quote does not stand in the window, or a name of it does not
stand in the chapter. That the quote *means* what the model makes of it nobody checks, so such a reading is
less sure than one by rules.
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ....core.interfaces import Generator
from ....core.text.sentences import sentences
from ....core.types import Span
from ....errors import ModelRefused
from ...evidence.quote_finder import QuoteFinder
from ...evidence.windows import text_windows
from ...model.chapter_reading import ChapterReading, Happening, Mention, Scene, Statement
from ...model.predicates import PREDICATES
from ...model.types import EntityKind, Modality
from ...prose.paragraphs import scenes_of
from .prompt import ASKED, EXTRACT_VERSION, Claim, claims_of, extraction

__all__ = ["MODEL_CONFIDENCE", "ModelReader", "ModelReading"]

MODEL_CONFIDENCE = 0.5
ANSWER_TOKENS = 768
LEAST_WORDS = 3  # a shorter quote stands in any text
_RULES = "model-reading-1"
_PRONOUN = re.compile(
    r"\b(?:I|me|my|we|us|our|you|your|he|him|his|she|her|hers|they|them|their|who|whom|whose)\b",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    "i me my we us you he him his she her hers they them it who someone somebody nobody one".split()
)
_PLACES = frozenset({"LOCATED_AT", "LIVES_IN", "COMES_FROM"})
_ALONE = frozenset({"DIES", "LEAVES", "LEARNS"})  # these may have no object
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model read in a chapter. ``claimed`` counts the facts it stated, ``dropped`` those that were
    left out and why; the rest are in ``reading``, repeated ones once."""

    reading: ChapterReading
    windows: int
    claimed: int
    dropped: tuple[tuple[str, int], ...]


class ModelReader:
    """Reads chapters by asking ``generator``, once a window. Costs the model's time: ``answer_tokens`` at the
    most, and a prompt of all the rest of its context, for each window of the text.

    Same model and seed, same reading, where the model can. Not safe in threads unless the generator is.
    """

    def __init__(self, generator: Generator, *, answer_tokens: int = ANSWER_TOKENS) -> None:
        self._generator = generator
        self._answer_tokens = min(answer_tokens, generator.context_tokens // 3)

    @property
    def version(self) -> str:
        """Everything that changes a reading of the same text."""
        room = f"{self._generator.context_tokens}:{self._answer_tokens}"
        return f"{_RULES}+{EXTRACT_VERSION}+{self._generator.name}+{room}"

    def load(self) -> None:
        """Loads the model, where it runs in this process."""
        self._generator.count_tokens("ready")

    def read(self, text: str) -> ChapterReading:
        return self.extract(text).reading

    def extract(self, text: str) -> ModelReading:
        """Reads a chapter's body. A window that the model refuses is counted and passed over; where it
        refuses all of them, its ModelRefused is raised. Other ModelErrors are raised at once."""
        fold = _Fold(text)
        windows = list(self._windows(text, fold.sentences))
        refusals: list[ModelRefused] = []
        for window in windows:
            prompt = extraction(window.of(text))
            try:
                answer = self._generator.generate(prompt, max_tokens=self._answer_tokens).text
            except ModelRefused as error:
                refusals.append(error)
                _log.warning("a window of %d characters was not read: %s", len(window), error)
                continue
            fold.take(answer, window)
        if refusals and len(refusals) == len(windows):
            raise refusals[0]
        fold.dropped["windows that the model refused"] += len(refusals)
        dropped = tuple(sorted((reason, count) for reason, count in fold.dropped.items() if count))
        return ModelReading(fold.reading(), len(windows), fold.claimed, dropped)

    def _windows(self, text: str, found: Sequence[Span]) -> Iterator[Span]:
        """Whole sentences, as many as fit; one that does not fit alone is cut."""
        room = self._generator.context_tokens - self._answer_tokens
        room -= sum(map(self._generator.count_tokens, _frame())) + _SLACK
        return text_windows(text, found, room=max(200, room), count=self._generator.count_tokens)


_SLACK = 64  # tokens of the chat's own markup


def _frame() -> tuple[str, str]:
    prompt = extraction("")
    return prompt.system, prompt.user


class _Unfounded(Exception):  # noqa: N818 (never leaves this module)
    """Why a claim is not kept."""


@dataclass(slots=True)
class _Fold:
    """Claims that stood up, as a reading."""

    text: str
    claimed: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    sentences: list[Span] = field(init=False)
    _finder: QuoteFinder = field(init=False)
    _scenes: tuple[Scene, ...] = field(init=False)
    _mentions: dict[Span, Mention] = field(default_factory=dict)
    _facts: dict[tuple[object, ...], tuple[str, Span, Span | None, tuple[Span, ...], Modality]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        self.sentences = sentences(self.text)
        self._finder = QuoteFinder(self.text)
        self._scenes = scenes_of(self.text)

    def take(self, answer: str, window: Span) -> None:
        claims, broken = claims_of(answer)
        self.claimed += len(claims) + broken
        self.dropped["items in another form"] += broken
        for claim in claims:
            try:
                self._keep(claim, self._predicate(claim), self._quote(claim, window))
            except _Unfounded as reason:
                self.dropped[str(reason)] += 1

    def _predicate(self, claim: Claim) -> str:
        predicate = "_".join(claim.predicate.upper().split())
        if predicate not in ASKED:
            raise _Unfounded("predicates that are not in the table")
        if claim.told_as and claim.told_as not in list(Modality):
            raise _Unfounded("items in another form")
        if not claim.object.strip() and predicate not in _ALONE:
            raise _Unfounded("facts without an object")
        return predicate

    def _quote(self, claim: Claim, window: Span) -> Span:
        if len(claim.quote.split()) < LEAST_WORDS:
            raise _Unfounded("quotes too short to prove anything")
        quote = self._finder.find(claim.quote, within=window)
        if quote is None:
            raise _Unfounded("quotes that do not stand in the text")
        return quote

    def _keep(self, claim: Claim, predicate: str, quote: Span) -> None:
        """Both names must stand in the chapter, one of them in the quote, there a pronoun for the other."""
        names = [claim.subject, claim.object] if claim.object.strip() else [claim.subject]
        places = [place for place in (self._named(name, quote) for name in names) if place is not None]
        if len(places) < len(names):
            raise _Unfounded("names that do not stand in the text")
        outside = [place for place in places if not quote.contains(place)]
        if len(outside) == len(places) or (outside and not _PRONOUN.search(quote.of(self.text))):
            raise _Unfounded("quotes that do not name who the fact is about")
        words = [self._surface(place).casefold() for place in places]
        if len(set(words)) < len(words):
            raise _Unfounded("facts of one about itself")
        evidence = (quote, *map(self._sentence, outside))
        target = places[1] if len(places) > 1 else None
        self._mention(places[0], EntityKind.CHARACTER)
        if target is not None:
            kind = EntityKind.LOCATION if predicate in _PLACES else EntityKind.CHARACTER
            self._mention(target, EntityKind.OBJECT if predicate == "OWNS" else kind)
        fact = (predicate, places[0], target, evidence, Modality(claim.told_as or "fact"))
        self._facts.setdefault((predicate, *words, quote), fact)

    def _named(self, name: str, quote: Span) -> Span | None:
        """Where the name stands: in the quote, else the last time before it. A name is written as one."""
        words = name.split()
        if not words or " ".join(words).casefold() in _NO_NAME:
            return None
        if not (words[0].casefold() == "the" or any(word[0].isupper() for word in words)):
            return None
        inside = next(self._finder.find_name(name, within=quote), None)
        if inside is not None:
            return inside
        last = None
        for last in self._finder.find_name(name, within=Span(0, quote.start)):  # noqa: B007
            pass
        return last

    def _mention(self, span: Span, kind: EntityKind) -> None:
        surface = self._surface(span)
        scene = bisect_right([each.span.start for each in self._scenes], span.start) - 1
        strong = not surface.startswith("the ")
        mention = Mention(span, surface, kind, "", max(0, scene), self._sentence(span), strong)
        self._mentions.setdefault(span, mention)

    def _surface(self, span: Span) -> str:
        words = span.of(self.text).split()
        if words[0] == "The":
            words[0] = "the"
        return " ".join(words)

    def _sentence(self, span: Span) -> Span:
        starts = [sentence.start for sentence in self.sentences]
        return self.sentences[max(0, bisect_right(starts, span.start) - 1)]

    def reading(self) -> ChapterReading:
        order = {span: number for number, span in enumerate(sorted(self._mentions))}
        statements: list[Statement] = []
        happenings: list[Happening] = []
        facts = sorted(self._facts.values(), key=lambda fact: (fact[3][0], fact[1], fact[0]))
        for predicate, subject, target, evidence, modality in facts:
            one, other = order[subject], order[target] if target is not None else None
            if PREDICATES[predicate].lasting and other is not None:
                statements.append(
                    Statement(predicate, one, other, evidence, modality, MODEL_CONFIDENCE, origin="model")
                )
            elif not PREDICATES[predicate].lasting:
                agent, patient = (None, one) if predicate == "DIES" else (one, other)
                happenings.append(
                    Happening(
                        predicate, agent, patient, None, evidence, modality, MODEL_CONFIDENCE, origin="model"
                    )
                )
        return ChapterReading(
            mentions=tuple(self._mentions[span] for span in order),
            statements=tuple(statements),
            happenings=tuple(happenings),
            scenes=self._scenes,
        )
