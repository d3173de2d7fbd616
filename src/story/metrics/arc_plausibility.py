"""Are the emotional moves of a draft's characters such as the story has made before?"""

from __future__ import annotations

from collections.abc import Sequence

from .score import Score

__all__ = ["LEAST_MOVES", "arc_plausibility"]

LEAST_MOVES = 5
_SLACK = 1e-9


def arc_plausibility(moves: Sequence[float], *, before: Sequence[float]) -> Score:
    """Mean, over the draft's characters, of how usual the size of their move is, above 0 to 1.

    ``moves`` holds each character's change of valence (-2 to 2) from their last state before the draft to
    their state in it; ``before`` the changes of all characters from chapter to chapter so far. A move d is
    as usual as ``(1 + the moves before at least as large) / (1 + all moves before)``: the p value of a
    permutation test with the observed counted (Phipson and Smyth, "Permutation p-values should never be
    zero", 2010), or the conformal p value of the move. None where the draft moves nobody, or for fewer
    than five moves before; ``n`` is the number of the draft's moves.

    Only sizes are compared, whoever made them and whatever came between: a turning point that is earned
    scores low too, and a draft in which nothing is felt scores high. It finds swings that the story does
    not make; it praises nothing.
    """
    if not moves or len(before) < LEAST_MOVES:
        return Score("arc_plausibility", None, True, len(moves))
    sizes = [abs(move) for move in before]
    usual = [(1 + sum(size >= abs(move) - _SLACK for size in sizes)) / (1 + len(sizes)) for move in moves]
    return Score("arc_plausibility", sum(usual) / len(usual), True, len(moves))
