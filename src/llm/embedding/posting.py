"""One request to an embedding endpoint, tried again where that may help, with every failure in one line."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import httpx

from ...errors import ModelError, ModelRefused
from ..bounded_http import bound
from ..endpoint import is_own_machine, wait_before_next
from ..http_failures import (
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
from .wire import BadReply

_MOST_BYTES = 256_000_000


class Poster:
    """Posts JSON to ``url`` and reads JSON. ``timeout_s`` bounds the time without a byte, ten times as much
    the whole answer, which may have 256 MB. What may pass (429, 408, 409, 5xx, no connection, an answer that
    is no JSON) is tried ``max_retries`` more times, after what the endpoint asks for (Retry-After, or
    Gemini's retryDelay), else with exponential waits. The key is never shown. Safe in threads."""

    def __init__(
        self,
        url: str,
        *,
        endpoint: Endpoint,
        headers: Mapping[str, str],
        key: str,
        max_retries: int,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._url = url
        self._endpoint = endpoint
        self._key = key
        self._max_retries = max_retries
        self._sleep, self._jitter = sleep, jitter
        hook = partial(bound, most_bytes=_MOST_BYTES, longest_s=10 * endpoint.timeout_s)
        self._client = httpx.Client(
            headers=dict(headers),
            timeout=endpoint.timeout_s,
            trust_env=not is_own_machine(url),
            event_hooks={"response": [hook]},
        )

    def post(self, body: Mapping[str, object]) -> Any:
        """The answer. Raises ModelMissing, ModelRefused or ModelTransient."""
        tries = 0
        while True:
            answer, failure = self._attempt(body)
            if failure is None:
                return answer
            wait = wait_before_next(failure, tries, most=self._max_retries, jitter=self._jitter())
            if wait is None:
                made = f" after {tries + 1} tries" if tries else ""
                raise failure.kind(self._scrubbed(failure.message) + made)
            tries += 1
            self._sleep(wait)

    def refused(self, bad: BadReply) -> ModelError:
        """The error for an answer that came whole and is not one."""
        return ModelRefused(
            f"{self._endpoint} sent an answer that {self._scrubbed(str(bad))}: none of it is used; "
            "is it an embedding model, are base_url and embedding.provider right?"
        )

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _attempt(self, body: Mapping[str, object]) -> tuple[Any, Failure | None]:
        try:
            response = self._client.post(self._url, json=body)
        except (httpx.HTTPError, httpx.InvalidURL, AnswerTooLong, UnicodeError, ValueError) as error:
            return None, connection_failure(error, self._endpoint)
        if response.status_code != 200:
            return None, status_failure(response, self._endpoint)
        try:
            return response.json(), None
        except (ValueError, RecursionError):
            if is_page(response):
                return None, page_failure(self._endpoint)
            return None, unreadable(f"is no JSON ({short(response.text)})", self._endpoint)

    def _scrubbed(self, message: str) -> str:
        return message.replace(self._key, "***") if self._key else message
