"""Breadth counts where it reaches who was asked for."""

import pytest

from fabula.core.types import Context
from fabula.story.metrics import source_diversity, useful_diversity
from fabula.story.writing.context import Source, StoryContext

PEOPLE = (("Anna Reed", "Anna"), ("Tom",))


def context(*sources):
    made = tuple(
        Source("passage", "World", "l", chapter, tokens, text, ()) for chapter, tokens, text in sources
    )
    return StoryContext(Context(tokens=1), None, made, "text", 100)


def test_recall_times_the_diversity_of_what_was_recalled():
    # Anna in ch. 1 (30 tokens) and ch. 2 (10), nobody in ch. 3; Tom nowhere
    score = useful_diversity(
        context((1, 30, "Anna came."), (2, 10, "Miss Anna Reed went."), (3, 60, "It rained.")),
        characters=PEOPLE,
    )
    assert score.value == pytest.approx(1 / 2 * (1 - (0.75**2 + 0.25**2)))
    assert score.n == 2


def test_scraps_of_no_use_win_nothing():
    whole = context((1, 50, "Anna and Tom."), (2, 50, "Tom and Anna."))
    scraps = context(*((n, 10, "It rained.") for n in range(1, 10)), (10, 10, "Anna."))
    assert source_diversity(scraps).value > source_diversity(whole).value
    assert useful_diversity(scraps, characters=PEOPLE).value == 0.0
    assert useful_diversity(whole, characters=PEOPLE).value == pytest.approx(0.5)


def test_nothing_to_judge():
    assert useful_diversity(context((1, 9, "Anna.")), characters=()).value is None
    assert useful_diversity(context(), characters=PEOPLE).value is None
    assert useful_diversity(context((1, 9, "Rain.")), characters=PEOPLE).value == 0.0
