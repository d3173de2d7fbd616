"""A language model as a further critic: what it finds counts only where both quotes stand in the text."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ....core.interfaces import Generator
from ....core.runtime.model_requests import ModelPlan
from ....core.text.sentences import sentences
from ....core.types import Chapter, Document, Evidence, Prompt, Span
from ....errors import ModelRefused
from ...evidence.quote_finder import QuoteFinder
from ...evidence.windows import text_windows
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ..rules.rule import Record
from ..told_before import ToldBefore
from .prompt import Contradiction, contradiction_prompt, contradictions_of
from .refuting import Refuter

ANSWER_TOKENS = 768
LEAST_WORDS = 3  # a shorter quote stands in any text
_SLACK = 64  # tokens of the chat's own markup
_BULLET = 4  # tokens that set one piece apart from the next
_MOST_CHARACTERS = 12  # of a token, on the average of a text
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelReview:
    """What a model found. ``claimed`` counts the findings it stated, ``dropped`` those that were left out and
    why; the rest are ``violations``. Of ``refutable`` verified ones it was asked again, in either order, and
    gave ``agreed`` of them the same verdict both times."""

    violations: tuple[Violation, ...]
    windows: int
    claimed: int
    dropped: tuple[tuple[str, int], ...]
    refutable: int = 0
    agreed: int = 0


class ModelCritic:
    """Asks a language model for contradictions, window by window, and keeps those with two verified quotes.

    Each window of the text goes to the model with all that was told before it, where the model's context
    holds that, else with sentences that the story told before about the people in it
    (:class:`.told_before.ToldBefore`), so it also sees the earlier side of what lies chapters
    apart. A claim is dropped, and counted, unless its later quote stands in the window and its earlier one
    in the window or among those sentences. Of each that is left the model is asked twice more, with the text
    between both sides, to show that it is no contradiction (:mod:`.refuting`): one such answer drops it. Such
    findings bear the origin ``model:NAME``, do not count into the score, and are as good as the model.

    Costs the model's time: one call a window, two a finding. Same model and seed, same findings, where the
    model can. ``documents`` are the book and the draft, where there is one. ``review`` is what the last run
    found.
    """

    name: ClassVar[str] = "model_critic"
    severity: ClassVar[Severity] = Severity.WARNING

    def __init__(
        self,
        generator: Generator,
        documents: Sequence[Document],
        *,
        answer_tokens: int = ANSWER_TOKENS,
        refutes: bool = True,
    ) -> None:
        """``refutes``: ask twice more of each finding."""
        self._generator = generator
        self._refuter = Refuter(generator, documents) if refutes else None
        self._documents = tuple(documents)
        self._answer_tokens = min(answer_tokens, generator.context_tokens // 3)
        self.review = ModelReview((), 0, 0, ())

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        """Raises ModelError; a window that the model refuses is counted and passed over, unless it refuses
        all of them."""
        read = _Reading(view, self._documents)
        claimed = windows = 0
        dropped: Counter[str] = Counter()
        refusals: list[ModelRefused] = []
        for asked in self._asked(read, view, only_document):
            windows += 1
            try:
                answer = self._generator.generate(asked.prompt, max_tokens=self._answer_tokens).text
            except ModelRefused as error:
                refusals.append(error)
                _log.warning("a window of %d characters was not checked: %s", len(asked.window), error)
                continue
            claims, broken = contradictions_of(answer)
            claimed += len(claims) + broken
            dropped["items in another form"] += broken
            for claim in claims:
                reason = read.keep(claim, asked, self._generator.name)
                dropped[reason] += bool(reason)
        if refusals and len(refusals) == windows:
            raise refusals[0]
        dropped["windows that the model refused"] += len(refusals)
        found, agreed = list(read.found.values()), 0
        if self._refuter is not None:
            verdicts = [self._refuter.reasons(one) for one in found]
            agreed = sum((one == "none") == (other == "none") for one, other in verdicts)
            stands = [one == other == "none" for one, other in verdicts]
            dropped["findings that it refuted when asked again"] += stands.count(False)
            found = [one for one, kept in zip(found, stands, strict=True) if kept]
        counted = tuple(sorted((reason, count) for reason, count in dropped.items() if count))
        refutable = len(read.found) if self._refuter is not None else 0
        self.review = ModelReview(tuple(found), windows, claimed, counted, refutable, agreed)
        yield from self.review.violations

    def plan(self, view: StoryView, *, only_document: str | None = None) -> ModelPlan:
        """What the windows will cost at most; what is found costs two calls more each, about as long. Costs a
        count of tokens."""
        count, read = self._generator.count_tokens, _Reading(view, self._documents)
        prompts = [asked.prompt for asked in self._asked(read, view, only_document)]
        tokens = sum(count(prompt.system) + count(prompt.user) for prompt in prompts)
        return ModelPlan(self._generator.name, len(prompts), 0, tokens, len(prompts) * self._answer_tokens)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Record]:  # noqa: ARG002
        """None: what a model looked at cannot be told."""
        return frozenset()

    def _asked(self, read: _Reading, view: StoryView, only: str | None) -> Iterator[_Asked]:
        for document, chapter in self._chapters(view, only):
            for window in self._windows(chapter.body, document.text):
                earlier = self._told_before(read, document, chapter, window)
                prompt = contradiction_prompt(window.of(document.text), earlier=[e.quote for e in earlier])
                yield _Asked(document, chapter, window, earlier, prompt)

    def _chapters(self, view: StoryView, only: str | None) -> Iterator[tuple[Document, Chapter]]:
        for document in self._documents:
            if only is None or document.id == only:
                yield from (
                    (document, each) for each in document.chapters if view.horizon.admits(each.number)
                )

    def _room(self) -> int:
        """Tokens for the passage and what is told before."""
        bare = contradiction_prompt("", earlier=())
        fixed = self._generator.count_tokens(bare.system) + self._generator.count_tokens(bare.user) + _SLACK
        return max(200, self._generator.context_tokens - self._answer_tokens - fixed)

    def _windows(self, body: Span, text: str) -> Iterator[Span]:
        """Whole sentences that fill two thirds of the room; one that does not fit alone is cut."""
        inside = (Span(body.start + one.start, body.start + one.end) for one in sentences(body.of(text)))
        room = 2 * self._room() // 3
        return text_windows(text, inside, room=room, count=self._generator.count_tokens)

    def _told_before(
        self, read: _Reading, document: Document, chapter: Chapter, window: Span
    ) -> tuple[Evidence, ...]:
        """All that was told before, a paragraph a piece, where it fits beside the window; else as many of the
        sentences about its people as fill a third of the room."""
        spare = self._room() - self._generator.count_tokens(window.of(document.text))
        whole = self._all_before(read, document, chapter, window, spare)
        if whole is not None:
            return whole
        left = self._room() // 3
        kept = []
        for quote in read.before.of(document.id, chapter.number, window):
            left -= self._generator.count_tokens(quote.quote) + _BULLET
            if left < 0:
                break
            kept.append(quote)
        return tuple(sorted(kept, key=read.view.place))

    def _all_before(
        self, read: _Reading, document: Document, chapter: Chapter, window: Span, room: int
    ) -> tuple[Evidence, ...] | None:
        spans = read.spans_before(document, chapter, window)
        if sum(len(span) for _, _, span in spans) > _MOST_CHARACTERS * room:  # not worth counting
            return None
        told = list(_paragraphs(spans))
        for one in told:
            room -= self._generator.count_tokens(one.quote) + _BULLET
        return tuple(told) if room >= 0 else None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A window, what was told before it, and the prompt made of both."""

    document: Document
    chapter: Chapter
    window: Span
    earlier: tuple[Evidence, ...]
    prompt: Prompt


