"""How much of what is wrong in a book does a critic find? Measured on copies of that book.

Slips whose places are known are put into copies, sound passages beside them, and the critic reads the copies
(error seeding: Mills 1972). What it finds of the slips is its recall on slips like these, in this book's
prose; what it says of the sound passages is how easily it is misled. Slips of other kinds it may find more or
less often.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from ...core.files.atomic import replace_file
from ...core.files.plain_json import plain
from ...core.types import Document
from ..model.findings import Violation, wilson
from ..model.types import gathered
from .planting import SLIPS, Pair, plant

LEAST_FINDINGS = 6
"""With fewer in all, nothing tells two texts of one length apart: where both have as many slips, all of five
findings fall on one of them by chance once in 16, all of six once in 32."""

ASSUMED_SLIPS = 10.0
"""In 10,000 words: a text that is full of them."""

POWER_FILE = "calibration.json"
_SCHEMA = 1

Finds = Callable[[Document], Sequence[Violation]]


class Found(NamedTuple):
    """``found`` of ``n``."""

    found: int
    n: int

    @property
    def share(self) -> float | None:
        """0 to 1; None where ``n`` is 0."""
        return self.found / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % score interval of the share (Wilson 1927); 0 to 1 where ``n`` is 0."""
        return wilson(self.found, self.n)


@dataclass(frozen=True, slots=True)
class Power:
    """Of one critic, on ``copies`` copies of ``words`` words each: what it found of slips, by name (see
    ``planting.SLIPS``), and how many sound pairs it called wrong, by name."""

    critic: str
    copies: int
    words: int
    slips: dict[str, Found]
    sound: dict[str, Found]

    @property
    def recall(self) -> Found:
        """Of all slips."""
        return _sum(self.slips)

    @property
    def misled(self) -> Found:
        """Of all sound pairs."""
        return _sum(self.sound)


def power_of(
    critic: str,
    document: Document,
    finds: Finds,
    *,
    copies: int,
    slips: int,
    sound: int,
    seed: int = 0,
    on_copy: Callable[[int, int], None] | None = None,
) -> Power:
    """``finds`` is the critic: what it finds in a document. A slip is found where one finding has quotes on
    both of its sides, and a sound pair is called wrong in the same way."""
    told: list[tuple[Pair, bool]] = []
    for number in range(copies):
        planted = plant(document, seed=seed + number, slips=slips, sound=sound)
        found = finds(planted.document)
        told += [(pair, any(_on_both(one, pair) for one in found)) for pair in planted.pairs]
        if on_copy is not None:
            on_copy(number + 1, copies)

    hits = gathered((pair.name, hit) for pair, hit in told)
    sound_found = {name: Found(sum(some), len(some)) for name, some in sorted(hits.items())}
    slips_found = {name: sound_found.pop(name, Found(0, 0)) for name in SLIPS}
    return Power(critic, copies, len(document.text.split()), slips_found, sound_found)


def words_needed(recall: float) -> int | None:
    """How many words a text needs so that a critic of that recall can be expected to make ``LEAST_FINDINGS``
    true findings in it, where there are ``ASSUMED_SLIPS`` in 10,000 words; None where it finds nothing."""
    return int(-(-LEAST_FINDINGS * 10_000 // (recall * ASSUMED_SLIPS))) if recall > 0 else None


def power_notice(power: Power | None, *, words: int) -> str:
    """What must be said beside the findings in drafts of so many words."""
    if power is None:
        return (
            "How much the critic finds in this book's prose was not measured (fabula calibrate "
            "does that), so finding nothing in a draft proves little."
        )
    share = 100 * (power.recall.share or 0.0)
    told = f"Of the mistakes planted in copies of this book the critic found {share:.0f} %"
    needed = words_needed(power.recall.share or 0.0)
    if needed is None:
        return f"{told}: its findings do not show which draft is better."
    if words < needed:
        return (
            f"{told}. To tell drafts apart takes about {needed:,} words each, with "
            f"{ASSUMED_SLIPS:.0f} mistakes in 10,000 words; these have at most {words:,}, so draw "
            f"no conclusion from the findings."
        )
    return f"{told}."


def _sum(parts: Mapping[str, Found]) -> Found:
    return Found(sum(one.found for one in parts.values()), sum(one.n for one in parts.values()))


def _on_both(finding: Violation, pair: Pair) -> bool:
    return all(any(map(side.overlaps, finding.evidence)) for side in (pair.earlier, pair.later))


# --- kept beside a book -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kept:
    schema: int
    of: str
    critics: tuple[Power, ...]


def save_powers(folder: Path, powers: Sequence[Power], *, of: str) -> None:
    """Keeps them in the folder, of each critic the latest; ``of`` says of which text and reader they are, and
    those of another are forgotten."""
    known = {power.critic: power for power in (*kept_powers(folder, of=of), *powers)}
    told = _Kept(_SCHEMA, of, tuple(one for _, one in sorted(known.items())))
    replace_file(folder / POWER_FILE, json.dumps(plain(told), indent=1, ensure_ascii=False) + "\n")


def kept_powers(folder: Path, *, of: str) -> tuple[Power, ...]:
    """Those of this text and reader; none where the file is of others, of another schema or damaged, since to
    measure again mends it."""
    try:
        told = TypeAdapter(_Kept).validate_json((folder / POWER_FILE).read_bytes())
    except (OSError, ValueError):
        return ()
    return told.critics if (told.schema, told.of) == (_SCHEMA, of) else ()
