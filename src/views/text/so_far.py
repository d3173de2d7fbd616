"""An answer to a question, the story so far and the ledger of its plot, as data and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...core.files.plain_json import plain
from ...core.text.sentences import in_marks
from ...core.types import Evidence
from ...story.model.types import CODEX_ID
from ..quotes import QuoteShown, quote_shown, quotes_shown
from .render import harmless, wrapped

if TYPE_CHECKING:
    from ...core.answering.answered import Answered
    from ...core.answering.grounding import Citation
    from ...story.plot.ledger import Thread
    from ...story.writing.story_so_far import Recap


_LIKELY = 0.5

LAID_DOWN = "from the codex, which overrides the text"
"""Stands above what a codex says on the question."""


def answered_facts(answered: Answered) -> dict[str, Any]:
    """The answer as JSON data without its seconds: the same question, the same bytes."""
    facts: dict[str, Any] = plain(answered)
    del facts["seconds"]
    return facts


def answered_text(answered: Answered) -> str:
    """Where no model writes, first what a codex lays down on it, which holds. Then the answer, then the
    quotes it stands on (in an extractive one they are the answer, with the words that say it above them where
    these are likely; for one that the story does not give, the closest passage), then what a reader should
    know."""
    said = [answered.short or quotes_head(answered)] if answered.extractive else answered.text.splitlines()
    lines = []
    if held := laid_down(answered):
        lines = [f"{LAID_DOWN}:"]
        lines += [wrapped(in_marks(text), indent="    ") for text in held]
        lines += ["what the text says:"]
    lines += [wrapped(line) for line in said if line.strip()]
    for citation in answered.citations:
        printed = f", {citation.label}" if citation.label.startswith("Page ") else ""
        quote = quote_shown(_evidence(answered, citation))
        mark = "" if answered.extractive else f"[{citation.number}] "
        lines.append(wrapped(f"{mark}{in_marks(quote.words)} ({quote.place}{printed})", indent="    "))
    if not answered.told and answered.passages:
        nearest = answered.passages[0].chunk
        lines.append(wrapped(f"closest, in ch. {nearest.chapter}: {in_marks(nearest.text)}", indent="    "))
    if answered.cached and answered.answers != answered.question:
        lines.append(f"kept from: {harmless(answered.answers)}")
    if answered.confidence is not None and not answered.model:
        lines.append(how_sure(answered))
    lines += [wrapped(notice) for notice in answered.notices]
    if answered.supported is not None and not answered.extractive:
        lines.append("each sentence was checked against its sources")
    return "\n".join(lines)


def laid_down(answered: Answered) -> list[str]:
    """What a codex lays down on the question, where no model wrote the answer: a model was told it."""
    notes = () if answered.model else answered.notes
    return [one.text for one in notes if all(quote.document_id == CODEX_ID for quote in one.evidence)]


def quotes_head(answered: Answered) -> str:
    """What stands above quotes that hold no short answer."""
    if answered.confidence is None or answered.confidence < _LIKELY:
        return "No sure answer. The nearest that the story says:"
    return "One of these quotes probably answers it:"


def how_sure(answered: Answered) -> str:
    """What its ``confidence`` is of, in words; empty where there is none."""
    if answered.confidence is None:
        return ""
    quotes = "that one of these quotes answers" if answered.told else "that the story answers this"
    return f"{answered.confidence:.0%} sure {'of this answer' if answered.short else quotes}"


def _evidence(answered: Answered, citation: Citation) -> Evidence:
    """The quote, and of which document it is: a codex's where its source is one."""
    sources = (one for one in answered.sources if one.number == citation.number)
    held = (quote for one in sources for quote in one.evidence if quote.span.contains(citation.span))
    document = next((quote.document_id for quote in held), "")
    return Evidence(document, citation.chapter, citation.span, citation.quote)


NO_THREADS = (
    "No threads yet. A language model reads them with the chapters: connect one, and index the book again."
)
STATES = {
    "overdue": "Not mentioned for long",
    "open": "Open",
    "advanced": "Under way",
    "resolved": "Settled",
}
"""What to call the state of a thread, what is waited for first."""


@dataclass(frozen=True, slots=True)
class RecapLineShown:
    """A sentence, and the quotes that it stands on; where nobody worded it, it is its quote."""

    chapter: int
    text: str
    quotes: tuple[QuoteShown, ...]

    @property
    def is_quote(self) -> bool:
        """Is it the story's own sentence?"""
        return [" ".join(one.text.split()) for one in self.quotes] == [self.text]


