"""What the critic said of a text, as scores."""

from __future__ import annotations

from ..model.findings import CheckReport
from .score import Score

__all__ = ["consistency", "coverage", "violations_per_10k_words"]


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
