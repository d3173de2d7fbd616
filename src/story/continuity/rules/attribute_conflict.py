"""Grey eyes that are brown later: two values of one trait that nobody can have both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.types import EntityKind, Modality, TraitTold
from ..background.avowals import vouched_between
from ..background.trait_distances import EXCLUSIVE, apart, grown_young, near
from ..seams.rule import Fact
from .timeline.age_arithmetic import ages_that_clash

__all__ = ["AttributeConflict"]

_SIDES = frozenset({"left", "right"})
_SHAPED = frozenset({"hair", "height", "build", "profession"})  # what was once so may be otherwise now
_GREYING = re.compile(
    r"\b(?:streak|touch|ting|sprinkl|thread|shot|powder|grizzl|turn|going|growing|fleck|dash|flour|dust|beg[au]n|snow|"
    r"frost|mingl|mixed|beginning|almost|nearly|partly|half|a little|slightly|seem|look|moon)",
    re.IGNORECASE,
)  # and so not quite grey
_BESIDE = 300  # characters
_SOFT = frozenset({"height", "build", "profession", "birthplace"})


@dataclass(frozen=True, slots=True)
class AttributeConflict:
    """Two tellings of one character's eyes, hair, better hand, height, build, birthplace, year of birth,
    profession, age, or of the side of a scar or a lame leg, that cannot both be true
    (``background.trait_distances``).

    A change that the text tells from the first telling to the second (dyed, went grey, became a lawyer, a
    wig) accounts for it, and for colour of hair, height, build and profession so does a telling from before
    (FLASHBACK). Ages are reckoned in ``timeline.age_arithmetic``. One side at least must be narration, or
    both said by the character; each must be read with ``min_confidence`` or more, which leaves out pronouns
    that may mean somebody else. A text that tells both values ``settled`` times or more, or three that
    exclude each other, has a way of speaking there and not a slip: then nothing is found.

    Assumes that who is meant is right and that a trait told in passing is meant. What the codex lays down is
    for ``rules.canon_conflict``. Cannot see traits that are told of nameless people, shades within a family
    of colours, or a change that is only implied. ERROR for eyes, hair, hand and age where both sides name
    the character; else WARNING, and so for eyes that are blue and grey.
    """

    name: ClassVar[str] = "attribute_conflict"
    severity: ClassVar[Severity] = Severity.ERROR

    min_confidence: float = 0.62
    sure: float = 0.85
    settled: int = 3

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        for entity, aspect, told in self._tellings(view):
            pairs = self._clashes(view, aspect, told)
            for earlier, later in pairs:
                if only_document in (None, later.evidence[0].document_id):
                    yield self._violation(view, entity, aspect, earlier, later)
        for entity, told in self._ages(view):
            for earlier, later in ages_that_clash(view, told):
                if only_document in (None, later.evidence[0].document_id):
                    yield self._violation(view, entity, "age", earlier, later)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Tellings of a trait beside which the same trait of the same character is told earlier."""
        groups = [told for _, _, told in self._tellings(view)] + [told for _, told in self._ages(view)]
        return frozenset(
            trait
            for told in groups
            for trait in told[1:]
            if only_document in (None, trait.evidence[0].document_id)
        )

    def _tellings(self, view: StoryView) -> Iterator[tuple[str, str, Sequence[TraitTold]]]:
        for entity, aspect, told in _grouped(view):
            if aspect in EXCLUSIVE or all(each.value in _SIDES for each in told):
                kept = [each for each in told if each.change or self._counts(each, aspect)]
                if len(kept) > 1:
                    yield entity, aspect, kept

    def _ages(self, view: StoryView) -> Iterator[tuple[str, Sequence[TraitTold]]]:
        for entity, aspect, told in _grouped(view):
            if aspect == "age":
                kept = [each for each in told if self._counts(each, aspect)]
                if len(kept) > 1:
                    yield entity, kept

    def _counts(self, trait: TraitTold, aspect: str) -> bool:
        if trait.confidence < self.min_confidence or not trait.evidence or trait.origin == "codex":
            return False
        if trait.modality is Modality.FLASHBACK:
            return aspect not in _SHAPED and aspect != "age"
        return trait.modality in (Modality.FACT, Modality.REPORTED)

    def _clashes(
        self, view: StoryView, aspect: str, told: Sequence[TraitTold]
    ) -> list[tuple[TraitTold, TraitTold]]:
        pairs = []
        for index, later in enumerate(told):
            for at, earlier in enumerate(told[:index]):
                if later.change or earlier.value == "changed" or not _vouched(view, earlier, later):
                    continue
                between = (*told[at + 1 : index], *_beside(told[index:]))
                turned = any(each.change for each in between)
                turned = turned or (aspect == "hair" and _coloured_beside(view, earlier, later))
                if not turned and _clash(aspect, earlier, later):
                    pairs.append((earlier, later))
        return [] if self._way_of_speaking(aspect, told, pairs) else pairs

    def _way_of_speaking(
        self, aspect: str, told: Sequence[TraitTold], pairs: Sequence[tuple[TraitTold, TraitTold]]
    ) -> bool:
        values = sorted({each.value for pair in pairs for each in pair})
        for one, *rest in (values[i:] for i in range(len(values))):
            far = [other for other in rest if apart(aspect, one, other)]
            if any(apart(aspect, a, b) for i, a in enumerate(far) for b in far[i + 1 :]):
                return True
        if aspect == "hand":  # a colour may be told in two ways, the better hand not
            return False
        return any(
            sum(not apart(aspect, each.value, one.value) for each in told) >= self.settled
            and sum(not apart(aspect, each.value, other.value) for each in told) >= self.settled
            for one, other in pairs
        )

    def _violation(
        self, view: StoryView, entity: str, aspect: str, earlier: TraitTold, later: TraitTold
    ) -> Violation:
        name, part = view.name(entity), EXCLUSIVE.get(aspect, aspect)
        sure = min(earlier.confidence, later.confidence) >= self.sure and aspect not in _SOFT
        sure = sure and not (aspect == "eyes" and near(aspect, earlier.value, later.value))
        both = earlier.modality.happened and later.modality.happened
        return Violation(
            rule=self.name,
            severity=Severity.ERROR if sure and both else Severity.WARNING,
            message=(
                f"{name}, {part}: {earlier.value} in chapter {earlier.told}, {later.value} in chapter "
                f"{later.told}, and nothing is told that changes it."
            ),
            entities=(entity,),
            evidence=(earlier.evidence[0], later.evidence[0]),
            suggestion=f"Make both tellings of {name} agree ({part}), or tell what changed.",
            unless="the text tells a change between the two, or one of them is said of somebody else",
        )


