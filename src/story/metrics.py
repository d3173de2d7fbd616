"""Metrics of drafts and their contexts, a function each. None of them knows which pipeline wrote the text.

Every score says whether higher is better and over how many items (``n``) it was taken; its value is None
where there was nothing to judge, which is not the same as zero.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.types import Generation
from .model.findings import CheckReport
from .writing.context import Source, StoryContext

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Score:
    """One measured value. ``n`` counts what it was taken over (facts, sentences, words, items)."""

    name: str
    value: float | None
    higher_is_better: bool
    n: int


def _share(name: str, part: float, n: int, *, higher_is_better: bool = True) -> Score:
    """``part`` of ``n``; None of nothing."""
    return Score(name, part / n if n else None, higher_is_better, n)


# --- consistency ------------------------------------------------------------------------------------


def consistency(check: CheckReport | None) -> Score:
    """``max(0, 1 - 0.1 * violations)``, 0 to 1; None where no fact could be checked.

    It saturates at ten violations and rewards a text that says nothing: read it beside
    ``violations_per_10k_words`` and ``coverage``. ``n`` is the number of facts checked.
    """
    checked = check.facts_checked if check else 0
    return Score("consistency", check.consistency if check else None, True, checked)


def violations_per_10k_words(check: CheckReport | None) -> Score:
    """10,000 x violations / words, 0 and up; None where nothing could be checked. ``n``: words."""
    value, words = (check.per_10k_words, check.words) if check else (None, 0)
    return Score("violations_per_10k_words", value, False, words)


def coverage(check: CheckReport | None) -> Score:
    """Facts checked / facts checkable, 0 to 1; None where the text states no fact. ``n``: checkable facts."""
    value, checkable = (check.coverage, check.facts_checkable) if check else (None, 0)
    return Score("coverage", value, True, checkable)


def presence(text: str, *, characters: Sequence[Sequence[str]]) -> Score:
    """Share of the prompt's characters who appear in the draft under at least one of their names, 0 to 1.

    ``characters`` holds each one's names and aliases, matched as whole words, their case as written. None
    where the prompt named nobody; ``n`` is the number of characters.
    """
    found = sum(any(_stands(name, text) for name in names) for names in characters)
    return _share("presence", found, len(characters))


# --- wording and coherence --------------------------------------------------------------------------


def repetition(text: str) -> Score:
    """Share of the word 4-grams that repeat an earlier one: ``1 - distinct / all``, 0 to below 1.

    Words are compared in lower case, without punctuation. None for fewer than four words; ``n`` is the
    number of 4-grams. It is seq-rep-4 of Welleck et al., "Neural text generation with unlikelihood
    training", ICLR 2020, on words.
    """
    grams = _n_grams(text, 4)
    value = 1.0 - len(set(grams)) / len(grams) if grams else None
    return Score("repetition", value, False, len(grams))


def distinct_2(text: str) -> Score:
    """distinct-2: different word pairs / all word pairs, above 0 to 1.

    None for fewer than two words; ``n`` is the number of pairs. Li et al., "A diversity-promoting objective
    function for neural conversation models", NAACL 2016. It falls with length, so compare texts of about the
    same.
    """
    grams = _n_grams(text, 2)
    return _share("distinct_2", len(set(grams)), len(grams))


def copied(text: str, *, context: StoryContext) -> Score:
    """Share of the draft's word 4-grams that stand in its context, 0 to 1: text given back, not written.

    Words as for ``repetition``. None for fewer than four words; ``n`` is the number of 4-grams. After the
    n-gram overlap by which abstractive summaries are told from extractive ones (See, Liu and Manning, ACL
    2017). A name or a set phrase of four words counts too, so a small share is no fault.
    """
    grams, given = _n_grams(text, 4), set(_n_grams(context.text, 4))
    return _share("copied", sum(gram in given for gram in grams), len(grams), higher_is_better=False)


def scene_coherence(vectors: Vectors, *, scene: Vectors) -> Score:
    """Mean cosine of the draft's sentences with the mean vector of the preceding scene, -1 to 1.

    ``vectors`` (sentences, d) and ``scene`` (sentences of the scene, d) have rows of length 1. None for
    fewer than two sentences or no scene. After the coherence model of Foltz, Kintsch and Landauer (1998),
    with sentence embeddings for LSA vectors. ``n`` is the number of sentences. High values can also mean
    that the draft repeats the scene: read it beside ``repetition``.
    """
    centre = scene.astype(np.float64).mean(axis=0) if len(scene) else np.zeros(scene.shape[1:])
    length = float(np.linalg.norm(centre))
    if len(vectors) < 2 or length == 0.0:
        return Score("scene_coherence", None, True, len(vectors))
    value = float((vectors.astype(np.float64) @ (centre / length)).mean())
    return Score("scene_coherence", value, True, len(vectors))


# --- the context and what it cost -------------------------------------------------------------------


def useful_diversity(context: StoryContext, *, characters: Sequence[Sequence[str]]) -> Score:
    """Recall x Simpson's diversity of what was recalled, 0 to below 1.

    Recall is the share of ``characters`` (each one's names) whom a source names; the diversity is
    ``1 - sum(p_g ** 2)`` over the sources that name one of them, and no others, where ``p_g`` is the share of
    their tokens that come from group g: one kind of source (scene, passage, note) told in one chapter (a
    note: its latest quote). Simpson, "Measurement of diversity", Nature 163 (1949). Scraps about nobody who
    was asked for add nothing, and neither does breadth that misses the people: the thought behind subtopic
    recall (Zhai, Cohen and Lafferty, SIGIR 2003), with the prompt's people for subtopics. None where the
    prompt named nobody or the context is empty; ``n`` is the number of sources that name somebody.
    """
    if not characters or not sum(source.tokens for source in context.sources):
        return Score("useful_diversity", None, True, 0)
    named = [
        {place for place, names in enumerate(characters) if any(_stands(name, source.text) for name in names)}
        for source in context.sources
    ]
    useful = [source for source, people in zip(context.sources, named, strict=True) if people]
    recall = len(set[int]().union(*named)) / len(characters)
    return Score("useful_diversity", recall * _simpson(useful), True, len(useful))


def _simpson(sources: Iterable[Source]) -> float:
    groups: Counter[tuple[str, int]] = Counter()
    for source in sources:
        groups[source.kind, source.chapter] += source.tokens
    total = groups.total()
    if total == 0:
        return 0.0
    return 1.0 - sum((tokens / total) ** 2 for _, tokens in sorted(groups.items()))


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


def _n_grams(text: str, n: int) -> list[tuple[str, ...]]:
    """All runs of ``n`` words, in order; none where the text is shorter."""
    words = [word.casefold() for word in _WORD.findall(text)]
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def _stands(name: str, text: str) -> bool:
    """Does the name stand in the text as whole words, its case as written?"""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
