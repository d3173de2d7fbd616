"""Does the critic find contradictions that lie far apart in a novel, and leave told changes alone?

    python experiments/run.py long_distance --set dev|test --data DIR [--novel NAME …] [--parses DIR]
        --folder DIR --reader NAME [--collect --part reading|critic] [--judge] [--name RESULT]

Each novel of ``data/long_distance`` lies under ``DIR/novels`` or ``DIR/novels_more``; twenty sentences that
contradict an earlier one, half of them 20,000 words and more behind it, and ten changes that the text
explains were put into it by a writer who read the novel and knew no program. Whoever ``--reader`` names reads
its chapters, checks them against the canon and tries what was found, each request from its text alone
(``--collect`` only writes them). ``rules`` is what the rules find in what was read, before anything is tried;
``canon`` says of how many contradictions an earlier quote stands behind a line that their chapter was held
against. A finding that touches no planted place is for a person to read, as in ``modern_prose``. Tokens are
words and marks. Intervals resample novels.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.folders import DATA
from experiments.common.options import add_parses, new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader
from experiments.common.story_data import rows as rows_of
from experiments.user_view.modern_prose import Text, checked_row, summed, verdicts_of
from fabula import Config
from fabula.bench.continuity import share
from fabula.core.documents import document_from_text
from fabula.core.interfaces import Generator
from fabula.core.types import Document, Horizon, Prompt
from fabula.project.factories import make_embedder
from fabula.project.indexing import asked_of, link
from fabula.story.continuity.by_model.critic import ModelCritic
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.combined_reader import combined
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.story_view import StoryView

Row = dict[str, Any]
SHEETS = DATA / "long_distance"
SETS = {
    "dev": ("the-circular-staircase", "the-house-behind-the-cedars", "piccadilly-jim"),
    "test": ("the-secret-adversary", "a-princess-of-mars", "the-scarlet-pimpernel"),
}
FAR = 20_000  # words between the two sides


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``, if a name is given."""
    rules = CachedReader(options.parses) if options.parses else StoryReader()
    found: list[Row] = []
    alone: list[Row] = []
    canon: list[Row] = []
    costs: Row = {}
    for name in options.novel or SETS[options.set]:
        text, sheet = edited(options.data, name)
        model = folder_reader(options, unanswered="{}", concurrency=16)
        document = document_from_text(text.text, id=name, title=name)
        view, report = _read(document, rules, model)
        print(f"{name}: {report}", flush=True)
        if options.collect and options.part == "reading":
            continue
        asked = Counting(model)
        critic = _Watched(asked, document, embed=make_embedder(Config()).embed_documents)
        checked = ContinuityCritic(model=critic).check(view, words=len(text.text.split()))
        by_rules = ContinuityCritic().check(view, words=len(text.text.split()))
        print(f"{name}: {critic.review}", flush=True)
        found.append(checked_row(text, checked))
        alone.append(checked_row(text, by_rules))
        for row, one in zip(sheet, found[-1]["planted"], strict=False):
            one |= {"id": row["id"], "far": row["words_between"] >= FAR}
        canon += _in_canon(critic, text, found[-1]["planted"])
        costs[name] = {"reading": report, "checking": asked.counted()}
    if options.collect:
        return
    _report(options, found, alone, canon, costs)


def _report(
    options: argparse.Namespace, found: list[Row], alone: list[Row], canon: list[Row], costs: Row
) -> None:
    verdicts = verdicts_of(f"long_{options.set}", [*found, *alone], add=options.judge)
    planted = [one | {"story": row["story"]} for row in found for one in row["planted"]]
    far = {
        name: share([(one["story"], one["found"]) for one in planted if one["far"] is far])
        for name, far in ((f"{FAR:,} words and more", True), ("nearer", False))
    }
    summary = {
        "by distance": far,
        "canon holds the earlier side": share([(one["story"], one["held"]) for one in canon]),
        **summed(found, verdicts),
    }
    facts = {
        "question": (__doc__ or "").partition("\n")[0],
        "set": options.set,
        "reader": options.reader,
        "aggregates": summary,
        "rules": summed(alone, verdicts),
        "costs": costs,
        "canon": canon,
        "rows": found,
        "rules_rows": alone,
    }
    if options.name:
        write_result(options.name, facts=facts, measured=machine())
    for part in ("aggregates", "rules", "costs"):
        for name, value in facts[part].items():
            print(f"{part}: {name}: {value}")


