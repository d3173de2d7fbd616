"""Who plays which part in a plot: how well does our reading say so?

Roles: plots with the role of each character. Is our hero one of those called hero, our villain one of those
called villain, our lover a spouse, partner or lover of the hero, our sidekick a sidekick? Of the plots that
have such a role. Beside it stand the first character named (for the hero) and the second most mentioned (for
the others).

    python experiments/run.py story_model --data DIR --only arcs [--seen-only]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.common.plot_roles import PlotRoles, plot_roles
from experiments.common.story_data import held_out, read_story, rows
from fabula.core.documents import document_from_text
from fabula.core.types import Horizon
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import EntityKind

_PARTS = {
    "hero": "Hero",
    "villain": "Villain/Antagonist",
    "lover": "Spouse/Partner/Lover of Hero",
    "sidekick": "Sidekick of Hero",
}


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """Roles of the seen and the held-out half (or only one)."""
    halves = {"seen": False, "held_out": True}
    plots = rows(data / "arcs" / "character_roles_gold.jsonl")
    facts: dict[str, Any] = {"reader": reader.version}
    for name, half in halves.items():
        if held is None or held is half:
            facts[name] = {
                "roles": _roles([row for row in plots if held_out(row["doc"]) is half], reader),
            }
    return facts


# --- roles ---------------------------------------------------------------------------------------


def _roles(plots: Sequence[dict[str, Any]], reader: StoryReader) -> dict[str, Any]:
    rows_ = [_plot(plot, reader) for plot in plots]
    found: dict[str, Any] = {"plots": rows_}
    for part in _PARTS:
        for system in ("ours", "baseline"):
            judged = [row[part][system] for row in rows_ if row[part] is not None]
            hits = sum(judged)
            value = round(hits / len(judged), 4) if judged else None
            found.setdefault(part, {})[system] = {"hits": hits, "n": len(judged), "value": value}
    return found


def _plot(plot: dict[str, Any], reader: StoryReader) -> dict[str, Any]:
    document = document_from_text(plot["summary"], id=plot["id"], title=plot["title"])
    view = StoryKnowledgeGraph.from_log(read_story(document, reader)).as_of(Horizon())
    ours = plot_roles(view)
    row: dict[str, Any] = {"id": plot["id"]}
    for part, kind in _PARTS.items():
        right = {
            found.id
            for one in plot["characters"]
            if one["type"] == kind and (found := view.find(one["name"]))
        }
        has = any(one["type"] == kind for one in plot["characters"])
        baseline = _baseline(view, ours) if part != "hero" else _first(view)
        row[part] = (
            {"ours": int(getattr(ours, part) in right), "baseline": int(baseline in right)} if has else None
        )
    return row


def _first(view: StoryView) -> str | None:
    people = {one.id for one in view.entities(EntityKind.CHARACTER)}
    return next((view.resolve(m.entity) for m in view.log.mentions if view.resolve(m.entity) in people), None)


def _baseline(view: StoryView, ours: PlotRoles) -> str | None:
    return next((one.id for one in view.entities(EntityKind.CHARACTER) if one.id != ours.hero), None)
