"""The story so far and the ledger of its plot, as data and in words, for every door."""

from __future__ import annotations

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
    """A sentence, and the quotes that it stands on; without a model it is its quote."""

    chapter: int
    text: str
    quotes: tuple[QuoteShown, ...]


@dataclass(frozen=True, slots=True)
class RecapShown:
    """In order of telling, up to the chapter ``as_of``; ``model`` wrote the lines, the story itself where it
    is empty."""

    as_of: int
    length: str
    lines: tuple[RecapLineShown, ...]
    model: str
    notices: tuple[str, ...]


def recap_shown(recap: Recap) -> RecapShown:
    """The recap as plain data."""
    lines = tuple(
        RecapLineShown(line.chapter, " ".join(line.text.split()), quotes_shown(line.evidence))
        for line in recap.lines
    )
    return RecapShown(recap.chapter, recap.length, lines, recap.model, recap.notices)


def recap_text(recap: RecapShown) -> str:
    """A line a sentence, each behind its chapter; where a model wrote them, their quotes below."""
    lines = []
    for line in recap.lines:
        said = line.text if recap.model else in_marks(line.text)
        lines.append(wrapped(f"ch. {line.chapter} {said}"))
        if recap.model:
            lines += [wrapped(in_marks(quote.text), indent="    ") for quote in line.quotes]
    return "\n".join([*(lines or ["Nothing is told yet."]), *map(wrapped, recap.notices)])


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
    the ``model``, ``dropped`` of them had no quote in the text."""

    as_of: int
    model: str
    threads: tuple[ThreadShown, ...]
    claimed: int
    dropped: int


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
    counted = f"Read by {ledger.model}; {ledger.dropped} of {ledger.claimed} statements had no quote."
    return "\n".join([*(lines or ["Nothing is planted yet."]), wrapped(counted)])
