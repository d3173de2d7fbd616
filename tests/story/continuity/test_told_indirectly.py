"""Slips of which either side is told by a turn of phrase: secrets that are let out, and days in two towns."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak
from fabula.story.continuity.rules.two_places_at_once import TwoPlacesAtOnce

from .told_story import FILLER, story


@pytest.mark.parametrize(
    "shown",
    [
        "“Did you sell the emeralds?” asked Elena.",
        "“I wonder whether the emeralds were sold,” said Elena.",
        "Elena knew nothing of the emeralds that had been sold.",
    ],
)
def test_who_asks_or_does_not_know_lets_nothing_out(shown) -> None:
    kept = "Nobody had ever told Elena that Marcus had sold the emeralds."
    assert list(KnowledgeLeak().find(story(f"{FILLER}\n\n{kept}", FILLER, f"{FILLER}\n\n{shown}"))) == []


def test_who_was_told_in_between_knows() -> None:
    kept = "Nobody had ever told Elena that Marcus had sold the emeralds."
    told = "Marcus told Elena that he had sold the emeralds."
    shown = "“It was you who sold the emeralds,” said Elena."
    view = story(f"{FILLER}\n\n{kept}", f"{told} {FILLER}", f"{FILLER}\n\n{shown}")
    assert list(KnowledgeLeak().find(view)) == []


HERE = "Marcus was in Paris on the fourth of June, and went to the opera."
THERE = "On the fourth of June Marcus stood on the quay at Cork."


def test_one_day_in_two_towns() -> None:
    [finding] = TwoPlacesAtOnce().find(story(f"{FILLER}\n\n{HERE} {FILLER}\n\n{THERE}"))
    assert [quote.quote for quote in finding.evidence] == [HERE, THERE]


def test_a_date_may_be_of_another_year_where_chapters_lie_between() -> None:
    view = story(f"{FILLER}\n\n{HERE}", FILLER, FILLER, f"{FILLER}\n\n{THERE}")
    assert list(TwoPlacesAtOnce().find(view)) == []
