"""What does the critic find in modern stories that nobody tuned it to?

    python experiments/run.py modern_prose --set dev|test|constory|ikd [--data DIR] [--judge] [--name RESULT]
    python experiments/run.py modern_prose --set dev --folder DIR --reader NAME [--collect] [--every N]

``dev`` and ``test`` are the project's own short stories (``data/stories``): recall of planted contradictions
by difficulty, findings per 10,000 words, and legitimate changes flagged. ``constory`` and ``ikd`` lie under
``DIR/contradiction``: stories by a language model, and stories with one sentence in which somebody knows what
he cannot know. A finding *meets* a contradiction where its quotes touch both sides of it. Every finding that
meets none is for a person to read: ``--judge`` adds it to ``data/finding_judgements.json`` with a verdict of
null, to be replaced by ``real``, ``defensible`` or ``false``; precision is of those judged. No language model
is asked, unless ``--folder`` names one: then the critic of ``check --model`` reads in place of the
rules, and whoever ``--reader`` names answers its requests in that folder (``generator.provider = "folder"``;
with ``--collect`` they are only written); its findings are not put to it again. ``--every N`` takes every Nth
story of each writer."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.common.folder_reader import add_folder, folder_reader
from experiments.common.folders import DATA
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from fabula.bench.continuity import share
from fabula.core.documents import read_document
from fabula.core.files.atomic import replace_file
from fabula.core.text.encodings import normalized
from fabula.core.types import Document, Horizon
from fabula.llm.folder import FolderGenerator
from fabula.project.indexing import link
from fabula.story.continuity.by_model.critic import ModelCritic
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.findings import CheckReport, Severity, Violation

from .story_sets import DIFFICULTIES, SPLITS, load_stories

JUDGEMENTS = DATA / "finding_judgements.json"
Row = dict[str, Any]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Text:
    """A story with what is known to be wrong in it: ``planted`` are (difficulty, kind, earlier, later), where
    an empty earlier side need not be touched; ``changes`` the places of legitimate changes."""

    id: str
    group: str
    text: str
    planted: Sequence[tuple[str, str, Span, Span]] = ()
    changes: Sequence[tuple[Span, Span]] = ()
    facts: Row = field(default_factory=dict)


def main(options: argparse.Namespace) -> None:
    """Writes ``results/NAME.json``."""
    reader, rows = StoryReader(), []
    texts = list(_texts(options))[:: options.every]
    model = _model(options) if options.folder else None
    for number, one in enumerate(texts):
        rows.append(_checked(reader, one, model))
        if number % 20 == 0:
            print(f"{number} of {len(texts)}", flush=True)
    verdicts = verdicts_of(options.set, rows, add=options.judge)
    aggregates = summed(rows, verdicts)
    facts = {
        "question": "What does the critic find in modern stories that nobody tuned it to?",
        "set": options.set,
        "reader": model.name if model else "rules",
        "digest": digest_of([one.text for one in texts]),
        "aggregates": aggregates,
        "rows": rows,
    }
    if not options.collect:
        write_result(options.name or f"modern_{options.set}", facts=facts, measured=machine())
    for key, value in aggregates.items():
        print(f"{key}: {value}")


def _model(options: argparse.Namespace) -> FolderGenerator:
    return folder_reader(options, unanswered='{"findings": []}')


def texts_of(split: str) -> Iterator[Text]:
    """The project's own stories of a split."""
    for story in load_stories(split):
        planted = [
            (c["difficulty"], c["kind"], _at(c["earlier"]), _at(c["later"])) for c in story.contradictions
        ]
        changes = [(_at(c["earlier"]), _at(c["later"])) for c in story.legitimate]
        yield Text(story.id, story.writer, story.text, planted, changes)


def _texts(options: argparse.Namespace) -> Iterator[Text]:
    if options.set in SPLITS:
        yield from texts_of(options.set)
        return
    path = options.data / "contradiction" / f"{options.set}_dev.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        story, error = normalized(row["story"]), normalized(row.get("error") or "")
        if not story.strip():
            continue
        planted = []
        if options.set == "ikd" and error and story.count(error) == 1:
            start = story.index(error)
            planted = [("implicit", "knowledge", (0, 0), (start, start + len(error)))]
        yield Text(row["id"], row["doc"], story, planted)


def _at(span: Row) -> Span:
    return span["start"], span["end"]


def _checked(reader: StoryReader, one: Text, model: FolderGenerator | None) -> Row:
    document = document_of(one.id, one.text)
    readings = [reader.read(c.body.of(document.text)) for c in document.chapters]
    view = StoryKnowledgeGraph.from_log(link(document, readings, canon=None).log).as_of(Horizon(None))
    words = len(one.text.split())
    by_model = None if model is None else ModelCritic(model, document, tries=False)
    critic = ContinuityCritic((), model=by_model) if by_model else ContinuityCritic()
    return checked_row(one, critic.check(view, words=words))


