"""Is anything lost when fabula is killed? SIGKILL at random instants of what writes to a project.

Usage:  python experiments/run.py crashes [--kills 60] [--seed 1] [--out experiments/results/crashes.json]

Operations by turns: the index of a new project, the index after an edit, a suppression, a setting, a
rating, a picture, a turn of a conversation. Each runs in a process of its own, which is killed at an
instant drawn evenly from the time it takes, or, every other time, from the first twentieth of it. Where
there was a project before, ``fabula verify`` finds nothing broken in it. Then the book is indexed once more
and, where what was asked for is not there, the operation is run again. Search, graph and check must answer
to the letter as after a run that nobody disturbed, and what was acknowledged before the kill must be there
without being asked for again.

The book is the first chapters of the demo story. Vectors are drawn by a text's digest: the threads of an
embedding model do not outlive a fork.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from experiments.common.folders import RESULTS
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.config import Config, load_config
from fabula.core.documents import read_document
from fabula.core.files.plain_json import plain
from fabula.core.store.conversations import KeptTurn
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Horizon
from fabula.demo import story_text
from fabula.engine import Project, index_book, make_reader
from fabula.errors import FabulaError
from fabula.project.checking import CheckAsked, checked, suppress
from fabula.project.connecting import save_settings
from fabula.project.keeping.verifying import verify
from fabula.project.pictures import add_picture
from fabula.project.storage.pictures_file import read_pictures
from fabula.project.trust import folder_settings

CHAPTERS = 4
QUERY = "the telegram held up before the inspector"
DRAFT = "Wilf hated Len. He said nothing more that night."
EDIT = "\n\nHarriet carried the lamp down to the yard, and Wilf met her at the gate.\n"


class DrawnVectors:
    """Stands in for an embedding model: a unit vector drawn by the digest of the text."""

    name = version = "drawn"
    dimension = 32

    def load(self) -> None:
        """There is nothing to load."""

    def embed_query(self, text: str) -> np.ndarray:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        vector = np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        return vector / np.linalg.norm(vector)

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_units(self, units: Iterable[Sequence[str]]) -> Iterator[np.ndarray]:
        return map(self.embed_documents, units)

    def plan(self, units: Sequence[Sequence[str]]) -> None:
        """Nothing is paid for."""

    def close(self) -> None:
        """There is nothing to free."""


def _painted() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (60, 40), "navy").save(out, "PNG")
    return out.getvalue()


@dataclass(frozen=True)
class Bench:
    """Models that are loaded once; every process that is killed is a fork of this one."""

    place: Path
    embedder: Any = field(default_factory=DrawnVectors)
    reader: Any = field(default_factory=lambda: make_reader(Config()))
    picture: bytes = field(default_factory=_painted)

    def index(self, project: Path, book: str) -> None:
        index_book(self.place / book / "tale.md", project, embedder=self.embedder, reader=self.reader)

    @contextmanager
    def opened(self, project: Path) -> Iterator[Project]:
        """The project with these models."""
        with Project.open(project) as opened:
            opened.__dict__.update(embedder=self.embedder, reader=self.reader)
            yield opened

    def write_books(self) -> None:
        """The book, and the same with a sentence more before its last chapter."""
        (self.place / "whole.md").write_text(story_text(), encoding="utf-8")
        document = read_document(self.place / "whole.md")
        text, end = document.text, document.chapters[CHAPTERS - 1].body.end
        at = document.chapters[CHAPTERS - 2].body.end
        for name, book in (("before", text[:end]), ("after", text[:at] + EDIT + text[at:end])):
            (self.place / name).mkdir()
            (self.place / name / "tale.md").write_text(book, encoding="utf-8")


@dataclass(frozen=True)
class Operation:
    """``run`` does it to a project; ``is_done`` looks whether it was done. ``book`` is the one that the
    project holds at the end; a ``new`` one begins with no project."""

    name: str
    run: Callable[[Path], None]
    is_done: Callable[[Path], bool]
    book: str = "before"
    new: bool = False


def operations(bench: Bench) -> list[Operation]:
    """All that writes to a project."""
    return [
        Operation("index of a new project", lambda p: bench.index(p, "before"), _holds_a_book, new=True),
        Operation("index after an edit", lambda p: bench.index(p, "after"), _holds_the_edit, book="after"),
        Operation("suppress", lambda p: _suppress(bench, p), lambda p: (p / "suppressions.toml").is_file()),
        Operation("settings", _set, lambda p: load_config(folder_settings(p).allowed).retrieval.k == 7),
        Operation("rate", lambda p: _rate(bench, p), _is_rated),
        Operation("picture", lambda p: _hang(bench, p), lambda p: bool(read_pictures(p))),
        Operation("conversation", lambda p: _say(bench, p), _was_said),
    ]


def _document(project: Path) -> str:
    with ProjectStore.open(project) as store:
        document = store.document()
    return document.text if document is not None else ""


def _holds_a_book(project: Path) -> bool:
    return bool(_document(project))


def _holds_the_edit(project: Path) -> bool:
    return EDIT.strip() in _document(project)


def _suppress(bench: Bench, project: Path) -> None:
    with bench.opened(project) as opened:
        done = checked(opened, CheckAsked(text=DRAFT))
        suppress(done, done.report.violations[0].fingerprint, reason="meant", project=opened)


def _set(project: Path) -> None:
    save_settings(project / "fabula.toml", {"retrieval": {"k": 7, "depth": 4}, "memory": {"budget_gb": 8}})


def _rate(bench: Bench, project: Path) -> None:
    with bench.opened(project) as opened:
        passage = opened.search(QUERY, mode="lexical").passages[0]
        opened.rate(QUERY, passage.chunk.id, 1.0)


def _is_rated(project: Path) -> bool:
    with ProjectStore.open(project) as store:
        return store.feedback().stamp()[1] > 0


def _hang(bench: Bench, project: Path) -> None:
    with bench.opened(project) as opened:
        add_picture(opened, bench.picture, "map.png", caption="The valley")


def _say(bench: Bench, project: Path) -> None:
    with bench.opened(project) as opened:
        opened.conversations.add("talk", KeptTurn(QUERY, "Harriet held it up.", CHAPTERS, told=True))


def _was_said(project: Path) -> bool:
    with ProjectStore.open(project) as store:
        return bool(store.conversations().turns("talk", horizon=Horizon()))


def answers(bench: Bench, project: Path) -> str:
    """A digest of what search, graph and check say."""
    with bench.opened(project) as opened:
        found = [plain(opened.search(QUERY, mode=mode)) for mode in ("hybrid", "lexical", "semantic")]
        told = opened.graph.to_json()
        report = [plain(checked(opened, CheckAsked(text=text)).report) for text in (None, DRAFT)]
    return digest_of([found, json.loads(told), report])


def kill(operation: Operation, project: Path, after: float | None) -> tuple[bool, bool, float]:
    """Runs the operation in a fork and kills that ``after`` so many seconds (None: never). Whether it was
    killed, whether it had acknowledged, and the seconds it took."""
    reading, writing = os.pipe()
    started = time.perf_counter()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            operation.run(project)
            os.write(writing, b"1")
        except FabulaError as error:
            print(f"{operation.name}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(0)
    os.close(writing)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        acknowledged = pipe.read() == b"1"
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status), acknowledged, time.perf_counter() - started


def try_once(bench: Bench, operation: Operation, *, start: Path, after: float) -> Mapping[str, Any]:
    """One kill, and what came of it."""
    project = bench.place / "tried"
    shutil.rmtree(project, ignore_errors=True)
    if not operation.new:
        shutil.copytree(start, project)
    killed, acknowledged, _ = kill(operation, project, after)
    row: dict[str, Any] = {"operation": operation.name, "killed": killed, "acknowledged": acknowledged}
    row["broken"] = [] if operation.new else [one.line for one in verify(project).broken]
    try:
        kept = not acknowledged or operation.is_done(project)
        bench.index(project, operation.book)
        kept = kept and (not acknowledged or operation.is_done(project))
        if not operation.is_done(project):
            operation.run(project)
        return {**row, "kept": kept, "error": "", "answers": answers(bench, project)}
    except FabulaError as error:
        return {**row, "kept": False, "error": str(error).replace(str(bench.place), ""), "answers": ""}


def main(options: argparse.Namespace) -> int:
    """Writes the result file; 0 where nothing was lost, 1 otherwise."""
    out, kills, seed = options.out, options.kills, options.seed
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch))
        bench.write_books()
        start = bench.place / "start"
        bench.index(start, "before")  # loads the models, too
        rows, expected, seconds = [], {}, {}
        everything = operations(bench)
        for operation in everything:
            whole = bench.place / f"whole-{len(expected)}"
            if not operation.new:
                shutil.copytree(start, whole)
            _, done, seconds[operation.name] = kill(operation, whole, None)
            if not done:
                raise SystemExit(f"{operation.name} fails without a kill")
            bench.index(whole, operation.book)
            expected[operation.name] = answers(bench, whole)
        for number in range(kills):
            operation = everything[number % len(everything)]
            early = number // len(everything) % 2  # where a project's files come to be
            after = rng.uniform(0, seconds[operation.name] * (0.05 if early else 1))
            row = try_once(bench, operation, start=start, after=after)
            rows.append({**row, "same": row["answers"] == expected[operation.name]})
            print(number + 1, rows[-1], file=sys.stderr, flush=True)
    facts = {
        "question": "Is anything lost when fabula is killed?",
        "seed": seed,
        "chapters": CHAPTERS,
        "kills": kills,
        "lost": sum(not (row["same"] and row["kept"]) for row in rows),
        "broken": sum(bool(row["broken"]) for row in rows),
        "operations": {one.name: _counted(rows, one.name) for one in everything},
    }
    measured = machine(
        seconds={name: round(value, 3) for name, value in seconds.items()},
        killed_before_the_end={
            one.name: sum(row["killed"] and not row["acknowledged"] for row in rows if _is_of(row, one.name))
            for one in everything
        },
    )
    write_result(out.stem, facts=facts, measured=measured, folder=out.parent)
    return int(facts["lost"] + facts["broken"] > 0)


def _counted(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    mine = [row for row in rows if _is_of(row, name)]
    return {
        "kills": len(mine),
        "same_answers": sum(row["same"] for row in mine),
        "acknowledged_and_lost": sum(not row["kept"] for row in mine),
        "errors": sorted({row["error"] for row in mine if row["error"]}),
    }


def _is_of(row: Mapping[str, Any], name: str) -> bool:
    return bool(row["operation"] == name)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--kills", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=RESULTS / "crashes.json", help="the result file")
    return options
