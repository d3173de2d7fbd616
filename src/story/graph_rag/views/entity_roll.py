"""Who is who at a horizon: mentions told so far, folded into entities by the merges told so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from ...model.types import (
    CODEX_ID,
    EntityCorrected,
    EntityKind,
    EntityMention,
    EntityMerge,
    StoryEntity,
    gathered,
)
from ...names.person_name import PersonName, same_given, whose

_T = TypeVar("_T")
_EVIDENCE_KEPT = 3
_SELF, _NARRATOR = "I", "the narrator"  # who tells the story is named by others, or not at all
_HONORIFICS = frozenset(
    "mr mrs miss ms master sir lady lord dame dr doctor captain colonel major general "
    "madam madame monsieur mademoiselle king queen prince princess duke duchess count countess "
    "baron baroness father mother brother sister aunt uncle young old poor dear the".split()
)


def merged_ids(merges: Iterable[EntityMerge]) -> dict[str, str]:
    """Each merged id and the one it is now known by, chains followed. A merge that would close a
    ring (its two sides are one already) changes nothing."""
    into: dict[str, str] = {}
    for merge in merges:
        loser, keeper = _follow(into, merge.entity), _follow(into, merge.into)
        if loser != keeper:
            into[loser] = keeper
    return {entity: _follow(into, entity) for entity in into}


def call_the_roll(
    mentions: Iterable[EntityMention],
    *,
    merged: Mapping[str, str],
    corrected: Iterable[EntityCorrected] = (),
) -> tuple[StoryEntity, ...]:
    """All entities mentioned, most mentioned first, ties by id.

    Name and kind are as the author has ``corrected`` them; else kind and gender are those that the codex
    lays down, or go by majority, ties to the first seen; gender counts only mentions that tell it.
    Evidence is the first three mentions. Costs one pass over the mentions.
    """
    groups = gathered((merged.get(one.entity, one.entity), one) for one in mentions)
    names: dict[str, str] = {}
    kinds: dict[str, EntityKind] = {}
    for each in corrected:
        identity = merged.get(each.entity, each.entity)
        names |= {identity: each.name} if each.name else {}
        kinds |= {identity: each.kind} if each.kind is not None else {}
    entities = [
        _entity(identity, group, name=names.get(identity), kind=kinds.get(identity))
        for identity, group in groups.items()
    ]
    return tuple(sorted(entities, key=lambda entity: (-entity.mentions, entity.id)))


def _entity(
    identity: str, mentions: Sequence[EntityMention], *, name: str | None, kind: EntityKind | None
) -> StoryEntity:
    surfaces = Counter(mention.surface for mention in mentions)
    told = Counter({surface: count for surface, count in surfaces.items() if surface != _SELF})
    told = Counter({surface: count for surface, count in told.items() if not any(whose(surface))}) or told
    if name is None:
        name = _full_name(told) if told else _NARRATOR if _SELF in surfaces else _full_name(surfaces)
    laid_down = [mention for mention in mentions if mention.evidence.document_id == CODEX_ID]
    genders = _genders(laid_down) or _genders(mentions)
    return StoryEntity(
        id=identity,
        kind=kind or _majority(Counter(mention.kind for mention in laid_down or mentions)),
        name=name,
        aliases=tuple(sorted(surface for surface in surfaces if surface != name)),
        first_appearance=min(mention.told for mention in mentions),
        mentions=len(mentions),
        evidence=tuple(mention.evidence for mention in mentions[:_EVIDENCE_KEPT]),
        gender=_majority(genders) if genders else "",
    )


def _genders(mentions: Sequence[EntityMention]) -> Counter[str]:
    return Counter(mention.gender for mention in mentions if mention.gender)


def _majority(counts: Counter[_T]) -> _T:
    """The most frequent; Counter keeps the order of first sight, so max() gives ties to the first."""
    return max(counts, key=counts.__getitem__)


def _full_name(surfaces: Counter[str]) -> str:
    """The most frequent surface (ties to the first seen), or the most frequent longer one that holds
    all its words in order and adds a word that is no honorific, without one if there is such: Emma
    becomes Emma Woodhouse even where Miss Emma Woodhouse is said more often, and stays Emma beside
    Miss Emma."""
    usual = _majority(surfaces)
    added = {surface: _added(_words(surface), _words(usual)) for surface in surfaces}
    fuller = [surface for surface, words in added.items() if words - _HONORIFICS]
    fuller = [surface for surface in fuller if not _another_given(surface, surfaces)]
    plain = [surface for surface in fuller if not added[surface] & _HONORIFICS]
    chosen = plain or fuller
    return _majority(Counter({surface: surfaces[surface] for surface in chosen})) if chosen else usual


def _another_given(surface: str, surfaces: Counter[str]) -> bool:
    """Is the given name in the surface (a father's, perhaps) not the one that the others mostly tell?"""
    given = PersonName.parse(surface).given
    uses = Counter({other: count for other, count in surfaces.items() if PersonName.parse(other).given})
    other = [count for name, count in uses.items() if not same_given(PersonName.parse(name).given, given)]
    return bool(given) and sum(other) > sum(uses.values()) - sum(other)


def _added(longer: Sequence[str], words: Sequence[str]) -> frozenset[str]:
    """The words that the longer name adds; none where it does not hold all the words in order."""
    left = list(longer)
    for word in words:
        if word not in left:
            return frozenset()
        left = left[left.index(word) + 1 :]
    return frozenset(Counter(longer) - Counter(words))


def _words(surface: str) -> list[str]:
    return [word.rstrip(".").casefold() for word in surface.split()]


def _follow(into: Mapping[str, str], entity: str) -> str:
    while entity in into:
        entity = into[entity]
    return entity
