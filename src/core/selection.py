"""Which chunks a search may look at: a prefix for the horizon, and within it those a filter lets through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import ConfigError

__all__ = ["Selection"]

Mask = NDArray[np.bool_]
Ordinals = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The first ``limit`` chunks, or those of them where ``mask`` is True.

    The limit is the horizon: an index takes its statistics from those chunks, whatever the mask says, so a
    filter picks among scores and changes none. ``mask`` may be given longer than ``limit`` (what is past the
    horizon is cut off); it is kept as a read-only copy of shape (limit,), and None where it is True
    throughout. Raises ConfigError for a negative limit, and for a mask that is shorter or of another type.
    """

    limit: int
    mask: Mask | None = None

    def __post_init__(self) -> None:
        if self.limit < 0:
            raise ConfigError(f"a selection is of the first chunks, 0 or more, not {self.limit}")
        if self.mask is None:
            return
        if self.mask.dtype != np.bool_ or self.mask.ndim != 1 or len(self.mask) < self.limit:
            raise ConfigError(
                f"a mask over {self.limit} chunks is a row of as many booleans, "
                f"not {self.mask.dtype} of shape {self.mask.shape}"
            )
        kept = self.mask[: self.limit].copy()
        kept.flags.writeable = False
        object.__setattr__(self, "mask", None if kept.all() else kept)

    @classmethod
    def of(cls, ordinals: Sequence[int] | Ordinals, *, limit: int) -> Selection:
        """Those of ``ordinals`` (any order, any number of times) that are under ``limit``."""
        mask = np.zeros(max(limit, 0), np.bool_)
        chosen = np.asarray(ordinals, dtype=np.int64)
        mask[chosen[(chosen >= 0) & (chosen < limit)]] = True
        return cls(limit, mask)

    @property
    def is_all(self) -> bool:
        """Is the horizon all that selects?"""
        return self.mask is None

    @property
    def count(self) -> int:
        """How many chunks may be found."""
        return self.limit if self.mask is None else int(np.count_nonzero(self.mask))

    def __len__(self) -> int:
        return self.count

    def __contains__(self, ordinal: int) -> bool:
        return 0 <= ordinal < self.limit and (self.mask is None or bool(self.mask[ordinal]))

    def ordinals(self) -> Ordinals:
        """The chunks that may be found, ascending, shape (count,), int64."""
        if self.mask is None:
            return np.arange(self.limit, dtype=np.int64)
        return np.flatnonzero(self.mask).astype(np.int64, copy=False)

    def runs(self) -> NDArray[np.int64]:
        """The same as half-open ranges ``[start, end)``, shape (runs, 2): filters by chapter give few."""
        if self.mask is None:
            return np.array([[0, self.limit]] if self.limit else [], np.int64).reshape(-1, 2)
        edges = np.diff(self.mask.astype(np.int8), prepend=0, append=0)
        return np.stack([np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)], axis=1).astype(np.int64)

    def bits(self) -> NDArray[np.uint8]:
        """The mask as a bitmap, eight chunks a byte, the first in the lowest bit (as FAISS's
        ``IDSelectorBitmap`` reads it), shape (ceil(limit / 8),)."""
        mask = np.ones(self.limit, np.bool_) if self.mask is None else self.mask
        return np.packbits(mask, bitorder="little")

    def admitted(self, ordinals: NDArray[np.integer]) -> Mask:
        """For each ordinal, none of them negative, whether it may be found; the shape of ``ordinals``."""
        within: Mask = ordinals < self.limit
        if self.mask is None or self.limit == 0:
            return within
        within &= self.mask[np.minimum(ordinals, self.limit - 1)]
        return within

    def first(self, limit: int) -> Selection:
        """The selection of a nearer horizon; itself where ``limit`` is not nearer."""
        return self if limit >= self.limit else Selection(limit, self.mask)
