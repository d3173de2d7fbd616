"""Where a compiler is at hand the kernels are built, so that their tests are not passed over unseen."""

import os
from pathlib import Path

import pytest

from fabula.core.kernels import compiled


@pytest.mark.skipif(os.environ.get("FABULA_KERNELS_REQUIRED") != "1", reason="no compiler is promised here")
def test_the_kernels_are_there():
    assert compiled.KERNEL is not None
    assert compiled.ENCODER is not None or "avx2" not in Path("/proc/cpuinfo").read_text(encoding="utf-8")
