"""The compiled kernels, where the install could build them: of searches, and of a question's vector.

``KERNEL`` and ``ENCODER`` are None where there was no compiler, where what was built is of another version of
the source, and where ``FABULA_NUMPY`` is set; ``ENCODER`` also where the processor has not what it needs.
Every caller keeps its NumPy code beside the call: it says what is computed, tests hold the kernel to it
(searches byte for byte, vectors by cosine), and it is what runs without the kernel.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

_VERSION = 3  # of what the callers expect; each kernel names the one that it has


def _built(name: str) -> Any:
    try:
        return importlib.import_module(f".{name}", __package__)
    except ImportError:
        return None


def _fitting(name: str) -> Any:
    kernel = None if os.environ.get("FABULA_NUMPY") else _built(name)
    return kernel if kernel is not None and kernel.VERSION == _VERSION else None


KERNEL: Any = _fitting("kernel")
"""Takes contiguous arrays of exactly the types that ``kernel.pyx`` names; ValueError where they do not belong
together. Chosen once: before any settings are read, since a choice among equal results is none of theirs."""

ENCODER: Any = _fitting("encoder_kernel")
if ENCODER is not None and not ENCODER.LEVEL:
    ENCODER = None
"""Its ``LEVEL`` is 2 with AVX-512, 1 with AVX2; ``FASTEST`` is 3 where products of bfloat16 with bfloat16 can
be had too."""


def kernel_state() -> tuple[str, str]:
    """What searches run on, in words, and what to do about it (empty: nothing)."""
    if KERNEL is not None:
        return "compiled", ""
    again = "pip install -e . with a C compiler at hand makes searches about twice as fast"
    if os.environ.get("FABULA_NUMPY"):
        return "NumPy, since FABULA_NUMPY is set", ""
    return "NumPy (not compiled)" if _built(
        "kernel"
    ) is None else "NumPy (what is compiled is out of date)", again


def encoder_state() -> str:
    """What questions are embedded on, in words."""
    if ENCODER is None:
        return "NumPy"
    return "compiled, AVX-512" if ENCODER.LEVEL > 1 else "compiled, AVX2"
