import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.selection import Selection
from fabula.errors import ConfigError

MASKS = st.lists(st.booleans(), max_size=60).map(lambda bits: np.array(bits, np.bool_))


def mask(*bits):
    return np.array(bits, np.bool_)


def test_without_a_mask_the_horizon_selects():
    chosen = Selection(3)
    assert chosen.is_all
    assert chosen.count == len(chosen) == 3
    assert chosen.ordinals().tolist() == [0, 1, 2]
    assert chosen.runs().tolist() == [[0, 3]]
    assert chosen.bits().tolist() == [0b111]
    assert [n in chosen for n in (-1, 0, 2, 3)] == [False, True, True, False]


def test_a_mask_selects_within_the_horizon():
    chosen = Selection(5, mask(0, 1, 1, 0, 1, 1, 1))
    assert not chosen.is_all
    assert chosen.count == 3
    assert chosen.ordinals().tolist() == [1, 2, 4]
    assert chosen.runs().tolist() == [[1, 3], [4, 5]]
    assert chosen.bits().tolist() == [0b10110]
    assert [n in chosen for n in range(7)] == [False, True, True, False, True, False, False]
    assert chosen.admitted(np.array([4, 0, 6, 1])).tolist() == [True, False, False, True]
    assert chosen.first(2).ordinals().tolist() == [1]
    assert chosen.first(9) is chosen


def test_a_mask_that_lets_all_through_is_none():
    assert Selection(2, mask(1, 1, 0)).mask is None
    assert Selection(0, mask()).is_all
    assert Selection(0).runs().shape == (0, 2)
    assert Selection(0).admitted(np.array([0])).tolist() == [False]


def test_the_mask_is_a_copy_that_cannot_be_written_to():
    given_mask = mask(1, 0, 1)
    chosen = Selection(3, given_mask)
    given_mask[:] = False
    assert chosen.count == 2
    with pytest.raises(ValueError, match="read-only"):
        chosen.mask[0] = False


@pytest.mark.parametrize(
    ("limit", "bad"),
    [(-1, None), (3, mask(1, 0)), (1, np.ones(1, np.int8)), (1, np.ones((1, 1), np.bool_))],
)
def test_what_is_no_selection_is_refused(limit, bad):
    with pytest.raises(ConfigError):
        Selection(limit, bad)


def test_of_takes_ordinals_in_any_order():
    assert Selection.of([5, 1, 1, 9, -1], limit=6).ordinals().tolist() == [1, 5]
    assert Selection.of([], limit=3).count == 0
    assert Selection.of([0, 1], limit=2).is_all


@given(MASKS, st.integers(0, 70))
def test_every_helper_tells_the_same(bits, cut):
    chosen = Selection(len(bits), bits).first(cut)
    n = min(cut, len(bits))
    expected = [i for i in range(n) if bits[i]]
    assert chosen.ordinals().tolist() == expected
    assert chosen.count == len(expected)
    assert [i for start, end in chosen.runs().tolist() for i in range(start, end)] == expected
    assert chosen.admitted(np.arange(70)).tolist() == [i in expected for i in range(70)]
    assert np.flatnonzero(np.unpackbits(chosen.bits(), bitorder="little")).tolist() == expected
    assert [i for i in range(70) if i in chosen] == expected
