"""Does what a draft says of the world stand in what it was given?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Protocol

from ...core.types import Evidence
from ..model.predicates import PREDICATES
from ..model.types import FactTold, Relation
from ..writing.context import StoryContext
from .score import Score

__all__ = ["Told", "grounding"]


class Told(Protocol):
    """The story at the horizon with the draft told on top; see StoryView."""

    def relations(self) -> Sequence[Relation]:
        """Who stands how to whom, as far as it happened."""
        ...

    def facts(self) -> Sequence[FactTold]:
        """Typed facts of people."""
        ...


def grounding(told: Told, *, draft: str, context: StoryContext) -> Score:
    """Share of the draft's lasting claims that its context tells too, 0 to 1.

    A claim is a relation (who stands how to whom, lives or is where, owns what) or a typed fact that the
    reader found in the document ``draft`` of ``told`` and that the text vouches for. It is supported where
    the story tells the same of the same people (a symmetric relation either way round) with a quote that
    overlaps one of the context's sources. What happens is no claim here: a continuation is there to tell
    new events. None where the draft claims nothing; ``n`` is the number of claims.

    New relations may be right without support, and what the reader misses in source or draft counts for
    neither, so a low value is no error; it parts drafts that use what they were given from those that
    invent. After the thought of faithfulness by extracted facts (Goodrich et al., "Assessing the factual
    accuracy of generated text", KDD 2019).
    """
    claims: set[tuple[str, ...]] = set()
    known: set[tuple[str, ...]] = set()
    records: Iterable[Relation | FactTold] = chain(told.relations(), told.facts())
    for record in records:
        if not record.modality.happened:
            continue
        key = _key(record)
        if any(quote.document_id == draft for quote in record.evidence):
            claims.add(key)
        elif any(_given(quote, context) for quote in record.evidence):
            known.add(key)
    value = len(claims & known) / len(claims) if claims else None
    return Score("grounding", value, True, len(claims))


def _key(record: Relation | FactTold) -> tuple[str, ...]:
    if isinstance(record, FactTold):
        return ("fact", record.entity, record.aspect, record.value)
    ends = (record.subject, record.object)
    if PREDICATES[record.predicate].symmetric:
        ends = (min(ends), max(ends))
    return ("relation", record.predicate, *ends)


def _given(quote: Evidence, context: StoryContext) -> bool:
    return any(
        quote.document_id == other.document_id and quote.span.overlaps(other.span)
        for source in context.sources
        for other in source.evidence
    )
