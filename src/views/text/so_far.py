"""The story so far and the ledger of its plot, as data and in words, for every door."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.text.sentences import in_marks
from ..quotes import QuoteShown, quote_shown, quotes_shown
from .render import wrapped

if TYPE_CHECKING:
    from ...story.plot.ledger import Ledger
    from ...story.writing.story_so_far import Recap

_ORDER = ("overdue", "open", "advanced", "resolved")


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
    lines = list(_told(recap.lines)) or ["Nothing is told yet."]
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
    """Something planted: its ``kind``, ``what`` is waited for in the model's words, its ``state`` (open,
    advanced, overdue or resolved), and its turns in order of telling."""

    kind: str
    what: str
    state: str
    turns: tuple[TurnShown, ...]


@dataclass(frozen=True, slots=True)
class LedgerShown:
    """Threads up to the chapter ``as_of``, what is still waited for first; ``claimed`` turns were stated by
    the ``model`` (empty: they were read when the book was indexed), ``dropped`` of them had no quote."""

    as_of: int
    model: str
    threads: tuple[ThreadShown, ...]
    claimed: int
    dropped: int

    @property
    def counted(self) -> str:
        """How much of what the model said counts."""
        return f"Read by {self.model}; {self.dropped} of {self.claimed} statements had no quote."


def ledger_shown(ledger: Ledger) -> LedgerShown:
    """The ledger as plain data."""
    threads = [
        ThreadShown(
            one.kind,
            one.what,
            one.state,
            tuple(TurnShown(turn.step, quote_shown(turn.evidence)) for turn in one.turns),
        )
        for one in ledger.threads
    ]
    threads.sort(key=lambda one: _ORDER.index(one.state))
    dropped = sum(count for _, count in ledger.dropped)
    return LedgerShown(ledger.told, ledger.model, tuple(threads), ledger.claimed, dropped)


def ledger_text(ledger: LedgerShown) -> str:
    """A paragraph a thread, its quotes below."""
    lines = []
    for thread in ledger.threads:
        lines.append(wrapped(f"[{thread.state}] {thread.kind}: {thread.what}"))
        lines += [
            wrapped(f"ch. {turn.quote.chapter} {turn.step}: {in_marks(turn.quote.text)}", indent="    ")
            for turn in thread.turns
        ]
    counted = [wrapped(ledger.counted)] if ledger.model else []
    return "\n".join([*(lines or ["Nothing is planted yet."]), *counted])
