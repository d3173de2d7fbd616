"""The plot ledger, as data and in words, for every door."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.text.sentences import in_marks
from ..quotes import QuoteShown, quote_shown
from .answer import wrapped

if TYPE_CHECKING:
    from ...story.plot.ledger import Ledger

__all__ = ["LedgerShown", "ThreadShown", "TurnShown", "ledger_shown", "ledger_text"]

_ORDER = ("overdue", "open", "advanced", "resolved")


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
