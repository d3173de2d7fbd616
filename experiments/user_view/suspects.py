"""How many planted contradictions stand high in the list of pairs to read?

    python experiments/run.py suspects [--set dev|test] [--name RESULT]

Each short story is listed by itself. A contradiction is in the list where a sentence of it touches the later
side, and one of the earlier ones beside that the other; beside the trained judge stands the order by likeness
alone, of the same pairs. ``first`` counts the places in the list that somebody reads: five of a story of some
750 words, then ten. In stories without a
contradiction every pair is read for nothing. Intervals resample stories.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.bench.continuity import share
from fabula.core.documents import document_from_text
from fabula.core.embeddings import EmbeddingManager
from fabula.core.types import Horizon, Span
from fabula.story.continuity.suspects.pair_judge import packaged_judge
from fabula.story.continuity.suspects.suspects import Suspect, suspects, told_in

from .story_sets import DIFFICULTIES, load_stories

Row = dict[str, Any]
FIRST = (5, 10)


class ByLikeness:
    """In place of the judge: the cosine of both sentences."""

    def __init__(self, embedder: EmbeddingManager) -> None:
        self._embedder = embedder

    def odds(self, pairs: Sequence[tuple[str, str]], *, on_done: Any = None) -> Iterable[float]:  # noqa: ARG002
        texts = list(dict.fromkeys(side for pair in pairs for side in pair))
        vectors = dict(zip(texts, self._embedder.embed_documents(texts), strict=True))
        return [float(np.dot(vectors[a], vectors[b])) for a, b in pairs]


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    embedder = EmbeddingManager()
    judges = {"judge": packaged_judge(), "likeness": ByLikeness(embedder)}
    rows: list[Row] = []
    words = 0
    for story in load_stories(options.set):
        if not story.contradictions:
            continue
        words += story.words
        document = document_from_text(story.text, id=story.id, title=story.title)
        told = told_in([document], horizon=Horizon())
        lists = {
            name: suspects(told, embed=embedder.embed_documents, judge=judge.odds, limit=10**6)
            for name, judge in judges.items()
        }
        for one in story.contradictions:
            places = {name: _place(one, found) for name, found in lists.items()}
            rows.append({"story": story.id, "difficulty": one["difficulty"], "kind": one["kind"], **places})
    found = {
        name: {
            str(first): {
                kind: share(
                    [
                        (row["story"], row[name] is not None and row[name] <= first)
                        for row in rows
                        if kind in ("all", row["difficulty"])
                    ]
                )
                for kind in ("all", *DIFFICULTIES)
            }
            for first in FIRST
        }
        for name in judges
    }
    facts = {
        "question": "How many planted contradictions stand high in the list of pairs to read?",
        "set": options.set,
        "stories": len({row["story"] for row in rows}),
        "words": words,
        "aggregates": found,
        "rows": rows,
    }
    write_result(options.name or f"suspects_{options.set}", facts=facts, measured=machine())
    for name, of in found.items():
        for first, shares in of.items():
            print(name, first, {kind: (share["hits"], share["n"]) for kind, share in shares.items()})


def _place(one: Any, found: Sequence[Suspect]) -> int | None:
    """From 1; None where no pair touches both sides."""
    earlier, later = one["earlier"], one["later"]
    for place, pair in enumerate(found, start=1):
        if _on(pair.later.span, later) and any(_on(one.span, earlier) for one in pair.earlier):
            return place
    return None


def _on(span: Span, side: Any) -> bool:
    return span.overlaps(Span(side["start"], side["end"]))


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--set", choices=("dev", "test"), default="dev")
    options.add_argument("--name", default="", help="of the result file")
    return options
