"""The replay of chapters as a table: means by pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..project.comparing import replay
from ..project.searching import chapter_range
from ..story.evaluation.replay import KINDS
from ..story.writing.pipelines import NO_HORIZON, NO_STATES, PIPELINES, RECENT
from ..views.answer import Answer
from ..views.text.render import table

if TYPE_CHECKING:
    from ..engine import Project
    from ..project.indexing import Progress
    from ..story.evaluation.replay import ReplayedChapter

__all__ = ["WITHOUT_A_PART", "replayed"]

WITHOUT_A_PART = (NO_STATES, NO_HORIZON, RECENT)  # revision changes no context


def replayed(
    project: Project, wanted: str | None, *, ablations: bool, progress: Progress | None = None
) -> Answer:
    """Means by pipeline, as a table and as data with every row."""
    last = len(project.document.chapters)
    low, high = chapter_range(wanted) if wanted else (2, None)
    chapters = list(range(max(low, 2), min(high or last, last) + 1))
    if not chapters:
        raise UsageError(f"there is no chapter to replay: name some from 2 to {last}")
    pipelines = (*PIPELINES, *WITHOUT_A_PART) if ablations else PIPELINES
    rows = replay(project, chapters, pipelines=pipelines, progress=progress)
    summed = [_summed([row for row in rows if row.pipeline == p.name], p.name) for p in pipelines]
    heads = ["pipeline", *KINDS, "mean", "held per 1,000 tokens", "tokens", "leaks"]
    text = "\n".join(
        [
            f"What {len(chapters)} chapters take up from before, and the share of it that was in the context "
            "made at their opening:",
            "",
            table(summed, header=heads, right=range(1, len(heads))),
        ]
    )
    return Answer({"chapters": chapters, "rows": rows}, text)


def _summed(rows: Sequence[ReplayedChapter], name: str) -> list[str]:
    def share(kind: str) -> str:
        needed = sum(h.needed for row in rows for h in row.held if h.kind == kind)
        held = sum(h.held for row in rows for h in row.held if h.kind == kind)
        return f"{held / needed:.2f}" if needed else "-"

    def mean(values: Sequence[float | None], places: int) -> str:
        given = [value for value in values if value is not None]
        return f"{sum(given) / len(given):.{places}f}" if given else "-"

    return [
        name,
        *(share(kind) for kind in KINDS),
        mean([row.recall for row in rows], 3),
        mean([row.per_1000_tokens for row in rows], 1),
        mean([float(row.tokens) for row in rows], 0),
        str(sum(row.leaks for row in rows)),
    ]
