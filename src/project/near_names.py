"""Spelling suggestions: names of the story so far that are near to a word it does not hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.text.tokenizing import Tokenizer
from ..story.names.spelling import near_names

if TYPE_CHECKING:
    from .parts import OpenProject

__all__ = ["suggest_names"]

_WORD = re.compile(r"[^\W\d_]{3,}")
_BARE = 2  # words: so short a query is read as names, whatever its case


def suggest_names(project: OpenProject, query: str, *, as_of: int | None) -> tuple[str, ...]:
    """A sentence for each name in the query that stands nowhere up to ``as_of``, where a name known by then
    is spelt nearly so. Capitalised words count as names."""
    words = _WORD.findall(query)
    said = {word for word in words if word[0].isupper() or len(words) <= _BARE}
    terms_of, limit = Tokenizer().terms, project.hybrid.limit(project.horizon(as_of))
    known = {one.term for one in project.lexical.statistics(" ".join(said), limit=limit) if one.df}
    unknown = [word for word in words if word in said and known.isdisjoint(terms_of(word))]
    if not unknown:
        return ()
    surfaces = [surface for one in project.view(as_of).entities() for surface in (one.name, *one.aliases)]
    return tuple(
        f"{word} stands nowhere in the story so far: did you mean {near}?"
        for word in dict.fromkeys(unknown)
        for near in near_names(word, surfaces)[:1]
    )
