"""Who meets whom: pairs on stage in the same scene, by chapter and over the whole view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ...core.types import Evidence
from ..predicates import PREDICATES
from ..types import PresenceTold
from .story_view import StoryView

__all__ = ["CoPresence", "Encounter", "co_presence", "encounters"]

SHOWN = 3  # quotes kept of a pair


@dataclass(frozen=True, slots=True)
class Encounter:
    """``one`` < ``other`` (entity ids) share a scene of a chapter. ``weight`` is 0 to 1: how surely both are
    there, and 1 where one speaks to the other. Evidence: a sign of each, then what is said between them."""

    one: str
    other: str
    chapter: int
    scene: int
    weight: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class CoPresence:
    """All encounters of a pair: ``weight`` is their sum, ``chapters`` those in which they meet, ``evidence``
    the quotes of the surest one. The predicate is ``APPEARS_WITH``, which says nothing of how they stand."""

    one: str
    other: str
    weight: float
    chapters: tuple[int, ...]
    evidence: tuple[Evidence, ...]
    predicate: str = PREDICATES["APPEARS_WITH"].name


def encounters(view: StoryView, chapter: int) -> tuple[Encounter, ...]:
    """Who meets whom in the chapter, by scene, then by ids. Somebody alone on stage meets nobody."""
    scenes: dict[int, dict[str, PresenceTold]] = {}
    for presence in view.on_stage(chapter):
        scenes.setdefault(presence.scene, {}).setdefault(presence.entity, presence)
    spoken = _spoken(view, chapter)
    return tuple(
        encounter for scene in sorted(scenes) for encounter in _of_scene(chapter, scene, scenes[scene], spoken)
    )


def co_presence(view: StoryView) -> tuple[CoPresence, ...]:
    """Every pair that shares a scene up to the view's horizon, heaviest first, ties by ids.

    A weak signal, kept apart from what the text says of the two: that two appear together. Costs one pass
    over the presences and the pairs of each scene.
    """
    pairs: dict[tuple[str, str], list[Encounter]] = {}
    for chapter in sorted({presence.told for presence in view.log.presences}):
        for encounter in encounters(view, chapter):
            pairs.setdefault((encounter.one, encounter.other), []).append(encounter)
    found = (
        CoPresence(
            one,
            other,
            round(sum(met.weight for met in mets), 3),
            tuple(sorted({met.chapter for met in mets})),
            max(mets, key=lambda met: (met.weight, -met.chapter, -met.scene)).evidence,
        )
        for (one, other), mets in pairs.items()
    )
    return tuple(sorted(found, key=lambda pair: (-pair.weight, pair.one, pair.other)))


def _of_scene(
    chapter: int,
    scene: int,
    present: dict[str, PresenceTold],
    spoken: dict[tuple[str, str], Evidence],
) -> Iterator[Encounter]:
    for one, other in combinations(sorted(present), 2):
        a, b = present[one], present[other]
        said = spoken.get((one, other))
        weight = 1.0 if said is not None else round(a.confidence * b.confidence, 3)
        quotes = (a.evidence, b.evidence, *(() if said is None else (said,)))
        yield Encounter(one, other, chapter, scene, weight, tuple(dict.fromkeys(quotes))[:SHOWN])


def _spoken(view: StoryView, chapter: int) -> dict[tuple[str, str], Evidence]:
    """The first thing said between each pair in the chapter."""
    said: dict[tuple[str, str], Evidence] = {}
    for quotation in view.quotations():
        if quotation.told != chapter or quotation.speaker is None:
            continue
        for hearer in quotation.hearers:
            one, other = sorted((quotation.speaker, hearer))
            said.setdefault((one, other), quotation.evidence[0])
    return said
