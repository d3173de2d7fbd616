"""The forward pass of :mod:`.encoders.bert` through the compiled kernel, its weights rounded to bfloat16."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import compiled
from .bert import Array, EncoderShape, QueryEncoder, Weights, placed, scale_and_shift

_TILE = 16
_PAIRED = 3  # the level at which inputs go in pairs


def can_compile(shape: EncoderShape) -> bool:
    """Do the encoder's sizes fit the kernel's registers?"""
    sizes = (shape.width, shape.inner, shape.width // shape.heads)
    return shape.width % shape.heads == 0 and not any(size % _TILE for size in sizes)


class CompiledQueryEncoder:
    """As :class:`.encoders.bert.QueryEncoder`; vectors have a cosine above .9999 to its, and are the same on
    every call. Threads may share it. ``level`` asks for other instructions than the kernel's ``LEVEL``: its
    ``FASTEST`` rounds what the matrices are given too, which is quicker for texts of some length."""

    def __init__(
        self, shape: EncoderShape, weights: Weights, kernel: Any, *, level: int | None = None
    ) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places, self._second = placed(weights)
        chosen = kernel.LEVEL if level is None else level
        matrices: list[NDArray[np.uint16]] = []
        constants: list[Array] = []
        for layer in range(shape.layers):
            at = f"encoder.layer.{layer}."
            _pack(shape, weights, at, matrices, constants, paired=chosen == _PAIRED)
        packed = np.concatenate(matrices), np.concatenate(constants)
        norm = np.concatenate(scale_and_shift(weights, "embeddings.LayerNorm"))

        def made(*, mean: bool) -> Callable[[Array], Array]:
            run: Callable[[Array], Array] = kernel.Encoder(
                *packed,
                norm,
                layers=shape.layers,
                heads=shape.heads,
                width=shape.width,
                inner=shape.inner,
                epsilon=shape.epsilon,
                mean=mean,
                level=chosen,
            )
            return run

        self._run, self._run_states = made(mean=shape.mean), made(mean=False)

    def __call__(self, ids: Sequence[int]) -> Array:
        return self._run(self._embedded(ids, len(ids)))

    def states(self, ids: Sequence[int], *, second: int) -> Array:
        """As :meth:`.encoders.bert.QueryEncoder.states`."""
        rows = self._embedded(ids, second)
        self._run_states(rows)
        return rows

    def _embedded(self, ids: Sequence[int], second: int) -> Array:
        rows: Array = self._words[np.asarray(ids)]
        rows += self._places[: len(ids)]
        rows[second:] += self._second
        return rows


def encoder_of(
    shape: EncoderShape, weights: Weights, *, exact: bool = False, fastest: bool = False
) -> QueryEncoder | CompiledQueryEncoder:
    """An encoder with these weights, compiled where that can be, unless it is to be ``exact``. ``fastest``
    rounds more, which is quicker for texts of some length."""
    kernel = compiled.ENCODER
    if kernel is None or exact or not can_compile(shape):
        return QueryEncoder(shape, weights)
    return CompiledQueryEncoder(shape, weights, kernel, level=kernel.FASTEST if fastest else None)


def _pack(
    shape: EncoderShape,
    weights: Weights,
    at: str,
    matrices: list[NDArray[np.uint16]],
    constants: list[Array],
    *,
    paired: bool,
) -> None:
    """One layer in the order in which the kernel reads it; queries divided by the root of a head's width,
    and the half of GELU taken into the matrix behind it."""
    scale = np.float32((shape.width // shape.heads) ** -0.5)
    own = f"{at}attention.self."
    parts = [(own + "query", scale), (own + "key", np.float32(1)), (own + "value", np.float32(1))]
    matrices.append(_tiles(np.concatenate([weights[f"{n}.weight"] * f for n, f in parts]), paired=paired))
    constants += [weights[f"{name}.bias"] * factor for name, factor in parts]
    for name, factor in (("attention.output", 1.0), ("intermediate", 1.0), ("output", 0.5)):
        matrices.append(_tiles(weights[f"{at}{name}.dense.weight"] * np.float32(factor), paired=paired))
        constants.append(weights[f"{at}{name}.dense.bias"])
        if name != "intermediate":
            constants += scale_and_shift(weights, f"{at}{name}.LayerNorm")


def _tiles(matrix: Array, *, paired: bool) -> NDArray[np.uint16]:
    """(out, in) as tiles (in, 16) of bfloat16, or (in / 2, 16, 2) for paired inputs; ties to even."""
    out, into = matrix.shape
    together = 2 if paired else 1
    parts = matrix.reshape(out // _TILE, _TILE, into // together, together)
    cut = np.ascontiguousarray(parts.swapaxes(1, 2))
    bits = cut.reshape(-1).view(np.uint32)
    rounded: NDArray[np.uint16] = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return rounded
