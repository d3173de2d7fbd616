"""Three brothers, then two: numbers of kin that cannot both be the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.trait_values import COUNT, Count
from ...model.types import EntityKind, Modality, TraitTold
from ..background.avowals import vouched_between
from ..seams.rule import Fact

__all__ = ["CountConflict"]

# kinds of kin that another kind counts as well
_WITHIN = {
    "brother": "sibling", "sister": "sibling", "son": "child", "daughter": "child",
    "grandson": "grandchild", "granddaughter": "grandchild",
}  # fmt: skip
_BOTH = 2
_ONE = re.compile(r"\b(?:had|has|have|with)\b[^.;]*\b(?:an?|one) (?:brother|sister)\b")
_DEATHS = frozenset({"DIES", "KILLS"})
_KIN = frozenset({"SIBLING_OF", "PARENT_OF", "CHILD_OF", "KIN_OF"})


@dataclass(frozen=True, slots=True)
class CountConflict:
    """Two numbers of one character's brothers, sisters, children or other kin, both told of them all.

    Told as a total is "her three brothers", "had two sons", "no sisters", "an only child"; "two of his
    brothers" and "his two elder brothers" are not. Brothers count as siblings too, so an only child can have
    no brother, and who has four children no five sons; the brothers and sisters of one sentence are summed.
    "Tom's brother" and "two of her sons" say that there are so many at least. A birth or a loss told between
    accounts for a change, and so does the death of one of the kin. Who is an only child and yet has a named
    brother or sister (a SIBLING_OF told with ``kin_confidence``) is found as well.

    Both must be read with ``min_confidence`` or more, and one of them stand in narration or both be said by
    the character. A text that gives three numbers or tells both ``settled`` times has its reasons, and
    nothing is found. Assumes that a number before kin means all of them; cannot see kin that died before the
    story, adopted ones, or a number given by who errs. WARNING: "his two daughters" may be the two who are
    there.
    """

    name: ClassVar[str] = "count_conflict"
    severity: ClassVar[Severity] = Severity.WARNING

    min_confidence: float = 0.62
    kin_confidence: float = 0.75
    settled: int = 2

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        for entity, told in self._counted(view).items():
            pairs = [pair for pair in self._pairs(view, told) if not _accounted(view, entity, told, *pair)]
            for earlier, later in pairs:
                quote = later.evidence[0]
                if only_document in (None, quote.document_id) and not self._speaking(told, earlier, later):
                    yield self._violation(view, entity, (earlier, later))
            yield from self._alone(view, entity, told, only_document)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Counts beside which a count of the same kind of kin is told earlier."""
        return frozenset(
            later
            for told in self._counted(view).values()
            for index, later in enumerate(told)
            if only_document in (None, later.evidence[0].document_id)
            and any(
                _kind(later) in _kinds(earlier) or _kind(earlier) in _kinds(later) for earlier in told[:index]
            )
        )

    def _counted(self, view: StoryView) -> dict[str, list[TraitTold]]:
        groups: dict[str, list[TraitTold]] = {}
        for trait in view.traits():
            born_with = _WITHIN.get(_kind(trait), _kind(trait)) == "sibling"  # these are told in any tense
            vouched = trait.modality in (Modality.FACT, Modality.REPORTED) or (
                born_with and trait.modality is Modality.FLASHBACK
            )
            if not trait.aspect.startswith(COUNT) or not trait.evidence:
                continue
            if trait.change or (vouched and trait.confidence >= self.min_confidence):
                groups.setdefault(trait.entity, []).append(trait)
        people = (
            (entity, told)
            for entity, told in groups.items()
            if (known := view.entity(entity)) is not None and known.kind is EntityKind.CHARACTER
        )
        return {
            entity: sorted((*told, *_summed(told)), key=lambda each: view.place(each.evidence[0]))
            for entity, told in people
        }

    def _pairs(self, view: StoryView, told: list[TraitTold]) -> Iterator[tuple[TraitTold, TraitTold]]:
        totals = [each for each in told if not each.change]
        for index, later in enumerate(totals):
            for earlier in totals[:index]:
                if (
                    vouched_between(view, earlier, later)
                    and earlier.evidence[0] != later.evidence[0]
                    and _clash(earlier, later)
                ):
                    yield earlier, later

    def _speaking(self, told: list[TraitTold], earlier: TraitTold, later: TraitTold) -> bool:
        """Does the text give a third number, or both of these again and again?"""
        if earlier.aspect != later.aspect:
            return False
        same = [each.value for each in told if each.aspect == later.aspect and each.value.isdigit()]
        return len(set(same)) > 2 or min(same.count(each.value) for each in (earlier, later)) >= self.settled

    def _violation(self, view: StoryView, entity: str, pair: tuple[TraitTold, TraitTold]) -> Violation:
        name, (earlier, later) = view.name(entity), pair
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=(
                f"{name} has {_worded(earlier)} in chapter {earlier.told}, but {_worded(later)} in chapter "
                f"{later.told}."
            ),
            entities=(entity,),
            evidence=(earlier.evidence[0], later.evidence[0]),
            suggestion=f"Give {name} one number, or tell the birth or the loss between.",
            unless="one of the numbers counts only some of them, or a birth or a death is told between",
        )

    def _alone(
        self, view: StoryView, entity: str, told: list[TraitTold], draft: str | None
    ) -> Iterator[Violation]:
        """An only child with a named brother or sister."""
        none = [each for each in told if each.value == "0" and _kind(each) == "sibling" and not each.change]
        kin = [
            relation
            for relation in view.relations(entity, predicate="SIBLING_OF")
            if relation.evidence and relation.confidence >= self.kin_confidence
        ]
        if len(none) != 1 or not kin or len({frozenset((r.subject, r.object)) for r in kin}) > 2:
            return
        first = kin[0]
        other = first.object if view.resolve(entity) == first.subject else first.subject
        sides: list[Evidence] = sorted((none[0].evidence[0], first.evidence[0]), key=view.place)
        if sides[0] == sides[1] or draft not in (None, sides[1].document_id):
            return
        name = view.name(entity)
        yield Violation(
            rule=self.name,
            severity=self.severity,
            message=f"{name} is an only child, yet {view.name(other)} is told to be a brother or sister.",
            entities=tuple(sorted((entity, other))),
            evidence=tuple(sides),
            suggestion=f"Let {name} have brothers and sisters, or make {view.name(other)} something else.",
            unless="the two are brothers or sisters in law, by half, in faith or by courtesy",
        )


