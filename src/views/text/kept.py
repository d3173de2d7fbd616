"""What a project keeps, as data and in words: conversations, ratings of passages, what models were asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ...core.store.conversations import Conversation, KeptTurn
from .render import harmless, table, wrapped

if TYPE_CHECKING:
    from ...core.queries.weight_learning import Rating
    from ...core.store.usage import UsageRow
    from ...project.spending import UsageReport

_POOR = 0.5
_LISTED = 20
USAGE_HEAD = ("day", "model", "calls", "tokens in", "out", "dollars")


@dataclass(frozen=True, slots=True)
class ConversationShown:
    """One conversation, in order."""

    id: str
    turns: tuple[KeptTurn, ...]


@dataclass(frozen=True, slots=True)
class ConversationsShown:
    """Those with questions that were asked at ``as_of`` or before, the one asked in last first."""

    as_of: int | None
    conversations: tuple[Conversation, ...]


def conversations_text(shown: ConversationsShown) -> str:
    """A line each."""
    if not shown.conversations:
        return "no conversations yet: ask with --conversation ID to begin one"
    return "\n".join(
        f"{one.id}  {one.turns} question{'s' * (one.turns != 1)}, first: {harmless(one.opened_with)}"
        for one in shown.conversations
    )


def conversation_text(shown: ConversationShown) -> str:
    """Questions with their answers."""
    if not shown.turns:
        return f"there is no conversation {shown.id}"
    return "\n\n".join(
        f"{harmless(one.question)} (as of chapter {one.as_of})\n{harmless(one.answer)}" for one in shown.turns
    )


def ratings_shown(ratings: Sequence[Rating]) -> dict[str, Any]:
    """Ratings, newest first, as plain data: ``ratings``, their ``mean`` (0 to 1; None without any), both by
    class of query, and up to 20 that are ``poor`` (below .5)."""
    classes = sorted({one.query_class for one in ratings})
    return {
        **_summed(ratings),
        "by_class": [
            {"query_class": name, **_summed([one for one in ratings if one.query_class == name])}
            for name in classes
        ],
        "poor": [
            {"query": one.query, "chunk_id": one.answer.chunk_id, "rating": one.rating}
            for one in ratings
            if one.rating < _POOR
        ][:_LISTED],
    }


def ratings_text(shown: dict[str, Any]) -> str:
    """The same in words."""
    if not shown["ratings"]:
        return "no ratings yet"
    lines = [f"{shown['ratings']:,} ratings, {shown['mean']:.2f} on average (0 useless, 1 just right)"]
    lines += [
        f"  {one['query_class']}: {one['ratings']:,}, {one['mean']:.2f} on average"
        for one in shown["by_class"]
    ]
    if shown["poor"]:
        lines.append("searches with a poorly rated passage, newest first:")
        lines += [wrapped(f"{one['rating']:.1f}  {one['query']}", indent="  ") for one in shown["poor"]]
    return "\n".join(lines)


def _summed(ratings: Sequence[Rating]) -> dict[str, Any]:
    mean = round(fmean(one.rating for one in ratings), 4) if ratings else None
    return {"ratings": len(ratings), "mean": mean}


def usage_text(report: UsageReport) -> str:
    """A row a day and model, then the sum."""
    if not report.lines:
        return "no model was used through an endpoint, and none wrote"
    rows = table(map(usage_row, report.lines), header=USAGE_HEAD, right=range(2, len(USAGE_HEAD)), rule=False)
    total = f"{dollars_text(report.dollars)} dollars"
    if report.unpriced:
        names = ", ".join(map(harmless, report.unpriced))
        total += f", without {names}: no price; name a price list with --prices or generator.prices"
    return f"{rows}\n\n{total}\nby {harmless(report.prices)}"


def dollars_text(dollars: float | None) -> str:
    """To a hundredth of a cent; a question mark where there is no price."""
    return "?" if dollars is None else f"{dollars:,.4f}"


def usage_row(line: UsageRow) -> tuple[str, ...]:
    """As :data:`USAGE_HEAD` has them; tokens with a tilde where some are estimates."""
    return (
        line.day,
        harmless(line.model),
        f"{line.calls:,}",
        f"{'~' * (line.estimated > 0)}{line.prompt_tokens:,}",
        f"{line.completion_tokens:,}",
        dollars_text(line.dollars),
    )
