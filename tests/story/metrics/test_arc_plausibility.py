"""How usual a swing is, by counting."""

import pytest

from fabula.story.metrics import arc_plausibility


def test_the_share_of_moves_at_least_as_large():
    before = [0.1, -0.2, 0.3, -0.4, 0.5, 0.0, 0.0, 0.1, 0.1]
    # -0.4: two of nine (0.4, 0.5) are as large; 1.9: none
    score = arc_plausibility([-0.4, 1.9], before=before)
    assert score.value == pytest.approx(((1 + 2) / 10 + (1 + 0) / 10) / 2)
    assert (score.n, score.higher_is_better) == (2, True)


def test_no_move_is_always_usual_and_little_past_says_nothing():
    assert arc_plausibility([0.0], before=[0.5] * 5).value == 1.0
    assert arc_plausibility([0.4], before=[0.5] * 4).value is None
    assert arc_plausibility([], before=[0.5] * 9).value is None


def test_a_sum_that_rounds_is_still_as_large():
    assert arc_plausibility([0.1 + 0.2], before=[0.3] * 5).value == 1.0
