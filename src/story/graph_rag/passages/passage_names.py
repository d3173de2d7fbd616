"""Names in a passage, by capitals and punctuation alone: no parser.

A name is a run of capitalised words, which ``of``, ``the``, ``von`` and the like may join inside. A single
capitalised word at the start of a sentence proves nothing: such a name is *weak*, as is each part of a
longer one ("Fanny Price" in "Miss Fanny Price"). A weak name counts once the text has told it in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntFlag

from ...names.lexicon import OPENERS

LONGEST = 6  # words; of longer names only the whole counts, not its parts

_TOKEN = re.compile(r"[^\W_]+(?:['’&-][^\W_]+)*|[.!?…;:,()\"“”\[\]—–]|\n+")
_POSSESSIVE = re.compile(r"['’][sS]$")
_SPEAKER = re.compile(r"I(?:['’](?:m|ll|ve|d))?$")
_BRACKETED = re.compile(r"\s*\([^()]*\)\s*$")
_JOINING = frozenset("of the and for de la le du von van der di da del al".split())
_ABBREVIATED = frozenset("mr mrs ms dr st prof rev capt col gen lt sgt hon jr sr messrs mme mlle".split())
_NO_NAME = _JOINING | _ABBREVIATED
_OPENING = frozenset('.!?…:"“”\n')


class Role(IntFlag):
    """How a passage stands to an entity: it names it, is about it (its title), both, or perhaps names it."""

    WEAK = 0
    NAMED = 1
    TITLE = 2


@dataclass(frozen=True, slots=True)
class Name:
    """``surface`` is the name as written, its words joined by single spaces, without possessive."""

    surface: str
    role: Role


def key_of(surface: str) -> str:
    """What two spellings of one name share."""
    return surface.casefold()


def names_in(text: str) -> list[Name]:
    """Names in order of the text, repetitions kept, each followed by its parts."""
    out: list[Name] = []
    for words, weak in _runs(text):
        out.append(Name(" ".join(words), Role.WEAK if weak else Role.NAMED))
        if len(words) <= LONGEST:
            out.extend(Name(part, Role.WEAK) for part in _parts(words))
    return out


def title_name(title: str) -> Name | None:
    """The entity that a passage of that title is about: without a closing "(…)" or an article in front."""
    words = phrases(_BRACKETED.sub("", title))
    if words and words[0].lower() in {"the", "a", "an"}:
        words = words[1:]
    return Name(" ".join(words), Role.TITLE) if words else None


def phrases(text: str) -> list[str]:
    """The words of a text as names are made of them: possessives cut, punctuation left out."""
    return [_bare(m.group()) for m in _TOKEN.finditer(text) if m.group()[0].isalnum()]


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word)


def _parts(words: list[str]) -> Iterator[str]:
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            inner = words[start:end]
            if len(inner) < len(words) and not {inner[0].lower(), inner[-1].lower()} & _NO_NAME:
                yield " ".join(inner)


def _runs(text: str) -> Iterator[tuple[list[str], bool]]:
    """Each capitalised run, and whether it is one word that had to have its capital there."""
    run: list[str] = []
    pending: list[str] = []
    opening = opened = True  # at the start of a sentence; the run began there
    for match in _TOKEN.finditer(text):
        token = match.group()
        if not token[0].isalnum():
            if token == "." and run and (len(run[-1]) == 1 or run[-1].lower() in _ABBREVIATED):  # noqa: S105
                continue
            yield from _closed(run, opened)
            run, pending = [], []
            opening = token[0] in _OPENING or (opening and token == "(")  # noqa: S105
        elif _belongs(token, run, pending):
            opened = opened if run else opening
            run += [*pending, token]
            pending, opening = [], False
            if _POSSESSIVE.search(token):
                yield from _closed(run, opened)
                run = []
        else:
            opening = False
            if run and token in _JOINING and len(pending) < 2:
                pending.append(token)
            else:
                yield from _closed(run, opened)
                run, pending = [], []
    yield from _closed(run, opened)


def _belongs(token: str, run: list[str], pending: list[str]) -> bool:
    """Does the word start or go on a name? An "I" does so only right behind one ("Charles I")."""
    if _SPEAKER.match(token):
        return bool(run) and not pending
    return token[0].isupper() or (bool(run) and token[0].isdigit() and len(token) <= 4)


def _closed(run: list[str], opened: bool) -> Iterator[tuple[list[str], bool]]:
    at = 0
    while at < len(run) and run[at].lower() in OPENERS:
        at += 1
    words = [_bare(word) for word in run[at:]]
    if words and any(words):
        yield words, opened and at == 0 and len(words) == 1
