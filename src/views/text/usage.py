"""What models were asked and what it cost, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .render import harmless

if TYPE_CHECKING:
    from ...project.spending import UsageLine, UsageReport

__all__ = ["dollars_text", "tokens_text", "usage_text"]

_HEAD = ("day", "model", "calls", "tokens in", "out", "dollars")


def usage_text(report: UsageReport) -> str:
    """A row a day and model, then the sum."""
    if not report.lines:
        return "no model was asked through an endpoint, and none wrote"
    rows = [_HEAD, *map(_row, report.lines)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEAD))]
    lines = ["  ".join(_set(row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, "", _total(report)])


def dollars_text(dollars: float | None) -> str:
    """To a hundredth of a cent; a question mark where there is no price."""
    return "?" if dollars is None else f"{dollars:,.4f}"


def tokens_text(tokens: int, *, estimated: bool) -> str:
    """With a tilde where some are estimates."""
    return f"{'~' * estimated}{tokens:,}"


def _row(line: UsageLine) -> tuple[str, ...]:
    return (
        line.day,
        harmless(line.model),
        f"{line.calls:,}",
        tokens_text(line.prompt_tokens, estimated=line.estimated),
        f"{line.completion_tokens:,}",
        dollars_text(line.dollars),
    )


def _set(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [
        cell.ljust(width) if place < 2 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]


def _total(report: UsageReport) -> str:
    total = f"{dollars_text(report.dollars)} dollars"
    if not report.unpriced:
        return total
    names = ", ".join(map(harmless, report.unpriced))
    return f"{total}, without {names}: no price; name a price list with --prices or generator.prices"
