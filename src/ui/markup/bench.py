"""What the page Bench shows, as HTML: everything in it is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ...bench.preference import Preference
from ...bench.rating import preferred_rows
from ...bench.results import differences, means


def result_tables(result: Mapping[str, Any]) -> str:
    """Means, and differences from the baseline, for each variant."""
    facts = result["facts"]
    parts = []
    for variant in [one["name"] for one in facts["config"]["variants"]]:
        if variant:
            parts.append(f"<h3>{escape(variant)}</h3>")
        parts.append(_table("Means", *means(facts, variant)))
        header, rows = differences(facts, variant)
        if rows:
            parts.append(_table("Differences from the baseline", header, rows))
    return "".join(parts)


def preferred(found: Preference) -> str:
    """Who is preferred, with intervals, and on how much that rests."""
    rows = preferred_rows(found)
    agreed = (
        ""
        if found.agreement is None
        else f" Of the pairs seen by several, all agreed on {found.agreement:.0%}."
    )
    table = _table("Preferences", ["system", "preferred", "95 % interval", "won"], rows)
    return f'{table}<p class="f-soft">{found.choices} choices on {found.prompts} prompts.{agreed}</p>'


def _table(label: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(c)}</td>" for c in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="f-scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="f-table"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )
