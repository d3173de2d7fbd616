"""Which of our entities is which character of a list made by somebody else.

The rule: words of names are compared without titles ("Aunt", "Mr.", "the", "old"); of "Joanna (the
harelip)" both parts are names, and of "Masha 2" the number is none. Every mention of an entity votes, by its
surface, for the listed name of the very same words; failing that for the names that hold all of its words
("Levin" for every Levin), and failing that for those within it, the longest alone. The vote is shared where
several are as close, or goes to those of them who bear the same title ("Count Vronsky"); nobody is meant
whose title or patronymic tells another gender.
An entity goes to the character with more than half of its votes, and a character to the entity that gives
it most; entities divided between two come last, for whom is left. Each is taken once: a person whom our
graph holds as two entities is found through one of them alone, which is counted as our error. The entity
that "I" means is the character whose description says "narrator".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import EntityKind
from fabula.story.names.lexicon import TITLES
from fabula.story.names.person_record import patronymic_gender

__all__ = ["cast_of"]

_LOOSE = frozenset("the old young a an of".split())
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_INNER = re.compile(r"\(([^()]*)\)")
_PEOPLE = frozenset({EntityKind.CHARACTER, EntityKind.GROUP})
_FIRST_PERSON = frozenset({"i", "narrator"})


@dataclass(frozen=True, slots=True)
class _Name:
    words: frozenset[str]
    gender: str
    titles: frozenset[str]


@cache
def _name(surface: str) -> _Name:
    words = [word for word in _WORD.findall(surface.casefold().replace("’", "'")) if not word.isdigit()]
    bare = [word for word in words if word not in TITLES and word not in _LOOSE]
    told = (TITLES.get(word) or patronymic_gender(word) for word in words)
    genders = [gender for gender in told if gender]
    kept = bare or [word for word in words if word not in _LOOSE]
    titles = frozenset(word for word in words if word in TITLES) if bare else frozenset()
    return _Name(frozenset(kept), genders[0] if genders and bare else "", titles)


def _names(listed: str) -> list[_Name]:
    parts = (_INNER.sub(" ", listed), *_INNER.findall(listed))
    return [name for part in parts if (name := _name(part)).words]


def cast_of(characters: Mapping[str, Mapping[str, str]], view: StoryView) -> dict[str, str]:
    """Entity id → key of ``characters`` (each with ``name`` and perhaps ``description``)."""
    listed = {key: _names(characters[key]["name"]) for key in sorted(characters)}
    tellers = [key for key in listed if "narrator" in characters[key].get("description", "").split()]
    people = {e.id for e in view.entities() if e.kind in _PEOPLE}
    surfaces: dict[str, Counter[str]] = {}
    for mention in view.log.mentions:
        entity = view.resolve(mention.entity)
        if entity in people:
            surfaces.setdefault(entity, Counter())[mention.surface] += 1
    offers = []
    for entity, counts in sorted(surfaces.items()):
        votes: Counter[str] = Counter()
        for surface, count in counts.items():
            if surface.casefold().removeprefix("the ") in _FIRST_PERSON and len(tellers) == 1:
                votes[tellers[0]] += count
            for meant in (near := _closest(_name(surface), listed)):
                votes[meant] += count / len(near)
        half = sum(votes.values()) / 2
        offers.extend((count <= half, -count, entity, key) for key, count in votes.items() if count >= half)
    return _taken(sorted(offers))


def _closest(surface: _Name, listed: Mapping[str, list[_Name]]) -> list[str]:
    near: dict[str, tuple[int, int, bool]] = {}
    for key, names in listed.items():
        for name in names:
            if not surface.words or surface.gender not in ("", name.gender or surface.gender):
                continue
            same_title = not surface.titles.isdisjoint(name.titles)
            if surface.words == name.words:
                closeness = (2, 0, same_title)
            elif surface.words < name.words:
                closeness = (1, 0, same_title)
            elif name.words < surface.words:
                closeness = (0, len(name.words), same_title)
            else:
                continue
            near[key] = max(near.get(key, closeness), closeness)
    return [key for key, closeness in near.items() if closeness == max(near.values())]


def _taken(offers: Iterable[tuple[bool, float, str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for _, _, entity, key in offers:
        if key not in found.values():
            found.setdefault(entity, key)
    return found
