"""What was measured of a critic's power, kept beside a book."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.files.atomic import replace_file
from .power import Found, Power

__all__ = ["POWER_FILE", "kept_powers", "save_powers"]

POWER_FILE = "calibration.json"
_SCHEMA = 1


def save_powers(folder: Path, powers: Sequence[Power], *, of: str) -> None:
    """Keeps them in the folder, of each critic the latest; ``of`` says of which text and reader they are, and
    those of another are forgotten."""
    known = {power.critic: power for power in (*kept_powers(folder, of=of), *powers)}
    rows = [
        {
            "critic": one.critic,
            "copies": one.copies,
            "words": one.words,
            "slips": {name: [part.found, part.n] for name, part in one.slips.items()},
            "sound": {name: [part.found, part.n] for name, part in one.sound.items()},
        }
        for _, one in sorted(known.items())
    ]
    told = {"schema": _SCHEMA, "of": of, "critics": rows}
    replace_file(folder / POWER_FILE, json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def kept_powers(folder: Path, *, of: str) -> tuple[Power, ...]:
    """Those of this text and reader; none where the file is of others, of another schema or damaged, since to
    measure again mends it."""
    try:
        told: Any = json.loads((folder / POWER_FILE).read_text(encoding="utf-8"))
        if told["schema"] != _SCHEMA or told["of"] != of:
            return ()
        return tuple(
            Power(
                str(row["critic"]),
                int(row["copies"]),
                int(row["words"]),
                _found(row["slips"]),
                _found(row["sound"]),
            )
            for row in told["critics"]
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ()


def _found(row: dict[str, list[int]]) -> dict[str, Found]:
    return {str(name): Found(int(found), int(n)) for name, (found, n) in row.items()}