def edited(data: Path, name: str) -> tuple[Text, list[Row]]:
    """The novel with all edits in it, and the sheet's contradictions. Raises SystemExit where the file is
    another text."""
    places = (data / part / f"{name}.txt" for part in ("novels", "novels_more"))
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise SystemExit(f"{name}.txt is not in {data}: name the folder of novels with --data")
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    head, *sheet = rows_of(SHEETS / f"{name}.jsonl")
    if hashlib.sha256(text.encode()).hexdigest()[:16] != head["text"]:
        raise SystemExit(f"{path} is another text than the one that was edited")
    edits = sorted((*edit, row["id"]) for row in sheet for edit in row["edits"])
    parts, at, length = [], 0, 0
    later: dict[str, list[tuple[int, int]]] = {}
    for start, end, new, key in edits:
        parts += [text[at:start], new]
        length += start - at
        later.setdefault(key, []).append((length, length + max(1, len(new))))
        length, at = length + len(new), end

    def moved(place: int) -> int:
        return place + sum(len(new) - (end - start) for start, end, new, _ in edits if end <= place)

    def sides(row: Row) -> tuple[tuple[int, int], tuple[int, int]]:
        spans = later[row["id"]]
        return (moved(row["earlier"][0]), moved(row["earlier"][1])), (spans[0][0], spans[-1][1])

    slips = [row for row in sheet if row["id"].startswith("S")]
    planted = [("explicit", row["kind"], *sides(row)) for row in slips]
    changes = [sides(row) for row in sheet if row["id"].startswith("C")]
    return Text(name, name, "".join((*parts, text[at:])), planted, changes), slips


def _read(document: Document, rules: StoryReader, model: Generator) -> tuple[StoryView, Row]:
    bodies = [chapter.body.of(document.text) for chapter in document.chapters]
    first = [rules.read(body) for body in bodies]
    asked = asked_of(document, first)
    reader = ModelReader(model)
    reader.ask(asked)
    both = [combined(one, reader.read(*each)) for one, each in zip(first, asked, strict=True)]
    view = StoryKnowledgeGraph.from_log(link(document, both).log).as_of(Horizon())
    return view, asdict(reader.report)


class Counting:
    """A generator that counts what it is asked."""

    def __init__(self, inner: Generator) -> None:
        self._inner = inner
        self.calls: dict[Prompt, int] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def generate(self, prompt: Prompt, **sampling: Any) -> Any:
        made = self._inner.generate(prompt, **sampling)
        self.calls[prompt] = made.completion_tokens
        return made

    def counted(self) -> Row:
        count = self._inner.count_tokens
        tokens = sum(count(one.system) + count(one.user) for one in self.calls)
        return {"calls": len(self.calls), "tokens_in": tokens, "tokens_out": sum(self.calls.values())}


class _Watched(ModelCritic):
    """Keeps what each chapter was held against."""

    def _asked(self, run: Any) -> Iterator[Any]:
        self.windows = list(super()._asked(run))
        yield from self.windows


def _in_canon(critic: _Watched, text: Text, planted: Sequence[Row]) -> list[Row]:
    """Of each contradiction whether an earlier quote stands behind a line of its later side's window."""
    told = []
    for (_, _, earlier, later), one in zip(text.planted, planted, strict=True):
        windows = [
            each for each in critic.windows if each.window.start < later[1] and later[0] < each.window.end
        ]
        quotes = [quote.span for each in windows for line in each.lines for quote in line.evidence]
        held = any(quote.start < earlier[1] and earlier[0] < quote.end for quote in quotes)
        told.append(
            {"story": text.id, "id": one["id"], "held": held, "lines": sum(len(w.lines) for w in windows)}
        )
    return told


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options)
    add_folder(options)
    options.add_argument("--set", choices=tuple(SETS), required=True)
    options.add_argument("--novel", nargs="*", default=[], help="of the set, only these")
    options.add_argument("--part", choices=("reading", "critic"), default="critic", help="to collect")
    options.add_argument("--judge", action="store_true")
    options.add_argument("--name", default="", help="of the result file; none is written without")
    return options