def _summed(told: Sequence[TraitTold]) -> Iterator[TraitTold]:
    """The brothers and sisters of one sentence as so many siblings: "had a brother and two sisters"."""
    groups: dict[Evidence, dict[str, int]] = {}
    first: dict[Evidence, TraitTold] = {}
    for each in told:
        quote, kind = each.evidence[0], _kind(each)
        whole = each.value.isdigit() or _ONE.search(quote.line) is not None
        if kind in ("brother", "sister") and whole and not each.change:
            counts = groups.setdefault(quote, {})
            counts[kind] = max(counts.get(kind, 0), _least(each))
            first.setdefault(quote, each)
    for quote, counts in groups.items():
        if len(counts) == _BOTH and any(counts.values()):
            yield replace(first[quote], aspect=f"{COUNT}sibling", value=str(sum(counts.values())))


def _kind(trait: TraitTold) -> str:
    return trait.aspect.removeprefix(COUNT)


def _kinds(trait: TraitTold) -> frozenset[str]:
    kind = _kind(trait)
    return frozenset({kind, _WITHIN.get(kind, kind)})


def _clash(one: TraitTold, other: TraitTold) -> bool:
    if one.aspect == other.aspect:
        first, second = Count.parse(one.value), Count.parse(other.value)
        for least, exact in ((first, second), (second, first)):
            if least.at_least:
                return not exact.at_least and least.number > exact.number
        return one.value != other.value
    for whole, part in ((one, other), (other, one)):
        if _WITHIN.get(_kind(part)) == _kind(whole) and whole.value.isdigit():
            return _least(part) > int(whole.value)
    return False


def _least(trait: TraitTold) -> int:
    return Count.parse(trait.value).number


def _accounted(
    view: StoryView, entity: str, told: list[TraitTold], earlier: TraitTold, later: TraitTold
) -> bool:
    """Is a birth, a loss or the death of one of the kin told between the two?"""
    first, last = view.place(earlier.evidence[0]), view.place(later.evidence[0])
    if any(
        each.change and first <= view.place(each.evidence[0]) <= last and _kinds(each) & _kinds(later)
        for each in told
    ):
        return True
    kin = {
        relation.object if relation.subject == entity else relation.subject
        for relation in view.relations(entity)
        if relation.predicate in _KIN
    }
    return any(
        event.predicate in _DEATHS and kin & {who for role, who in event.participants if role == "patient"}
        for event in view.events()
        if event.evidence and first <= view.place(event.evidence[0]) <= last
    )


def _worded(trait: TraitTold) -> str:
    kind, number = _kind(trait), trait.value
    if kind == "sibling" and number == "0":
        return "no brothers or sisters"
    plural = {"child": "children", "grandchild": "grandchildren"}.get(kind, f"{kind}s")
    if number == "1+":
        return f"a {kind}"
    if number == "0":
        return f"no {plural}"
    return f"{number} {kind if number == '1' else plural}"
