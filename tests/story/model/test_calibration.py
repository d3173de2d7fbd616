import pytest

from fabula.story.model.predicates import PREDICATES, SURE_ENOUGH, calibrated


@pytest.mark.parametrize("predicate", sorted(name for name, row in PREDICATES.items() if row.lasting))
def test_calibration_keeps_the_order_and_the_range(predicate):
    values = [calibrated(predicate, k / 20) for k in range(21)]
    assert all(0.0 <= value <= 1.0 for value in values)
    assert values == sorted(values)
    assert 0.0 < SURE_ENOUGH < 1.0
