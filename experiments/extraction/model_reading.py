"""What does a language model that reads chapter by chapter add to the story graph of a well-known novel?

    python experiments/run.py model_reading --data DIR --folder FOLDER --reader NAME [--collect]
        [--split dev|test] [--novel NAME …] [--parses DIR] [--name RESULT]
    python experiments/run.py model_reading --data DIR --config FILE …

Whoever ``--reader`` names answers the requests in the folder from their text alone (``--collect`` only writes
them); or the model of ``[generator]`` in a file of settings does, where ``recording`` keeps its answers. Each
novel is then linked twice, from what the rules read and from that with what the model read and could be
verified, and both are set beside the gold as the experiment ``known_novels`` does it: cast, essential
relations (by type and direction, by sign, as any tie), fates, key events. Intervals resample novels.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.options import add_parses, new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader, document_of
from experiments.user_view.known_novels import MEASURES, measured_of, share
from experiments.user_view.novel_gold import NOVELS, book_of, load_gold
from fabula.config import load_config
from fabula.core.interfaces import Generator
from fabula.project.factories import make_generator
from fabula.project.indexing import asked_of, link
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.combined_reader import combined
from fabula.story.extraction.reader import StoryReader

Row = dict[str, Any]
SYSTEMS = ("rules", "rules and model")


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``, if a name is given; prints the measures."""
    generator = _generator(options)
    rules = CachedReader(options.parses) if options.parses else StoryReader()
    rows: dict[str, dict[str, list[Row]]] = {system: {} for system in SYSTEMS}
    asked: Row = {}
    for gold in load_gold(options.split, folder=options.gold):
        if options.novel and gold.slug not in options.novel:
            continue
        document = document_of(book_of(options.data, gold))
        bodies = [chapter.body.of(document.text) for chapter in document.chapters]
        first = [rules.read(body) for body in bodies]
        chapters = asked_of(document, first)
        model = ModelReader(generator)
        plan = model.plan(chapters)
        print(f"{gold.slug}: {plan.requests} requests, {plan.prompt_tokens} tokens in", flush=True)
        model.ask(chapters)
        if options.collect:
            continue
        both = [combined(one, model.read(*each)) for one, each in zip(first, chapters, strict=True)]
        for system, readings in zip(SYSTEMS, (first, both), strict=True):
            for part, found in measured_of(link(document, readings).log, gold).items():
                rows[system].setdefault(part, []).extend(found)
        asked[gold.slug] = asdict(model.report)
    generator.close()
    if asked:
        _report(options, generator.name, rows, asked)


def _report(
    options: argparse.Namespace,
    model: str,
    rows: dict[str, dict[str, list[Row]]],
    asked: Row,
) -> None:
    facts = {
        "question": (__doc__ or "").partition("\n")[0],
        "split": options.split,
        "novels": sorted(asked),
        "model": model,
        "asked": asked,
        "aggregates": {system: _shares(parts) for system, parts in rows.items()},
        "rows": rows,
    }
    if options.name:
        write_result(options.name, facts=facts, measured=machine())
    for novel, report in asked.items():
        print(f"{novel}: {report}")
    for system in SYSTEMS:
        for name, value in facts["aggregates"][system].items():
            print(f"{system}: {name}: {value}")


def _generator(options: argparse.Namespace) -> Generator:
    if options.config:
        return make_generator(load_config(options.config))
    if not (options.folder and options.reader):
        raise SystemExit("name --folder and --reader, or --config")
    return folder_reader(options, unanswered="{}", concurrency=16)


def _shares(parts: dict[str, list[Row]]) -> Row:
    return {
        name: share(parts[part], key, keep) for name, (part, key, keep) in MEASURES.items() if part in parts
    }


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
