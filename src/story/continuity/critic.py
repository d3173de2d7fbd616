"""The critic: rules over a story graph, their findings ranked, duplicates merged, and counted.

Blind by construction: it is given a view and a number of words, and has no way to learn who or what
wrote the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...core.types import Evidence
from ...errors import UsageError
from ..graph_rag.views.story_view import StoryView
from ..model.findings import CheckReport, Severity, Violation
from ..model.trait_values import NAMING_TRAITS
from .reporting.precision import seldom_right
from .rules.abandoned_goal import AbandonedGoal
from .rules.attribute_conflict import AttributeConflict
from .rules.canon_conflict import CanonConflict
from .rules.count_conflict import CountConflict
from .rules.dead_then_acts import DeadThenActs
from .rules.kinship_conflict import KinshipConflict
from .rules.knowledge_leak import KnowledgeLeak
from .rules.name_drift import NameDrift
from .rules.never_introduced import NeverIntroduced
from .rules.object_conflict import ObjectConflict
from .rules.orphaned_event import OrphanedEvent
from .rules.relationship_conflict import RelationshipConflict
from .rules.timeline.timeline_conflict import TimelineConflict
from .rules.two_places_at_once import TwoPlacesAtOnce
from .rules.unearned_change import UnearnedChange
from .seams.rule import Fact, Rule

__all__ = ["ContinuityCritic", "chosen_rules", "default_rules"]

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def default_rules() -> tuple[Rule, ...]:
    """Every rule there is, with its default settings, in order of name."""
    return (
        AbandonedGoal(),
        AttributeConflict(),
        CanonConflict(),
        CountConflict(),
        DeadThenActs(),
        KinshipConflict(),
        KnowledgeLeak(),
        NameDrift(),
        NeverIntroduced(),
        ObjectConflict(),
        OrphanedEvent(),
        RelationshipConflict(),
        TimelineConflict(),
        TwoPlacesAtOnce(),
        UnearnedChange(),
    )


def chosen_rules(only: Sequence[str] = (), *, without: Sequence[str] = ()) -> tuple[Rule, ...]:
    """The rules of ``default_rules`` with these names (all, where none is named), but for those of
    ``without``. Raises UsageError for a name that no rule has, or where none is left."""
    rules = default_rules()
    names = [rule.name for rule in rules]
    for name in (*only, *without):
        if name not in names:
            raise UsageError(f"there is no rule {name!r}: choose of {', '.join(names)}")
    left = tuple(rule for rule in rules if (not only or rule.name in only) and rule.name not in without)
    if not left:
        raise UsageError("no rule is left: name fewer to leave out")
    return left


class ContinuityCritic:
    """Checks a story, or a draft told on top of it. Deterministic: same view, same report."""

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        """None takes ``default_rules()``. The order of the rules does not matter."""
        self.rules = tuple(default_rules() if rules is None else rules)

    def check(self, view: StoryView, *, words: int, only_document: str | None = None) -> CheckReport:
        """The findings, gravest first (severity, chapter of the later quote, rule, entities, place).

        ``only_document`` is the id of a draft linked on top of a source log: only findings whose
        later quote stands in it, and only its facts counted. ``words`` is the length of the text
        under check. Findings of one rule about the same entities that share a quote are one finding
        with the quotes of all. Facts are relations, events, traits, dealings with things, dates, ages and
        things learnt, as far as the text vouches for them; who is on stage or speaks is not counted. What a
        rule finds that is seldom right in modern prose (:mod:`.reporting.precision`) is a hint, unless it is
        against the codex, and what it looked at is not checked.
        """
        found = [
            _as_measured(violation)
            for rule in self.rules
            for violation in rule.find(view, only_document=only_document)
            if only_document is None or violation.evidence[-1].document_id == only_document
        ]
        ranked = sorted(_merged(view, found), key=lambda violation: _rank(view, violation))
        facts = _facts(view, only_document)
        checked = {
            fact
            for rule in self.rules
            if not seldom_right(rule.name)
            for fact in rule.checkable(view, only_document=only_document)
        }
        return CheckReport(
            violations=tuple(ranked),
            facts_checkable=len(facts),
            facts_checked=len(checked & facts),
            words=words,
        )


def _as_measured(violation: Violation) -> Violation:
    if violation.origin != "rules" or violation.is_against_codex or not seldom_right(violation.rule):
        return violation
    return replace(violation, severity=Severity.INFO)


def _facts(view: StoryView, document: str | None) -> frozenset[Fact]:
    told: tuple[Fact, ...] = (
        *view.relations(),
        *view.events(),
        *(trait for trait in view.traits() if trait.modality.happened and trait.aspect not in NAMING_TRAITS),
        *(thing for thing in view.things() if thing.modality.happened),
        *(time for time in view.times() if time.kind in ("date", "age")),
        *(item for item in view.knowledge() if item.modality.happened),
    )
    return frozenset(
        fact
        for fact in told
        if (quote := _first_quote(fact)) is not None and document in (None, quote.document_id)
    )


def _first_quote(fact: Fact) -> Evidence | None:
    if isinstance(fact.evidence, Evidence):
        return fact.evidence
    return fact.evidence[0] if fact.evidence else None


def _rank(view: StoryView, violation: Violation) -> tuple[object, ...]:
    return (
        _RANK[violation.severity],
        violation.evidence[-1].chapter,
        violation.rule,
        violation.entities,
        tuple(view.place(quote) for quote in reversed(violation.evidence)),
        violation.message,
    )


def _merged(view: StoryView, violations: Iterable[Violation]) -> list[Violation]:
    groups: list[list[Violation]] = []
    for violation in violations:
        alike = [group for group in groups if any(_near(violation, other) for other in group)]
        for group in alike:
            groups.remove(group)
        groups.append([*(one for group in alike for one in group), violation])
    return [_as_one(view, group) for group in groups]


def _near(one: Violation, other: Violation) -> bool:
    return (
        one.rule == other.rule
        and sorted(one.entities) == sorted(other.entities)
        and not set(one.evidence).isdisjoint(other.evidence)
    )


def _as_one(view: StoryView, group: Sequence[Violation]) -> Violation:
    """The first of the group, with every quote of the group in order of telling."""
    first = min(group, key=lambda violation: _rank(view, violation))
    if len(group) == 1:
        return first
    quotes = {quote for violation in group for quote in violation.evidence}
    ordered = sorted(quotes, key=lambda quote: (view.place(quote), quote.span.end, quote.document_id))
    return replace(first, evidence=tuple(ordered))
