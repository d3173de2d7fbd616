"""How fast an endpoint is asked: a token bucket, and a pause for all where it says that it is too much."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

_log = logging.getLogger(__name__)
_WORTH_SAYING_S = 1.0


class Pace:
    """``tokens_per_minute`` 0 knows no limit until the endpoint names one. A minute's tokens may go at once
    after a minute of rest. Safe in threads."""

    def __init__(
        self,
        name: str,
        tokens_per_minute: int = 0,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._rate = self._level = float(tokens_per_minute)
        self._sleep, self._clock = sleep, clock
        self._at = self._until = clock()
        self._lock = threading.Lock()

    def take(self, tokens: int) -> None:
        """Waits until so many tokens may be sent and answered. One request may be larger than a minute's."""
        with self._lock:
            now = self._clock()
            wait = self._until - now
            if self._rate:
                self._level = min(self._rate, self._level + (now - self._at) * self._rate / 60)
                wait = max(wait, (min(tokens, self._rate) - self._level) * 60 / self._rate)
                self._level -= tokens
            self._at = now
        if wait > 0:
            if wait >= _WORTH_SAYING_S:
                _log.warning("%s is asked more slowly: the next request waits %.0f s", self._name, wait)
            self._sleep(wait)

    def give_back(self, tokens: int) -> None:
        """What was taken and not used."""
        with self._lock:
            self._level += tokens

    def slow(self, seconds: float, limit: int) -> None:
        """Nobody asks for so many seconds; from then on at most ``limit`` tokens a minute, where one is named
        and none was before."""
        with self._lock:
            self._until = max(self._until, self._clock() + seconds)
            if limit and not self._rate:
                self._rate, self._level = float(limit), 0.0
                _log.warning("%s allows %s tokens a minute: it is asked no faster", self._name, f"{limit:,}")
