"""Where do plots turn, and who plays which part: how well does our reading say so?

Turning points: film synopses with five labelled sentences each (TRIPOD: opportunity, change of plans, point
of no return, major setback, climax). Our five are those of ``fabula.story.plot.turning_points``. A hit is a
sentence that some annotator marked for that role; the distance is that to the nearest one marked, as a part
of the synopsis. Beside it stand the fixed positions of screenwriting theory (10, 25, 50, 75, 90 %: the
sentence at ``round(p (n - 1))``) and, where a film has several annotators, each of them against the others.
Intervals are bootstraps over films; the paired test flips signs of the differences film by film.

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
from fabula.core.embeddings import EmbeddingManager
from fabula.core.types import Horizon, Span
from fabula.story.evaluation.paired_tests import bootstrap_interval, sign_flip_test
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import EntityKind
from fabula.story.plot.turning_points import (
    ROLES,
    PlotPointFinder,
    event_weights,
    fixed_points,
    introductions,
    without_names,
)

_PARTS = {
    "hero": "Hero",
    "villain": "Villain/Antagonist",
    "lover": "Spouse/Partner/Lover of Hero",
    "sidekick": "Sidekick of Hero",
}


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """Turning points and roles of the seen and the held-out half (or only one)."""
    halves = {"seen": False, "held_out": True}
    films = rows(data / "arcs" / "tripod_turning_points.jsonl")
    plots = rows(data / "arcs" / "character_roles_gold.jsonl")
    finder = PlotPointFinder(EmbeddingManager(precision="fp32"))
    facts: dict[str, Any] = {"reader": reader.version}
    for name, half in halves.items():
        if held is None or held is half:
            facts[name] = {
                "turning_points": _turning(
                    [row for row in films if held_out(row["doc"]) is half], finder, reader
                ),
                "roles": _roles([row for row in plots if held_out(row["doc"]) is half], reader),
            }
    return facts


# --- turning points ------------------------------------------------------------------------------


def _turning(films: Sequence[dict[str, Any]], finder: PlotPointFinder, reader: StoryReader) -> dict[str, Any]:
    rows_ = [_film(film, finder, reader) for film in films]
    found: dict[str, Any] = {"films": rows_}
    for system in ("ours", "fixed", "annotators"):
        shown = [row for row in rows_ if row[system]]
        if shown:
            found[system] = _sum(shown, system)
    differences = [row["ours"]["hit_rate"] - row["fixed"]["hit_rate"] for row in rows_]
    found["ours_over_fixed"] = {
        "difference": round(sum(differences) / len(differences), 4),
        "interval": bootstrap_interval(differences, groups=[row["doc"] for row in rows_]),
        "p": round(sign_flip_test(differences), 4),
    }
    return found


def _film(film: dict[str, Any], finder: PlotPointFinder, reader: StoryReader) -> dict[str, Any]:
    sentences, labels = film["sentences"], film["turning_points"]
    spans, at = [], 0
    for sentence in sentences:
        spans.append(Span(at, at + len(sentence)))
        at += len(sentence) + 1
    text = " ".join(sentences)
    reading = reader.read(text)
    found = finder.find(
        sentences,
        events=event_weights(reading, spans),
        introduced=introductions(reading, spans),
        nameless=without_names(text, reading, spans),
    )
    ours = [point.piece for point in found]
    every = [{i for one in labels for i in one[k]} for k in range(len(ROLES))]
    return {
        "doc": film["doc"],
        "sentences": len(sentences),
        "ours": _judged(ours, every, len(sentences)),
        "fixed": _judged(list(fixed_points(len(sentences))), every, len(sentences)),
        "annotators": _among(labels, len(sentences)),
    }


def _judged(found: Sequence[int], labels: Sequence[set[int]], n: int) -> dict[str, Any]:
    hits = [piece in right for piece, right in zip(found, labels, strict=True)]
    far = [min(abs(piece - i) for i in right) / n for piece, right in zip(found, labels, strict=True)]
    return {
        "pieces": list(found),
        "hits": [int(hit) for hit in hits],
        "hit_rate": round(sum(hits) / len(hits), 4),
        "distance": round(sum(far) / len(far), 4),
    }


def _among(labels: Sequence[Any], n: int) -> dict[str, Any] | None:
    """Each annotator's first sentence a role, judged by the others' labels; None where there is but one."""
    if len(labels) < 2:
        return None
    judged = []
    for i, one in enumerate(labels):
        others = [{s for j, o in enumerate(labels) if j != i for s in o[k]} for k in range(len(ROLES))]
        judged.append(_judged([part[0] for part in one], others, n))
    return {
        "hits": [sum(one["hits"][k] for one in judged) / len(judged) for k in range(len(ROLES))],
        "hit_rate": round(sum(one["hit_rate"] for one in judged) / len(judged), 4),
        "distance": round(sum(one["distance"] for one in judged) / len(judged), 4),
    }


def _sum(films: Sequence[dict[str, Any]], system: str) -> dict[str, Any]:
    names = [row["doc"] for row in films]
    summed: dict[str, Any] = {"films": len(films), "n": len(films) * len(ROLES)}
    for what in ("hit_rate", "distance"):
        values = [row[system][what] for row in films]
        summed[what] = round(sum(values) / len(values), 4)
        summed[f"{what}_interval"] = bootstrap_interval(values, groups=names)
    summed["by_role"] = {
        role: round(sum(row[system]["hits"][k] for row in films) / len(films), 4)
        for k, role in enumerate(ROLES)
    }
    return summed


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
