"""Relations of the novels kept back, put down for readers to judge, and their verdicts folded in.

``sheet`` reads every novel kept back and writes all relations that happened and are told with
``SURE_ENOUGH`` or more: no lot, so nothing can be drawn twice or chosen. Among them stand decoys, one to
ten relations: the same sentence with somebody else of the book in the object's place. A reader who signs
decoys does not read. ``sheet.jsonl`` shows each with the text around it and tells neither the confidence
nor which are decoys; ``key.json`` does.

``fold`` takes what a reader put down, as JSON lines ``{"id": 7, "right": false, "reason": "S"}`` (reasons
as in ``relations``), or what two did, each on their own, with a third reader's lines for those on
which the two differ. Verdicts go to ``data/edge_judgements.json`` (book, offsets, predicate, digest of the
pair, no text) as one sample, with the decoys that each reader refused and how far they agree with one
another, and with the last earlier verdict on the same relation of the same two: share and Cohen's kappa.

    python experiments/run.py edge_judging sheet --data DIR -o FOLDER [--parses DIR] [--seed 0]
    python experiments/run.py edge_judging fold FOLDER ONE.jsonl [OTHER.jsonl THIRD.jsonl] --sample NAME
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.common.options import add_parses, new_parser
from experiments.common.story_data import CachedReader, document_of, held_out
from fabula.core.files.atomic import replace_file
from fabula.core.types import Document
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.predicates import PREDICATES, SURE_ENOUGH
from fabula.story.model.types import EntityKind, Relation, StoryEntity

from .relations import JUDGED, pair_digest, view_of

__all__ = ["agreement", "fold", "sheet"]

AROUND = 500
"""Characters of text shown before and after the quote."""

Row = dict[str, Any]


def sheet(data: Path, reader: StoryReader, folder: Path, *, seed: int = 0) -> int:
    """Writes ``sheet.jsonl`` and ``key.json`` into ``folder``; returns how many rows, decoys among them."""
    rng = random.Random(seed)
    rows: list[tuple[Row, Row]] = []
    for path in sorted((data / "novels").glob("*.txt")):
        if held_out(path.stem):
            document = document_of(path)
            view = view_of(document, reader)
            sure = [relation for relation in view.relations() if relation.confidence >= SURE_ENOUGH]
            rows += [_row(document, view, relation) for relation in sure]
            false = [_decoy(document, view, relation, rng) for relation in rng.sample(sure, len(sure) // 10)]
            rows += [row for row in false if row is not None]
            print(f"{path.stem}: {len(sure)} relations", flush=True)
    rng.shuffle(rows)
    rows.sort(key=lambda row: row[1]["book"])
    folder.mkdir(parents=True, exist_ok=True)
    shown = [json.dumps({"id": k, **row[0]}, ensure_ascii=False) for k, row in enumerate(rows)]
    replace_file(folder / "sheet.jsonl", "\n".join(shown) + "\n")
    replace_file(folder / "key.json", json.dumps([row[1] for row in rows], indent=0) + "\n")
    return len(rows)


def _row(
    document: Document, view: StoryView, relation: Relation, decoy: StoryEntity | None = None
) -> tuple[Row, Row]:
    """What a reader sees of the relation, and what stands in the key. ``decoy`` takes the object's place."""
    evidence, text = relation.evidence[0], document.text
    start, end = evidence.span.start, evidence.span.end
    other = decoy or view.entity(relation.object)
    shown = {
        "book": document.id,
        "chapter": evidence.chapter,
        "offsets": [start, end],
        "before": text[max(0, start - AROUND) : start],
        "quote": text[start:end],
        "after": text[end : end + AROUND],
        "claim": [
            _named(view.entity(relation.subject)),
            PREDICATES[relation.predicate].phrase,
            _named(other),
        ],
    }
    key = {
        "book": document.id,
        "start": start,
        "end": end,
        "predicate": relation.predicate,
        "pair": pair_digest(view, relation),
        "confidence": relation.confidence,
        "decoy": decoy is not None,
    }
    return shown, key


def _named(entity: StoryEntity | None) -> Row:
    return (
        {"name": entity.name, "also": list(entity.aliases)}
        if entity is not None
        else {"name": "?", "also": []}
    )


def _decoy(
    document: Document, view: StoryView, relation: Relation, rng: random.Random
) -> tuple[Row, Row] | None:
    """The relation with the wrong object: one of the ten most mentioned people of the book of whom the text
    shown has no name. None where there is nobody."""
    span = relation.evidence[0].span
    near = document.text[max(0, span.start - AROUND) : span.end + AROUND]
    people = [entity for entity in view.entities() if entity.kind is EntityKind.CHARACTER]
    people.sort(key=lambda entity: (-entity.mentions, entity.id))
    far = [one for one in people[:10] if not any(name in near for name in (one.name, *one.aliases))]
    return _row(document, view, relation, rng.choice(far)) if far else None


