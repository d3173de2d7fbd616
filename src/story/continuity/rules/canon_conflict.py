"""What a text tells against the codex: other eyes, other kin, a death before its time, a broken law."""

from __future__ import annotations

from collections.abc import Iterator

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...graph_rag.views.timeline import act_of
from ...model.aspects import ASPECTS, fact_of
from ...model.findings import Violation
from ...model.predicates import PREDICATES
from ...model.types import CODEX_ID, EventTold, FactTold, Modality, Relation
from .canon_laws import breaches
from .rule import Record, counts, finding, in_document, of_one_gender, parent_and_child, weighs, worded
from .values import cannot_both

_BLOOD = frozenset({"PARENT_OF", "CHILD_OF", "SIBLING_OF"})
_FIGURATIVE = 0.6  # a law of a bare verb
_DOUBTFUL = 0.7  # another father; another place that somebody comes from; what somebody says
_Against = tuple[Evidence, FactTold | Relation | EventTold, tuple[str, ...], str, float]


def canon_conflict(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """The text against the author's own word (records of origin ``"codex"``, laws), from the chapter that it
    is valid from. The quote of the codex stands first.

    - A typed fact that cannot be together with the one laid down (``rules.values``), unless the text tells a
      change to it; an age only where it is lower. What somebody says counts too for what never changes.
    - A tie of blood other than the one laid down for the same two, or the wrong way round; another father or
      mother; another place that somebody comes from.
    - A death told as a fact before the chapter in which the codex has it.
    - A law: somebody of ``never`` does it, somebody else than ``only`` does it, one of ``always`` is said not
      to. See ``rules.canon_laws`` for when an act is the law's.

    Bonds (love, hatred) may change: one against the codex is for ``rules.relationship_conflict``. Assumes
    that the names of the codex mean whom the text means by them. Cannot see laws about what something is.
    """

    yield from (record for record in _held_by_the_codex(view) if in_document(record, draft))
    for canon, record, people, message, sure in _against(view):
        if in_document(record, draft):
            yield finding(
                "canon_conflict",
                message,
                people,
                [canon, record.evidence[0]],
                confidence=sure,
                suggestion="Change the text, or change the codex.",
                unless="the codex is changed, or limited to the chapters it applies to",
            )


def _held_by_the_codex(view: StoryView) -> Iterator[Record]:
    """Facts and ties of those of whom the codex tells one of the kind, deaths, breaches of laws."""
    aspects = {(fact.entity, fact.aspect) for fact in view.facts() if fact.origin == CODEX_ID}
    pairs = {frozenset((r.subject, r.object)) for r in view.relations() if r.origin == CODEX_ID}
    deaths = dict(_deaths(view, laid_down=True))
    yield from (one for one in filter(weighs, view.facts()) if (one.entity, one.aspect) in aspects)
    yield from (one for one in _ties(view) if frozenset((one.subject, one.object)) in pairs)
    yield from (event for who, event in _deaths(view, laid_down=False) if who in deaths)
    yield from (breach.event for breach in breaches(view))


def _against(view: StoryView) -> Iterator[_Against]:
    yield from _against_facts(view)
    yield from _against_ties(view)
    laid = dict(reversed(list(_deaths(view, laid_down=True))))
    for who, event in _deaths(view, laid_down=False):
        if who in laid and event.modality is Modality.FACT and event.told < laid[who].told:
            message = (
                f"According to the codex {view.name(who)} dies in chapter {laid[who].told}; chapter "
                f"{event.told} has the death already."
            )
            yield laid[who].evidence[0], event, (who,), message, 0.9
    for breach in breaches(view):
        if breach.event.evidence[0].document_id != breach.law.evidence[0].document_id:
            words = " ".join(breach.law.does.split())
            yield (
                breach.law.evidence[0],
                breach.event,
                (breach.who,),
                f"The codex has a law ({breach.law.kind}: {words}), and {view.name(breach.who)} breaks it in "
                f"chapter {breach.event.told}.",
                0.9 if " " in words else _FIGURATIVE,
            )


def _ties(view: StoryView) -> Iterator[Relation]:
    return (one for one in view.relations() if one.origin != CODEX_ID and counts(one))


def _deaths(view: StoryView, *, laid_down: bool) -> Iterator[tuple[str, EventTold]]:
    """Who dies by the codex, or by the text."""
    for event in view.events():
        if (event.origin == CODEX_ID) == laid_down and (laid_down or counts(event)):
            yield from ((who, event) for who in act_of(view, event).dead)


def _against_facts(view: StoryView) -> Iterator[_Against]:
    laid = [fact for fact in view.facts() if fact.origin == CODEX_ID]
    homes = [r for r in view.relations(predicate="COMES_FROM") if r.origin == CODEX_ID]
    changed = {(one.entity, one.aspect): one.told for one in reversed(view.facts()) if one.change}
    for fact in filter(weighs, view.facts()) if laid or homes else ():
        turned = changed.get((fact.entity, fact.aspect))
        if turned is not None and turned <= fact.told:
            continue
        constant = ASPECTS[fact.aspect].constant if fact.aspect in ASPECTS else False
        said = 0.9 if constant and fact.modality is not Modality.REPORTED else _DOUBTFUL
        for canon in laid:
            same = (canon.entity, canon.aspect) == (fact.entity, fact.aspect) and fact.told >= canon.told
            if same and _clash(canon, fact):
                message = f"The codex says that {fact_of(view.name(fact.entity), canon)}; by chapter "
                yield (
                    canon.evidence[0],
                    fact,
                    (fact.entity,),
                    f"{message}{fact.told} {fact_of(view.name(fact.entity), fact)}.",
                    said,
                )
        for home in homes:
            if (home.subject, "birthplace") == (fact.entity, fact.aspect) and fact.told >= home.told:
                place = view.entity(home.object)
                names = [place.name, *place.aliases] if place is not None else []
                if names and all(cannot_both("birthplace", name.casefold(), fact.value) for name in names):
                    message = f"According to the codex {worded(view, home)}; chapter {fact.told} has "
                    born = f"{view.name(fact.entity)} born in “{fact.value}”."
                    yield home.evidence[0], fact, (fact.entity,), message + born, _DOUBTFUL


def _clash(canon: FactTold, fact: FactTold) -> bool:
    if canon.aspect == "age":
        digits = canon.value.isdigit() and fact.value.isdigit()
        return digits and fact.modality is Modality.FACT and int(fact.value) < int(canon.value)
    if canon.aspect == "hair" and fact.modality is Modality.FLASHBACK:
        return False
    return cannot_both(canon.aspect, canon.value, fact.value)


def _against_ties(view: StoryView) -> Iterator[_Against]:
    laid = [relation for relation in view.relations() if relation.origin == CODEX_ID]
    for relation in _ties(view) if laid else ():
        for canon in laid:
            sure = _tie_conflict(view, canon, relation) if relation.told >= canon.told else 0.0
            if sure:
                message = f"According to the codex {worded(view, canon)}; in chapter {relation.told} "
                people = (relation.subject, relation.object)
                yield canon.evidence[0], relation, people, f"{message}{worded(view, relation)}.", sure


def _tie_conflict(view: StoryView, canon: Relation, told: Relation) -> float:
    """How sure it is; 0 where both can be."""
    if {canon.predicate, told.predicate} <= _BLOOD:
        if {canon.subject, canon.object} != {told.subject, told.object}:
            return _DOUBTFUL if _second_parent(view, canon, told) else 0.0
        return 0.0 if _faced(canon, told.subject) == told.predicate else 0.9
    return 0.0


def _second_parent(view: StoryView, canon: Relation, told: Relation) -> bool:
    """Another father, or another mother, of the same child."""
    if "SIBLING_OF" in (canon.predicate, told.predicate):
        return False
    (first, child), (second, other) = map(parent_and_child, (canon, told))
    return child == other and of_one_gender(view, first, second)


def _faced(tie: Relation, subject: str) -> str:
    """The tie as seen from ``subject``, one of its two."""
    inverse = PREDICATES[tie.predicate].inverse
    return tie.predicate if tie.subject == subject or inverse is None else inverse
