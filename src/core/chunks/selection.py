"""Which chunks a search may look at: a prefix for the horizon, and within it those a filter lets through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigError

Mask = NDArray[np.bool_]


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

    def __contains__(self, ordinal: int) -> bool:
        return 0 <= ordinal < self.limit and (self.mask is None or bool(self.mask[ordinal]))
