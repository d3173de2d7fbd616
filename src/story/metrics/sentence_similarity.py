"""Coherence by sentence embeddings: with the scene before, and from sentence to sentence."""

from __future__ import annotations

import numpy as np

from .score import Score, Vectors

__all__ = ["flow", "scene_coherence"]


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
