"""What a text tells against the codex: other eyes, other kin, a death before its time, a broken law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.acts import act_of
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.predicates import PREDICATES
from ...model.types import CODEX_ID, EventTold, Modality, Relation, ThingTold, TraitTold
from ..background.trait_distances import EXCLUSIVE, apart
from ..seams.rule import Fact
from .canon_laws import breaches

__all__ = ["CanonConflict"]

_BLOOD = frozenset({"PARENT_OF", "CHILD_OF", "SIBLING_OF"})
_PASSING = frozenset({"age", "height", "build", "profession"})  # hearsay of these counts for nothing
_TOLD = (Modality.FACT, Modality.FLASHBACK)


@dataclass(frozen=True, slots=True)
class _Against:
    """``record`` of the text goes against ``canon``, a quote of the codex."""

    canon: Evidence
    record: TraitTold | Relation | EventTold | ThingTold
    people: tuple[str, ...]
    message: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class CanonConflict:
    """The text against the author's own word (records of origin ``"codex"``, laws), from the chapter it is
    valid from. The quote of the codex stands first.

    - A trait that cannot go with the one laid down (``background.trait_distances``), unless the text tells a
    change to
      it (ERROR; WARNING for height, build and profession, and for ages, which must not be lower than the one
      laid down).
      What somebody in the story says counts too for what does not pass (eyes, hair, better hand, birthplace,
      year of birth), as a WARNING. A birthplace other than where the codex has them come from is a WARNING.
    - A tie of blood other than the one laid down for the same two, or one the wrong way round (ERROR);
      another father or mother, or another place that somebody comes from (WARNING).
    - A death told as fact before the chapter in which the codex has it (ERROR).
    - A law: somebody of ``never`` does it, somebody else than ``only`` does it, one of ``always`` is said
      not to (ERROR; WARNING for a bare verb, which may be a figure of speech). See ``rules.canon_laws`` for
      when an act is the law's.

    All else that is told by others (REPORTED), planned, imagined or read with less than ``min_confidence``
    counts for nothing. Bonds (love, hatred) may change: one against the codex is for
    ``rules.relationship_conflict``, and a
    death after which one acts for ``rules.dead_then_acts``. Assumes that the names of the codex mean whom
    the text means by them. Cannot see notes, all but plain descriptions, nor laws about what something is.
    """

    name: ClassVar[str] = "canon_conflict"
    severity: ClassVar[Severity] = Severity.ERROR

    min_confidence: float = 0.6

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        for found in self._against(view):
            quote = found.record.evidence[0]
            if only_document in (None, quote.document_id):
                yield Violation(
                    rule=self.name,
                    severity=found.severity,
                    message=found.message,
                    entities=tuple(sorted(found.people)),
                    evidence=(found.canon, quote),
                    suggestion="Change the text, or the codex where the author has thought better of it.",
                    unless="the codex is changed, or limited to the chapters it is meant for",
                )

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Traits and ties of those of whom the codex tells one of the kind, and deaths it has too."""
        aspects = {(trait.entity, trait.aspect) for trait in view.traits() if trait.origin == CODEX_ID}
        pairs = {frozenset((r.subject, r.object)) for r in view.relations() if r.origin == CODEX_ID}
        found: set[Fact] = {t for t in self._traits(view) if (t.entity, t.aspect) in aspects}
        found |= {r for r in self._relations(view) if frozenset((r.subject, r.object)) in pairs}
        deaths = _deaths(view)
        found |= {e for e in self._killings(view) if set(act_of(view, e).dead) & set(deaths)}
        found |= {breach.event for breach in breaches(view)}
        return frozenset(fact for fact in found if only_document in (None, _quote(fact).document_id))

    def _against(self, view: StoryView) -> Iterator[_Against]:
        yield from self._against_traits(view)
        yield from self._against_ties(view)
        yield from self._against_deaths(view)
        for breach in breaches(view):
            if breach.event.evidence[0].document_id != breach.law.evidence[0].document_id:
                words = " ".join(breach.law.does.split())
                figurative = " " not in words
                yield _Against(
                    breach.law.evidence[0],
                    breach.event,
                    (breach.who,),
                    f"The codex has a law ({breach.law.kind}: {words}), and {view.name(breach.who)} breaks "
                    f"it in chapter {breach.event.told}.",
                    Severity.WARNING if figurative else Severity.ERROR,
                )

    # --- traits

    def _traits(self, view: StoryView) -> Iterator[TraitTold]:
        for trait in view.traits():
            if trait.aspect not in (*EXCLUSIVE, "age"):
                continue
            if self._counts(trait) or (trait.aspect not in _PASSING and self._counts_as_said(trait)):
                yield trait

    def _against_traits(self, view: StoryView) -> Iterator[_Against]:
        laid = [trait for trait in view.traits() if trait.origin == CODEX_ID]
        changed = {(t.entity, t.aspect): t.told for t in reversed(view.traits()) if t.change}
        for trait in self._traits(view):
            turned = changed.get((trait.entity, trait.aspect))
            if trait.change or (turned is not None and turned <= trait.told):
                continue
            for canon in laid:
                if (canon.entity, canon.aspect) != (trait.entity, trait.aspect) or trait.told < canon.told:
                    continue
                if _cannot_both(canon, trait):
                    yield self._against_trait(view, canon, trait)
        yield from self._against_origins(view)

    def _against_origins(self, view: StoryView) -> Iterator[_Against]:
        """Born elsewhere than where the codex has them come from."""
        homes = [r for r in view.relations(predicate="COMES_FROM") if r.origin == CODEX_ID]
        for trait in self._traits(view) if homes else ():
            for home in homes:
                if (home.subject, "birthplace") != (trait.entity, trait.aspect) or trait.told < home.told:
                    continue
                place = view.entity(home.object)
                names = [place.name, *place.aliases] if place is not None else []
                if names and all(apart("birthplace", name.casefold(), trait.value) for name in names):
                    yield _Against(
                        home.evidence[0],
                        trait,
                        (trait.entity,),
                        f"By the codex {_worded(view, home)}; chapter {trait.told} has "
                        f"{view.name(trait.entity)} born in “{trait.value}”.",
                        Severity.WARNING,
                    )

    def _against_trait(self, view: StoryView, canon: TraitTold, trait: TraitTold) -> _Against:
        sure = trait.aspect in ("eyes", "hair", "hand", "born") and trait.modality in _TOLD
        return _Against(
            canon.evidence[0],
            trait,
            (trait.entity,),
            f"The codex gives {view.name(trait.entity)} {EXCLUSIVE.get(trait.aspect, trait.aspect)} "
            f"“{canon.value}”, chapter {trait.told} “{trait.value}”.",
            Severity.ERROR if sure else Severity.WARNING,
        )

    # --- ties

    def _relations(self, view: StoryView) -> Iterator[Relation]:
        for relation in view.relations():
            if self._counts(relation):
                yield relation

    def _against_ties(self, view: StoryView) -> Iterator[_Against]:
        laid = [relation for relation in view.relations() if relation.origin == CODEX_ID]
        for relation in self._relations(view):
            for canon in laid:
                severity = _tie_conflict(view, canon, relation) if relation.told >= canon.told else None
                if severity is not None:
                    yield _Against(
                        canon.evidence[0],
                        relation,
                        (relation.subject, relation.object),
                        f"By the codex {_worded(view, canon)}; in chapter {relation.told} "
                        f"{_worded(view, relation)}.",
                        severity,
                    )

    # --- deaths

    def _killings(self, view: StoryView) -> Iterator[EventTold]:
        for event in view.events():
            if event.predicate in ("DIES", "KILLS") and self._counts(event):
                yield event

    def _against_deaths(self, view: StoryView) -> Iterator[_Against]:
        laid = _deaths(view)
        for event in self._killings(view):
            for who in act_of(view, event).dead:
                canon = laid.get(who)
                if canon is not None and event.modality is Modality.FACT and event.told < canon[0]:
                    yield _Against(
                        canon[1],
                        event,
                        (who,),
                        f"By the codex {view.name(who)} dies in chapter {canon[0]}; chapter {event.told} "
                        "tells the death already.",
                        Severity.ERROR,
                    )

    def _counts_as_said(self, trait: TraitTold) -> bool:
        told = trait.modality is Modality.REPORTED and trait.confidence >= self.min_confidence
        return trait.origin != CODEX_ID and bool(trait.evidence) and told

    def _counts(self, record: TraitTold | Relation | EventTold) -> bool:
        vouched = record.modality in _TOLD and record.confidence >= self.min_confidence
        return record.origin != CODEX_ID and bool(record.evidence) and vouched


