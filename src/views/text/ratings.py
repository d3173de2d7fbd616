"""What readers thought of passages: ratings by the kind of query, and the searches that did not serve."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from .answer import wrapped

if TYPE_CHECKING:
    from ...core.queries.weight_learning import Rating

__all__ = ["ratings_shown", "ratings_text"]

_POOR = 0.5
_LISTED = 20


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
        return "no passage was rated yet"
    lines = [f"{shown['ratings']:,} ratings, {shown['mean']:.2f} on average (0 useless, 1 just right)"]
    lines += [
        f"  {one['query_class']}: {one['ratings']:,}, {one['mean']:.2f} on average"
        for one in shown["by_class"]
    ]
    if shown["poor"]:
        lines.append("searches whose passage did not serve, the newest first:")
        lines += [wrapped(f"{one['rating']:.1f}  {one['query']}", indent="  ") for one in shown["poor"]]
    return "\n".join(lines)


def _summed(ratings: Sequence[Rating]) -> dict[str, Any]:
    mean = round(fmean(one.rating for one in ratings), 4) if ratings else None
    return {"ratings": len(ratings), "mean": mean}
