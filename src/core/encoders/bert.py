"""BERT sentence encoders read from their own files, and a forward pass for one text in NumPy alone.

A question must not wait for torch: this module imports NumPy, ``tokenizers`` and ``safetensors``, and
computes in float32 what sentence-transformers does (BERT: Devlin et al. 2019; mean pooling over tokens:
Reimers & Gurevych 2019). Whole chapters go through :mod:`.encoders.bert_torch`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelMissing

if TYPE_CHECKING:
    from tokenizers import Encoding

Array = NDArray[np.float32]
Weights = dict[str, Array]

_TILE = 64
_UNPACKED = 1_000_000
"""OpenBLAS multiplies matrices without packing them, on the caller's thread, where rows x inner x columns
is at most this (its "small matrix" kernels). For ten tokens, packing weights costs more than the product."""

_ERF = (
    0.7978842683893124,
    0.03633414920121036,
    -3.302677352232536e-05,
    -5.5273362302414216e-05,
    3.974066903762093e-06,
    -1.3378291971341665e-07,
    1.8139200667894475e-09,
)
"""erf(x / sqrt 2) = tanh(x * P(x²)), P's coefficients from the constant up: minimax in the error of GELU,
6.6e-8 in exact arithmetic and below 6e-7 in float32."""


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """Sizes of a BERT sentence encoder. ``limit`` is the most tokens it reads, marks at both ends included;
    ``mean`` pools over all tokens, otherwise the first one's vector is the text's."""

    folder: Path
    layers: int
    heads: int
    width: int
    inner: int
    limit: int
    epsilon: float
    mean: bool


def read_shape(folder: Path) -> EncoderShape | None:
    """The encoder in a folder, or None where its files are not those of a plain BERT sentence encoder
    (``config.json``, ``modules.json``, ``tokenizer.json``, ``model.safetensors``; no prompts; mean or
    first-token pooling), which sentence-transformers may still know how to read."""
    try:
        modules = _json(folder / "modules.json")
        kinds = [str(m["type"]).rpartition(".")[2] for m in modules]
        if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
            return None
        bert = _json(folder / modules[0]["path"] / "config.json")
        pooling = _pooling(_json(folder / modules[1]["path"] / "config.json"))
        extra = _optional(folder / "config_sentence_transformers.json")
        files = all((folder / name).is_file() for name in ("tokenizer.json", "model.safetensors"))
        positions = int(bert["max_position_embeddings"])
        stated = _optional(folder / "sentence_bert_config.json").get("max_seq_length") or positions
        shape = EncoderShape(
            folder=folder,
            layers=int(bert["num_hidden_layers"]),
            heads=int(bert["num_attention_heads"]),
            width=int(bert["hidden_size"]),
            inner=int(bert["intermediate_size"]),
            limit=min(int(stated), positions),
            epsilon=float(bert["layer_norm_eps"]),
            mean=pooling == "mean",
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    plain = (
        files
        and modules[0]["path"] == ""
        and pooling in {"mean", "cls"}
        and bert.get("model_type") == "bert"
        and bert.get("hidden_act") == "gelu"
        and bert.get("position_embedding_type", "absolute") == "absolute"
        and not any((extra.get("prompts") or {}).values())
        and shape.width % _TILE == shape.width % shape.heads == shape.inner % shape.width == 0
    )
    return shape if plain else None


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _optional(path: Path) -> dict[str, Any]:
    found = _json(path) if path.is_file() else {}
    if not isinstance(found, dict):
        raise ValueError(f"{path} holds no settings")
    return found


def _pooling(config: dict[str, Any]) -> str:
    if "pooling_mode" in config:
        return str(config["pooling_mode"])
    chosen = [key for key, on in config.items() if key.startswith("pooling_mode_") and on]
    names = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    return names.get(chosen[0], "") if len(chosen) == 1 else ""


def read_weights(shape: EncoderShape) -> Weights:
    """All float32 tensors by name. Raises ModelMissing where one is missing or the file is damaged, and
    MemoryError where there is no room for twice the file."""
    from safetensors import SafetensorError, safe_open

    weights: Weights = {}
    path = shape.folder / "model.safetensors"
    try:
        np.empty(2 * path.stat().st_size, np.uint8)  # without room the library, in Rust, would panic
        with safe_open(path, framework="np") as file:
            for name in file.keys():  # noqa: SIM118 (it is not a mapping)
                if file.get_slice(name).get_dtype() == "F32":
                    weights[name.removeprefix("bert.")] = file.get_tensor(name)
        if weights["embeddings.word_embeddings.weight"].shape[1] != shape.width:
            raise KeyError("embeddings of the configured width")
        weights[f"encoder.layer.{shape.layers - 1}.output.LayerNorm.bias"]
    except (OSError, SafetensorError, KeyError) as error:
        raise ModelMissing(f"{path} cannot be read ({error}): install the embedding model again") from error
    return weights


class TextTokens:
    """Texts to token ids, cut at ``limit``."""

    def __init__(self, shape: EncoderShape, *, limit: int) -> None:
        from tokenizers import Tokenizer

        self.limit = limit
        self._tokenizer = Tokenizer.from_file(str(shape.folder / "tokenizer.json"))
        self._tokenizer.no_padding()  # files carry the padding and the cut of their training
        self._tokenizer.enable_truncation(limit)
        self._whole: Tokenizer | None = None

    def one(self, text: str) -> list[int]:
        """The ids of one text, those of the marks at its ends included; at most ``limit``."""
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids

    def starts(self, text: str) -> list[int]:
        """Where the text's tokens begin in it, however many there are, without the marks at its ends."""
        from tokenizers import Tokenizer

        if self._whole is None:
            self._whole = Tokenizer.from_str(self._tokenizer.to_str())
            self._whole.no_truncation()
        return [start for start, _ in self._whole.encode(text, add_special_tokens=False).offsets]

    def many(self, texts: Sequence[str]) -> tuple[list[list[int]], int]:
        """The ids of each text, and how many texts were cut."""
        encoded: list[Encoding] = self._tokenizer.encode_batch_fast(list(texts))
        return [e.ids for e in encoded], sum(bool(e.overflowing) for e in encoded)


