"""Low-rank adapters (LoRA: Hu et al., 2021) fitted to the encoder of search, put into its weights."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np

from ...errors import ModelMissing
from .bert import EncoderShape, QueryEncoder, Weights, read_weights
from .bert_compiled import CompiledQueryEncoder, encoder_of

ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""The matrices of a layer that have adapters, in the order in which the weights file numbers them."""


def read_adapters(file: Path) -> Weights:
    """The arrays of a weights file, in float32. Raises ModelMissing where it cannot be read."""
    try:
        with np.load(file) as arrays:
            return {name: arrays[name].astype(np.float32) for name in arrays.files}
    except (OSError, ValueError) as error:
        raise ModelMissing(f"{file.name} cannot be read ({error}): install fabula again") from error


def adapted_encoder(
    shape: EncoderShape, fitted: Weights, *, fastest: bool = False
) -> QueryEncoder | CompiledQueryEncoder:
    """The encoder with the adapters in it, compiled where that can be. ``fastest`` rounds more, which is
    quicker for texts of some length."""
    return encoder_of(shape, adapted(read_weights(shape), fitted, shape.layers), fastest=fastest)


def adapted(weights: Weights, fitted: Weights, layers: int) -> Weights:
    """The encoder's weights with those of a weights file in them: of each matrix its adapter's factors and
    the bias (``a0 b0 c0 …``), the norms (``n0 …``), what a token's text adds."""
    found = dict(weights)
    found["embeddings.token_type_embeddings.weight"] = fitted["kinds"]
    found["embeddings.LayerNorm.weight"], found["embeddings.LayerNorm.bias"] = fitted["norm"]
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        for place, name in enumerate(ADAPTED):
            number = len(ADAPTED) * layer + place
            low = fitted[f"b{number}"] @ fitted[f"a{number}"]
            found[f"{at}{name}.weight"] = weights[f"{at}{name}.weight"] + low
            found[f"{at}{name}.bias"] = fitted[f"c{number}"]
        for place, name in enumerate(("attention.output.LayerNorm", "output.LayerNorm")):
            scale_and_shift = fitted[f"n{2 * layer + place}"]
            found[f"{at}{name}.weight"], found[f"{at}{name}.bias"] = scale_and_shift
    return found


class CrossEncoder:
    """The encoder of search with adapters by which it reads two texts together. Threads may share one. Loads
    at first use; reads on as many threads as there are processors, four at most. Raises ModelMissing where
    the encoder or the ``weights`` are not there."""

    def __init__(self, shape: EncoderShape, weights: Path) -> None:
        self._shape = shape
        self._file = weights

    @cached_property
    def version(self) -> str:
        """The first letters of the digest of the weights."""
        return sha256(self._file.read_bytes()).hexdigest()[:12]

    @cached_property
    def _fitted(self) -> Weights:
        return read_adapters(self._file)

    @cached_property
    def _encoder(self) -> QueryEncoder | CompiledQueryEncoder:
        return adapted_encoder(self._shape, self._fitted, fastest=True)

    @cached_property
    def _workers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(min(4, os.cpu_count() or 1), thread_name_prefix="cross-encoder")
