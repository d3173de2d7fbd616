"""What a revision changed, and numbers over several drafts, as HTML. Drafts are untrusted: escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...views.seeds import Seeded
from ...views.text.comparison import MetricRow
from ...views.word_diff import Piece, changed_share
from ..wording import DEFINITIONS, GROUPS

_TAGS = {"gone": "del", "new": "ins"}


def diff(pieces: tuple[Piece, ...]) -> str:
    """Both drafts in one text: what is gone struck out, what is new underlined."""
    shown = "".join(_piece(piece) for piece in pieces)
    share = f'<p class="f-tag">{changed_share(pieces):.0%} of the words changed</p>'
    return f'{share}<div class="f-prose f-diff" dir="auto">{shown}</div>'


def seeded_table(rows: Sequence[MetricRow[Seeded | None]], names: Sequence[str], *, drafts: int) -> str:
    """Mean and 95 % interval of every metric over the drafts of one prompt."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body, group = [], ""
    for row in rows:
        if row.group != group:
            group = row.group
            heading = escape(GROUPS.get(group, group))
            body.append(
                f'<tr class="f-group"><th colspan="{1 + len(names)}" scope="rowgroup">{heading}</th></tr>'
            )
        arrow = "" if group == "cost" else " ↑" if row.higher_is_better else " ↓"
        cells = "".join(f"<td>{_cell(cell, row.form, drafts)}</td>" for cell in row.cells)
        means = escape(DEFINITIONS.get(row.label, ""))
        body.append(f'<tr><th scope="row">{escape(row.label)}{arrow}<small>{means}</small></th>{cells}</tr>')
    return (
        '<div class="f-scroll" tabindex="0" role="region" aria-label="Metrics over drafts">'
        f'<table class="f-table"><thead><tr><th scope="col">Mean of {drafts} drafts</th>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
        '<p class="f-soft">Below each mean its 95 % interval by a bootstrap over the drafts: how much drafts '
        "of this prompt vary, not how the pipelines differ on others. – nothing to judge.</p>"
    )


def _piece(piece: Piece) -> str:
    tag = _TAGS.get(piece.kind)
    text = escape(piece.text)
    return f"<{tag}>{text}</{tag}>" if tag else text


def _cell(cell: Seeded | None, form: str, drafts: int) -> str:
    if cell is None:
        return "–"
    of = f", {cell.n} judged" if cell.n < drafts else ""
    return (
        f"{escape(form.format(cell.mean))}<small>{escape(form.format(cell.low))} to "
        f"{escape(form.format(cell.high))}{of}</small>"
    )