def checked_row(one: Text, report: CheckReport) -> Row:
    """What a report has of what was planted in a text."""
    found = [_finding(violation) for violation in report.violations]
    return {
        "story": one.id,
        "group": one.group,
        "words": report.words,
        "facts_checkable": report.facts_checkable,
        "facts_checked": report.facts_checked,
        "planted": [_met(one_planted, found) for one_planted in one.planted],
        "findings": [row | {"meets": _meets(row, one.planted)} for row in found],
        "changes": [
            any(_touch(row, a) and _touch(row, b) for row in found if row["counts"]) for a, b in one.changes
        ],
    }


def document_of(name: str, text: str) -> Document:
    """A text as ``fabula`` reads it from a file. Raises SystemExit where the file holds another text then."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "story.md"
        path.write_text(text, encoding="utf-8", newline="\n")
        document = read_document(path)
    if document.text != text:
        raise SystemExit(f"{name}: the document's text is not the story's")
    return document


def _finding(violation: Violation) -> Row:
    return {
        "rule": violation.rule,
        "severity": violation.severity.value,
        "counts": violation.severity is not Severity.INFO,
        "offsets": [[quote.span.start, quote.span.end] for quote in violation.evidence],
    }


def _met(planted: tuple[str, str, Span, Span], found: Sequence[Row]) -> Row:
    difficulty, kind, earlier, later = planted
    whole = [row for row in found if _touch(row, earlier) and _touch(row, later)]
    return {
        "difficulty": difficulty,
        "kind": kind,
        "found": any(row["counts"] for row in whole),
        "hinted": bool(whole),
    }


def _meets(row: Row, planted: Sequence[tuple[str, str, Span, Span]]) -> bool:
    return any(_touch(row, earlier) and _touch(row, later) for _, _, earlier, later in planted)


def _touch(row: Row, side: Span) -> bool:
    return side == (0, 0) or any(start < side[1] and side[0] < end for start, end in row["offsets"])


def verdicts_of(set_: str, rows: Sequence[Row], *, add: bool) -> dict[str, str | None]:
    """By key of a finding; one that meets a planted contradiction is real without being read."""
    known: list[Row] = json.loads(JUDGEMENTS.read_text(encoding="utf-8")) if JUDGEMENTS.is_file() else []
    have = {_key(row): row["verdict"] for row in known}
    if add:
        fresh = [
            {
                "set": set_,
                "story": row["story"],
                "rule": f["rule"],
                "severity": f["severity"],
                "offsets": f["offsets"],
                "verdict": "real" if f["meets"] else None,
            }
            for row in rows
            for f in row["findings"]
        ]
        more = [row for row in fresh if _key(row) not in have]
        replace_file(JUDGEMENTS, json.dumps([*known, *more], indent=1) + "\n")
    return have


def _key(row: Row) -> str:
    return json.dumps([row["story"], row["rule"], row["offsets"]])


def summed(rows: Sequence[Row], verdicts: dict[str, str | None]) -> Row:
    """Recall by difficulty, findings per 10,000 words and their precision, legitimate changes flagged.
    Intervals resample stories."""
    planted = [one | {"story": row["story"]} for row in rows for one in row["planted"]]
    words = sum(row["words"] for row in rows)
    counted = [f | {"story": row["story"]} for row in rows for f in row["findings"] if f["counts"]]
    hints = [f | {"story": row["story"]} for row in rows for f in row["findings"] if not f["counts"]]
    changes = [(row["story"], flag) for row in rows for flag in row["changes"]]
    return {
        "stories": len(rows),
        "words": words,
        "facts_checkable": sum(row["facts_checkable"] for row in rows),
        "facts_checked": sum(row["facts_checked"] for row in rows),
        "recall": {
            name: share([(p["story"], p["found"]) for p in planted if name in ("all", p["difficulty"])])
            for name in ("all", *DIFFICULTIES)
        },
        "recall_with_hints": share([(p["story"], p["hinted"]) for p in planted]),
        "findings": len(counted),
        "hints": len(hints),
        "findings_per_10k_words": round(10_000 * len(counted) / words, 3) if words else None,
        "precision": _precision(counted, verdicts),
        "precision_of_hints": _precision(hints, verdicts),
        "changes_flagged": share(changes),
    }


def _right(found: Row, verdicts: dict[str, str | None]) -> bool | None:
    if found["meets"]:
        return True
    verdict = verdicts.get(_key(found))
    return None if verdict is None else verdict == "real"


def _precision(found: Sequence[Row], verdicts: dict[str, str | None]) -> Row:
    """Of the findings judged; ``unread`` counts the others."""
    pairs = [(one["story"], right) for one in found if (right := _right(one, verdicts)) is not None]
    return share(pairs) | {"unread": len(found) - len(pairs)}


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("--set", choices=("train", "dev", "test", "constory", "ikd"), required=True)
    options.add_argument("--judge", action="store_true")
    options.add_argument("--name", default="", help="of the result file")
    add_folder(options)
    options.add_argument("--every", type=int, default=1)
    return options
