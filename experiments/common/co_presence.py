"""Who meets whom: pairs on stage in the same scene, by chapter and over the whole view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from fabula.core.types import Evidence
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import PresenceTold

__all__ = ["CoPresence", "Encounter", "co_presence", "encounters"]

SHOWN = 3  # quotes kept of a pair
APART = 0.5  # of the weight is left where the scene tells of two who are at different places
_Spoken = dict[tuple[str, str], Evidence]


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
    return tuple(_of_chapter(view, chapter, _spoken(view).get(chapter, {})))


def co_presence(view: StoryView) -> tuple[CoPresence, ...]:
    """Every pair that shares a scene up to the view's horizon, heaviest first, ties by ids.

    A weak signal, kept apart from what the text says of the two: that two appear together. Costs one pass
    over presences and quotations and the pairs of each scene.
    """
    pairs: dict[tuple[str, str], list[Encounter]] = {}
    spoken = _spoken(view)
    for chapter in sorted({presence.told for presence in view.log.presences}):
        for encounter in _of_chapter(view, chapter, spoken.get(chapter, {})):
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


def _of_chapter(view: StoryView, chapter: int, spoken: _Spoken) -> Iterator[Encounter]:
    scenes: dict[int, dict[str, list[PresenceTold]]] = {}
    for presence in view.on_stage(chapter):
        scenes.setdefault(presence.scene, {}).setdefault(presence.entity, []).append(presence)
    for scene in sorted(scenes):
        for one, other in combinations(sorted(scenes[scene]), 2):
            yield _meeting(scenes[scene][one], scenes[scene][other], spoken.get((one, other)))


def _meeting(one: list[PresenceTold], other: list[PresenceTold], said: Evidence | None) -> Encounter:
    a, b = one[0], other[0]
    places = {p.place for p in one if p.place}, {p.place for p in other if p.place}
    apart = all(places) and not places[0] & places[1]
    weight = 1.0 if said is not None else a.confidence * b.confidence * (APART if apart else 1.0)
    quotes = (a.evidence, b.evidence, *(() if said is None else (said,)))
    return Encounter(
        a.entity, b.entity, a.told, a.scene, round(weight, 3), tuple(dict.fromkeys(quotes))[:SHOWN]
    )


def _spoken(view: StoryView) -> dict[int, _Spoken]:
    """The first thing said between each pair, by chapter."""
    said: dict[int, _Spoken] = {}
    for quotation in view.quotations():
        for hearer in quotation.hearers:
            if quotation.speaker is not None:
                one, other = sorted((quotation.speaker, hearer))
                said.setdefault(quotation.told, {}).setdefault((one, other), quotation.evidence[0])
    return said
