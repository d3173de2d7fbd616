"""Bonds that a character avows: "I love you, Anna," said Tom, which is as good as told."""

from __future__ import annotations

import re

from ...core.types import Span
from ..graph_rag.story_view import StoryView
from ..types import Modality, Relation
from .once import once

__all__ = ["vouched_for"]

_MINE = re.compile(r"\b(?:I|me|my)\b")


def vouched_for(view: StoryView, relation: Relation) -> bool:
    """Is the bond a fact of the narration, or does the one who has it say so of himself? What somebody says
    of others, or others of him, is hearsay."""
    if relation.modality is Modality.FACT:
        return True
    if relation.modality is not Modality.REPORTED or not relation.evidence:
        return False
    quote = relation.evidence[0]
    said = once(_avowed, view).get((relation.subject, quote.document_id, quote.chapter), ())
    return any(span.overlaps(quote.span) for span in said)


def _avowed(view: StoryView) -> dict[tuple[str, str, int], list[Span]]:
    """Where each speaks of himself, by document and chapter."""
    found: dict[tuple[str, str, int], list[Span]] = {}
    for told in view.quotations():
        for piece in told.evidence if told.speaker is not None else ():
            if _MINE.search(piece.quote) is not None:
                key = (str(told.speaker), piece.document_id, piece.chapter)
                found.setdefault(key, []).append(piece.span)
    return found
