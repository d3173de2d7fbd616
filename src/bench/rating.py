"""Drafts rated blind: sheets of pairs without names, what raters chose on them, and what it adds up to."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json
from ..errors import UsageError
from ..story.comparison.report import SCHEMA
from ..views.text.render import Answer, table
from .preference import CHOICES, Choice, Preference, make_sheet, preference, read_choices

_MOST_BYTES = 64 * 1024 * 1024
_SHEET, _KEY, _ANSWERS = "sheet.csv", "key.json", "rater-{}.csv"
_LONGEST_NAME = 80
_COLUMNS = ("pair", "choice", "comment")


def made_sheet(reports: Sequence[Path], *, out: Path, key: Path, seed: int = 0) -> Answer:
    """Writes a sheet of pairs of drafts out of comparison reports, and its key. Raises UsageError where no
    two drafts differ, or a file is no report."""
    if out.resolve() == key.resolve():
        raise UsageError("the sheet and its key are two files: name two places")
    made = make_sheet([_report(path) for path in reports], seed=seed)
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
    found = _preference(sheets, _read(key))
    rows = preferred_rows(found)
    parts = [
        table(rows, header=["system", "preferred", "95 % interval", "won"], right=[1, 2, 3]),
        "",
        f"{found.choices} choices on {found.prompts} prompts; {found.unjudged} rows without a choice.",
    ]
    if found.agreement is not None:
        parts.append(f"Of the pairs that several saw, all agreed on {found.agreement:.0%}.")
    return Answer(found, "\n".join(parts))


def preferred_rows(found: Preference) -> list[list[str]]:
    """System, share, interval and wins, as a table shows them."""
    return [
        [one.system, f"{one.share:.2f}", f"{one.low:.2f} to {one.high:.2f}", f"{one.wins:g} of {one.judged}"]
        for one in found.strengths
    ]


@dataclass(frozen=True, slots=True)
class RatingPair:
    """Two drafts of one prompt; nothing says who wrote which."""

    name: str
    prompt: str
    a: str
    b: str


class RatingDesk:
    """A sheet in a folder and its answers. Choices are on disk when ``choose`` returns."""

    def __init__(self, folder: Path, reports: Sequence[Path]) -> None:
        """Where the folder holds no sheet, one is made of the reports. It then stays as it is, so that
        choices keep their meaning when reports are added. Raises UsageError where no pair can be made, or a
        file is damaged."""
        self._folder = folder
        sheet, key = folder / _SHEET, folder / _KEY
        if not (sheet.is_file() and key.is_file()):
            made_sheet(sorted(reports), out=sheet, key=key)
        self._key = _read(key)
        read_choices(_read(sheet), self._key)  # sees that the two belong together
        rows = csv.DictReader(io.StringIO(_read(sheet)))
        self.pairs = tuple(RatingPair(row["pair"], row["prompt"], row["a"], row["b"]) for row in rows)

    def chosen(self, rater: str) -> dict[str, tuple[str, str]]:
        """By pair, what the rater chose (``a``, ``b`` or ``tie``) and said."""
        path = self._answers(rater)
        if not path.is_file():
            return {}
        rows = csv.DictReader(io.StringIO(_read(path)))
        return {row["pair"]: (row["choice"], row["comment"]) for row in rows}

    def following(self, rater: str) -> RatingPair | None:
        """The first pair that the rater has not judged yet; None when all are done."""
        done = self.chosen(rater)
        return next((pair for pair in self.pairs if pair.name not in done), None)

    def choose(self, rater: str, pair: str, choice: str, *, comment: str = "") -> None:
        """Keeps a choice; the same pair again replaces it. Raises UsageError for a rater without a name, a
        pair that is not on the sheet, or a choice that is none."""
        if pair not in {one.name for one in self.pairs} or choice not in CHOICES:
            raise UsageError(f"{choice!r} of pair {pair!r} is no choice: choose a, b or tie")
        kept = {**self.chosen(rater), pair: (choice, " ".join(comment.split()))}
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(_COLUMNS)
        rows.writerows((name, *said) for name, said in sorted(kept.items()))
        replace_file(self._answers(rater), out.getvalue())

    def tally(self) -> Preference:
        """What all raters together prefer. Raises UsageError where nobody has chosen yet."""
        return _preference(sorted(self._folder.glob(_ANSWERS.format("*"))), self._key)

    def _answers(self, rater: str) -> Path:
        name = " ".join(rater.split())[:_LONGEST_NAME]
        if not name:
            raise UsageError("say who is rating first: any name will do")
        slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:24]
        digest = hashlib.sha256(name.casefold().encode()).hexdigest()[:8]
        return self._folder / _ANSWERS.format(f"{slug}-{digest}")


def _preference(sheets: Sequence[Path], key: str) -> Preference:
    choices: list[Choice] = []
    blank = 0
    for path in sheets:
        own, unjudged = read_choices(_read(path), key)
        choices += own
        blank += unjudged
    return preference(choices, unjudged=blank)


def _report(path: Path) -> tuple[str, dict[str, str]]:
    """The prompt of a report that ``compare --out`` or ``bench run`` wrote, and the draft that counts of each
    pipeline. Raises UsageError for any other file."""
    try:
        report = parse_json(_read(path))
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


def _read(path: Path) -> str:
    """A file of 64 MB at most. Raises UsageError where it cannot be read."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{path} is larger than 64 MB: that is no sheet and no report")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: save it as CSV in UTF-8") from error