@dataclass(frozen=True, slots=True)
class RecapShown:
    """In order of telling, up to the chapter ``as_of``; ``model`` wrote the lines, the story itself where it
    is empty. ``waiting`` are the threads that are still open, as far as they were read with the chapters."""

    as_of: int
    length: str
    lines: tuple[RecapLineShown, ...]
    model: str
    notices: tuple[str, ...]
    waiting: tuple[RecapLineShown, ...] = ()

    @property
    def writer(self) -> str:
        """Whose words the lines are."""
        if self.model:
            return f"Written by {self.model}"
        own = all(line.is_quote for line in self.lines)
        return (
            "The story's own sentences"
            if own
            else "What the language model noted, with the story's sentences"
        )


def recap_shown(recap: Recap) -> RecapShown:
    """The recap as plain data."""
    lines, waiting = (
        tuple(
            RecapLineShown(line.chapter, " ".join(line.text.split()), quotes_shown(line.evidence))
            for line in told
        )
        for told in (recap.lines, recap.waiting)
    )
    return RecapShown(recap.chapter, recap.length, lines, recap.model, recap.notices, waiting)


def recap_text(recap: RecapShown) -> str:
    """A line a sentence, each behind its chapter; where it is not the story's own, its quotes below."""
    lines = list(_told(recap.lines)) or ["Nothing yet."]
    if recap.waiting:
        lines += ["Still open:", *_told(recap.waiting)]
    return "\n".join([*lines, *map(wrapped, recap.notices)])


def _told(lines: Iterable[RecapLineShown]) -> Iterator[str]:
    for line in lines:
        yield wrapped(f"ch. {line.chapter} {in_marks(line.text) if line.is_quote else line.text}")
        if not line.is_quote:
            yield from (wrapped(in_marks(quote.text), indent="    ") for quote in line.quotes)


@dataclass(frozen=True, slots=True)
class TurnShown:
    """``step`` is planted, advanced or resolved."""

    step: str
    quote: QuoteShown


@dataclass(frozen=True, slots=True)
class ThreadShown:
    """Something planted: its ``kind``, ``what`` is waited for in its reader's words, its ``state`` (open,
    advanced, overdue or resolved), and its turns in order of telling."""

    kind: str
    what: str
    state: str
    turns: tuple[TurnShown, ...]

    @property
    def status(self) -> str:
        """Since when it is open, or where it was settled."""
        is_settled = self.state == "resolved"
        when = "" if is_settled else ", since"
        return f"{STATES[self.state]}{when or ' in'} chapter {self.turns[-is_settled].quote.chapter}"


@dataclass(frozen=True, slots=True)
class LedgerShown:
    """Threads up to the chapter ``as_of``, what is still waited for first."""

    as_of: int
    threads: tuple[ThreadShown, ...]

    @property
    def parts(self) -> dict[str, tuple[ThreadShown, ...]]:
        """What is open and what is settled, under their headings."""
        settled = tuple(one for one in self.threads if one.state == "resolved")
        return {"Still open": self.threads[: len(self.threads) - len(settled)], "Settled": settled}


def ledger_shown(told: Iterable[Thread], as_of: int) -> LedgerShown:
    """The threads as plain data."""
    threads = [
        ThreadShown(
            one.kind,
            one.what,
            one.state,
            tuple(TurnShown(turn.step, quote_shown(turn.evidence)) for turn in one.turns),
        )
        for one in told
    ]
    threads.sort(key=lambda one: list(STATES).index(one.state))
    return LedgerShown(as_of, tuple(threads))


def ledger_text(ledger: LedgerShown) -> str:
    """A paragraph a thread, its quotes below."""
    lines = []
    for thread in ledger.threads:
        lines.append(wrapped(f"[{thread.state}] {thread.kind}: {thread.what}"))
        lines += [
            wrapped(f"ch. {turn.quote.chapter} {turn.step}: {in_marks(turn.quote.text)}", indent="    ")
            for turn in thread.turns
        ]
    return "\n".join(lines) or wrapped(NO_THREADS)


def by_chapter(lines: Iterable[RecapLineShown]) -> list[tuple[int, list[RecapLineShown]]]:
    """The lines of each chapter, in order."""
    return [(number, list(its)) for number, its in groupby(lines, key=lambda one: one.chapter)]


def so_far_markdown(recap: RecapShown, ledger: LedgerShown, *, title: str, titles: Mapping[int, str]) -> str:
    """Recap and open threads as a Markdown text; what is the story's own stands in quotation marks.
    ``titles`` say what to call each chapter."""
    parts = [f"# {title}: the story so far", f"Up to chapter {recap.as_of}."]
    for number, lines in by_chapter(recap.lines):
        parts.append(f"## {titles[number]}")
        parts += [in_marks(one.text) if one.is_quote else one.text for one in lines]
    waiting = ledger.parts["Still open"]
    parts += ["## Still open"] * bool(waiting)
    parts += [f"- {one.what} ({one.status[0].lower()}{one.status[1:]})" for one in waiting]
    parts.append(f"{recap.writer}.")
    return "\n\n".join(parts) + "\n"
