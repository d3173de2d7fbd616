"""Many texts through a BERT encoder with no padding, in torch.

The tokens of all texts stand in one matrix for everything that treats each token by itself; attention
runs text by text. (Packing: Krell et al. 2021, "Efficient Sequence Packing without Cross-contamination".)
Threads take whole blocks, one each: they never wait for each other within a layer, which is dear where
other programs want the processor too, and how many there are changes no bit of a vector.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .bert import EncoderShape, Weights

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

_BLOCK = 1024
"""About how many tokens are computed at once: a block's arrays then stay in the processor's cache."""

_AHEAD = 8
"""So many blocks may be in hand at once."""

_ROUND = 64
"""Blocks are filled up to a multiple of this: each new matrix height costs the library a new kernel."""

_SMALL = 16
"""Blocks below ``_ROUND`` are filled up to a multiple of this: short chapters alone have no others."""


class _Layer(NamedTuple):
    attend: tuple[torch.Tensor, torch.Tensor]
    join: tuple[torch.Tensor, torch.Tensor]
    join_norm: tuple[torch.Tensor, torch.Tensor]
    up: tuple[torch.Tensor, torch.Tensor]
    down: tuple[torch.Tensor, torch.Tensor]
    down_norm: tuple[torch.Tensor, torch.Tensor]


class PackedEncoder:
    """Linear layers and attention compute in ``dtype``; sums, norms and pooling in float32.

    Blocks are cut by the lengths of the texts, so a vector depends on the texts of its call alone. As many
    threads work as torch is set to use when this is made."""

    def __init__(self, shape: EncoderShape, weights: Weights, *, dtype: torch.dtype) -> None:
        import torch

        self._shape = shape
        self._dtype = dtype
        held = {name: torch.from_numpy(array) for name, array in weights.items()}
        self._words = held["embeddings.word_embeddings.weight"]
        self._places = (
            held["embeddings.position_embeddings.weight"] + held["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = (held["embeddings.LayerNorm.weight"], held["embeddings.LayerNorm.bias"])
        self._layers = [self._layer(held, f"encoder.layer.{i}.") for i in range(shape.layers)]
        self._workers = ThreadPoolExecutor(
            torch.get_num_threads(), thread_name_prefix="encoder", initializer=_alone
        )

    def _layer(self, held: dict[str, torch.Tensor], at: str) -> _Layer:
        import torch

        def linear(*names: str) -> tuple[torch.Tensor, torch.Tensor]:
            weight = torch.cat([held[f"{at}{name}.weight"] for name in names])
            return weight.to(self._dtype), torch.cat([held[f"{at}{n}.bias"] for n in names]).to(self._dtype)

        def norm(name: str) -> tuple[torch.Tensor, torch.Tensor]:
            return held[f"{at}{name}.weight"], held[f"{at}{name}.bias"]

        return _Layer(
            linear(*(f"attention.self.{kind}" for kind in ("query", "key", "value"))),
            linear("attention.output.dense"),
            norm("attention.output.LayerNorm"),
            linear("intermediate.dense"),
            linear("output.dense"),
            norm("output.LayerNorm"),
        )

    def __call__(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Token ids of each text to unit vectors, shape (len(texts), width), float32."""
        [vectors] = self.each([texts])
        return vectors

    def each(
        self, units: Iterable[Sequence[Sequence[int]]], *, halvings: Callable[[], int] = int
    ) -> Iterator[NDArray[np.float32]]:
        """As calling it with each unit in turn, to the bit; blocks of the units to come are begun while the
        caller has the ones before in hand. ``halvings`` says how often the number of blocks that are computed
        at once is to be halved now; which texts share a block stays as it is."""
        import torch

        threads = torch.get_num_threads()
        ahead: deque[list[Future[NDArray[np.float32]]]] = deque()
        begun: set[Future[NDArray[np.float32]]] = set()
        try:
            for texts in units:
                ahead.append([])
                for block in _blocks(texts):
                    begun = _with_room(begun, threads, halvings())
                    ahead[-1].append(self._workers.submit(self._block, block))
                    begun.add(ahead[-1][-1])
                while sum(map(len, ahead)) > _AHEAD >> halvings() and len(ahead) > 1:
                    yield self._joined(ahead.popleft())
            while ahead:
                yield self._joined(ahead.popleft())
        finally:
            torch.set_num_threads(threads)  # a worker's setting is also every later thread's default

    def _joined(self, blocks: Sequence[Future[NDArray[np.float32]]]) -> NDArray[np.float32]:
        rows = [block.result() for block in blocks]
        return np.concatenate([np.zeros((0, self._shape.width), np.float32), *rows])

    def _block(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            vectors: NDArray[np.float32] = self._pooled(texts).numpy()
        return vectors

    def _pooled(self, texts: Sequence[Sequence[int]]) -> torch.Tensor:
        import torch
        from torch.nn import functional

        lengths = [len(ids) for ids in texts]
        used = sum(lengths)
        spare = -used % (_ROUND if used > _ROUND else _SMALL)
        ids = torch.tensor([i for text in texts for i in text] + [0] * spare)
        places = torch.cat([torch.arange(n) for n in lengths] + [torch.zeros(spare, dtype=torch.long)])
        hidden = self._normed(self._words[ids] + self._places[places], self._norm)
        for layer in self._layers:
            mixed = self._attended(hidden, lengths, layer)
            joined = functional.linear(mixed, *layer.join)
            hidden = self._normed(joined + hidden, layer.join_norm)
            wide = functional.gelu(functional.linear(hidden.to(self._dtype), *layer.up))
            hidden = self._normed(functional.linear(wide, *layer.down) + hidden, layer.down_norm)
        parts = torch.split(hidden[:used], lengths)
        pooled = torch.stack([part.mean(0) if self._shape.mean else part[0] for part in parts])
        return functional.normalize(pooled, dim=1)

    def _attended(self, hidden: torch.Tensor, lengths: Sequence[int], layer: _Layer) -> torch.Tensor:
        import torch
        from torch.nn import functional

        count, heads = len(hidden), self._shape.heads
        parts = functional.linear(hidden.to(self._dtype), *layer.attend)
        split = parts.view(count, 3, heads, self._shape.width // heads)
        mixed = torch.zeros((count, heads, split.shape[3]), dtype=self._dtype)
        start = 0
        for length in lengths:
            query, key, value = split[start : start + length].permute(1, 2, 0, 3).unsqueeze(1)
            own = functional.scaled_dot_product_attention(query, key, value)
            mixed[start : start + length] = own[0].transpose(0, 1)
            start += length
        return mixed.view(count, self._shape.width)

    def _normed(self, rows: torch.Tensor, scale_and_shift: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        from torch.nn import functional

        return functional.layer_norm(rows, (self._shape.width,), *scale_and_shift, self._shape.epsilon)


def _with_room(begun: set[Future[Any]], threads: int, halvings: int) -> set[Future[Any]]:
    """Those that are not done yet; where what is computed at once was halved, once one more may be begun."""
    running = {block for block in begun if not block.done()}
    most = max(1, threads >> halvings)
    while halvings and len(running) >= most:
        _, running = wait(running, return_when=FIRST_COMPLETED)
    return running


def _alone() -> None:
    import torch

    torch.set_num_threads(1)


def _blocks(texts: Sequence[Sequence[int]]) -> list[list[Sequence[int]]]:
    """Runs of texts of about equal size, an even number of them (two processors then end together)
    unless all texts together are small."""
    total = sum(map(len, texts))
    count = 1 if total <= _BLOCK // 2 else 2 * -(-total // (2 * _BLOCK))
    blocks: list[list[Sequence[int]]] = [[] for _ in range(count)]
    start = 0
    for ids in texts:
        blocks[start * count // total].append(ids)
        start += len(ids)
    return [block for block in blocks if block]
