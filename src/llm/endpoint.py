"""Asking an endpoint: its key, its address as it may be shown, bounds on what it may send, and when to ask
again.

How fast it is asked: a token bucket, and a pause for all where it says that it is too much.
"""

from __future__ import annotations

import logging
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from ..callers import LOOPBACK
from ..core.files.plain_json import parse_json
from ..errors import ConfigError, ModelError, ModelMissing
from .http_failures import (
    AnswerTooLong,
    Endpoint,
    Failure,
    connection_failure,
    is_page,
    page_failure,
    short,
    status_failure,
    unreadable,
)

_FIRST_WAIT_S, _LONGEST_WAIT_S, _LONGEST_ASKED_S = 0.5, 30.0, 60.0


def read_key(variable: str, *, required_by: str = "") -> str:
    """The key that the environment variable holds, ``""`` for none. Raises ModelMissing where there is none
    and ``required_by``, the provider's name, is given, and where it holds what no key can."""
    key = os.environ.get(variable, "").strip() if variable else ""
    if required_by and not key:
        raise ModelMissing(
            f"{required_by} needs a key: set {variable or 'api_key_env, and the variable it names'}"
        )
    if not (key.isascii() and key.isprintable()):
        raise ModelMissing(f"{variable} holds no key but other characters: set it again")
    return key


def shown_address(url: str, *, example: str) -> str:
    """Host, port and path: an address may carry a password. Raises ConfigError where it is no http(s)
    address, with ``example`` as one that is."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise ConfigError(f"base_url is no http(s) address: write it as {example}")
    return parts.netloc.rpartition("@")[2] + parts.path.rstrip("/")


def is_own_machine(url: str) -> bool:
    """Whether the address is this machine's: a proxy from the environment must not stand between the two."""
    return urlsplit(url).hostname in LOOPBACK


class EndpointClient:
    """Connections to one endpoint, with its ``key`` in ``headers`` by then; the key is never shown.

    ``timeout_s`` of the endpoint bounds the time without a byte; an answer may have ``most_bytes`` as
    unpacked, and take ``longest_s``: a read timeout alone bounds silence, and who drips a byte now and then
    would hold the caller for ever. What may pass is tried ``max_retries`` more times, after what the endpoint
    asks for, else with exponential waits and jitter. No redirect is followed. Safe in threads.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        url: str,
        *,
        key: str,
        headers: Mapping[str, str],
        most_bytes: int,
        longest_s: float,
        max_retries: int = 0,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.endpoint = endpoint
        self._key = key
        self._most_bytes, self._longest_s = most_bytes, longest_s
        self._max_retries = max_retries
        self._sleep, self._jitter = sleep, jitter
        self.http = httpx.Client(
            headers=dict(headers),
            timeout=endpoint.timeout_s,
            trust_env=not is_own_machine(url),
            verify=url.startswith("https"),  # certificates are slow to load, and http has none
            event_hooks={"response": [self._bound]},
        )

    def fetch(self, url: str, body: Mapping[str, object] | None = None) -> Any:
        """The JSON that a GET, or a POST of ``body``, is answered with. Raises ModelError."""
        found: list[Any] = []

        def attempt() -> Failure | None:
            try:
                response = self.http.get(url) if body is None else self.http.post(url, json=body)
            except (httpx.HTTPError, httpx.InvalidURL, AnswerTooLong, ValueError) as error:
                return connection_failure(error, self.endpoint)
            if response.status_code != 200:
                return status_failure(response, self.endpoint)
            try:
                found.append(parse_json(response.text))
            except ValueError:
                said = f"is no JSON ({short(response.text)})"
                page = is_page(response)
                return page_failure(self.endpoint) if page else unreadable(said, self.endpoint)
            return None

        self.retrying(attempt)
        return found[0]

    def retrying(
        self, attempt: Callable[[], Failure | None], *, slow: Callable[[float, int], None] | None = None
    ) -> None:
        """Until nothing fails. Raises the failure that waiting does not cure. After a 429 ``slow``, where it
        is given, is told the seconds and the endpoint's limit, and waits."""
        tries = 0
        while (failure := attempt()) is not None:
            wait = _wait_before_next(failure, tries, most=self._max_retries, jitter=self._jitter())
            if wait is None:
                made = f" after {tries + 1} tries" if tries else ""
                raise self.error(failure.kind, failure.message + made)
            tries += 1
            if failure.status == 429 and slow is not None:
                slow(wait, failure.limit)
            else:
                self._sleep(wait)

    def error(self, kind: type[ModelError], message: str) -> ModelError:
        """An error whose message does not repeat the key."""
        return kind(message.replace(self._key, "***") if self._key else message)

    def _bound(self, response: httpx.Response) -> None:
        """Reading the body raises AnswerTooLong past the bounds."""
        body: Callable[..., Iterator[bytes]] = response.iter_bytes
        started = time.monotonic()

        def iter_bytes(*args: Any, **kwargs: Any) -> Iterator[bytes]:
            sent = 0
            for piece in body(*args, **kwargs):
                sent += len(piece)
                if sent > self._most_bytes:
                    raise AnswerTooLong(f"more than {self._most_bytes / 1e6:g} MB")
                if time.monotonic() - started > self._longest_s:
                    raise AnswerTooLong(f"for more than {self._longest_s:g} s")
                yield piece

        response.iter_bytes = iter_bytes  # type: ignore[method-assign]


def _wait_before_next(failure: Failure, tries: int, *, most: int, jitter: float) -> float | None:
    """Seconds before the next try, None for none: 0.5, 1, 2 … 30 s, each times 0.5 to 1 by ``jitter`` in
    [0, 1]; or what the endpoint asks for, where that is a minute or less."""
    if not failure.again or tries >= most:
        return None
    if failure.wait_s is not None:
        return failure.wait_s if failure.wait_s <= _LONGEST_ASKED_S else None
    return min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** min(tries, 16)) * (0.5 + jitter / 2)


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
