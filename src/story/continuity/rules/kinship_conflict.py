"""Kin that cannot be: two fathers, a brother who is an uncle, a child older than its own parent's parent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.types import Modality, Relation
from ..seams.rule import Fact
from .kin_in_passing import HintedKin, hinted_clashes

__all__ = ["KinshipConflict"]

_TERMS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys("uncle aunt nephew niece".split(), "avuncular")
    | dict.fromkeys(["cousin"], "cousin")
    | dict.fromkeys("grandfather grandmother grandson granddaughter grandchild".split(), "grand")
)
_WORDS = re.compile(r"[a-z]+")
# not by blood, or by courtesy: whoever is called so has said nothing of descent
_NOT_BY_BLOOD = re.compile(
    r"\b(step\w+|half|foster\w*|adopt\w+|god\w+|in[- ]law|father confessor|mother superior|"
    r"sisters? of (mercy|charity)|dear (brother|sister|father)|brethren|calls? (him|her)|called (him|her)|"
    r"like an?|as an?|second)\b",
    re.IGNORECASE,
)
_EXCLUDE = MappingProxyType(
    {
        "parent": frozenset({"child", "sibling", "spouse", "avuncular", "cousin", "grand"}),
        "child": frozenset({"parent", "sibling", "spouse", "avuncular", "cousin", "grand"}),
        "sibling": frozenset({"parent", "child", "spouse", "avuncular", "cousin", "grand"}),
        "spouse": frozenset({"parent", "child", "sibling", "grand"}),
        "avuncular": frozenset({"parent", "child", "sibling", "grand"}),
        "cousin": frozenset({"parent", "child", "sibling", "grand"}),
        "grand": frozenset({"parent", "child", "sibling", "spouse", "avuncular", "cousin"}),
    }
)
_PHRASES = MappingProxyType(
    {
        "parent": "a parent of", "child": "a child of", "sibling": "a brother or sister of",
        "spouse": "married to", "avuncular": "an uncle, aunt, nephew or niece of", "cousin": "a cousin of",
        "grand": "a grandparent or grandchild of",
    }
)  # fmt: skip
_BY_PREDICATE = {"SIBLING_OF": "sibling", "MARRIED_TO": "spouse"}


@dataclass(frozen=True, slots=True)
class _Tie:
    """``one`` is ``kind`` of ``other`` by that relation."""

    one: str
    other: str
    kind: str
    relation: Relation

    @property
    def quote(self) -> Evidence:
        return self.relation.evidence[0]


@dataclass(frozen=True, slots=True)
class KinshipConflict:
    """Two ties of blood or marriage that cannot both be: parent and sibling, sibling and cousin, each the
    other's parent, brother and husband; and two fathers or two mothers of one.

    Ties are relations that happened, read with ``min_confidence`` or more; uncles, aunts, cousins and
    grandparents are told apart by the word in the quote, which must be the only such word there. Step-,
    half-, god- and foster kin, in-laws and what is only a way of calling somebody are left out. A pair whose
    ties the text tells both ways ``settled`` times or more is a matter of names that extraction mixes up, and
    nothing is found; nor where two share a family name and a title (father and son of one name).

    Somebody named in passing is looked at through the words of kinship that stand beside the name as well
    (``extraction.naming.kin_hints``, ``rules.kin_in_passing``): "aunt" once and "cousin" later, the same
    person there both times.

    Assumes that linking is right. Cannot see kinship that is not said in one sentence, or that a story
    reveals to have been believed wrongly. WARNING.
    """

    name: ClassVar[str] = "kinship_conflict"
    severity: ClassVar[Severity] = Severity.WARNING

    min_confidence: float = 0.6
    settled: int = 3

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterator[Violation]:
        ties = self._ties(view)
        for pair in (*self._between_two(view, ties), *self._two_parents(view, ties)):
            if only_document in (None, pair[1].quote.document_id):
                yield self._violation(view, *pair)
        for earlier, later, other in hinted_clashes(view):
            if only_document in (None, later.quote.document_id):
                yield self._in_passing(view, earlier, later, other)

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """Ties between two of whom a tie is told earlier."""
        found: set[Fact] = set()
        for told in _by_pair(self._ties(view)).values():
            later = (tie.relation for tie in told[1:])
            found.update(r for r in later if only_document in (None, r.evidence[0].document_id))
        return frozenset(found)

    def _ties(self, view: StoryView) -> list[_Tie]:
        found = [
            tie
            for relation in view.relations(happened=False)
            if relation.evidence and relation.confidence >= self.min_confidence
            if relation.origin != "codex"  # canon_conflict's
            if relation.modality in (Modality.FACT, Modality.FLASHBACK, Modality.REPORTED)
            if (tie := _tie(relation)) is not None
        ]
        return sorted(found, key=lambda tie: (view.place(tie.quote), tie.one, tie.other))

    def _between_two(self, view: StoryView, ties: Sequence[_Tie]) -> Iterator[tuple[_Tie, _Tie]]:
        for told in _by_pair(ties).values():
            pairs = [
                (earlier, later)
                for index, later in enumerate(told)
                for earlier in told[:index]
                if earlier.quote != later.quote and _clash(earlier, later)
            ]
            if not pairs or self._settled(told) or _namesakes(view, told[0].one, told[0].other):
                continue
            yield from pairs

    def _settled(self, told: Sequence[_Tie]) -> bool:
        """Are three kinds of tie told of the two, or two so often that neither is a slip?"""
        counts: dict[str, int] = {}
        for tie in told:
            kind = _faced(tie, told[0].one)
            counts[kind] = counts.get(kind, 0) + 1
        return len(counts) > 2 or min(counts.values()) >= self.settled

    def _two_parents(self, view: StoryView, ties: Sequence[_Tie]) -> Iterator[tuple[_Tie, _Tie]]:
        parents: dict[tuple[str, str], list[_Tie]] = {}
        for tie in ties:
            if tie.kind == "parent":
                gender = getattr(view.entity(tie.one), "gender", "")
                if gender:
                    parents.setdefault((tie.other, gender), []).append(tie)
        for told in parents.values():
            people = list(dict.fromkeys(tie.one for tie in told))
            if len(people) != 2 or min(sum(tie.one == who for tie in told) for who in people) >= self.settled:
                continue
            if _namesakes(view, *people):
                continue
            first = next(tie for tie in told if tie.one == people[0])
            other = next(tie for tie in told if tie.one == people[1])
            if first.quote != other.quote:
                yield first, other

    def _violation(self, view: StoryView, earlier: _Tie, later: _Tie) -> Violation:
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=(
                f"{_worded(view, earlier)} (chapter {earlier.relation.told}), yet {_worded(view, later)} "
                f"(chapter {later.relation.told})."
            ),
            entities=tuple(sorted({earlier.one, earlier.other, later.one, later.other})),
            evidence=(earlier.quote, later.quote),
            suggestion="Settle how they are related and make both places agree.",
            unless="one of the two is kin by law, by half or by courtesy, or what was believed is put right",
        )

    def _in_passing(self, view: StoryView, earlier: HintedKin, later: HintedKin, other: str) -> Violation:
        name = view.name(earlier.who)
        return Violation(
            rule=self.name,
            severity=self.severity,
            message=(
                f"{name} is spoken of as {earlier.term} beside {view.name(other)} (chapter "
                f"{earlier.quote.chapter}), and as {later.term} later (chapter {later.quote.chapter})."
            ),
            entities=tuple(sorted({earlier.who, other})),
            evidence=(earlier.quote, later.quote),
            suggestion="Settle how they are related and make both places agree.",
            unless="one of the two words is meant of somebody else, or the two are kin in both ways",
        )


def _tie(relation: Relation) -> _Tie | None:
    quote = relation.evidence[0].line
    if _NOT_BY_BLOOD.search(quote):
        return None
    one, other = relation.subject, relation.object
    if relation.predicate == "PARENT_OF":
        return _Tie(one, other, "parent", relation)
    if relation.predicate == "CHILD_OF":
        return _Tie(other, one, "parent", relation)
    if relation.predicate == "KIN_OF":
        kinds = {_TERMS[word] for word in _WORDS.findall(quote.casefold()) if word in _TERMS}
        return _Tie(one, other, kinds.pop(), relation) if len(kinds) == 1 else None
    kind = _BY_PREDICATE.get(relation.predicate)
    return _Tie(one, other, kind, relation) if kind is not None else None


def _by_pair(ties: Sequence[_Tie]) -> dict[frozenset[str], list[_Tie]]:
    pairs: dict[frozenset[str], list[_Tie]] = {}
    for tie in ties:
        if tie.one != tie.other:
            pairs.setdefault(frozenset((tie.one, tie.other)), []).append(tie)
    return pairs


def _faced(tie: _Tie, one: str) -> str:
    """The kind of the tie as seen from ``one``."""
    return "child" if tie.kind == "parent" and tie.one != one else tie.kind


def _clash(earlier: _Tie, later: _Tie) -> bool:
    first, second = _faced(earlier, earlier.one), _faced(later, earlier.one)
    return second in _EXCLUDE[first]


def _namesakes(view: StoryView, one: str, other: str) -> bool:
    """Do the two go by one last name and nothing else, so that either may be meant?"""
    names = [view.name(each).casefold().split() for each in (one, other)]
    return names[0][-1] == names[1][-1] and any(len(name) == 1 or "." in name[0] for name in names)


def _worded(view: StoryView, tie: _Tie) -> str:
    return f"{view.name(tie.one)} is {_PHRASES[tie.kind]} {view.name(tie.other)}"
