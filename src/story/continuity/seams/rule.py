"""The seams of the story side: what a part must offer to be put in place of another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from ...model.types import (
    EventTold,
    KnowledgeTold,
    PresenceTold,
    QuotationTold,
    Relation,
    ThingTold,
    TimeTold,
    TraitTold,
)

__all__ = ["Fact", "Rule"]

Fact = Relation | EventTold | TraitTold | ThingTold | TimeTold | KnowledgeTold | PresenceTold | QuotationTold
"""A statement that the text vouches for, as the view tells it (merged ids resolved)."""


class Rule(Protocol):
    """One kind of inconsistency. Deterministic; sees the view and nothing else.

    The docstring of an implementation says what it assumes of extraction and what it cannot see.
    """

    @property
    def name(self) -> str:
        """The module's name, e.g. ``"relationship_conflict"``; stands on every finding."""
        ...

    @property
    def severity(self) -> Severity:
        """How grave its findings are as a rule; a single one may be graver or lighter."""
        ...

    def find(self, view: StoryView, *, only_document: str | None = None) -> Iterable[Violation]:
        """Violations in any order, the quotes of the earlier side first.

        ``only_document`` names a draft that was told on top of a source: then what the draft says is
        set beside the source as it stands, and the later quote of every finding is the draft's. None
        checks the story against itself.
        """
        ...

    def checkable(self, view: StoryView, *, only_document: str | None = None) -> frozenset[Fact]:
        """The facts (of that document) that the rule could set beside something told earlier,
        whether or not it found fault with them."""
        ...
