"""Bonds that a character avows: "I love you, Anna," said Tom, which is as good as told."""

from __future__ import annotations

import re

from ..graph_rag.story_view import StoryView
from ..types import Modality, Relation

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
    return any(
        piece.document_id == quote.document_id
        and piece.span.overlaps(quote.span)
        and _MINE.search(piece.quote) is not None
        for told in view.quotations(relation.subject)
        if told.speaker == relation.subject
        for piece in told.evidence
    )
