import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.kernels import compiled
from fabula.core.kernels.top_k import best


@pytest.mark.skipif(os.environ.get("FABULA_KERNELS_REQUIRED") != "1", reason="no compiler is promised here")
def test_the_kernels_are_there():
    assert compiled.KERNEL is not None
    assert compiled.ENCODER is not None or "avx2" not in Path("/proc/cpuinfo").read_text(encoding="utf-8")


def _sorted(scores, k):
    order = sorted((i for i in range(len(scores)) if scores[i] > 0), key=lambda i: (-scores[i], i))
    return order[:k]


@pytest.mark.parametrize("n", [0, 1, 63, 64, 1000, 4097, 20_011])
@pytest.mark.parametrize("k", [0, 1, 10, 90])
@pytest.mark.parametrize("share", [0.001, 0.2, 1.0])
def test_equals_a_full_sort(n, k, share):
    rng = np.random.default_rng(n + k)
    scores = rng.random(n) * (rng.random(n) < share)
    assert best(scores, k).tolist() == _sorted(scores, k)


@given(st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0]), max_size=900), st.integers(1, 12))
def test_ties_go_to_the_lower_index(values, k):
    scores = np.array(values)
    assert best(scores, k).tolist() == _sorted(scores, k)
