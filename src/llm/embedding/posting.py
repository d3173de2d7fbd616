"""One request to an embedding endpoint, tried again where that may help, with every failure in one line."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import httpx

from ...errors import ModelError, ModelMissing, ModelRefused, ModelTransient
from ..bounded_http import bound
from ..endpoint import is_own_machine, wait_before_next
from ..openai_errors import AnswerTooLong, Endpoint, Failure, retry_after
from .wire import BadReply

_MOST_BYTES = 256_000_000
_TRY_AGAIN = frozenset({408, 409, 425, 429})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_LONGEST_MESSAGE = 300
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


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
            return None, _lost(error, self._endpoint)
        if response.status_code != 200:
            return None, _status(response, self._endpoint)
        try:
            return response.json(), None
        except (ValueError, RecursionError):
            said = f"{self._endpoint} sent an answer that is no JSON ({_short(response.text)}): try again"
            return None, Failure(ModelTransient, said, True)

    def _scrubbed(self, message: str) -> str:
        return message.replace(self._key, "***") if self._key else message


def _lost(error: Exception, endpoint: Endpoint) -> Failure:
    if isinstance(error, AnswerTooLong):
        return Failure(
            ModelRefused, f"{endpoint} sent an answer without end ({error}): it was cut off", False
        )
    if isinstance(error, httpx.TimeoutException):
        said = f"{endpoint} sent nothing for {endpoint.timeout_s:g} s: raise embedding.timeout_s"
        return Failure(ModelTransient, said, True)
    if isinstance(error, httpx.ConnectError):
        said = f"{endpoint} cannot be reached ({_short(error)}): is it running, is embedding.base_url right?"
        return Failure(ModelMissing, said, True)
    if isinstance(error, httpx.TransportError):
        said = f"the connection to {endpoint} was lost ({_short(error)}): try again"
        return Failure(ModelTransient, said, True)
    return Failure(ModelRefused, f"{endpoint} cannot be asked: {_short(error)}", False)


def _status(response: httpx.Response, endpoint: Endpoint) -> Failure:
    code, (said, kind, wait) = response.status_code, _told(response)
    if code in (401, 403):
        variable = endpoint.key_variable or "embedding.api_key_env, and the variable it names,"
        return Failure(
            ModelRefused, f"{endpoint} does not take the key ({said}): set {variable} to a valid one", False
        )
    if code == 404:
        wrong = f"{endpoint} does not exist ({said}): check embedding.model and embedding.base_url"
        return Failure(ModelMissing, wrong, False)
    if code == 429 and kind in _NO_CREDIT:
        return Failure(ModelRefused, f"{endpoint} has no credit left ({said})", False)
    if code in _TRY_AGAIN or code >= 500:
        asked = retry_after(response.headers, now=time.time())
        return Failure(
            ModelTransient, f"{endpoint} answered {code} ({said})", True, wait if asked is None else asked
        )
    return Failure(ModelRefused, f"{endpoint} answered {code} ({said})", False)


def _told(response: httpx.Response) -> tuple[str, str, float | None]:
    """What an error says, its kind, and after how many seconds to come again, as far as it says so."""
    try:
        answer = json.loads(response.text)
    except (ValueError, RecursionError):
        return _short(response.text), "", None
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    if not isinstance(error, dict):
        return _short(error), "", None
    details = error.get("details")
    waits = [
        float(found[1])
        for one in (details if isinstance(details, list) else [])
        if isinstance(one, dict) and (found := _SECONDS.fullmatch(str(one.get("retryDelay", ""))))
    ]
    kind = str(error.get("code") or error.get("type") or "")
    return _short(error.get("message", error)), kind, waits[0] if waits else None


def _short(said: object) -> str:
    text = " ".join(str(said).split()) or type(said).__name__
    return text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "…"
