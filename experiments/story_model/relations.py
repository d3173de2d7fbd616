"""How good are the story's relations: is it known who is for and who against whom?

Affinity of pairs of characters of whole novels (positive, neutral, negative; Massey et al. 2015) by
``Affinities.between``; macro-F1, for the novels that rules were written on (``seen``) and for those kept back
(``held_out``). A pair of which our reading does not know one counts as positive, the majority of the seen
half. Pairs noted "NR" or of one name are left out.

Beside the macro-F1 stands that of always saying the half's most frequent label; intervals are
bootstrapped over documents. No times in it.

    python experiments/run.py story_model --data DIR --only relations [--seen-only]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.story_data import document_of, held_out, read_story, rows
from fabula.core.types import Document, Horizon
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.arcs.affinity import Affinities
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import StoryEntity

__all__ = ["macro_f1", "measure"]

LABELS = ("negative", "neutral", "positive")


def view_of(document: Document, reader: StoryReader) -> StoryView:
    return StoryKnowledgeGraph.from_log(read_story(document, reader)).as_of(Horizon())


def macro_f1(gold: Sequence[Any], told: Sequence[Any], classes: Sequence[Any]) -> float:
    """Mean F1 of the classes; a class that neither gold nor told has is left out."""
    scores = []
    for label in classes:
        hits = sum(g == t == label for g, t in zip(gold, told, strict=True))
        noted, said = sum(g == label for g in gold), sum(t == label for t in told)
        if noted + said:
            scores.append(2 * hits / (noted + said))
    return sum(scores) / len(scores) if scores else 0.0


def novel_pairs(data: Path, reader: StoryReader, halves: Iterable[bool]) -> list[dict[str, Any]]:
    """Pairs of characters with gold and told label. Each novel is read once."""
    pairs: list[dict[str, Any]] = []
    noted = rows(data / "relations" / "character_relations.jsonl")
    noted = [row for row in noted if row["affinity"] in LABELS and row["a"] != row["b"]]
    for book in sorted(book for book in {row["doc"] for row in noted} if held_out(book) in halves):
        view = view_of(document_of(data / "novels" / f"{book}.txt"), reader)
        pairs += _pairs_of(view, [row for row in noted if row["doc"] == book])
    return pairs


def _pairs_of(view: StoryView, noted: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row a pair of characters: document, who, gold label, told label, whether both are known."""
    asked, found = Affinities(view), []
    for row in noted:
        one, other = find_person(view, row["a"]), find_person(view, row["b"])
        known = one is not None and other is not None and one.id != other.id
        told = asked.between(one.id, other.id) if known and one and other else None
        found.append(
            {
                "doc": row["doc"],
                "held": held_out(row["doc"]),
                "pair": [row["a"], row["b"]],
                "gold": row["affinity"],
                "told": LABELS[told.sign + 1] if told else "positive",
                "strength": told.strength if told else 0.0,
                "known": known,
            }
        )
    return found


def find_person(view: StoryView, name: str) -> StoryEntity | None:
    """By the whole name, else without its first word (a title or a given name), else by its first word."""
    words = name.split()
    tries = [name, " ".join(words[1:]), words[0] if len(words) > 1 else ""]
    return next((found for wanted in tries if wanted and (found := view.find(wanted))), None)


def signs_of(pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Macro-F1 beside that of the most frequent label, the difference bootstrapped over documents."""
    if not pairs:
        return {"n": 0}
    gold = [pair["gold"] for pair in pairs]
    told = [pair["told"] for pair in pairs]
    most = Counter(gold).most_common(1)[0][0]
    plain = macro_f1(gold, [most] * len(gold), LABELS)
    own = macro_f1(gold, told, LABELS)
    return {
        "n": len(pairs),
        "documents": len({pair["doc"] for pair in pairs}),
        "known": sum(pair["known"] for pair in pairs),
        "accuracy": round(sum(g == t for g, t in zip(gold, told, strict=True)) / len(gold), 4),
        "macro_f1": round(own, 4),
        "majority": {
            "label": most,
            "macro_f1": round(plain, 4),
            "accuracy": round(gold.count(most) / len(gold), 4),
        },
        "above_majority": round(own - plain, 4),
        "above_majority_interval": _interval(pairs, most),
        "confusion": {
            f"{g} as {t}": n for (g, t), n in sorted(Counter(zip(gold, told, strict=True)).items())
        },
    }


def _interval(pairs: Sequence[Mapping[str, Any]], most: Any) -> tuple[float, float]:
    """95 % percentile interval of macro-F1 less the baseline's, documents drawn anew 2000 times. (A mean over
    documents, as ``bootstrap_interval`` takes it, is not what macro-F1 is.)"""
    documents = sorted({pair["doc"] for pair in pairs})
    by = {name: [pair for pair in pairs if pair["doc"] == name] for name in documents}
    rng, drawn = np.random.default_rng(0), []
    for _ in range(2000):
        picked = [pair for i in rng.integers(0, len(documents), len(documents)) for pair in by[documents[i]]]
        gold, told = [pair["gold"] for pair in picked], [pair["told"] for pair in picked]
        drawn.append(macro_f1(gold, told, LABELS) - macro_f1(gold, [most] * len(gold), LABELS))
    low, high = np.percentile(drawn, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def _rights(pairs: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """By document a mark a pair, in order: 1 right, 0 wrong, - one of whom the reading knows nothing. The
    labels themselves are not ours to publish."""
    found: dict[str, str] = {}
    for pair in pairs:
        mark = str(int(pair["gold"] == pair["told"])) if pair["known"] else "-"
        found[pair["doc"]] = found.get(pair["doc"], "") + mark
    return found


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """The facts of each half; ``held`` restricts them to one."""
    halves = (False, True) if held is None else (held,)
    found = novel_pairs(data, reader, halves)
    facts: dict[str, Any] = {}
    for half in halves:
        own = [row for row in found if row["held"] is half]
        facts["held_out" if half else "seen"] = {"novels": signs_of(own), "rows": {"novels": _rights(own)}}
    return facts
