"""What is measured on a result, a file each. None of them knows which pipeline wrote the text.

Every score says whether higher is better and over how many items (``n``) it was taken; its value is None
where there was nothing to judge, which is not the same as zero.
"""

from __future__ import annotations

from .arc_plausibility import arc_plausibility
from .consistency import consistency, coverage, violations_per_10k_words
from .copied import copied
from .costs import completion_tokens, context_tokens, prompt_tokens, response_time, retrieved
from .entity_graph import entity_graph
from .grounding import grounding
from .presence import presence
from .repetition import distinct, longest_repeat, repetition
from .score import Score, Vectors
from .sentence_similarity import flow, scene_coherence
from .source_diversity import source_diversity, useful_diversity

__all__ = [
    "Score",
    "Vectors",
    "arc_plausibility",
    "completion_tokens",
    "consistency",
    "context_tokens",
    "copied",
    "coverage",
    "distinct",
    "entity_graph",
    "flow",
    "grounding",
    "longest_repeat",
    "presence",
    "prompt_tokens",
    "repetition",
    "response_time",
    "retrieved",
    "scene_coherence",
    "source_diversity",
    "useful_diversity",
    "violations_per_10k_words",
]
