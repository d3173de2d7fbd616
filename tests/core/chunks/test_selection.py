import numpy as np
import pytest

from fabula.core.chunks.table import Selection
from fabula.errors import ConfigError


def mask(*bits):
    return np.array(bits, np.bool_)


def test_a_mask_selects_within_the_horizon_and_one_that_lets_all_through_is_none():
    assert [n in Selection(3) for n in (-1, 0, 2, 3)] == [False, True, True, False]
    assert Selection(2, mask(1, 1, 0)).mask is Selection(0, mask()).mask is None
    chosen = Selection(5, mask(0, 1, 1, 0, 1, 1, 1))
    assert chosen.mask.tolist() == [False, True, True, False, True]
    assert [n in chosen for n in range(7)] == [False, True, True, False, True, False, False]


def test_the_mask_is_a_copy_that_cannot_be_written_to():
    given_mask = mask(1, 0, 1)
    chosen = Selection(3, given_mask)
    given_mask[:] = False
    assert chosen.mask.tolist() == [True, False, True]
    with pytest.raises(ValueError, match="read-only"):
        chosen.mask[0] = False


@pytest.mark.parametrize(
    ("limit", "bad"),
    [(-1, None), (3, mask(1, 0)), (1, np.ones(1, np.int8)), (1, np.ones((1, 1), np.bool_))],
)
def test_what_is_no_selection_is_refused(limit, bad):
    with pytest.raises(ConfigError):
        Selection(limit, bad)
