"""What the page Bench shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...bench.preference import Preference
from ...bench.rating import preferred_rows
from ...bench.results import differences, means
from . import html


def result_tables(result: Mapping[str, Any]) -> str:
    """Means, and differences from the baseline, for each variant."""
    facts = result["facts"]
    names = [one["name"] for one in facts["config"]["variants"]]
    return html(
        "bench", "results", [(name, *means(facts, name), *differences(facts, name)) for name in names]
    )


def preferred(found: Preference) -> str:
    """Who is preferred, with intervals, and on how much that rests."""
    return html("bench", "preferred", found, preferred_rows(found))