def _beside(told: Sequence[TraitTold]) -> list[TraitTold]:
    """What the sentence of the first tells as well."""
    return [each for each in told if each.evidence[0] == told[0].evidence[0]]


def _coloured_beside(view: StoryView, earlier: TraitTold, later: TraitTold) -> bool:
    """Is hair dyed between the two right beside a naming of the character, by the text's words of somebody
    else? Who colours whose hair is often a matter of pronouns."""
    first, last = view.place(earlier.evidence[0]), view.place(later.evidence[0])
    scenes = [
        trait.evidence[0]
        for trait in view.traits()
        if trait.aspect == "hair" and trait.change and trait.evidence
        if first < view.place(trait.evidence[0]) < last
    ]
    return any(
        mention.evidence.document_id == scene.document_id
        and abs(mention.evidence.span.start - scene.span.start) <= _BESIDE
        for scene in scenes
        for mention in view.log.mentions
        if view.resolve(mention.entity) == earlier.entity
    )


def _clash(aspect: str, earlier: TraitTold, later: TraitTold) -> bool:
    young = grown_young(aspect, earlier.value, later.value)
    if young and not _GREYING.search(earlier.evidence[0].line):
        return True
    return apart(aspect, earlier.value, later.value)


def _vouched(view: StoryView, one: TraitTold, other: TraitTold) -> bool:
    """Not both told in one sentence, and good enough (``vouched_between``)?"""
    return one.evidence[0] != other.evidence[0] and vouched_between(view, one, other)


def _grouped(view: StoryView) -> Iterator[tuple[str, str, list[TraitTold]]]:
    """(character, aspect, its tellings in order of the text), by first telling."""
    groups: dict[tuple[str, str], list[TraitTold]] = {}
    for trait in view.traits():
        groups.setdefault((trait.entity, trait.aspect), []).append(trait)
    for (entity, aspect), told in groups.items():
        known = view.entity(entity)
        if known is not None and known.kind is EntityKind.CHARACTER:
            yield entity, aspect, sorted(told, key=lambda each: view.place(each.evidence[0]))