def _quote(fact: Fact) -> Evidence:
    return fact.evidence if isinstance(fact.evidence, Evidence) else fact.evidence[0]


def _cannot_both(canon: TraitTold, trait: TraitTold) -> bool:
    if canon.aspect == "age":
        return trait.modality is Modality.FACT and int(trait.value) < int(canon.value)
    if canon.aspect == "hair" and trait.modality is Modality.FLASHBACK:
        return False
    return apart(canon.aspect, canon.value, trait.value)


def _deaths(view: StoryView) -> dict[str, tuple[int, Evidence]]:
    """Who dies by the codex, in which chapter, and where it says so."""
    found: dict[str, tuple[int, Evidence]] = {}
    for event in view.events():
        if event.origin == CODEX_ID and event.predicate in ("DIES", "KILLS"):
            for who in act_of(view, event).dead:
                found.setdefault(who, (event.told, event.evidence[0]))
    return found


def _tie_conflict(view: StoryView, canon: Relation, told: Relation) -> Severity | None:
    """How grave it is; None where both can be."""
    if {canon.predicate, told.predicate} <= _BLOOD:
        if {canon.subject, canon.object} != {told.subject, told.object}:
            return Severity.WARNING if _second_parent(view, canon, told) else None
        return None if _faced(canon, told.subject) == told.predicate else Severity.ERROR
    if canon.predicate == told.predicate == "COMES_FROM":
        other = canon.subject == told.subject and canon.object != told.object
        return Severity.WARNING if other and told.modality is Modality.FACT else None
    return None


def _second_parent(view: StoryView, canon: Relation, told: Relation) -> bool:
    """Another father, or another mother, of the same child."""
    if "SIBLING_OF" in (canon.predicate, told.predicate):
        return False
    first, second = (
        (tie.subject, tie.object) if tie.predicate == "PARENT_OF" else (tie.object, tie.subject)
        for tie in (canon, told)
    )
    genders = [entity.gender for who in (first[0], second[0]) if (entity := view.entity(who)) is not None]
    return first[1] == second[1] and len(genders) == 2 and genders[0] == genders[1] != ""


def _faced(tie: Relation, subject: str) -> str:
    """The tie as seen from ``subject``, one of its two."""
    inverse = PREDICATES[tie.predicate].inverse
    return tie.predicate if tie.subject == subject or inverse is None else inverse


def _worded(view: StoryView, relation: Relation) -> str:
    phrase = PREDICATES[relation.predicate].phrase
    return f"{view.name(relation.subject)} {phrase} {view.name(relation.object)}"
