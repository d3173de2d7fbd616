"""Blind rating in a folder: pairs of drafts without names, each rater's choices, and what they add up to."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.files.atomic import replace_file
from ..errors import UsageError
from ..story.evaluation.preference import CHOICES, Choice, Preference, make_sheet, preference, read_choices
from .preferring import read_report, read_text

__all__ = ["RatingDesk", "RatingPair"]

_SHEET, _KEY, _ANSWERS = "sheet.csv", "key.json", "rater-{}.csv"
_LONGEST_NAME = 80
_COLUMNS = ("pair", "choice", "comment")


@dataclass(frozen=True, slots=True)
class RatingPair:
    """Two drafts of one prompt; nothing says who wrote which."""

    name: str
    prompt: str
    a: str
    b: str


class RatingDesk:
    """A sheet and its answers. Choices are on disk when ``choose`` returns."""

    def __init__(self, folder: Path, pairs: Sequence[RatingPair], key: str) -> None:
        self._folder = folder
        self._key = key
        self.pairs = tuple(pairs)

    @classmethod
    def open(cls, folder: Path, reports: Sequence[Path]) -> RatingDesk:
        """The sheet that the folder holds; where it holds none, one is made of the reports. It then stays as
        it is, so that choices keep their meaning when reports are added. Raises UsageError where no pair can
        be made, or a file is damaged."""
        sheet, key = folder / _SHEET, folder / _KEY
        if not (sheet.is_file() and key.is_file()):
            made = make_sheet([read_report(path) for path in sorted(reports)])
            replace_file(key, made.key)
            replace_file(sheet, made.csv)
        told = read_text(key)
        read_choices(read_text(sheet), told)  # sees that the two belong together
        rows = csv.DictReader(io.StringIO(read_text(sheet)))
        pairs = [RatingPair(row["pair"], row["prompt"], row["a"], row["b"]) for row in rows]
        return cls(folder, pairs, told)

    def chosen(self, rater: str) -> dict[str, tuple[str, str]]:
        """By pair, what the rater chose (``a``, ``b`` or ``tie``) and said."""
        path = self._answers(rater)
        if not path.is_file():
            return {}
        rows = csv.DictReader(io.StringIO(read_text(path)))
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
        table = csv.writer(out, lineterminator="\n")
        table.writerow(_COLUMNS)
        table.writerows((name, *said) for name, said in sorted(kept.items()))
        replace_file(self._answers(rater), out.getvalue())

    def tally(self) -> Preference:
        """What all raters together prefer. Raises UsageError where nobody has chosen yet."""
        choices: list[Choice] = []
        for path in sorted(self._folder.glob(_ANSWERS.format("*"))):
            choices += read_choices(read_text(path), self._key)[0]
        return preference(choices)

    def _answers(self, rater: str) -> Path:
        name = " ".join(rater.split())[:_LONGEST_NAME]
        if not name:
            raise UsageError("say who is rating first: any name will do")
        slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:24]
        return self._folder / _ANSWERS.format(
            f"{slug}-{hashlib.sha256(name.casefold().encode()).hexdigest()[:8]}"
        )