class _Reading:
    """One run over one view: where quotes stand, and what was kept."""

    def __init__(self, view: StoryView, documents: Sequence[Document]) -> None:
        self.view = view
        self.before = ToldBefore(view)
        self.found: dict[tuple[Evidence, ...], Violation] = {}
        self._documents = {document.id: document for document in documents}
        self._finders: dict[str, QuoteFinder] = {}

    def _finder(self, document: str) -> QuoteFinder:
        if document not in self._finders:
            self._finders[document] = QuoteFinder(self._documents[document].text)
        return self._finders[document]

    def spans_before(
        self, document: Document, chapter: Chapter, window: Span
    ) -> list[tuple[Document, Chapter, Span]]:
        """All that the view's horizon admits before the window, in order of telling, a chapter a piece: the
        documents before this one, then this one's own."""
        found = []
        for one in self._documents.values():
            last = one.id == document.id
            for part in one.chapters:
                if (last and part.number > chapter.number) or not self.view.horizon.admits(part.number):
                    break
                end = min(part.body.end, window.start) if last else part.body.end
                if part.body.start < end:
                    found.append((one, part, Span(part.body.start, end)))
            if last:
                break
        return found

    def keep(self, claim: Contradiction, asked: _Asked, model: str) -> str:
        """Why the claim is dropped; empty where it is kept."""
        document, chapter, window = asked.document, asked.chapter, asked.window
        if min(len(claim.earlier.split()), len(claim.later.split())) < LEAST_WORDS:
            return "quotes too short to prove anything"
        last = self._finder(document.id).find(claim.later, within=window)
        if last is None:
            return "later quotes that do not stand in the passage"
        later = Evidence.of(document, chapter.number, last)
        first = self._earlier(claim.earlier, document, chapter, window, asked.earlier)
        if first is None:
            return "earlier quotes that stand nowhere before"
        if first.document_id == document.id and first.span.overlaps(last):
            return "two quotes from one place"
        sides = tuple(sorted((first, later), key=self.view.place))
        self.found.setdefault(sides, self._violation(claim, sides, model))
        return ""

    def _earlier(
        self, quote: str, document: Document, chapter: Chapter, window: Span, told: Sequence[Evidence]
    ) -> Evidence | None:
        found = self._finder(document.id).find(quote, within=window)
        if found is not None:
            return Evidence.of(document, chapter.number, found)
        for one in told:
            inside = QuoteFinder(one.quote).find(quote)
            if inside is not None:
                span = Span(one.span.start + inside.start, one.span.start + inside.end)
                return Evidence(one.document_id, one.chapter, span, inside.of(one.quote))
        return None

    def _violation(self, claim: Contradiction, sides: tuple[Evidence, ...], model: str) -> Violation:
        about = {who for side in sides for who in self.before.named_in(side.document_id, side.span)}
        return Violation(
            rule=ModelCritic.name,
            severity=ModelCritic.severity,
            message=f"{model} sees a contradiction ({claim.kind}): {claim.why or 'it gives no reason'}",
            entities=tuple(sorted(about)),
            evidence=sides,
            suggestion="Read both quotes; if they contradict each other, change one, or tell what changed.",
            unless="a change, a lie, a dream or a mistake is told that accounts for both",
            origin=f"model:{model}",
        )


def _paragraphs(spans: Sequence[tuple[Document, Chapter, Span]]) -> Iterator[Evidence]:
    for document, chapter, span in spans:
        for found in _PARAGRAPH.finditer(document.text, span.start, span.end):
            yield Evidence.of(document, chapter.number, Span(*found.span()))
