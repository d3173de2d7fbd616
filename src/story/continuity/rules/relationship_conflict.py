"""Two that love and hate at once: opposed bonds that hold together, with nothing told to turn them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...graph_rag.views.acts import Act, acts, of_one_sentence
from ...graph_rag.views.story_view import StoryView
from ...graph_rag.views.timeline import facing, holds_when_told, standing, surely_together
from ...model.findings import Severity, Violation
from ...model.predicates import PREDICATES, opposed
from ...model.types import Relation
from ..background.avowals import at_odds, vouched_for
from ..seams.rule import Fact

__all__ = ["RelationshipConflict"]

_KIN = frozenset({"PARENT_OF", "CHILD_OF", "SIBLING_OF", "MARRIED_TO", "KIN_OF"})
_CAN_CONFLICT = frozenset(name for name in PREDICATES if any(opposed(name, other) for other in PREDICATES))


@dataclass(frozen=True, slots=True)
class RelationshipConflict:
    """Opposed bonds (``predicates.opposed``) between the same two, the same way round or, where one of
    them is symmetric, either way. Both must have happened or be avowed (``avowals``), with
    ``min_confidence`` or more.

    *A story against itself.* A conflict only where both intervals certainly share a chapter
    (``timeline.surely_together``); there any warm bond and a cold one exclude each other
    (``avowals.at_odds``). What is told at n holds at n, its end unknown: so the opposite told
    in the same chapter conflicts, and the opposite told in a later chapter is a change, which is not
    this rule's business. It conflicts there only where extraction knew the first to last so far.

    *A draft against its source* (``only_document``). The source's side is the bond as it stands at the
    horizon (``timeline.standing``: not already turned or ended), however long ago it was told. The
    draft may change it, but must tell the change: without a turning event it is a conflict. The draft
    is held against itself as above.

    *What turns a bond.* An act of a ``turning`` predicate, told no earlier than the sentence of the
    first side and no later than that of the second, whose sign is not against the second (a rescue
    does not explain hatred), and which is between the two, or is what one of them LEARNS, or is done
    by one of them to somebody dear (a warm bond, or kin) to the other.

    Assumes that linking is right: a wrong coreference that swaps two people looks like a conflict.
    Cannot see irony, mixed feelings that a text means (both in one sentence are let pass), or a turn
    that extraction missed. FLASHBACK bonds that ended before they are told conflict with nothing.
    """

    name: ClassVar[str] = "relationship_conflict"
    severity: ClassVar[Severity] = Severity.WARNING

    min_confidence: float = 0.5

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        for later in self._bonds(view, only_document):
            together = [
                earlier
                for earlier in self._told_before(view, later, only_document)
                if surely_together(earlier.holds, later.holds) and not _one_breath(earlier, later)
            ]
            clashing = [earlier for earlier in together if at_odds(earlier, later)]
            for earlier in self._in_force(view, later, only_document):
                if opposed(earlier.predicate, later.predicate):
                    clashing.append(earlier)
            for earlier in clashing:
                if not _turned(view, earlier, later):
                    yield self._violation(view, earlier, later)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Bonds that have opposites, beside which such a bond between the same two is told earlier."""
        return frozenset(
            later
            for later in self._bonds(view, only_document)
            if self._told_before(view, later, only_document) or self._in_force(view, later, only_document)
        )

    def _bonds(self, view: StoryView, document: str | None) -> Iterator[Relation]:
        for relation in view.relations(happened=False):
            told = relation.modality.happened or vouched_for(view, relation)
            if told and self._counts(relation) and document in (None, _document(relation)):
                yield relation

    def _counts(self, relation: Relation) -> bool:
        told_well = bool(relation.evidence) and relation.confidence >= self.min_confidence
        return told_well and relation.predicate in _CAN_CONFLICT

    def _told_before(self, view: StoryView, later: Relation, draft: str | None) -> list[Relation]:
        """Earlier bonds of the same text: the draft's own, or the story's where there is no draft."""
        place = view.place(later)
        return [
            earlier
            for earlier in view.relations(later.subject, happened=False)
            if later.object in (earlier.subject, earlier.object)
            and self._counts(earlier)
            and (earlier.modality.happened or vouched_for(view, earlier))
            and draft in (None, _document(earlier))
            and view.place(earlier) < place
            and facing(earlier, later)
        ]

    def _in_force(self, view: StoryView, later: Relation, draft: str | None) -> list[Relation]:
        """The source's bonds as they stand when the draft begins, the last telling of each."""
        if draft is None or not holds_when_told(later):
            return []
        bonds = standing(
            view,
            later.subject,
            later.object,
            min_confidence=self.min_confidence,
            without=draft,
            distinct=False,
        )
        last = {bond.predicate: bond for bond in bonds if self._counts(bond) and facing(bond, later)}
        return list(last.values())

    def _violation(self, view: StoryView, earlier: Relation, later: Relation) -> Violation:
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=(
                f"{_worded(view, earlier)} (chapter {earlier.told}), yet {_worded(view, later)} "
                f"(chapter {later.told}), and nothing is told that turns the one into the other."
            ),
            entities=tuple(sorted((later.subject, later.object))),
            evidence=(earlier.evidence[0], later.evidence[0]),
            suggestion=(
                f"Tell what changed between {view.name(later.subject)} and {view.name(later.object)} "
                "before the second, or keep the bond as it was."
            ),
            unless=(
                "an act that accounts for the change (a betrayal, a rescue, something learnt) is told "
                "between the two quotes"
            ),
        )


def _turned(view: StoryView, earlier: Relation, later: Relation) -> bool:
    """Is a turning act told from the first side's sentence to the second's? See the class."""
    one, other = later.subject, later.object
    first, last = view.place(earlier), view.place(later)
    sign = PREDICATES[later.predicate].sign
    dear = {one: _dear(view, one), other: _dear(view, other)}
    return any(
        first <= act.place <= last
        and not (of_one_sentence(act, earlier) or of_one_sentence(act, later))
        and _turns(act, one, other, sign=sign, dear=dear)
        for end in (one, other)
        for act in acts(view, end)
    )


def _turns(act: Act, one: str, other: str, *, sign: int, dear: Mapping[str, frozenset[str]]) -> bool:
    row = PREDICATES.get(act.predicate)
    if row is None or not row.turning or row.sign * sign < 0:
        return False
    if act.predicate == "LEARNS" or act.between(one, other):
        return True
    patients = frozenset(act.patients)
    return any(
        doer in act.agents and bool(patients & dear[wronged])
        for doer, wronged in ((one, other), (other, one))
    )


def _dear(view: StoryView, who: str) -> frozenset[str]:
    """Those to whom ``who`` has ever had a warm bond, and kin."""
    found = set()
    for relation in view.relations(who):
        row = PREDICATES[relation.predicate]
        outward = relation.subject == who or row.symmetric
        if relation.predicate in _KIN or (row.lasting and row.sign > 0 and outward):
            found.add(relation.object if relation.subject == who else relation.subject)
    return frozenset(found)


def _one_breath(one: Relation, other: Relation) -> bool:
    """One sentence that tells both means its mixed feelings."""
    first, second = one.evidence[0], other.evidence[0]
    return first.document_id == second.document_id and first.span.overlaps(second.span)


def _document(relation: Relation) -> str:
    return relation.evidence[0].document_id


def _worded(view: StoryView, relation: Relation) -> str:
    phrase = PREDICATES[relation.predicate].phrase
    return f"{view.name(relation.subject)} {phrase} {view.name(relation.object)}"
