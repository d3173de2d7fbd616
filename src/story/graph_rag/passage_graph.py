"""Passages ↔ entities ↔ passages: what HippoRAG does with a language model, done with names alone.

A passage that stands high for a query names someone whom the query does not: the performer of a song, the
village where a stranger was born. Other passages that name the same one, above all the one *about* it, are
a hop away. Rare names carry a hop, common ones do not, and the hop keeps the name, so that a reader can be
told "via Lady Ashcombe".

Passages are numbered in order of telling. Everything at a horizon (who is known, in how many passages, how
heavy a hop is) comes from the first ``limit`` passages alone.

Source of the idea: Gutiérrez et al., "HippoRAG" (NeurIPS 2024) and "From RAG to Memory" (2025).

A name is a run of capitalised words, which ``of``, ``the``, ``von`` and the like may join inside. A single
capitalised word at the start of a sentence proves nothing: such a name is *weak*, as is each part of a
longer one ("Fanny Price" in "Miss Fanny Price"). A weak name counts once the text has told it in full.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag
from math import log, sqrt
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ...core.types import Hop
from ...errors import ProjectError
from ..model.types import gathered
from ..names.lexicon import OPENERS

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
    return [_POSSESSIVE.sub("", m.group()) for m in _TOKEN.finditer(text) if m.group()[0].isalnum()]


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
    words = [_POSSESSIVE.sub("", word) for word in run[at:]]
    if words and any(words):
        yield words, opened and at == 0 and len(words) == 1


_COMMON = 60  # an entity named in more passages than this carries hops only to the passages about it
_FAN = 16  # hops kept of one seed
_RARE = 6.0  # nats of idf from which on rarity counts in full: 1 passage in 400

Ints = NDArray[np.int64]


class PassageGraph:
    """Build with :meth:`from_passages` or :meth:`load`; it never changes.

    ``surfaces[e]`` is entity e's name as first written; entities are numbered in order of first mention.
    The edges of passage i are ``entities[starts[i]:starts[i + 1]]`` with a Role each. An entity is known from
    the first passage on that names it beyond doubt or has it for a title of two words or more: a word at the
    start of a sentence is not a name because a film is called so.
    """

    def __init__(self, surfaces: Sequence[str], starts: Ints, entities: Ints, roles: Ints) -> None:
        self._surfaces = surfaces
        self._known = {surface.casefold(): e for e, surface in enumerate(surfaces)}
        self._edges = (starts, entities, roles)
        passages = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        order = np.argsort(entities, kind="stable")
        self._named_in = passages[order]
        self._bounds = np.searchsorted(entities[order], np.arange(len(surfaces) + 1))
        about = order[(roles[order] & Role.TITLE) > 0]
        titled = zip(entities[about].tolist(), passages[about].tolist(), strict=True)
        self._about: dict[int, list[int]] = gathered(titled)
        self._known_from = np.full(len(surfaces), len(starts) - 1, dtype=np.int64)
        long = np.fromiter((" " in surface for surface in surfaces), bool, len(surfaces))
        sure = ((roles & Role.NAMED) > 0) | (((roles & Role.TITLE) > 0) & long[entities])
        np.minimum.at(self._known_from, entities[sure], passages[sure])

    @classmethod
    def from_passages(cls, passages: Iterable[tuple[str, str]]) -> PassageGraph:
        """Of the title ("" where there is none) and the text of each passage, in order of telling. Entities
        are the capitalised names of the texts, and the titles."""
        known: dict[str, int] = {}
        surfaces: list[str] = []
        starts, entities, roles = [0], list[int](), list[Role]()
        for title, text in passages:
            found: dict[int, Role] = {}
            about = title_name(title)
            for name in (*((about,) if about else ()), *names_in(text)):
                entity = known.setdefault(name.surface.casefold(), len(surfaces))
                if entity == len(surfaces):
                    surfaces.append(name.surface)
                found[entity] = found.get(entity, Role.WEAK) | name.role
            entities += found
            roles += found.values()
            starts.append(len(entities))
        return cls(surfaces, *(np.asarray(part, dtype=np.int64) for part in (starts, entities, roles)))

    def __len__(self) -> int:
        return len(self._edges[0]) - 1

    # --- reading -----------------------------------------------------------------------------------

    def hops(self, seeds: Iterable[int], *, query: str = "", limit: int | None = None) -> list[Hop]:
        """What the seeds lead to among the first ``limit`` passages, strongest first for each seed.

        For an entity in ``df`` of ``n`` passages the weight is ``min(1, ln(n / df) / 6) / sqrt(df - 1)``,
        and ``1 / sqrt(m)`` toward the ``m`` passages whose title it is. Entities of the query carry none,
        since the first search has seen them. One hop for each pair, by its heaviest entity. Costs the
        postings of the seeds' entities, at most 60 each.
        """
        n = len(self) if limit is None else min(limit, len(self))
        asked = self._asked(query, n)
        out: list[Hop] = []
        for seed in seeds:
            best: dict[int, tuple[float, int]] = {}
            for entity in self._entities_of(seed, n):
                if entity not in asked:
                    self._reach(entity, seed, n, best)
            ranked = sorted((-weight, target, entity) for target, (weight, entity) in best.items())
            out += [Hop(seed, target, -weight, self._surfaces[e]) for weight, target, e in ranked[:_FAN]]
        return out

    def _entities_of(self, ordinal: int, n: int) -> list[int]:
        if not 0 <= ordinal < n:
            return []
        starts, entities, _ = self._edges
        mine = entities[starts[ordinal] : starts[ordinal + 1]]
        known: list[int] = mine[self._known_from[mine] < n].tolist()
        return known

    def _asked(self, query: str, n: int) -> set[int]:
        """Every known entity in the query, even inside a longer one."""
        words = phrases(query)
        runs = (
            words[start:end] for end in range(len(words) + 1) for start in range(max(0, end - LONGEST), end)
        )
        named = (self._known.get(" ".join(run).casefold()) for run in runs)
        return {entity for entity in named if entity is not None and self._known_from[entity] < n}

    def _reach(self, entity: int, seed: int, n: int, best: dict[int, tuple[float, int]]) -> None:
        posting = self._named_in[self._bounds[entity] : self._bounds[entity + 1]]
        df = int(np.searchsorted(posting, n))
        weight = min(1.0, log(n / df) / _RARE) / sqrt(df - 1) if 1 < df <= _COMMON else 0.0
        targets = [(target, weight) for target in posting[:df].tolist()] if weight > 0 else []
        about = self._about.get(entity, [])
        about = about[: bisect_left(about, n)]
        targets += [(target, 1 / sqrt(len(about))) for target in about]
        for target, heavy in targets:
            if target != seed and (target not in best or heavy > best[target][0]):
                best[target] = heavy, entity

    # --- keeping -----------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Writes ``passage_graph.npz`` and ``passage_entities.txt`` (one name a line, by number)."""
        starts, entities, roles = self._edges
        np.savez(
            folder / "passage_graph.npz",
            starts=starts,
            entities=entities.astype(np.int32),
            roles=roles.astype(np.uint8),
        )
        text = "\n".join(self._surfaces)
        (folder / "passage_entities.txt").write_text(text, encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, folder: Path) -> PassageGraph:
        """Raises ProjectError where the files are missing or do not belong together."""
        try:
            with (folder / "passage_graph.npz").open("rb") as file, np.load(file, allow_pickle=False) as kept:
                starts, entities, roles = (kept[x].astype(np.int64) for x in ("starts", "entities", "roles"))
            text = (folder / "passage_entities.txt").read_bytes().decode("utf-8")
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise ProjectError(
                f"the passage graph in {folder.name} cannot be read ({error}): index the book again"
            ) from error
        surfaces = text.split("\n") if text else []
        if not _fit(starts, entities, roles, len(surfaces)):
            raise ProjectError(f"the passage graph in {folder.name} is damaged: index the book again")
        return cls(surfaces, starts, entities, roles)


def _fit(starts: Ints, entities: Ints, roles: Ints, known: int) -> bool:
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(entities) or (np.diff(starts) < 0).any():
        return False
    used = len(entities) == 0 or (entities.min() >= 0 and int(entities.max()) == known - 1)
    return len(roles) == len(entities) and used and (len(entities) > 0 or known == 0)
