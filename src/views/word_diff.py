"""What a revision changed, word by word."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

_WORD = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words that both texts have (``same``), that only the older has (``gone``), or the newer."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """The texts set beside each other (Ratcliff/Obershelp over words). ``same`` and ``gone`` pieces joined
    are ``before``, ``same`` and ``new`` ones ``after``. Quadratic in words: for drafts, not for books."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = difflib.SequenceMatcher(
        None, [word.rstrip() for word in old], [word.rstrip() for word in new], autojunk=False
    )
    pieces: list[Piece] = []
    for tag, start, end, start_new, end_new in matcher.get_opcodes():
        gone, come = old[start:end], new[start_new:end_new]
        # equal words may differ in the white space behind them
        sides = zip(gone, come, strict=True) if tag == "equal" else [("".join(gone), "".join(come))]
        for one, other in sides:
            pieces += [Piece("same", one)] if one == other else [Piece("gone", one), Piece("new", other)]
    runs = groupby(filter(lambda piece: piece.text, pieces), key=lambda piece: piece.kind)
    return tuple(Piece(kind, "".join(piece.text for piece in run)) for kind, run in runs)


def changed_share(pieces: tuple[Piece, ...]) -> float:
    """Share of the words that stand in one of the texts only, 0 to 1."""
    words = dict.fromkeys(("same", "gone", "new"), 0)
    for piece in pieces:
        words[piece.kind] += len(piece.text.split())
    total = 2 * words["same"] + words["gone"] + words["new"]
    return (words["gone"] + words["new"]) / total if total else 0.0
