"""What is measured on a result, one function each. None of them knows which pipeline wrote the text.

Every score says whether higher is better and over how many items (``n``) it was taken; its value is None
where there was nothing to judge, which is not the same as zero.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.types import Generation
from .context import StoryContext
from .findings import CheckReport

__all__ = [
    "Score",
    "completion_tokens",
    "consistency",
    "context_tokens",
    "copied",
    "coverage",
    "flow",
    "presence",
    "prompt_tokens",
    "repetition",
    "response_time",
    "retrieved",
    "scene_coherence",
    "source_diversity",
    "violations_per_10k_words",
]

Vectors = NDArray[np.float32]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Score:
    """One measured value. ``n`` counts what it was taken over (facts, sentences, words, items)."""

    name: str
    value: float | None
    higher_is_better: bool
    n: int


def consistency(check: CheckReport | None) -> Score:
    """``max(0, 1 - 0.1 * violations)``, 0 to 1; None where no fact could be checked.

    It saturates at ten violations and rewards a text that says nothing: read it beside
    ``violations_per_10k_words`` and ``coverage``. ``n`` is the number of facts checked.
    """
    if check is None:
        return Score("consistency", None, True, 0)
    return Score("consistency", check.consistency, True, check.facts_checked)


def violations_per_10k_words(check: CheckReport | None) -> Score:
    """10,000 x violations / words, 0 and up; None where nothing could be checked. ``n``: words."""
    if check is None:
        return Score("violations_per_10k_words", None, False, 0)
    return Score("violations_per_10k_words", check.per_10k_words, False, check.words)


def coverage(check: CheckReport | None) -> Score:
    """Facts checked / facts checkable, 0 to 1; None where the text states no fact. ``n``: checkable facts."""
    if check is None:
        return Score("coverage", None, True, 0)
    return Score("coverage", check.coverage, True, check.facts_checkable)


def source_diversity(context: StoryContext) -> Score:
    """Simpson's diversity of the context: ``1 - sum(p_g ** 2)``, 0 (one group) to below 1.

    ``p_g`` is the share of the context's tokens that come from group g; a group is one kind of source
    (scene, passage, note) told in one chapter (a note: its latest quote). None for an empty context;
    ``n`` is the number of sources. Simpson, "Measurement of diversity", Nature 163 (1949).
    """
    groups: Counter[tuple[str, int]] = Counter()
    for source in context.sources:
        groups[source.kind, source.chapter] += source.tokens
    total = groups.total()
    if total == 0:
        return Score("source_diversity", None, True, 0)
    ordered = sorted(groups.items())
    value = 1.0 - sum((tokens / total) ** 2 for _, tokens in ordered)
    return Score("source_diversity", value, True, len(context.sources))


def scene_coherence(vectors: Vectors, *, scene: Vectors) -> Score:
    """Mean cosine of the draft's sentences with the mean vector of the preceding scene, -1 to 1.

    ``vectors`` (sentences, d) and ``scene`` (sentences of the scene, d) have rows of length 1. None for
    fewer than two sentences or no scene. After the coherence model of Foltz, Kintsch and Landauer (1998),
    with sentence embeddings for LSA vectors. ``n`` is the number of sentences. High values can also mean
    that the draft repeats the scene: read it beside ``repetition``.
    """
    n = len(vectors)
    if n < 2 or not len(scene):
        return Score("scene_coherence", None, True, n)
    centre = scene.astype(np.float64).mean(axis=0)
    length = float(np.linalg.norm(centre))
    if length == 0.0:
        return Score("scene_coherence", None, True, n)
    value = float((vectors.astype(np.float64) @ (centre / length)).mean())
    return Score("scene_coherence", value, True, n)


def flow(vectors: Vectors) -> Score:
    """Mean cosine of each sentence with the next, -1 to 1; rows of length 1. None for fewer than two.

    Foltz, Kintsch and Landauer, "The measurement of textual coherence with latent semantic analysis",
    Discourse Processes 25 (1998). ``n`` is the number of adjacent pairs.
    """
    pairs = max(0, len(vectors) - 1)
    if pairs == 0:
        return Score("flow", None, True, 0)
    wide = vectors.astype(np.float64)
    return Score("flow", float((wide[:-1] * wide[1:]).sum(axis=1).mean()), True, pairs)


def repetition(text: str) -> Score:
    """Share of the word 4-grams that repeat an earlier one: ``1 - distinct / all``, 0 to below 1.

    Words are compared in lower case, without punctuation. None for fewer than four words; ``n`` is the
    number of 4-grams. It is seq-rep-4 of Welleck et al., "Neural text generation with unlikelihood
    training", ICLR 2020, on words.
    """
    grams = _four_grams(text)
    if not grams:
        return Score("repetition", None, False, 0)
    return Score("repetition", 1.0 - len(set(grams)) / len(grams), False, len(grams))


def copied(text: str, *, context: StoryContext) -> Score:
    """Share of the draft's word 4-grams that stand in its context, 0 to 1: text given back, not written.

    Words as for ``repetition``. None for fewer than four words; ``n`` is the number of 4-grams. After the
    n-gram overlap by which abstractive summaries are told from extractive ones (See, Liu and Manning, ACL
    2017). A name or a set phrase of four words counts too, so a small share is no fault.
    """
    grams, given = _four_grams(text), set(_four_grams(context.text))
    if not grams:
        return Score("copied", None, False, 0)
    return Score("copied", sum(gram in given for gram in grams) / len(grams), False, len(grams))


def presence(text: str, *, characters: Sequence[Sequence[str]]) -> Score:
    """Share of the prompt's characters who appear in the draft under at least one of their names, 0 to 1.

    ``characters`` holds each one's names and aliases, matched as whole words, their case as written. None
    where the prompt named nobody; ``n`` is the number of characters.
    """
    if not characters:
        return Score("presence", None, True, 0)
    found = sum(any(_stands(name, text) for name in names) for names in characters)
    return Score("presence", found / len(characters), True, len(characters))


def retrieved(context: StoryContext) -> Score:
    """How many passages and notes were found, given or left out; a cost. ``n`` is how many were given."""
    given = len(context.context.passages) + len(context.context.notes)
    return Score("retrieved", float(given + len(context.context.left_out)), False, given)


def context_tokens(context: StoryContext) -> Score:
    """Tokens of the rendered context, 0 to the budget; ``n`` is the budget."""
    return Score("context_tokens", float(context.context.tokens), False, context.budget)


def prompt_tokens(generations: Sequence[Generation]) -> Score:
    """Prompt tokens of all calls, a revision included; ``n`` is the number of calls."""
    return Score("prompt_tokens", float(sum(g.prompt_tokens for g in generations)), False, len(generations))


def completion_tokens(generations: Sequence[Generation]) -> Score:
    """Generated tokens of all calls, a dropped revision included; ``n`` is the number of calls."""
    total = float(sum(g.completion_tokens for g in generations))
    return Score("completion_tokens", total, False, len(generations))


def response_time(seconds: Sequence[tuple[str, float]]) -> Score:
    """Seconds of wall time over all stages; None where none was reached; ``n`` is the number of stages."""
    total = sum(value for _, value in seconds) if seconds else None
    return Score("response_time", total, False, len(seconds))


def _four_grams(text: str) -> list[tuple[str, str, str, str]]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return list(zip(words, words[1:], words[2:], words[3:], strict=False))


def _stands(name: str, text: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
