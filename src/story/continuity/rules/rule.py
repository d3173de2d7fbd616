"""What a rule of the critic is, and what several rules share: which facts count, how a finding is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from ....core.types import Evidence
from ...graph_rag.views.story_view import StoryView
from ...model.aspects import holds
from ...model.findings import Severity, Violation
from ...model.types import CODEX_ID, EventTold, FactTold, QuotationTold, Relation

Record = Relation | EventTold | FactTold | QuotationTold
"""A statement that the text vouches for, as the view tells it (merged ids resolved)."""

LEAST_SURE = 0.5
"""What is read less surely than this is set beside nothing."""

_ERROR = 0.75


class Rule(Protocol):
    """One kind of inconsistency: a function with the name of its module, which stands on every finding.

    It is deterministic and sees the view and nothing else. Its docstring says what it assumes of extraction
    and what it cannot see.
    """

    @property
    def __name__(self) -> str: ...

    def __call__(self, view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
        """The records that it could set beside something told earlier, and the violations that it found, in
        any order, the quotes of the earlier side first.

        ``draft`` is the id of a document that was told on top of a source: then what the draft says is set
        beside the source as it stands, and the records and the later quotes are the draft's. None checks the
        story against itself.
        """
        ...


def first_quote(record: Record) -> Evidence | None:
    """The quote that the record stands on; None where it has none."""
    if isinstance(record.evidence, Evidence):
        return record.evidence
    return record.evidence[0] if record.evidence else None


def counts(record: Relation | EventTold | FactTold) -> bool:
    """Did it happen, by the text's own word, and is it read surely enough to be held against something?"""
    return bool(record.evidence) and record.confidence >= LEAST_SURE and record.modality.happened


def weighs(fact: FactTold) -> bool:
    """Does the text tell it by its own word, or somebody in it of what never changes? What the codex says is
    held by ``rules.canon_conflict``."""
    sure = bool(fact.evidence) and fact.confidence >= LEAST_SURE
    return sure and holds(fact) and fact.origin != CODEX_ID


def names(view: StoryView, who: str, quote: Evidence) -> bool:
    """Does the quote hold a name of theirs?"""
    entity = view.entity(who)
    return entity is not None and any(name in quote.quote for name in (entity.name, *entity.aliases))


def in_document(record: Record, document: str | None) -> bool:
    """Does it stand in that document; anywhere for None?"""
    quote = first_quote(record)
    return quote is not None and document in (None, quote.document_id)


def parent_and_child(tie: Relation) -> tuple[str, str]:
    """The two of a PARENT_OF or CHILD_OF."""
    ends = tie.subject, tie.object
    return ends if tie.predicate == "PARENT_OF" else ends[::-1]


def of_one_gender(view: StoryView, one: str, other: str) -> bool:
    """Is the gender of both known, and the same?"""
    known = view.entity(one), view.entity(other)
    genders = {entity.gender if entity is not None else "" for entity in known}
    return len(genders) == 1 and "" not in genders


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
