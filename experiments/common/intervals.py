"""The score interval of a share (Wilson 1927)."""

from __future__ import annotations

from math import sqrt

__all__ = ["wilson"]

_Z = 1.959963984540054


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of ``hits`` of ``n``, within 0 and 1, to four places; all of it where n is 0."""
    if n == 0:
        return 0.0, 1.0
    share, spread = hits / n, _Z * _Z / n
    middle, reach = share + spread / 2, _Z * sqrt(share * (1 - share) / n + spread / (4 * n))
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    return round(max(0.0, low), 4), round(min(1.0, high), 4)
