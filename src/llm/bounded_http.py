"""Bounds on what an endpoint may send: so many bytes, for so long, whatever it does.

A read timeout alone bounds silence. An endpoint that drips a byte now and then, or sends without end, would
hold its caller for ever, or fill its memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from .http_failures import AnswerTooLong


def bound(
    response: Any, *, most_bytes: int, longest_s: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """A response hook of an httpx client (of any version): reading the body raises AnswerTooLong past
    ``most_bytes`` as unpacked, or when a piece comes later than ``longest_s`` seconds from now."""
    body: Callable[..., Iterator[bytes]] = response.iter_bytes
    started = clock()

    def iter_bytes(*args: Any, **kwargs: Any) -> Iterator[bytes]:
        sent = 0
        for piece in body(*args, **kwargs):
            sent += len(piece)
            if sent > most_bytes:
                raise AnswerTooLong(f"more than {most_bytes / 1e6:g} MB")
            if clock() - started > longest_s:
                raise AnswerTooLong(f"for more than {longest_s:g} s")
            yield piece

    response.iter_bytes = iter_bytes
