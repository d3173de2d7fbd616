"""Are the shipped answers of a strong reader those that today's prompts ask for, and how are they renewed?

    python experiments/run.py recordings [--data DIR] [--only NAME …] [--write DIR] [--take DIR --reader NAME]

``data/recordings/NAME.jsonl`` and the demo story's own file hold what a strong language model answered: all
that the demo asks, readings of six stories of ``data/modern_graph``, and of the first novel of
``data/long_distance`` (for which ``--data`` names the folder of novels). Says how many requests of today's
prompts have an answer. ``--write`` puts the others as requests into ``DIR/NAME``, where whoever is to answer
finds how; ``--take`` puts the answers that lie there by now into the files. One request of the demo follows
from the answer to another: write and take until nothing is missing. The exit code is 1 where something is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from experiments.common.folder_reader import folder_reader
from experiments.common.options import new_parser
from experiments.common.recordings import RECORDINGS, file_of, write_answers
from experiments.critic.long_distance import SETS, edited
from fabula.cli.demo import run_demo
from fabula.core.documents import document_from_text, read_document
from fabula.core.types import Document, Generation, Prompt
from fabula.llm import factory
from fabula.llm.kept_answers import KeptAnswers, key_of
from fabula.project.indexing import asked_of
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.reader import StoryReader

from .modern_graph import stories


def main(options: argparse.Namespace) -> int:
    missing = 0
    for name in options.only or RECORDINGS:
        if name == "novel" and options.data is None:
            print("novel: name the folder of novels with --data")
            continue
        kept = KeptAnswers.read(name, file_of(name))
        collector = _Collector(kept, options, name)
        if name == "demo":
            _show(collector)
        for document in _documents(name, options.data):
            bodies = [chapter.body.of(document.text) for chapter in document.chapters]
            rules = StoryReader()
            ModelReader(collector).ask(asked_of(document, [rules.read(body) for body in bodies]))
        if options.take:
            write_answers(file_of(name), collector.found.items())
        missing += collector.missing
        print(f"{name}: {len(collector.found)} answers, {collector.missing} missing")
    return int(missing > 0)


def _documents(name: str, data: Path | None) -> Iterator[Document]:
    if name == "modern":
        yield from map(read_document, stories("dev"))
    elif data is not None and name == "novel":
        novel = SETS["dev"][0]
        yield document_from_text(edited(data, novel)[0].text, id=novel, title=novel)


def _show(collector: _Collector) -> None:
    """Runs the demo, whose every request goes to the collector."""
    with TemporaryDirectory() as folder, patch.object(factory, "make_generator", lambda *_: collector):
        run_demo(Path(folder))


NOTHING_FOUND = '{"findings": []}'


class _Collector:
    """Answers out of the recording, else out of the folder; what neither has is asked there, and is missing
    here."""

    concurrency, context_tokens = 1, KeptAnswers.context_tokens

    def __init__(self, kept: KeptAnswers, options: argparse.Namespace, name: str) -> None:
        self.name = kept.name
        self.found: dict[str, str] = {}
        self.missing = 0
        self._kept = kept
        self._folder = None
        folder = options.take or options.write
        if folder is not None:
            asked = argparse.Namespace(
                folder=folder / name, reader=options.reader, timeout=0.01, collect=True
            )
            self._folder = folder_reader(asked, unanswered="{}")

    def count_tokens(self, text: str) -> int:
        return self._kept.count_tokens(text)

    def generate(self, prompt: Prompt, *, max_tokens: int, **_: object) -> Generation:
        key = key_of(prompt)
        if self._kept.holds(prompt):
            made = self._kept.generate(prompt, max_tokens=max_tokens)
        elif self._folder is not None:
            made = self._folder.generate(prompt, max_tokens=max_tokens)
        else:
            made = Generation("{}", self.name, 0, 0, 0.0)
        if made.text == "{}":
            self.missing += 1
        else:
            self.found[key] = made.text
            loose = prompt.version.startswith("continue") or made.text == NOTHING_FOUND
            if loose:  # which no number of a line hangs on
                self.found[key_of(prompt, loosely=True)] = made.text
        return made

    def close(self) -> None:
        """Nothing is held."""


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--data", type=Path, metavar="DIR", help="the folder of novels")
    options.add_argument("--only", nargs="*", choices=RECORDINGS, default=[])
    options.add_argument("--write", type=Path, metavar="DIR", help="for the requests without an answer")
    options.add_argument("--take", type=Path, metavar="DIR", help="with answers to such requests")
    options.add_argument("--reader", default="strong", metavar="NAME", help="of who answers in that folder")
    return options
