"""Evidence from the candidates' words as further lists: which of the query's words a passage holds, and how
near each other.

BM25 rewards one rare word said often; a passage that answers usually holds most of what is asked for, in one
place. The lexical weight is therefore shared between BM25, coverage and nearness (see
:mod:`fabula.core.text.term_evidence`). The weights are fixed: what adapts to query and passage is the
evidence, and the one dial, lexical against semantic, stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..text.term_evidence import QueryEvidence
from ..types import Hit
from .fused import hits_of

COVERAGE, NEARNESS = "coverage", "nearness"
_LEXICAL = "lexical"


def evidence_lists(
    evidence: QueryEvidence, ordinals: Iterable[int], terms_of: Callable[[int], Sequence[str]]
) -> dict[str, list[Hit]]:
    """Coverage and nearness of each candidate, both in [0, 1], each list best first; chunks at 0 left out.

    ``terms_of`` gives a chunk's index terms in order of the text. Costs one pass over those of every
    candidate; making the terms costs more than that, so keep those of chunks that come often.
    """
    chunks = list(ordinals)
    found = [evidence.measure(terms_of(ordinal)) for ordinal in chunks]
    lists = {}
    for name, scores in ((COVERAGE, [c for c, _ in found]), (NEARNESS, [n for _, n in found])):
        held = [(o, s) for o, s in zip(chunks, scores, strict=True) if s > 0]
        lists[name] = hits_of([o for o, _ in held], [s for _, s in held])
    return lists


def evidence_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The same weights with the lexical one shared in equal parts by BM25, coverage and nearness."""
    shared = weights.get(_LEXICAL, 0.0) / 3
    return {**weights, _LEXICAL: shared, COVERAGE: shared, NEARNESS: shared}
