"""A bond that has turned round behind the reader's back: enemies once, friends later, and nothing between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from ...graph_rag.views.acts import acts, of_one_sentence
from ...graph_rag.views.story_view import Place, StoryView
from ...graph_rag.views.timeline import holds_when_told, surely_together
from ...model.findings import Severity, Violation
from ...model.predicates import PREDICATES
from ...model.types import EntityKind, Modality, Relation
from ..background.avowals import COLD, WARM, at_odds, vouched_for
from ..seams.rule import Fact

__all__ = ["UnearnedChange"]

_SLIGHT = frozenset({"HELPS", "INSULTS", "LEAVES", "LEARNS", "THREATENS"})  # what happens all the time
_TURNS = frozenset({"FORGIVES", "QUARRELS_WITH"})
_PEACE = re.compile(
    r"\b(?:let us be friends|be friends (?:again|now)|friends again|(?:I|have|quite) forg[ai]ven? you|"
    r"make it up|made it up|(?:been )?wrong(?:ed)? (?:about )?you|bear you no|shake hands|make peace|"
    r"you (?:\w+ )?forgive me|forgive me for|misjudged you|mistaken in you|unjust to you|"
    r"bygones|hatchet|forget the past|let us forget|start afresh|begin again|be reconciled|not hate you|"
    r"no longer hate)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class UnearnedChange:
    """Opposed bonds of the same two, one told after the other, both FACT or avowed (``avowals``) and told
    with ``min_confidence`` or more (``said``, if avowed), with nothing told from the first quote to the
    second that could turn the one into the other.

    What could: any turning act between the two whose sign is not against the change; ``talk`` quotations or
    more in which one of them speaks to the other; and, from ``near`` chapters before the second on, what is
    slighter: help, harsh words, a kiss, a leave, something that one of them comes to know, from the other or
    in words that name the other. That both were in a room is not enough by itself, so the finding is a hint
    (INFO) where they share a scene between the two quotes, and a WARNING where they do not. A sentence that
    tells both bonds means its mixed feelings, and one that tells the end of a bond tells no bond; what the
    sentence of either bond tells beside it turns nothing.

    Only of a story against itself, and only of characters shown in ``established`` chapters at the least:
    a draft that turns a bond of its source is for ``rules.relationship_conflict``, and so are two bonds that
    certainly hold together. Cannot see a turn that is told in indirect speech or passed over by extraction.
    """

    name: ClassVar[str] = "unearned_change"
    severity: ClassVar[Severity] = Severity.WARNING

    min_confidence: float = 0.7
    said: float = 0.75
    established: int = 3
    talk: int = 100
    near: int = 2

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        for bonds in self._bonds(view, only_document):
            for earlier, later in pairwise(bonds):
                if _changes(earlier, later) and not self._turned(view, earlier, later):
                    yield self._violation(view, earlier, later)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Bonds told after one of the opposite kind between the same two."""
        return frozenset(
            later
            for bonds in self._bonds(view, only_document)
            for earlier, later in pairwise(bonds)
            if _changes(earlier, later)
        )

    def _bonds(self, view: StoryView, document: str | None) -> Iterator[list[Relation]]:
        """Those of each two, in order of telling."""
        if document is not None:
            return
        told: dict[tuple[str, str], list[Relation]] = {}
        for relation in view.relations(happened=False):
            if self._counts(view, relation):
                one, other = sorted((relation.subject, relation.object))
                told.setdefault((one, other), []).append(relation)
        for bonds in told.values():
            kept = (bond for bond in bonds if not (_disputed(bond, bonds) or _ends(view, bond)))
            yield sorted(kept, key=view.place)

    def _counts(self, view: StoryView, relation: Relation) -> bool:
        return (
            relation.predicate in WARM | COLD
            and relation.confidence
            >= (self.min_confidence if relation.modality is Modality.FACT else self.said)
            and bool(relation.evidence)
            and vouched_for(view, relation)
            and holds_when_told(relation)
            and all(self._known(view, end) for end in (relation.subject, relation.object))
        )

    def _known(self, view: StoryView, who: str) -> bool:
        entity = view.entity(who)
        if entity is None or entity.kind is not EntityKind.CHARACTER:
            return False
        last = max((mention.told for mention in view.log.mentions), default=0)
        shown = sum(who in view.presence(chapter) for chapter in range(entity.first_appearance, last + 1))
        return shown >= self.established

    def _turned(self, view: StoryView, earlier: Relation, later: Relation) -> bool:
        one, other = earlier.subject, earlier.object
        first, last = view.place(earlier), view.place(later)
        sign, soon = PREDICATES[later.predicate].sign, max(first, (last[0] - self.near, 0, 0))
        for end, far in ((one, other), (other, one)):
            for act in acts(view, end):
                row = PREDICATES.get(act.predicate)
                if row is None or not (row.turning or row.sign) or row.sign * sign < 0:
                    continue
                if of_one_sentence(act, earlier) or of_one_sentence(act, later):
                    continue
                since = soon if act.predicate in _SLIGHT or not row.turning else first
                if since <= act.place <= last and act.between(one, other):
                    return True
            if _learns_of(view, end, far, soon, last):
                return True
        made_up = sign > 0 and _made_up(view, one, other, first, last)
        return made_up or _talk(view, one, other, first, last) >= self.talk

    def _violation(self, view: StoryView, earlier: Relation, later: Relation) -> Violation:
        met = _met(view, earlier, later)
        names = f"{view.name(later.subject)} and {view.name(later.object)}"
        return Violation(
            rule=self.name,
            severity=Severity.INFO if met else self.severity,
            message=(
                f"{_worded(view, earlier)} (chapter {earlier.told}) and then {_worded(view, later)} "
                f"(chapter {later.told}), with nothing told between that changes it."
            ),
            entities=tuple(sorted((later.subject, later.object))),
            evidence=(earlier.evidence[0], later.evidence[0]),
            suggestion=f"Show what turns {names}: an act, a talk, or something that one learns of the other.",
            unless="an act, a talk or a discovery that turns the bond is told between the two quotes",
        )


