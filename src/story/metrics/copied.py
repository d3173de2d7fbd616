"""How much of a draft was only given back."""

from __future__ import annotations

from ..writing.context import StoryContext
from .score import Score
from .words import n_grams

__all__ = ["copied"]


def copied(text: str, *, context: StoryContext) -> Score:
    """Share of the draft's word 4-grams that stand in its context, 0 to 1: text given back, not written.

    Words as for ``repetition``. None for fewer than four words; ``n`` is the number of 4-grams. After the
    n-gram overlap by which abstractive summaries are told from extractive ones (See, Liu and Manning, ACL
    2017). A name or a set phrase of four words counts too, so a small share is no fault.
    """
    grams, given = n_grams(text, 4), set(n_grams(context.text, 4))
    if not grams:
        return Score("copied", None, False, 0)
    return Score("copied", sum(gram in given for gram in grams) / len(grams), False, len(grams))