class _Layer(NamedTuple):
    """Weights of one layer, cut into tiles; a query's are divided by the square root of a head's width."""

    attend: Array
    attend_bias: Array
    join: Array
    join_bias: Array
    join_norm: tuple[Array, Array]
    up: Array
    up_bias: Array
    down: Array
    down_bias: Array
    down_norm: tuple[Array, Array]


class QueryEncoder:
    """Token ids of one text to its unit vector, float32, on the calling thread.

    Holds no state between calls: threads may share it."""

    def __init__(self, shape: EncoderShape, weights: Weights) -> None:
        self._shape = shape
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places, self._second = placed(weights)
        self._norm = scale_and_shift(weights, "embeddings.LayerNorm")
        self._layers = [self._layer(weights, f"encoder.layer.{i}.") for i in range(shape.layers)]
        self._average = np.full(shape.width, 1 / shape.width, np.float32)

    def _layer(self, weights: Weights, at: str) -> _Layer:
        width = self._shape.width
        scale = np.float32((width // self._shape.heads) ** -0.5)
        names = [f"{at}attention.self.{kind}." for kind in ("query", "key", "value")]
        factors = (scale, np.float32(1), np.float32(1))
        joint, bias = (
            np.concatenate([weights[n + part] * f for n, f in zip(names, factors, strict=True)])
            for part in ("weight", "bias")
        )
        half = np.float32(0.5)  # of GELU, taken once and not for every token
        return _Layer(
            _tiles(joint, width)[0],
            bias.reshape(-1, 1, _TILE),
            _tiles(weights[at + "attention.output.dense.weight"], width)[0],
            weights[at + "attention.output.dense.bias"],
            scale_and_shift(weights, at + "attention.output.LayerNorm"),
            _tiles(weights[at + "intermediate.dense.weight"], width)[0],
            weights[at + "intermediate.dense.bias"].reshape(-1, 1, _TILE),
            _tiles(weights[at + "output.dense.weight"] * half, width),
            weights[at + "output.dense.bias"],
            scale_and_shift(weights, at + "output.LayerNorm"),
        )

    def __call__(self, ids: Sequence[int]) -> Array:
        """Shape (width,), unit length. ``ids`` are between 1 and ``limit`` many."""
        hidden = self.states(ids, second=len(ids))
        vector = hidden.mean(axis=0) if self._shape.mean else hidden[0]
        unit: Array = vector / np.linalg.norm(vector)
        return unit

    def states(self, ids: Sequence[int], *, second: int) -> Array:
        """Each token's vector after the last layer, shape (len(ids), width). Tokens from ``second`` on are
        those of the second of two texts."""
        hidden: Array = self._words[np.asarray(ids)]
        hidden += self._places[: len(ids)]
        hidden[second:] += self._second
        hidden = self._normed(hidden, self._norm)
        for layer in self._layers:
            hidden = self._attended(hidden, layer)
            hidden = self._fed(hidden, layer)
        return hidden

    def _attended(self, hidden: Array, layer: _Layer) -> Array:
        n, width, heads = *hidden.shape, self._shape.heads
        parts = _product(hidden, layer.attend)
        parts += layer.attend_bias
        each = width // heads
        split = parts.reshape(3, -1, n, _TILE).swapaxes(1, 2).reshape(3, n, heads, each)
        query, key, value = split.swapaxes(1, 2)
        mixed = np.empty((n, heads, each), np.float32)
        rows = max(1, _UNPACKED // (each * n))
        for start in range(0, n, rows):
            part = slice(start, start + rows)
            scores = query[:, part] @ key.swapaxes(1, 2)
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            np.matmul(scores, value, out=mixed[part].swapaxes(0, 1))
        joined = _product(mixed.reshape(n, width), layer.join).swapaxes(0, 1).reshape(n, width)
        joined += layer.join_bias
        joined += hidden
        return self._normed(joined, layer.join_norm)

    def _fed(self, hidden: Array, layer: _Layer) -> Array:
        n, width = hidden.shape
        wide = _product(hidden, layer.up)
        wide += layer.up_bias
        wide = _twice_gelu(wide)
        pieces = wide.reshape(-1, width // _TILE, n, _TILE).swapaxes(1, 2).reshape(-1, n, width)
        narrow = _product(pieces[0], layer.down[0])
        for piece, tiles in zip(pieces[1:], layer.down[1:], strict=True):
            narrow += _product(piece, tiles)
        output = narrow.swapaxes(0, 1).reshape(n, width)
        output += layer.down_bias
        output += hidden
        return self._normed(output, layer.down_norm)

    def _normed(self, rows: Array, norm: tuple[Array, Array]) -> Array:
        """Layer normalisation, in place."""
        rows -= (rows @ self._average)[:, None]
        spread = np.einsum("ij,ij->i", rows, rows)
        spread /= np.float32(self._shape.width)
        spread += np.float32(self._shape.epsilon)
        rows /= np.sqrt(spread)[:, None]
        rows *= norm[0]
        rows += norm[1]
        return rows


def placed(weights: Weights) -> tuple[Array, Array]:
    """What a token's place adds to its word's vector, shape (limit, width), and what is added to that in the
    second of two texts, shape (width,)."""
    kinds = weights["embeddings.token_type_embeddings.weight"]
    second = kinds[1] - kinds[0] if len(kinds) > 1 else np.zeros_like(kinds[0])
    return weights["embeddings.position_embeddings.weight"] + kinds[0], second


def scale_and_shift(weights: Weights, name: str) -> tuple[Array, Array]:
    """Those of a norm of that name."""
    return weights[name + ".weight"], weights[name + ".bias"]


def _tiles(weight: Array, depth: int) -> Array:
    """An (out, in) matrix as (in / depth, out / 64, depth, 64): each tile lies in one piece of memory."""
    out, into = weight.shape
    parts = weight.reshape(out // _TILE, _TILE, into // depth, depth)
    return np.ascontiguousarray(parts.transpose(2, 0, 3, 1))


def _product(rows: Array, tiles: Array) -> Array:
    """Rows (n, depth) times tiles (t, depth, 64), as (t, n, 64), in steps that need no packing."""
    n, depth = rows.shape
    step = max(1, _UNPACKED // (depth * _TILE))
    if n <= step:
        whole: Array = np.matmul(rows, tiles)
        return whole
    out = np.empty((len(tiles), n, _TILE), np.float32)
    for start in range(0, n, step):
        out[:, start : start + step] = np.matmul(rows[start : start + step], tiles)
    return out


def _twice_gelu(x: Array) -> Array:
    """2 x Φ(x) = x (1 + erf(x / sqrt 2)) (Hendrycks & Gimpel 2016), absolute error below 1.2e-6."""
    square = x * x
    series = square * np.float32(_ERF[-1])
    for coefficient in _ERF[-2:0:-1]:
        series += np.float32(coefficient)
        series *= square
    series += np.float32(_ERF[0])
    series *= x
    np.tanh(series, out=series)
    series += np.float32(1)
    series *= x
    return series
