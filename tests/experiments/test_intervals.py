import pytest

from fabula.story.model.rates import wilson


def test_wilson_by_hand():
    # p = 1/2, n = 4, z = 1.96: (0.5 + z2/8 -+ z*sqrt(0.25/4 + z2/64)) / (1 + z2/4)
    assert wilson(2, 4) == pytest.approx((0.15, 0.85), abs=5e-4)
    assert wilson(9, 10) == (0.5958, 0.9821)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0 and wilson(10, 10)[1] == 1.0
