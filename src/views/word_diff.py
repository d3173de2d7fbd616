"""What a revision changed, word by word."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
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
        if tag == "equal":  # but for the white space behind a word
            for one, other in zip(gone, come, strict=True):
                _add(pieces, [one], [other])
        else:
            _add(pieces, gone, come)
    return tuple(pieces)


def _add(pieces: list[Piece], gone: list[str], come: list[str]) -> None:
    if gone == come:
        new = [Piece("same", "".join(gone))]
    else:
        new = [Piece("gone", "".join(gone)), Piece("new", "".join(come))]
    for piece in new:
        if piece.text and pieces and pieces[-1].kind == piece.kind:
            pieces[-1] = Piece(piece.kind, pieces[-1].text + piece.text)
        elif piece.text:
            pieces.append(piece)


def changed_share(pieces: tuple[Piece, ...]) -> float:
    """Share of the words that stand in one of the texts only, 0 to 1."""
    words = dict.fromkeys(("same", "gone", "new"), 0)
    for piece in pieces:
        words[piece.kind] += len(piece.text.split())
    total = 2 * words["same"] + words["gone"] + words["new"]
    return (words["gone"] + words["new"]) / total if total else 0.0
