"""Do the quotes of judges stand in the texts, and do judges agree with themselves, each other and the rules?

    python experiments/run.py judge_audit FILE … [--texts DIR] [--file-is run|system] [--no-critic]

``FILE`` holds the findings of language models as judges: CSV with the columns text_id, judge, run, system,
rule, quote, other_quote, message, or the layout of ConStory-Checker. Prints tables and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.common.options import new_parser
from fabula.core.documents import PLAIN, document_from_text, read_document
from fabula.core.files.plain_json import plain
from fabula.core.types import Horizon
from fabula.errors import DocumentError, UsageError
from fabula.project.indexing import Progress, link
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.findings import CheckReport
from fabula.views.text.render import WIDTH, Answer, harmless, table

from .audit import audit_judges
from .report import JudgeAudit
from .table import JudgeTable, read_judgements

__all__ = ["audit_text", "audited", "critic_of_texts", "main", "parser"]


def main(options: argparse.Namespace) -> None:
    """Prints the audit."""
    done = audited(
        options.files,
        options.texts,
        file_is=options.file_is,
        encoding=options.encoding,
        with_critic=not options.no_critic,
    )
    print(json.dumps(done.data, indent=2, ensure_ascii=False) if options.json else done.text)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("files", nargs="+", type=Path, metavar="FILE")
    options.add_argument("--texts", type=Path, metavar="DIR", help="TEXT_ID.txt, or SYSTEM/TEXT_ID.txt")
    options.add_argument("--file-is", choices=("run", "system"), default="run", help="where no column tells")
    options.add_argument("--encoding", default="utf-8", help="of the files")
    options.add_argument("--no-critic", action="store_true", help="not beside the rules of fabula check")
    options.add_argument("--json", action="store_true")
    return options


def audited(
    files: Sequence[Path],
    folder: Path | None,
    *,
    file_is: str = "run",
    encoding: str = "utf-8",
    with_critic: bool = True,
    progress: Progress = lambda *_: None,
) -> Answer:
    """The audit of the judgements in ``files``. Texts come from ``folder``, else from the files themselves.

    Raises UsageError for files that cannot be read as such."""
    judged = read_judgements(files, encoding=encoding, file_is=file_is)
    texts = dict(judged.texts) | (_texts(folder, judged) if folder is not None else {})
    audit = audit_judges(
        judged,
        texts=texts,
        critic=critic_of_texts() if with_critic and texts else None,
        progress=lambda done, total: progress("check", done, total),
    )
    return Answer(plain(audit), audit_text(audit))


def critic_of_texts() -> Callable[[str], CheckReport]:
    """Reads a text as a story of its own and checks it against itself; a blank one has no findings."""
    from fabula.story.extraction.reader import StoryReader

    reader, critic = StoryReader(), ContinuityCritic()

    def check(text: str) -> CheckReport:
        words = len(text.split())
        try:
            document = document_from_text(text, id="text", title="text")
        except DocumentError:
            return CheckReport((), 0, 0, words)
        readings = [reader.read(chapter.body.of(text)) for chapter in document.chapters]
        view = StoryKnowledgeGraph.from_log(link(document, readings).log).as_of(Horizon())
        return critic.check(view, words=words)

    return check


def _texts(folder: Path, judged: JudgeTable) -> dict[tuple[str, str], str]:
    """Files by the names that the judgements use: looked up in a listing, so no name leads out of it."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: name the one that holds the texts")
    there: dict[tuple[str, str], Path] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in PLAIN and not path.is_symlink():
            above = path.relative_to(folder).parent.as_posix()
            there.setdefault(("" if above == "." else above, path.stem), path)
    found: dict[tuple[str, str], str] = {}
    for reading in judged.readings:
        key = (reading.system, reading.text_id)
        file = there.get(key) or there.get(("", reading.text_id))
        if file is not None and key not in found:
            found[key] = read_document(file).text
    if not found and judged.readings:
        raise UsageError(
            f"{folder} holds none of the texts that were judged: name them TEXT_ID.txt or "
            f"SYSTEM/TEXT_ID.txt, e.g. {judged.readings[0].text_id[:40]}.txt"
        )
    return found


def audit_text(audit: JudgeAudit) -> str:
    """The audit for a terminal."""
    damaged = f"; {audit.damaged} cells or items damaged and left out" if audit.damaged else ""
    parts = [
        f"{audit.findings} findings in {audit.readings} readings; {audit.texts} texts at hand{damaged}",
        _quotes_part(audit),
        _runs_part(audit),
        _rates_part(audit),
        _pairs_part(audit),
        _critic_part(audit),
    ]
    return harmless("\n\n".join(part for part in parts if part))


def _quotes_part(audit: JudgeAudit) -> str:
    rows = [
        (
            one.judge,
            one.quotes,
            one.exact,
            one.normalised,
            one.near,
            one.absent,
            _number(one.verified),
            f"{one.grounded}/{one.findings}",
        )
        for one in audit.quotes
    ]
    header = ("judge", "quotes", "exact", "same words", "near", "absent", "in the text", "findings grounded")
    text = f"Do the quotes stand in the texts?\n{table(rows, header=header, right=range(1, 8))}"
    without = sum(one.without_text for one in audit.quotes)
    return f"{text}\n{without} findings in texts that are not at hand were not looked up" if without else text


def _runs_part(audit: JudgeAudit) -> str:
    if not audit.runs:
        return "Does a judge agree with itself? No text was read twice by the same judge."
    rows = [
        (
            one.judge,
            one.runs,
            one.texts,
            f"{one.shared}/{one.either}",
            _number(one.jaccard),
            _number(one.alpha),
        )
        for one in audit.runs
    ]
    header = ("judge", "runs", "texts", "shared", "Jaccard", "alpha")
    return f"Does a judge agree with itself?\n{table(rows, header=header, right=range(1, 6))}"


def _rates_part(audit: JudgeAudit) -> str:
    rows = [
        (
            one.judge,
            one.system,
            one.texts,
            _number(one.per_text),
            _number(one.rate),
            _number(one.grounded_rate),
        )
        for one in audit.rates
    ]
    header = ("judge", "system", "texts", "a text", "per 10,000 words", "grounded alone")
    return f"What does it find?\n{table(rows, header=header, right=range(2, 6))}"


def _pairs_part(audit: JudgeAudit) -> str:
    if not audit.pairs:
        return ""
    rows = [
        (f"{one.one} / {one.other}", _number(one.jaccard), _number(one.alpha), one.systems, _number(one.tau))
        for one in audit.pairs
    ]
    header = ("judges", "Jaccard", "alpha", "systems", "Kendall tau-b")
    lines = [f"Do judges agree?\n{table(rows, header=header, right=range(1, 5))}"]
    for pair in audit.pairs:
        if pair.flips:
            named = ", ".join(f"{a} / {b}" for a, b in pair.flips)
            said = f"{pair.one} and {pair.other} rank the other way round: {named}"
            lines.append(textwrap.fill(said, WIDTH, subsequent_indent="  "))
    return "\n".join(lines)


def _critic_part(audit: JudgeAudit) -> str:
    if not audit.critic:
        return ""
    rows = [
        (
            one.judge,
            one.texts,
            f"{one.shared_judge}/{one.findings}",
            f"{one.shared_rules}/{one.rule_findings}",
        )
        for one in audit.critic
    ]
    header = ("judge", "texts", "of its findings by the rules too", "of the rules' findings by it too")
    return f"Beside the rules of fabula check\n{table(rows, header=header, right=range(1, 4))}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