def agreement(one: Sequence[bool], other: Sequence[bool]) -> Row | None:
    """How many verdicts there are, the share of equal ones, and Cohen's (1960) kappa, up to 1 (1 where both
    say one thing only); None where there is none."""
    n = len(one)
    if not n:
        return None
    same = sum(a == b for a, b in zip(one, other, strict=True)) / n
    yes = (sum(one) / n) * (sum(other) / n)
    chance = yes + (1 - sum(one) / n) * (1 - sum(other) / n)
    kappa = (same - chance) / (1 - chance) if chance < 1 else 1.0
    return {"n": n, "agree": round(same, 4), "kappa": round(kappa, 4)}


def fold(folder: Path, readers: Sequence[Path], sample: str, *, file: Path = JUDGED) -> Row:
    """Puts the verdicts of one reader, or of two and a third where they differ, into ``file`` as ``sample``;
    returns how they judged and how far they agree, with each other and with earlier verdicts.

    Raises:
        ValueError: a verdict is missing, the file has that sample already, or there are not one or three.
    """
    key = json.loads((folder / "key.json").read_text(encoding="utf-8"))
    if len(readers) not in (1, 3):
        raise ValueError("give one reader's file, or two readers' and that of who decides")
    own, third = [_verdicts(path) for path in readers[:2]], _verdicts(readers[-1])
    real = [k for k, row in enumerate(key) if not row["decoy"]]
    false = [k for k, row in enumerate(key) if row["decoy"]]
    missing = [k for k in range(len(key)) if any(k not in one for one in own)]
    split = [k for k in real if k not in missing and len({one[k][0] for one in own}) > 1]
    missing += [k for k in split if k not in third]
    if missing:
        raise ValueError(f"no verdict on {missing[:10]} ({len(missing)} in all)")
    kept = json.loads(file.read_text(encoding="utf-8"))
    if any(edge["sample"] == sample for edge in kept["edges"]):
        raise ValueError(f"{file} has a sample {sample!r} already")
    before = {_which(edge): edge["right"] for edge in kept["edges"]}
    final = {k: third[k] if k in split else own[0][k] for k in real}
    again = [k for k in real if _which(key[k]) in before]
    read = {
        "relations": len(real),
        "right": [sum(one[k][0] for k in real) for one in own],
        "decoys": len(false),
        "decoys_refused": [sum(not one[k][0] for k in false) for one in own],
        "readers": agreement([own[0][k][0] for k in real], [own[-1][k][0] for k in real])
        if own[1:]
        else None,
        "earlier": agreement([final[k][0] for k in again], [before[_which(key[k])] for k in again]),
    }
    for k in real:
        right, reason = final[k]
        row = {name: value for name, value in key[k].items() if name != "decoy"}
        kept["edges"].append({"sample": sample, **row, "right": right, "reason": "" if right else reason})
    kept.setdefault("readings", {})[sample] = read
    edges = ",\n  ".join(json.dumps(edge) for edge in kept.pop("edges"))
    head = json.dumps(kept, indent=1, ensure_ascii=False).removesuffix("\n}")
    replace_file(file, f'{head},\n "edges": [\n  {edges}\n ]\n}}\n')
    return read


def _which(edge: Row) -> tuple[Any, ...]:
    return tuple(edge[name] for name in ("book", "start", "end", "predicate", "pair"))


def _verdicts(path: Path) -> dict[int, tuple[bool, str]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {line["id"]: (bool(line["right"]), line.get("reason", "")) for line in lines}


def main(options: argparse.Namespace) -> None:
    """Writes the sheet, or folds verdicts in."""
    if options.step == "sheet":
        reader = CachedReader(options.parses) if options.parses else StoryReader()
        count = sheet(options.data, reader, options.output, seed=options.seed)
        print(f"{count} rows in {options.output}/sheet.jsonl")
    else:
        print(json.dumps(fold(options.folder, options.readers, options.sample), indent=1))


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    steps = options.add_subparsers(dest="step", required=True)
    drawn = steps.add_parser("sheet", help="write all sure relations of the novels kept back")
    drawn.add_argument("--data", type=Path, required=True, help="folder with novels/")
    drawn.add_argument("-o", "--output", type=Path, required=True, help="folder for the sheet and its key")
    add_parses(drawn)
    drawn.add_argument("--seed", type=int, default=0, help="draws the decoys")
    folded = steps.add_parser("fold", help="put the readers' verdicts into the file of judgements")
    folded.add_argument("folder", type=Path, help="where the sheet and its key are")
    folded.add_argument("readers", type=Path, nargs="+", help="one; or two, and who decides")
    folded.add_argument("--sample", required=True, help="the sample's name")
    return options
