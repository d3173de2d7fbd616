"""A language model as a second reader of chapters: what it says counts only with a quote from the chapter.

It is asked once a chapter, or in parts where a chapter does not fit into its context, and answers in a fixed
form. A claim is dropped, and counted, where its form is another, its quote does not stand in what was shown,
or a name of it does not stand in the chapter. That the quote *means* what the model says is not checked.
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ....core.interfaces import Generator
from ....core.runtime.model_requests import ModelPlan, ModelReport, answer_all
from ....core.text.sentences import sentences
from ....core.types import Generation, Prompt, Span
from ....errors import ModelRefused
from ...evidence.quote_finder import QuoteFinder
from ...evidence.windows import text_windows
from ...model.chapter_reading import ChapterReading, Happening, Identity, Mention, ReaderFailure, Statement
from ...model.predicates import PREDICATES, SURE_ENOUGH
from ...model.types import EntityKind
from ...names.person_name import PersonName
from ...prose.paragraphs import scenes_of
from .prompt import EXTRACT_VERSION, MOST_WORDS, SAME, Claim, claims_of, extraction

MODEL_CONFIDENCE = SURE_ENOUGH
"""Enough to be shown, which is what a model is asked for; how often it is right depends on the model."""
MODEL_READER = "by_model"
"""Under this name a reading counts among its failures the parts that the model refused to read."""
ANSWER_TOKENS = 3072
LEAST_WORDS = 3  # a shorter quote stands in any text
_RULES = "model-reading-2"
_SLACK = 64  # tokens of the chat's own markup
_NO_NAME = frozenset(
    "me my we us you he him his she her hers they them it who someone somebody nobody one".split()
)
_PARAGRAPH = re.compile(r"\n\s*\n")
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")  # as models write them; no length changes
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model read in a chapter. ``claimed`` counts the facts it stated, ``dropped`` those that were
    left out and why; the rest are in ``reading``, repeated ones once. ``refusals`` say why some of the
    ``windows`` were not read."""

    reading: ChapterReading
    windows: int
    claimed: int
    dropped: Counter[str]
    answers: tuple[Generation, ...]
    refusals: tuple[str, ...]


