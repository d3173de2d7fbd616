"""What a result took: sources, tokens, seconds."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.types import Generation
from ..writing.context import StoryContext
from .score import Score

__all__ = ["completion_tokens", "context_tokens", "prompt_tokens", "response_time", "retrieved"]


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
