"""A question's words, names marked, possessives in one form."""

from __future__ import annotations

import re

from .words import AUXILIARIES, PREPOSITIONS, RELATIONAL, SUBORDINATORS

__all__ = ["ARTICLES", "STOPS", "WH", "possessives", "tokens"]

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[^\W\d_]+(?:['-][^\W_]+)*|\S")
WH = frozenset("who whom whose what which where when why how".split())
ARTICLES = frozenset(("the", "a", "an"))
_OWNED = ARTICLES | {"his", "her", "their", "its"}
STOPS = (
    ARTICLES
    | PREPOSITIONS
    | SUBORDINATORS
    | frozenset(AUXILIARIES)
    | frozenset(("and", "or", "not", "'s", ","))
)


def tokens(text: str) -> list[str]:
    """Tokens in small letters; names (a capital that no start of a sentence explains) marked with ``^``."""
    out: list[str] = []
    for token in _TOKEN.findall(text):
        stem, has = (token[:-2], True) if token[-2:].lower() == "'s" else (token, False)
        if token.endswith("'") and len(token) > 1:
            stem, has = token[:-1], True
        name = bool(out) and stem[:1].isupper() and out[-1] not in ".?!"
        if stem not in ('"', "'", ".") or not stem:
            out.append(f"^{stem.casefold()}" if name and stem != "I" else stem.casefold())
        elif stem == "'" and out and out[-1].endswith("s"):  # Tobias' mother
            has = True
        if has:
            out.append("'s")
    return out


def possessives(words: list[str]) -> list[str]:
    """ "the father of Anna" to "Anna 's father": the noun phrase after "of", then the one before it."""
    at = 0
    while at < len(words):
        if words[at] == "of" and at:
            start = at
            while start and words[start - 1] not in STOPS and words[start - 1] not in WH:
                start -= 1
            end = _noun_phrase(words, at + 1)
            owned = start and words[start - 1] == "the" and words[at - 1] in RELATIONAL and start < at
            paired = end < len(words) and words[end] in ("and", "or", ",")
            if owned and end > at + 1 and not paired:
                owner = words[at + 1 : end]
                words = [*words[: start - 1], *owner, "'s", *words[start:at], *words[end:]]
                at = start - 1 + len(owner)
        at += 1
    return words


def _noun_phrase(words: list[str], start: int) -> int:
    """Where the phrase that begins at ``start`` ends: a run of names, or an article and what follows it."""
    end = start
    while end < len(words) and words[end].startswith("^"):
        end += 1
    if end == start and end < len(words) and words[end] in _OWNED:
        end += 1
        while end < len(words) and words[end] not in STOPS and not words[end].startswith("^"):
            end += 1
    while end > start and end < len(words) and words[end] == "'s":  # Anna 's death
        end += 1
        while end < len(words) and words[end] not in STOPS:
            end += 1
    return end
