"""The compiled kernels, where the install could build them: of searches, and of a question's vector.

``KERNEL`` and ``ENCODER`` are None where there was no compiler, where what was built is of another version of
the source, and where ``FABULA_NUMPY`` is set; ``ENCODER`` also where the processor has not what it needs.
Every caller keeps its NumPy code beside the call: it says what is computed, tests hold the kernel to it
(searches byte for byte, vectors by cosine), and it is what runs without the kernel.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

_VERSION = 3  # of what is declared below; each kernel names the one that it has

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ordinals = NDArray[np.intp]
Posted = list[tuple[Ints, Floats]]


class Kernel(Protocol):
    """What ``kernel.pyx`` offers. Arrays are contiguous and of exactly these types; ValueError where they do
    not belong together."""

    VERSION: int

    def gains(self, chunks: Ints, counts: Ints, norms: Floats, factor: float) -> Floats:
        """As :func:`.lexical.postings.gains`."""
        ...

    def sums(self, postings: Posted, weights: list[float], n: int) -> Floats:
        """As :func:`.lexical.postings.sums`."""
        ...

    def sums_at(self, postings: Posted, weights: list[float], ordinals: Ordinals) -> Floats:
        """As :func:`.lexical.postings.sums_at`."""
        ...

    def leaders(
        self, postings: Posted, weights: list[float], n: int, k: int, mask: NDArray[np.bool_] | None
    ) -> tuple[Ordinals, Floats]:
        """As :func:`.lexical.postings.leaders`; other threads run meanwhile."""
        ...

    def ranked(self, ordinals: Ordinals, scores: Singles, k: int) -> tuple[Ordinals, Singles]:
        """As :func:`.kernels.top_k.ranked`."""
        ...

    def rows(self, table: Singles, ordinals: Ordinals) -> Singles:
        """``table[ordinals]``, the rows fetched ahead."""
        ...

    def near(
        self,
        signs: NDArray[np.uint64],
        coded: NDArray[np.uint8],
        turned: Singles,
        limit: int,
        k: int,
        first: int,
        width: int,
        scale: float,
    ) -> Ordinals:
        """As :func:`.vectors.codes.near`; other threads run meanwhile."""
        ...

    def union(self, left: Ordinals, right: Ordinals) -> Ordinals:
        """As :func:`.kernels.top_k.union`."""
        ...

    def evidence(
        self,
        words: Ints,
        ends: NDArray[np.int64],
        ordinals: Ordinals,
        numbers: list[int],
        idf: tuple[float, ...],
        total: float,
    ) -> tuple[Floats, Floats]:
        """As :func:`.text.term_evidence.measured`, of the words from ``ends[i]`` to ``ends[i + 1]``."""
        ...

    def fuse(
        self,
        ordinals: Ordinals,
        table: Floats,
        factors: list[float],
        names: list[str],
        k: int,
        fused: type[Any],
        share: type[Any],
    ) -> list[Any]:
        """As the last steps of :func:`.fusion.table.fuse_table`, into objects of these two types."""
        ...

    def chunks(
        self,
        document: str,
        text: str,
        table: NDArray[np.int64],
        ordinals: list[int],
        name: Callable[[str, Any, str], str],
        chunk: type[Any],
        span: type[Any],
    ) -> list[Any]:
        """As :meth:`.chunks.table.ChunkTable.some`; ``name`` makes an id."""
        ...

    def passages(self, chunks: list[Any], ranked: list[Any], passage: type[Any]) -> list[Any]:
        """Of each chunk and what fusion said of it."""
        ...


class EncoderKernel(Protocol):
    """What ``encoder_kernel.pyx`` offers. ``LEVEL`` is 2 with AVX-512, 1 with AVX2, 0 where it cannot run;
    ``FASTEST`` is 3 where products of bfloat16 with bfloat16 can be had too."""

    VERSION: int
    LEVEL: int
    FASTEST: int

    def Encoder(  # noqa: N802 (a class)
        self,
        weights: NDArray[np.uint16],
        constants: Singles,
        norm: Singles,
        *,
        layers: int,
        heads: int,
        width: int,
        inner: int,
        epsilon: float,
        mean: bool,
        level: int,
    ) -> Callable[[Singles], Singles]:
        """An encoder with these weights: bfloat16 bits, in the order of
        :class:`.encoders.bert_compiled.CompiledQueryEncoder`.

        Called with the summed embeddings of a text's tokens, shape (n, width), which it uses up, it gives the
        text's vector of length 1, shape (width,). Raises ValueError for sizes that 16 does not divide, arrays
        that do not fit them, or a ``level`` above ``LEVEL``.
        """
        ...


def _built(name: str) -> Any:
    try:
        return importlib.import_module(f".{name}", __package__)
    except ImportError:
        return None


def _fitting(name: str) -> Any:
    kernel = None if os.environ.get("FABULA_NUMPY") else _built(name)
    return kernel if kernel is not None and kernel.VERSION == _VERSION else None


def _encoder() -> EncoderKernel | None:
    kernel = cast("EncoderKernel | None", _fitting("encoder_kernel"))
    return kernel if kernel is not None and kernel.LEVEL else None


KERNEL = cast("Kernel | None", _fitting("kernel"))
"""Chosen once: before any settings are read, since a choice among equal results is none of theirs."""

ENCODER = _encoder()


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
