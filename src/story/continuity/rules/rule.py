"""What a rule of the critic is, and what several rules share: which facts count, how a finding is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.types import EventTold, FactTold, PresenceTold, QuotationTold, Relation

Record = Relation | EventTold | FactTold | PresenceTold | QuotationTold
"""A statement that the text vouches for, as the view tells it (merged ids resolved)."""

LEAST_SURE = 0.5
"""What is read less surely than this is set beside nothing."""

_ERROR = 0.75


class Rule(Protocol):
    """One kind of inconsistency. Deterministic; sees the view and nothing else.

    The docstring of an implementation says what it assumes of extraction and what it cannot see.
    """

    @property
    def name(self) -> str:
        """The module's name, e.g. ``"relationship_conflict"``; stands on every finding."""
        ...

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterable[Violation]:
        """Violations in any order, the quotes of the earlier side first.

        ``only_document`` names a draft that was told on top of a source: then what the draft says is set
        beside the source as it stands, and the later quote of every finding is the draft's. None checks the
        story against itself.
        """
        ...

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Record]:
        """The records (of that document) that the rule could set beside something told earlier, whether or
        not it found fault with them."""
        ...


def first_quote(record: Record) -> Evidence | None:
    """The quote that the record stands on; None where it has none."""
    if isinstance(record.evidence, Evidence):
        return record.evidence
    return record.evidence[0] if record.evidence else None


def counts(record: Relation | EventTold | FactTold) -> bool:
    """Did it happen, by the text's own word, and is it read surely enough to be held against something?"""
    return bool(record.evidence) and record.confidence >= LEAST_SURE and record.modality.happened


def in_document(record: Record, document: str | None) -> bool:
    """Does it stand in that document; anywhere for None?"""
    quote = first_quote(record)
    return quote is not None and document in (None, quote.document_id)


def worded(view: StoryView, relation: Relation) -> str:
    """The relation in a sentence, without a full stop."""
    return view.worded(relation.subject, relation.predicate, relation.object)


def finding(
    rule: str,
    message: str,
    entities: Iterable[str],
    evidence: Iterable[Evidence],
    *,
    confidence: float,
    suggestion: str,
    unless: str,
) -> Violation:
    """A violation whose severity follows from how sure it is: an ERROR from .75 on, else a WARNING."""
    return Violation(
        rule=rule,
        severity=Severity.ERROR if confidence >= _ERROR else Severity.WARNING,
        message=message,
        entities=tuple(sorted(dict.fromkeys(entities))),
        evidence=tuple(dict.fromkeys(evidence)),
        suggestion=suggestion,
        unless=unless,
        confidence=round(confidence, 2),
    )
