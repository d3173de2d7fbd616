"""What an integrity check of a project found: what was looked at, what is broken, and what cures it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from ...errors import FabulaError

Cure = Literal["index", "work", "ratings", ""]
"""What mends a break: the index made anew from text and kept work, work or ratings dropped; "": nobody but
the author."""
_ADVICE: Mapping[Cure, str] = {
    "index": "fabula verify --mend makes the index again",
    "work": "fabula verify --mend drops it, and it is done again when needed",
    "ratings": "fabula verify --mend drops it",
    "": "restore the project from a backup, or index the book again into a new folder",
}
_UNUSABLE = "it cannot be used"


@dataclass(frozen=True, slots=True)
class Break:
    """``part`` is a file or table of the project, ``advice`` what to do; ``detail`` may quote what stands
    there, nothing else does."""

    part: str
    problem: str
    cure: Cure
    advice: str
    detail: str = ""

    @property
    def line(self) -> str:
        """All of it on one line."""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.part}: {self.problem}{detail}: {self.advice}"


@dataclass(frozen=True, slots=True)
class Checked:
    """How many of what were compared."""

    what: str
    count: int


@dataclass(slots=True)
class Verified:
    """What the checks of the project add to. ``notes`` are worth knowing and no break: what a killed writer
    left, ratings of passages that the text no longer has."""

    title: str
    checked: list[Checked] = field(default_factory=list)
    broken: list[Break] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, what: str, count: int) -> None:
        """So many of these were compared."""
        self.checked.append(Checked(what, count))

    def add(
        self, part: str, problem: str, *, cure: Cure = "", advice: str = "", why: object | None = None
    ) -> None:
        """Something is broken. ``why`` is the error that said so."""
        detail = " ".join(str(why).split()) if why is not None else ""
        self.broken.append(Break(part, problem, cure, advice or _ADVICE[cure], detail))

    @contextmanager
    def using(self, part: str, *, cure: Cure = "", advice: str = "") -> Iterator[None]:
        """An error within the block is a break of the part."""
        try:
            yield
        except FabulaError as error:
            self.add(part, _UNUSABLE, cure=cure, advice=advice, why=error)

    def give_up_index(self, why: Exception) -> None:
        """Nothing that is left can make the index anew; ``why`` says the way out."""
        advice = " ".join(str(why).split())
        self.broken = [
            replace(one, cure="", advice=advice) if one.cure == "index" else one for one in self.broken
        ]

    @property
    def is_clean(self) -> bool:
        """Is nothing broken?"""
        return not self.broken

    @property
    def text(self) -> str:
        """For a terminal: a line for each break and note, and one for the whole."""
        looked = ", ".join(f"{one.count:,} {one.what}" for one in self.checked if one.count)
        lines = [f"broken  {one.line}" for one in self.broken]
        lines += [f"note    {one}" for one in self.notes]
        state = "clean" if self.is_clean else f"{len(self.broken)} broken"
        return "\n".join([*lines, f"{self.title}: {state} ({looked or 'nothing could be compared'})"])
