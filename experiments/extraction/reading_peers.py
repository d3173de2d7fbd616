"""What do systems that read with a language model answer and hold, with the same strong reader?

    python experiments/run.py reading_peers --data DIR --folder FOLDER --reader NAME
        --peers-python [SYSTEM=]PATH … [--systems a,b,c] [--timeout SECONDS] [-o FILE] [--again]

Two corpora are read by each: the first four chapters of a novel (``DIR/novels``), and the passages of five
MuSiQue questions (``DIR/retrieval/musique100``), joined to documents of about a chunk. Every request, that
of the judge too, is a file in FOLDER that somebody answers (``fabula.llm.folder``); all systems run at
once, each in a process of its own. Peers keep their prompts and defaults, but that nothing is gleaned. The
judge sees the answers to a question under letters, in an order that tells nothing. ``data/reading_peers``
keeps what the systems said (``said.json``) and the judge's answers (``answers.jsonl``); ``--again`` scores
that, and asks nobody but the judge for what he did not answer yet.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import fabula
from experiments.common.folders import DATA, RESULTS, ROOT, default_cache
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import digest_of, machine, write_result
from experiments.common.story_data import document_of
from experiments.extraction.reading_scores import Judge, held_pairs, pairs_told, quotes_of, scores
from experiments.user_view.novel_gold import load_gold
from fabula.core.files.atomic import replace_file

SYSTEMS = ("fabula_reading", "lightrag", "nano_graphrag", "fast_graphrag", "hipporag")
KEPT = DATA / "reading_peers"
_NOVEL, _CHAPTERS, _QUESTIONS, _PASSAGES = "the-great-gatsby", 4, 5, 120
Row = dict[str, Any]


def main(options: argparse.Namespace) -> None:
    """Runs what is asked for, scores all that was said, writes the result."""
    _restore(options.folder)
    corpora = {"novel": _novel(options.data), "musique": _musique(options.data)}
    said: Row = json.loads(_text(KEPT / "said.json") or "{}")
    if not options.again:
        said |= _run(options, corpora)
        replace_file(KEPT / "said.json", json.dumps(said, indent=1, ensure_ascii=False) + "\n")
    judge = Judge(options.folder, options.reader, timeout_s=options.timeout)
    facts = {
        "question": (__doc__ or "").partition("\n")[0],
        "reader": options.reader,
        "data": {name: digest_of(one) for name, one in corpora.items()},
        **scores(said, corpora, judge),
    }
    _keep(options.folder, judge.keys)
    target = options.output
    write_result(target.stem, facts=facts, measured=machine(), folder=target.parent)
    print(json.dumps(facts["aggregates"], indent=1))


def _novel(data: Path) -> Row:
    document = document_of(data / "novels" / f"{_NOVEL}.txt")
    chapters = document.chapters[:_CHAPTERS]
    gold = next(one for one in load_gold("dev") if one.slug == _NOVEL)
    texts = [one.body.of(document.text) for one in chapters]
    told = pairs_told(gold, "\n".join(texts), chapters[-1].body.end)
    return {"texts": texts, "questions": _lines(KEPT / "questions.jsonl"), "pairs": told}


def _musique(data: Path) -> Row:
    folder = data / "retrieval" / "musique100"
    passages = [f"{one['title']}\n{one['text']}" for one in _lines(folder / "corpus.jsonl")[:_PASSAGES]]
    asked = _lines(folder / "queries.jsonl")[:_QUESTIONS]
    questions = [{"id": one["_id"], "question": one["text"], "answers": one["answers"]} for one in asked]
    return {"texts": passages, "questions": questions, "pairs": []}


def _run(options: argparse.Namespace, corpora: Mapping[str, Row]) -> Row:
    """What each system said of each corpus, or why it did not run."""
    pythons = dict(one.rpartition("=")[::2] for one in options.peers_python)
    with TemporaryDirectory() as scratch:
        link = Path(scratch) / "source" / "fabula"
        link.parent.mkdir()
        link.symlink_to(Path(fabula.__file__).parent)
        started = []
        for system in options.systems:
            own = sys.executable if system == SYSTEMS[0] else pythons.get(system) or pythons.get("")
            for name, corpus in corpora.items():
                folder = Path(scratch) / f"{system}-{name}"
                folder.mkdir()
                size = import_module(f"experiments.peers.reading.{system}").JOINED
                texts = corpus["texts"] if name == "novel" else _joined(corpus["texts"], size)
                task = {
                    "folder": str(folder / "held"),
                    "requests": str(options.folder.resolve()),
                    "reader": options.reader,
                    "timeout_s": options.timeout,
                    "texts": texts,
                    "questions": [one["question"] for one in corpus["questions"]],
                }
                (folder / "held").mkdir()
                (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
                started.append((system, name, folder, _start(str(own), system, folder, link.parent)))
        return _gather(started, corpora)


def _start(python: str, system: str, folder: Path, source: Path) -> subprocess.Popen[bytes]:
    command = [python, "-W", "ignore", "-m", "experiments.peers.reading.worker", system]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "MPLCONFIGDIR": str(default_cache("matplotlib")),  # some list all fonts when they are imported
        "PYTHONPATH": f"{source}:{ROOT}",
        "PYTHONHASHSEED": "0",  # sets stand in prompts, and a request is known by its text
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "true",
        "OPENAI_API_KEY": "none",
    }
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603
            [*command, str(folder / "task.json"), str(folder / "result.json")],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )


def _gather(started: Iterable[tuple[str, str, Path, Any]], corpora: Mapping[str, Row]) -> Row:
    found: Row = {}
    for system, name, folder, process in started:
        process.wait()
        row = json.loads(_text(folder / "result.json") or "{}")
        if not row:
            lines = (folder / "log").read_text(encoding="utf-8", errors="replace").split("\n")
            row = {"failed": next((line for line in reversed(lines) if line.strip()), "no word")[:300]}
            print(f"{system}, {name}: {row['failed']}", file=sys.stderr)
        else:
            text = "\n".join(corpora[name]["texts"])
            row["edges_in_all"] = len(row["edges"])
            row["pairs"] = held_pairs(row.pop("edges"), corpora[name]["pairs"])
            row["answers"] = [
                {"id": asked["id"], "text": one["text"], "quotes": quotes_of(one, text)}
                for asked, one in zip(corpora[name]["questions"], row["answers"], strict=True)
            ]
        found[f"{system}, {name}"] = row
    return found


def _joined(passages: Iterable[str], size: int) -> list[str]:
    """Documents of about ``size`` characters."""
    found = [""]
    for passage in passages:
        if len(found[-1]) + len(passage) > size:
            found.append("")
        found[-1] += f"{passage}\n\n"
    return [one.strip() for one in found if one]


def _restore(folder: Path) -> None:
    """What was answered before lies in the folder again."""
    answers = folder / "answers"
    answers.mkdir(parents=True, exist_ok=True)
    for one in _lines(KEPT / "answers.jsonl"):
        if not (answers / f"{one['key']}.txt").is_file():
            replace_file(answers / f"{one['key']}.txt", one["answer"])


def _keep(folder: Path, keys: Iterable[str]) -> None:
    told = ((key, _text(folder / "answers" / f"{key}.txt")) for key in sorted(keys))
    rows = [json.dumps({"key": key, "answer": text}, ensure_ascii=False) for key, text in told if text]
    replace_file(KEPT / "answers.jsonl", "\n".join(rows) + "\n")


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _lines(file: Path) -> list[Row]:
    return [json.loads(line) for line in _text(file).split("\n") if line]


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--folder", type=Path, required=True, metavar="DIR", help="of requests and answers")
    options.add_argument("--reader", required=True, metavar="NAME", help="of who answers")
    options.add_argument(
        "--peers-python",
        nargs="+",
        default=[sys.executable],
        metavar="[SYSTEM=]PATH",
        help="a Python with the peers installed, or one for each",
    )
    options.add_argument("--systems", type=split_names, default=SYSTEMS, metavar="A,B")
    options.add_argument("--again", action="store_true", help="score what was said before")
    options.add_argument("--timeout", type=float, default=6 * 3600.0, metavar="SECONDS")
    options.add_argument("-o", "--output", type=Path, default=RESULTS / "reading_peers.json")
    return options
