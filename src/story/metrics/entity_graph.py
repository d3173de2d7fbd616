"""Coherence by the people and things that sentences share."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .score import Score

__all__ = ["entity_graph"]


def entity_graph(sentences: Sequence[Collection[str]]) -> Score:
    """How closely the sentences are tied by nouns in common, 0 (none shares any) to 1 (every pair does).

    ``sentences`` holds the nouns of each. Sentences i < j that share one are joined by an edge of weight
    ``1 / (j - i)``; the value is the sum of the weights by what it would be if all pairs were joined. This
    is the one-mode projection with distances (P_U, Dist) of Guinaudeau and Strube, "Graph-based local
    coherence modeling", ACL 2013, which needs no training; they divide by the number of sentences, which
    grows with the text, and here texts of different length are set side by side. Nouns are the same by
    their lemma, as with them: a pronoun or another word for the same man ties nothing. None for fewer than
    two sentences; ``n`` is their number. A text that repeats itself scores high: read it beside
    ``repetition``.
    """
    n = len(sentences)
    if n < 2:
        return Score("entity_graph", None, True, n)
    nouns = [frozenset(sentence) for sentence in sentences]
    most = sum((n - gap) / gap for gap in range(1, n))
    tied = sum(1.0 / (j - i) for j in range(1, n) for i in range(j) if not nouns[i].isdisjoint(nouns[j]))
    return Score("entity_graph", min(1.0, tied / most), True, n)
