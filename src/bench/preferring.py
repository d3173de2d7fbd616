"""Blind sheets made of comparison reports, and what raters chose on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json
from ..errors import UsageError
from ..story.evaluation.comparison_report import SCHEMA
from ..story.evaluation.preference import Choice, make_sheet, preference, read_choices
from ..views.text.render import Answer, table

__all__ = ["make", "read_report", "read_text", "tallied"]

_MOST_BYTES = 64 * 1024 * 1024


def make(reports: Sequence[Path], *, out: Path, key: Path, seed: int) -> Answer:
    """Writes the sheet and its key."""
    if out.resolve() == key.resolve():
        raise UsageError("the sheet and its key are two files: name two places")
    made = make_sheet([read_report(path) for path in reports], seed=seed)
    replace_file(key, made.key)
    replace_file(out, made.csv)
    data = {"pairs": made.pairs, "sheet": str(out), "key": str(key)}
    text = (
        f"{made.pairs} pair{'' if made.pairs == 1 else 's'} on {out}; who wrote what is in {key}.\n"
        "Raters write a, b or tie into the column 'choice'; then: "
        f"fabula bench tally {out} --key {key}"
    )
    return Answer(data, text)


def tallied(sheets: Sequence[Path], *, key: Path) -> Answer:
    """Strengths out of all raters' choices."""
    told = read_text(key)
    choices: list[Choice] = []
    blank = 0
    for path in sheets:
        own, unjudged = read_choices(read_text(path), told)
        choices += own
        blank += unjudged
    found = preference(choices, unjudged=blank)
    rows = [
        [one.system, f"{one.share:.2f}", f"{one.low:.2f} to {one.high:.2f}", f"{one.wins:g} of {one.judged}"]
        for one in found.strengths
    ]
    parts = [
        table(rows, header=["system", "preferred", "95 % interval", "won"], right=[1, 2, 3]),
        "",
        f"{found.choices} choices on {found.prompts} prompts; {found.unjudged} rows without a choice.",
    ]
    if found.agreement is not None:
        parts.append(f"Of the pairs that several saw, all agreed on {found.agreement:.0%}.")
    return Answer(found, "\n".join(parts))


def read_report(path: Path) -> tuple[str, dict[str, str]]:
    """The prompt of a report that ``compare --out`` or ``bench run`` wrote, and the draft that counts of each
    pipeline. Raises UsageError for any other file."""
    try:
        report = parse_json(read_text(path))
        if report["schema"] != SCHEMA:
            raise UsageError(f"{path} has schema {report['schema']!r}: give what compare --out wrote")
        facts = report["facts"]
        texts = {
            one["pipeline"]: one["drafts"][one["kept"]]["generation"]["text"]
            for one in facts["pipelines"]
            if one["drafts"]
        }
        return str(facts["prompt"]), texts
    except (json.JSONDecodeError, KeyError, TypeError, IndexError) as error:
        raise UsageError(f"{path} is no comparison report: give what compare --out wrote") from error


def read_text(path: Path) -> str:
    """A file of 64 MB at most. Raises UsageError where it cannot be read."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{path} is larger than 64 MB: that is no sheet and no report")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: save it as CSV in UTF-8") from error
