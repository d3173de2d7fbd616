"""What does a language model that reads chapter by chapter add to the story graph of a well-known novel?

    python experiments/run.py model_reading --data DIR --folder FOLDER --reader NAME [--collect]
        [--split dev|test] [--novel NAME …] [--parses DIR] [--name RESULT]
    python experiments/run.py model_reading --data DIR --config FILE …

Whoever ``--reader`` names answers the requests in the folder from their text alone (``--collect`` only writes
them); or the model of ``[generator]`` in a file of settings does, where ``recording`` keeps its answers. Each
novel is then linked twice, from what the rules read and from that with what the model read and could be
verified, and both are set beside the gold as the experiment ``known_novels`` does it: cast, essential
relations (by type and direction, by sign, as any tie), fates, key events. ``gains`` are paired, gold row by
gold row. ``stated``: of the bonds that the model read between two of the gold's cast, how many the gold has;
it holds the essential ones only, so the rest are not wrong for that. Intervals resample novels.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.options import add_parses, new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader, document_of
from experiments.user_view.known_novels import MEASURES, share
from experiments.user_view.novel_gold import NOVELS, NovelGold, load_gold, novel_text, problems
from experiments.user_view.novel_scores import cast_of, events, fates, relations, stated
from fabula.config import load_config
from fabula.core.interfaces import Generator
from fabula.core.types import Document, Horizon
from fabula.project.factories import make_generator
from fabula.project.indexing import link, told_before
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.combined_reader import combined
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.chapter_reading import ChapterReading

Row = dict[str, Any]
SYSTEMS = ("rules", "rules and model")
_PAIRED = {
    "relations": ("held_typed", "held_signed", "held_pair", "shown_typed"),
    "events": ("placed", "typed"),
}


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``, if a name is given; prints the measures."""
    generator = _generator(options)
    rules = CachedReader(options.parses) if options.parses else StoryReader()
    rows: dict[str, dict[str, list[Row]]] = {system: {} for system in SYSTEMS}
    said: list[Row] = []
    asked: Row = {}
    for gold in load_gold(options.split, folder=options.gold):
        if options.novel and gold.slug not in options.novel:
            continue
        document = _document(options.data, gold)
        bodies = [chapter.body.of(document.text) for chapter in document.chapters]
        first = [rules.read(body) for body in bodies]
        asked_of = list(zip(bodies, told_before(document, first), strict=True))
        model = ModelReader(generator)
        plan = model.plan(asked_of)
        print(f"{gold.slug}: {plan.requests} requests, {plan.prompt_tokens} tokens in", flush=True)
        model.ask(asked_of)
        if options.collect:
            continue
        both = [combined(one, model.read(*each)) for one, each in zip(first, asked_of, strict=True)]
        for system, readings in zip(SYSTEMS, (first, both), strict=True):
            for part, found in _measured(document, gold, readings).items():
                rows[system].setdefault(part, []).extend(found)
        said += rows[SYSTEMS[1]].pop("stated")
        rows[SYSTEMS[0]].pop("stated")
        asked[gold.slug] = asdict(model.report)
    generator.close()
    if asked:
        _report(options, generator.name, rows, said, asked)


def _report(
    options: argparse.Namespace,
    model: str,
    rows: dict[str, dict[str, list[Row]]],
    said: list[Row],
    asked: Row,
) -> None:
    facts = {
        "question": (__doc__ or "").partition("\n")[0],
        "split": options.split,
        "novels": sorted(asked),
        "model": model,
        "asked": asked,
        "aggregates": {system: _shares(parts) for system, parts in rows.items()},
        "gains": _gains(*(rows[system] for system in SYSTEMS)),
        "stated": {key: share(said, key, lambda _: True) for key in ("typed", "pair")},
        "rows": rows,
        "stated_rows": said,
    }
    if options.name:
        write_result(options.name, facts=facts, measured=machine())
    for novel, report in asked.items():
        print(f"{novel}: {report}")
    for system in SYSTEMS:
        for name, value in facts["aggregates"][system].items():
            print(f"{system}: {name}: {value}")
    for part in ("gains", "stated"):
        for name, value in facts[part].items():
            print(f"{part}: {name}: {value}")


def _generator(options: argparse.Namespace) -> Generator:
    if options.config:
        return make_generator(load_config(options.config))
    if not (options.folder and options.reader):
        raise SystemExit("name --folder and --reader, or --config")
    return folder_reader(options, unanswered="{}", concurrency=16)


def _document(data: Path, gold: NovelGold) -> Document:
    wrong = problems(gold, novel_text(data, gold.slug))
    if wrong:
        raise SystemExit("\n".join(wrong))
    places = (data / part / f"{gold.slug}.txt" for part in ("novels", "novels_more"))
    return document_of(next(path for path in places if path.is_file()))


def _measured(
    document: Document, gold: NovelGold, readings: Sequence[ChapterReading]
) -> dict[str, list[Row]]:
    view = StoryKnowledgeGraph.from_log(link(document, readings).log).as_of(Horizon())
    cast = cast_of(view, gold)
    return {
        "cast": list(cast.rows),
        "relations": relations(view, gold, cast),
        "fates": fates(view, gold, cast),
        "events": events(view, gold, cast),
        "stated": stated(view, gold, cast, origin="model"),
    }


def _shares(parts: dict[str, list[Row]]) -> Row:
    return {
        name: share(parts[part], key, keep) for name, (part, key, keep) in MEASURES.items() if part in parts
    }


def _gains(before: dict[str, list[Row]], after: dict[str, list[Row]]) -> Row:
    """How many more of the gold's rows are right, as a share of all."""
    found = {}
    for part, keys in _PAIRED.items():
        for key in keys:
            pairs = zip(before[part], after[part], strict=True)
            gains = [
                {"novel": one["novel"], "gain": int(other[key]) - int(one[key])}
                for one, other in pairs
                if one[key] is not None
            ]
            found[f"{part}, {key}"] = share(gains, "gain", lambda _: True)
    return found


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options)
    add_folder(options)
    options.add_argument("--config", type=Path, metavar="FILE", help="settings with a [generator]")
    options.add_argument("--split", choices=("dev", "test"), default="dev")
    options.add_argument("--novel", nargs="*", default=[], help="of the split, only these")
    options.add_argument("--gold", type=Path, default=NOVELS, metavar="DIR", help="what readers know")
    options.add_argument("--name", default="", help="of the result file; none is written without")
    return options