def _changes(earlier: Relation, later: Relation) -> bool:
    return at_odds(earlier, later) and not surely_together(earlier.holds, later.holds)


def _disputed(bond: Relation, bonds: Sequence[Relation]) -> bool:
    """Does its sentence tell the contrary as well ("loved her and hated her"), or another one with which it
    cannot hold together, which is for ``rules.relationship_conflict``?"""
    return any(
        at_odds(bond, other)
        and (bond.evidence[0] == other.evidence[0] or surely_together(bond.holds, other.holds))
        for other in bonds
    )


def _ends(view: StoryView, bond: Relation) -> bool:
    """Does its own sentence tell that it is no more ("Anna's love for Tom died")?"""
    sign = PREDICATES[bond.predicate].sign
    return any(
        act.predicate in _TURNS
        and PREDICATES[act.predicate].sign * sign < 0
        and act.between(bond.subject, bond.object)
        and of_one_sentence(act, bond)
        for act in acts(view, bond.subject)
    )


def _learns_of(view: StoryView, who: str, other: str, first: Place, last: Place) -> bool:
    entity = view.entity(other)
    names = {entity.name, *entity.aliases} if entity else set()
    return any(
        item.modality.happened
        and item.evidence
        and not item.kept
        and first <= view.place(item.evidence[0]) <= last
        and (item.source == other or any(name in item.content for name in names))
        for item in view.knowledge(who)
    )


def _made_up(view: StoryView, one: str, other: str, first: Place, last: Place) -> bool:
    """Does one of the two make peace with the other in so many words?"""
    return any(
        _PEACE.search(piece.line) is not None
        for who, far in ((one, other), (other, one))
        for quotation in view.quotations(who)
        if far in quotation.hearers and first <= view.place(quotation) <= last
        for piece in quotation.evidence[: quotation.pieces]
    )


def _talk(view: StoryView, one: str, other: str, first: Place, last: Place) -> int:
    """Quotations in which one of the two speaks to the other."""
    return sum(
        first <= view.place(quotation) <= last
        for who, far in ((one, other), (other, one))
        for quotation in view.quotations(who)
        if far in quotation.hearers
    )


def _met(view: StoryView, earlier: Relation, later: Relation) -> bool:
    """Are both on stage in one scene, from the chapter of the first quote to that of the second?"""
    pair = {later.subject, later.object}
    for chapter in range(earlier.told, later.told + 1):
        stage: dict[int, set[str]] = {}
        for presence in view.on_stage(chapter):
            stage.setdefault(presence.scene, set()).add(presence.entity)
        if any(pair <= people for people in stage.values()):
            return True
    return False


def _worded(view: StoryView, relation: Relation) -> str:
    phrase = PREDICATES[relation.predicate].phrase
    return f"{view.name(relation.subject)} {phrase} {view.name(relation.object)}"
