"""What signs of presence weigh."""

import pytest

from fabula.story.extraction.presence.signs import BASE, chance, log_odds, odds


def test_odds_and_chance():
    assert odds({}) == BASE
    assert odds({"acts": 1}) < odds({"acts": 2}) < odds({"acts": 2, "says": 1})
    assert odds({"acts": 1, "thought of": 1}) < odds({"acts": 1})
    assert chance(0.0) == 0.5
    assert log_odds(chance(1.25)) == pytest.approx(1.25)
