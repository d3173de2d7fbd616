"""Kin that cannot be: two fathers, a sister of an only child, two spouses at once, parent and sibling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...graph_rag.views.story_view import StoryView
from ...graph_rag.views.timeline import holds_when_told, standing
from ...model.findings import Violation
from ...model.types import CODEX_ID, FactTold, Relation
from ...names.lexicon import TITLES
from ...names.person_record import whose
from .rule import Record, counts, finding, in_document, of_one_gender, parent_and_child

# seen from the one to the other; both of a pair exclude each other but for equals
_KINDS: Mapping[str, str] = {
    "PARENT_OF": "parent",
    "CHILD_OF": "child",
    "SIBLING_OF": "sibling",
    "GRANDPARENT_OF": "grandparent",
    "AUNT_OR_UNCLE_OF": "aunt or uncle",
    "COUSIN_OF": "cousin",
    "MARRIED_TO": "spouse",
}
_TURNED: Mapping[str, str] = {
    "parent": "child",
    "child": "parent",
    "grandparent": "grandchild",
    "aunt or uncle": "niece or nephew",
}
_EITHER = frozenset({frozenset({"cousin", "spouse"})})
_SAME_HOUSE = 0.8
_SURE = 0.75  # below it, who is whose kin is only inferred: "Mother!", "his sister" with no name beside it


def kinship_conflict(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
    """Ties of blood or marriage that cannot both be.

    - Two kinds of tie between the same two (parent and sibling, aunt and cousin, each the other's parent).
    - Two fathers or two mothers of one, by names that share no word; two spouses who are both standing.
    - A brother or sister of an only child (``siblings`` 0), and more of them than the text counts.

    Ties are relations that happened, where the text itself puts the two together. Step-family and in-laws
    are predicates of their own. Assumes that names are joined rightly. What is told against the codex is for
    ``rules.canon_conflict``.
    """

    seen: set[str] = set()
    for tie in _ties(view):
        if seen & {tie.subject, tie.object} and in_document(tie, draft):
            yield tie
        seen |= {tie.subject, tie.object}
    for earlier, later, said in (*_clashes(view), *_counted(view)):
        if in_document(later, draft):
            yield finding(
                "kinship_conflict",
                said,
                [who for one in (earlier, later) for who in _people(one)],
                [earlier.evidence[0], later.evidence[0]],
                confidence=min(earlier.confidence, later.confidence) * _SAME_HOUSE,
                suggestion="Keep only one of the two ties.",
                unless="two of the names belong to one person, or a tie is of a step-family or by courtesy",
            )


def _people(record: Relation | FactTold) -> tuple[str, ...]:
    return (record.subject, record.object) if isinstance(record, Relation) else (record.entity,)


def _ties(view: StoryView) -> list[Relation]:
    told = [
        one
        for one in view.relations()
        if one.predicate in _KINDS and counts(one) and one.confidence >= _SURE and one.origin != CODEX_ID
    ]
    return sorted(told, key=view.place)


def _kind(tie: Relation, subject: str) -> str:
    """What ``subject`` is to the other end."""
    kind = _KINDS[tie.predicate]
    return kind if tie.subject == subject else _TURNED.get(kind, kind)


def _clashes(view: StoryView) -> Iterator[tuple[Relation, Relation, str]]:
    by_pair: dict[frozenset[str], list[Relation]] = {}
    parents: dict[str, list[tuple[str, Relation]]] = {}
    spouses: dict[str, list[tuple[str, Relation]]] = {}
    for tie in _ties(view):
        pair = frozenset((tie.subject, tie.object))
        for earlier in by_pair.setdefault(pair, []):
            one, other = _kind(earlier, tie.subject), _kind(tie, tie.subject)
            if one != other and frozenset({one, other}) not in _EITHER:
                yield earlier, tie, f"{_worded(view, earlier)}, yet {_worded(view, tie)}."
                break
        by_pair[pair].append(tie)
        if tie.predicate in ("PARENT_OF", "CHILD_OF"):
            parent, child = parent_and_child(tie)
            for other_parent, earlier in parents.setdefault(child, []):
                two = other_parent != parent and of_one_gender(view, other_parent, parent)
                if two and _unlike(view, other_parent, parent):
                    yield earlier, tie, f"{_worded(view, earlier)}, yet {_worded(view, tie)}."
            parents[child].append((parent, tie))
        elif tie.predicate == "MARRIED_TO" and holds_when_told(tie):
            for who, spouse in ((tie.subject, tie.object), (tie.object, tie.subject)):
                for other_spouse, earlier in spouses.setdefault(who, []):
                    two = spouse != other_spouse and _unlike(view, spouse, other_spouse)
                    bonds = standing(view, earlier.subject, earlier.object) if two else ()
                    if any(bond.predicate == earlier.predicate for bond in bonds):
                        yield earlier, tie, f"{_worded(view, earlier)}, yet {_worded(view, tie)}."
                spouses[who].append((spouse, tie))


def _unlike(view: StoryView, one: str, other: str) -> bool:
    """Have both a name, and do these share no word, so that they are hardly one person?"""
    names = view.name(one), view.name(other)
    first, second = (name.casefold().split() for name in names)
    full = len(first) == len(second) == 2 and not {first[0], second[0]} & TITLES.keys()  # of one house
    return not ({first[0]} & {second[0]} if full else {*first} & {*second}) and not any(
        any(whose(name)) for name in names
    )


def _counted(view: StoryView) -> Iterator[tuple[FactTold | Relation, FactTold | Relation, str]]:
    """Brothers and sisters, by name or not, beside the number that is told."""
    for fact in view.facts():
        if fact.aspect != "siblings" or not counts(fact) or not fact.value.isdigit():
            continue
        ties = [
            tie
            for tie in _ties(view)
            if tie.predicate == "SIBLING_OF" and fact.entity in (tie.subject, tie.object)
        ]
        others = {tie.object if tie.subject == fact.entity else tie.subject: tie for tie in reversed(ties)}
        if len(others) > int(fact.value):
            tie = max(others.values(), key=view.place)
            pair: list[FactTold | Relation] = sorted((fact, tie), key=view.place)
            told = "no brother or sister" if fact.value == "0" else f"{fact.value} brothers and sisters"
            yield pair[0], pair[1], f"{view.name(fact.entity)} has {told}, yet {_worded(view, tie)}."


def _worded(view: StoryView, tie: Relation) -> str:
    return f"{view.worded(tie.subject, tie.predicate, tie.object)} (chapter {tie.told})"