class ModelReader:
    """Reads chapters by asking ``generator``, once a window of as much text as its context holds. Costs the
    model's time: the prompt, and ``answer_tokens`` at the most, for each window.

    ``is_answered`` says whether a prompt with an answer of that length was asked before, so that to ask again
    costs nothing. Same model and seed, same reading, where the model can. Not safe in threads.
    """

    def __init__(
        self,
        generator: Generator,
        *,
        answer_tokens: int = ANSWER_TOKENS,
        is_answered: Callable[[Prompt, int], bool] = lambda *_: False,
    ) -> None:
        self._generator = generator
        self._answer_tokens = min(answer_tokens, generator.context_tokens // 3)
        self._is_answered = is_answered
        self._answers: dict[Prompt, Generation | ModelRefused] = {}
        self._found: list[ModelReading] = []

    @property
    def version(self) -> str:
        """Everything that changes a reading of the same text."""
        room = f"{self._generator.context_tokens}:{self._answer_tokens}"
        return f"{_RULES}+{EXTRACT_VERSION}+{self._generator.name}+{room}"

    def load(self) -> None:
        """Loads the model, where it runs in this process."""
        self._generator.count_tokens("ready")

    def plan(self, texts: Iterable[str]) -> ModelPlan:
        """What :meth:`ask` will cost. Costs a count of tokens."""
        every, count = self._prompts(texts), self._generator.count_tokens
        due = [prompt for prompt in every if not self._is_answered(prompt, self._answer_tokens)]
        tokens = sum(count(prompt.system) + count(prompt.user) for prompt in due)
        most = len(due) * self._answer_tokens
        return ModelPlan(self._generator.name, len(due), len(every) - len(due), tokens, most)

    def ask(self, texts: Iterable[str], progress: Callable[[int, int], None] = lambda *_: None) -> None:
        """Gets the answers for all these chapters, as many at once as the generator allows; :meth:`read`
        takes them from there. Raises ModelError, but for what the model refuses."""
        prompts, concurrency = self._prompts(texts), self._generator.concurrency
        self._answers |= answer_all(prompts, self._answer, concurrency=concurrency, progress=progress)

    def read(self, text: str) -> ChapterReading:
        return self.extract(text).reading

    def extract(self, text: str) -> ModelReading:
        """Reads a chapter's body. A part that the model refuses is passed over and counted among the
        reading's failures; other ModelErrors are raised."""
        fold, answers, refusals = _Fold(text), list[Generation](), list[str]()
        windows = self._windows(text)
        for window in windows:
            prompt = extraction(window.of(text))
            answer = self._answers.pop(prompt, None) or self._answer(prompt)
            if isinstance(answer, ModelRefused):
                refusals.append(str(answer))
                continue
            answers.append(answer)
            fold.dropped["answers that broke off"] += answer.finish_reason == "length"
            fold.take(answer.text, window)
        reading = fold.reading((ReaderFailure(MODEL_READER, len(refusals)),) if refusals else ())
        told = (tuple(answers), tuple(refusals))
        found = ModelReading(reading, len(windows), fold.claimed, +fold.dropped, *told)
        self._found.append(found)
        return found

    @property
    def report(self) -> ModelReport:
        """What came of all that was read so far."""
        dropped = sum((found.dropped for found in self._found), Counter[str]())
        answers = [answer for found in self._found for answer in found.answers]
        refusals = [refusal for found in self._found for refusal in found.refusals]
        return ModelReport(
            self._generator.name,
            len(answers) + len(refusals),
            sum(answer.prompt_tokens for answer in answers),
            sum(answer.completion_tokens for answer in answers),
            len(refusals),
            refusals[0] if refusals else "",
            sum(found.claimed for found in self._found),
            tuple(sorted(dropped.items())),
        )

    def _prompts(self, texts: Iterable[str]) -> list[Prompt]:
        prompts = (extraction(window.of(text)) for text in texts for window in self._windows(text))
        return list(dict.fromkeys(prompts))

    def _answer(self, prompt: Prompt) -> Generation | ModelRefused:
        try:
            return self._generator.generate(prompt, max_tokens=self._answer_tokens)
        except ModelRefused as error:
            return error

    def _windows(self, text: str) -> Sequence[Span]:
        """The chapter if it fits, else pieces of whole sentences; one that does not fit alone is cut."""
        count, frame = self._generator.count_tokens, extraction("")
        room = self._generator.context_tokens - self._answer_tokens - _SLACK
        room = max(200, room - count(frame.system) - count(frame.user))
        if not text.strip():
            return ()
        if count(text) <= room:
            return (Span(0, len(text)),)
        return tuple(text_windows(text, sentences(text), room=room, count=count))


class _Unfounded(Exception):  # noqa: N818 (never leaves this module)
    """Why a claim is not kept."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """A claim that stood up, and where its names stand."""

    claim: Claim
    subject: Span | None
    object: Span | None
    evidence: tuple[Span, ...]


def _two_names_of_one(one: str, other: str) -> bool:
    """Could they be joined for good? Others are "the captain" too in a later chapter, or say "I"; and a whole
    family shares a surname, which the names themselves tell."""
    if any(name.startswith("the ") or name == "I" for name in (one, other)):
        return False
    parsed = PersonName.parse(one), PersonName.parse(other)
    shared = parsed[0].surname and parsed[0].surname == parsed[1].surname
    return not (shared and any(not name.given for name in parsed))


class _Fold:
    """Claims that stood up, as a reading."""

    def __init__(self, text: str) -> None:
        self.claimed = 0
        self.dropped = Counter[str]()
        self._text = text
        self._sentences = sentences(text)
        self._finder = QuoteFinder(text.translate(_STRAIGHT))
        self._scenes = scenes_of(text)
        self._mentions: dict[Span, Mention] = {}
        self._facts: dict[tuple[object, ...], _Fact] = {}

    def take(self, answer: str, window: Span) -> None:
        claims, odd = claims_of(answer)
        self.claimed += len(claims) + odd
        self.dropped["items in another form"] += odd
        for claim in claims:
            try:
                self._keep(claim, self._quote(claim.quote.translate(_STRAIGHT), window))
            except _Unfounded as reason:
                self.dropped[str(reason)] += 1

    def _quote(self, told: str, window: Span) -> Span:
        if not LEAST_WORDS <= len(told.split()) <= MOST_WORDS:
            raise _Unfounded(f"quotes of less than {LEAST_WORDS} words or more than {MOST_WORDS}")
        quote = self._finder.find(told, within=window)
        if quote is None:
            raise _Unfounded("quotes that do not stand in the text")
        if _PARAGRAPH.search(quote.of(self._text)):
            raise _Unfounded("quotes of more than one paragraph")
        return quote

    def _keep(self, claim: Claim, quote: Span) -> None:
        """All names must stand in the chapter; for those outside the quote the sentence is evidence too."""
        names = [name for name in (claim.subject, claim.object) if name]
        places = [place for place in (self._named(name, quote) for name in names) if place is not None]
        if len(places) < len(names):
            raise _Unfounded("names that do not stand in the text")
        outside = [place for place in places if not quote.contains(place)]
        words = [self._surface(place).casefold() for place in places]
        if len(set(words)) < len(words):
            raise _Unfounded("facts of one about itself")
        if claim.predicate == SAME and not _two_names_of_one(*map(self._surface, places)):
            raise _Unfounded("names that others bear too")
        for place in places:
            self._mention(place)
        ends = iter(places)
        subject, target = (next(ends) if name else None for name in (claim.subject, claim.object))
        fact = _Fact(claim, subject, target, tuple(dict.fromkeys((quote, *map(self._sentence, outside)))))
        self._facts.setdefault((claim.predicate, claim.verb, *words, quote), fact)

    def _named(self, name: str, quote: Span) -> Span | None:
        """Where the name stands: in the quote, else the last time before it, else after. A name is written as
        one."""
        words = name.translate(_STRAIGHT).split()
        if not words or " ".join(words).casefold() in _NO_NAME:
            return None
        if not (words[0].casefold() == "the" or any(word[0].isupper() for word in words)):
            return None
        places = list(self._finder.find_name(" ".join(words)))
        inside = (place for place in places if quote.contains(place))
        before = (place for place in reversed(places) if place.start < quote.start)
        return next(inside, None) or next(before, None) or next(iter(places), None)

    def _mention(self, span: Span) -> None:
        surface = self._surface(span)
        scene = bisect_right([each.span.start for each in self._scenes], span.start) - 1
        strong = not surface.startswith("the ")
        kind, sentence = EntityKind.CHARACTER, self._sentence(span)
        self._mentions.setdefault(span, Mention(span, surface, kind, "", max(0, scene), sentence, strong))

    def _surface(self, span: Span) -> str:
        words = span.of(self._text).split()
        if words[0] == "The":
            words[0] = "the"
        return " ".join(words)

    def _sentence(self, span: Span) -> Span:
        starts = [sentence.start for sentence in self._sentences]
        return self._sentences[max(0, bisect_right(starts, span.start) - 1)]

    def reading(self, failures: tuple[ReaderFailure, ...]) -> ChapterReading:
        order = {span: number for number, span in enumerate(sorted(self._mentions))}
        statements: list[Statement] = []
        happenings: list[Happening] = []
        identities: list[Identity] = []
        for fact in sorted(self._facts.values(), key=lambda fact: (fact.evidence[0], fact.claim.predicate)):
            said, quotes = fact.claim, fact.evidence
            told = (quotes, said.modality, MODEL_CONFIDENCE)
            one, other = (None if span is None else order[span] for span in (fact.subject, fact.object))
            if said.predicate != SAME and not PREDICATES[said.predicate].lasting:
                deed = Happening(said.predicate, one, other, None, *told, verb=said.verb, origin="model")
                happenings.append(deed)
            elif one is not None and other is not None:
                if said.predicate == SAME:
                    identities.append(Identity(one, other, quotes[0], MODEL_CONFIDENCE))
                else:
                    bond = Statement(said.predicate, one, other, *told, origin="model", ended=said.ended)
                    statements.append(bond)
        return ChapterReading(
            mentions=tuple(self._mentions[span] for span in order),
            statements=tuple(statements),
            happenings=tuple(happenings),
            identities=tuple(identities),
            scenes=self._scenes,
            failures=failures,
        )
