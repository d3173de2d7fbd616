"""Evidence from the candidates' words as further lists: which of the query's words a passage holds, and how
near each other.

BM25 rewards one rare word said often; a passage that answers usually holds most of what is asked for, in one
place. The lexical weight is therefore shared between BM25, coverage and nearness (see
:mod:`fabula.core.text.term_evidence`). The weights are fixed: what adapts to query and passage is the
evidence, and the one dial, lexical against semantic, stays.
"""

from __future__ import annotations

from collections.abc import Mapping

COVERAGE, NEARNESS = "coverage", "nearness"
_LEXICAL = "lexical"


def evidence_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The same weights with the lexical one shared in equal parts by BM25, coverage and nearness."""
    shared = weights.get(_LEXICAL, 0.0) / 3
    return {**weights, _LEXICAL: shared, COVERAGE: shared, NEARNESS: shared}
