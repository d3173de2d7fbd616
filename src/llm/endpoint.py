"""Asking an endpoint: its key, its address as it may be shown, bounds on what it may send, and when to ask
again.

How fast it is asked: a token bucket, and a pause for all where it says that it is too much.

What goes wrong there becomes one of fabula's errors:

==================================================  ===============  =====
what happened                                       becomes          again
==================================================  ===============  =====
no connection                                       ModelMissing     yes
timeout, connection lost, 408, 409, 425, 429, 5xx   ModelTransient   yes
404                                                 ModelMissing     no
a content filter, a text that is too long           ModelRefused     no
an answer without end (AnswerTooLong)               ModelRefused     no
an answer that is not what the protocol says        ModelTransient   yes
401, 402, 403, no credit, a web page, other 4xx     ModelUnusable    no
==================================================  ===============  =====
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from ..callers import LOOPBACK
from ..core.files.plain_json import parse_json
from ..errors import ConfigError, ModelError, ModelMissing, ModelRefused, ModelTransient, ModelUnusable

_TRY_AGAIN = frozenset({408, 409, 425, 429})
_TRANSIENT_CODES = frozenset({"server_error", "rate_limit_exceeded", "overloaded", "timeout"})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_FILTERED = re.compile(r"content.?(filter|policy|management)|safety|moderat", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context.?(length|size|window)|maximum (context|length)|too (long|large|many tokens)", re.IGNORECASE
)
PAGE = re.compile(r"\s*<(!doctype|html|head|body)\b", re.IGNORECASE)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_LONGEST_MESSAGE = 300
_BYTES_PER_TOKEN = 3
KEY_HEADERS = {"Authorization": "Bearer {key}"}


class AnswerTooLong(Exception):  # noqa: N818 (never leaves this package)
    """An endpoint sent more than was allowed; the text says how much: "more than 64 MB"."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What messages may say of an endpoint: never its key, nor credentials within its address. ``section``
    of the settings says how it is reached."""

    model: str
    where: str
    key_variable: str
    timeout_s: float
    section: str = "generator"

    def __str__(self) -> str:
        return f"{self.model} at {self.where}"


@dataclass(frozen=True, slots=True)
class Failure:
    """``kind`` and ``message`` of the error to raise; ``wait_s`` is what the endpoint asked for, ``limit``
    the tokens a minute that it allows, where it said so with a 429; ``status`` is 0 for none."""

    kind: type[ModelError]
    message: str
    again: bool
    wait_s: float | None = None
    status: int = 0
    limit: int = 0


def connection_failure(error: Exception, endpoint: Endpoint) -> Failure:
    """What an exception of httpx, or of reading its body, means."""
    said, section = short(error), endpoint.section
    if isinstance(error, AnswerTooLong):
        told = (
            f"{endpoint} sent an answer without end ({error}): it was cut off; is {section}.base_url right?"
        )
        return Failure(ModelRefused, told, False)
    if isinstance(error, httpx.TimeoutException):
        told = f"{endpoint} sent nothing for {endpoint.timeout_s:g} s: raise {section}.timeout_s"
        return Failure(ModelTransient, told, True)
    if isinstance(error, httpx.ConnectError):
        told = f"{endpoint} cannot be reached ({said}): is it running, is {section}.base_url right?"
        return Failure(ModelMissing, told, True)
    if isinstance(error, httpx.TransportError):
        return Failure(ModelTransient, f"the connection to {endpoint} was lost ({said}): try again", True)
    return Failure(ModelUnusable, f"{endpoint} cannot be asked: {said}", False)


def status_failure(response: httpx.Response, endpoint: Endpoint) -> Failure:
    """What an answer of another status than 200 means; its body was read."""
    code, section = response.status_code, endpoint.section
    said, kind, wait = _told(response.text)
    key = endpoint.key_variable or f"{section}.api_key_env, and the variable it names,"
    told = f"{endpoint} answered {code} ({said})"
    error: type[ModelError] = ModelUnusable
    if code in (401, 403):
        told = f"{endpoint} does not take the key (it says {code}, {said}): set {key} to a valid one"
    elif code == 402 or (code == 429 and kind in _NO_CREDIT):
        told = f"{endpoint} has no credit left ({said}): pay there, or choose another model by fabula model"
    elif code == 404:
        error = ModelMissing
        told = f"{endpoint} does not exist ({said}): check {section}.model and {section}.base_url"
    elif code in _TRY_AGAIN or code >= 500:
        asked = retry_after(response.headers, now=time.time())
        limit = response.headers.get("x-ratelimit-limit-tokens", "") if code == 429 else ""
        limit = int(limit) if limit.isdecimal() else 0
        return Failure(ModelTransient, told, True, wait if asked is None else asked, code, limit)
    elif is_page(response):
        return page_failure(endpoint)
    elif _FILTERED.search(f"{kind} {said}") or code == 413 or _TOO_LONG.search(f"{kind} {said}"):
        error = ModelRefused
    else:
        told += f": check {section}.model and {section}.base_url, or choose another by fabula model"
    return Failure(error, told, False, status=code)


def error_failure(error: object, endpoint: Endpoint) -> Failure:
    """What an error means that came in place of a piece of an answer."""
    said, kind, _ = _told(json.dumps({"error": error}))
    again = kind in _TRANSIENT_CODES or (kind.isdigit() and (int(kind) in _TRY_AGAIN or int(kind) >= 500))
    return Failure(
        ModelTransient if again else ModelRefused, f"{endpoint} broke off with an error ({said})", again
    )


def is_page(response: httpx.Response) -> bool:
    """Did a web page come in place of an answer? Its body was read."""
    return "html" in response.headers.get("content-type", "") or bool(PAGE.match(response.text))


def page_failure(endpoint: Endpoint) -> Failure:
    """For a web page in place of an answer: no further request makes an endpoint of it."""
    said = f"{endpoint} sent a web page instead of an answer: no model is there; "
    how = f"check {endpoint.section}.base_url (most end in /v1), or sign in to the network"
    return Failure(ModelUnusable, said + how, False)


def unreadable(what: str, endpoint: Endpoint) -> Failure:
    """For an answer that is not what the protocol says."""
    return Failure(ModelTransient, f"{endpoint} sent an answer that {what}: try again", True)


def retry_after(headers: Mapping[str, str], *, now: float) -> float | None:
    """Seconds from Retry-After, a number or an HTTP date; else the longest x-ratelimit-reset-… of what is
    used up (as "6m0s" or "250ms"). None without a valid one."""
    value = headers.get("retry-after", "").strip()
    try:
        if re.fullmatch(r"-?\d+(\.\d+)?", value):
            return max(0.0, float(value))
        if value:
            return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError):
        return None
    waits = [
        sum(float(number) * _SECONDS[unit] for number, unit in _DURATION.findall(reset))
        for what in ("tokens", "requests")
        if headers.get(f"x-ratelimit-remaining-{what}", "0") == "0"
        and (reset := headers.get(f"x-ratelimit-reset-{what}", ""))
    ]
    return max(waits, default=None)


def short(said: object) -> str:
    """One line of what was said, not too long."""
    text = " ".join(str(said).split()) or type(said).__name__
    return text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "…"


def _told(body: str) -> tuple[str, str, float | None]:
    """What an error says, its kind, and after how many seconds to come again, as far as it says so."""
    try:
        answer: Any = json.loads(body)
    except (ValueError, RecursionError):
        return short(body), "", None
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    if not isinstance(error, dict):
        return short(error), "", None
    details = error.get("details")
    waits = [
        float(found[1])
        for one in (details if isinstance(details, list) else [])
        if isinstance(one, dict) and (found := re.fullmatch(r"(\d+(?:\.\d+)?)s", str(one.get("retryDelay"))))
    ]
    kind = str(error.get("code") or error.get("type") or "")
    return short(error.get("message", error)), kind, waits[0] if waits else None


def estimate_tokens(text: str) -> int:
    """One token for every 3 bytes of UTF-8, rounded up.

    About 1.3 times too high on English novels (3.9 to 4.1 characters a token with SmolLM2's vocabulary),
    one token a character in Chinese or Japanese. Short lines full of odd names can come out too low."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


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
        raise ModelMissing(f"{variable} does not hold a valid key: set it again")
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
        raise ConfigError(f"base_url is not an http(s) address: write it as {example}")
    return parts.netloc.rpartition("@")[2] + parts.path.rstrip("/")


def is_own_machine(url: str) -> bool:
    """Whether the address is this machine's: a proxy from the environment must not stand between the two."""
    return urlsplit(url).hostname in LOOPBACK


class EndpointClient:
    """Connections to one endpoint, with its ``key`` in ``headers``; the key is never shown.

    ``timeout_s`` of the endpoint bounds the time without a byte; an answer may have ``most_bytes`` as
    unpacked, and take ``longest_s``: a read timeout alone bounds silence, and who drips a byte now and then
    would hold the caller for ever. What may pass is tried ``retries`` more times, after what the endpoint
    asks for, else with exponential waits and jitter. No redirect is followed. Safe in threads."""

    retries = 4
    sleep, jitter = staticmethod(time.sleep), staticmethod(random.random)

    def __init__(
        self,
        endpoint: Endpoint,
        url: str,
        *,
        key: str,
        most_bytes: int,
        longest_s: float,
        headers: Mapping[str, str] = KEY_HEADERS,
    ) -> None:
        self.endpoint, self.longest_s = endpoint, longest_s
        self._key, self._most_bytes = key, most_bytes
        self.http = httpx.Client(
            headers={name: form.format(key=key) for name, form in headers.items()} if key else {},
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
                said = f"is not JSON ({short(response.text)})"
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
            wait = _wait_before_next(failure, tries, most=self.retries, jitter=self.jitter())
            if wait is None:
                made = f" after {tries + 1} tries" if tries else ""
                raise self.error(failure.kind, failure.message + made)
            tries += 1
            if failure.status == 429 and slow is not None:
                slow(wait, failure.limit)
            else:
                self.sleep(wait)

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
                if time.monotonic() - started > self.longest_s:
                    raise AnswerTooLong(f"for more than {self.longest_s:g} s")
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
    """How fast an endpoint is asked: without a limit until it names one, in tokens a minute. A minute's may
    go at once after a minute of rest. Safe in threads."""

    sleep, clock = staticmethod(time.sleep), staticmethod(time.monotonic)

    def __init__(self, name: str) -> None:
        self._name = name
        self._rate = self._level = self._at = self._until = 0.0
        self._lock = threading.Lock()

    def take(self, tokens: int) -> None:
        """Waits until so many tokens may be sent and answered. One request may be larger than a minute's."""
        with self._lock:
            now = self.clock()
            wait = self._until - now
            if self._rate:
                self._level = min(self._rate, self._level + (now - self._at) * self._rate / 60)
                wait = max(wait, (min(tokens, self._rate) - self._level) * 60 / self._rate)
                self._level -= tokens
            self._at = now
        if wait > 0:
            if wait >= _WORTH_SAYING_S:
                _log.warning("%s is asked less often: the next request waits %.0f s", self._name, wait)
            self.sleep(wait)

    def give_back(self, tokens: int) -> None:
        """What was taken and not used."""
        with self._lock:
            self._level += tokens

    def slow(self, seconds: float, limit: int) -> None:
        """Nobody asks for so many seconds; then at most ``limit`` tokens a minute, the first named."""
        with self._lock:
            self._until = max(self._until, self.clock() + seconds)
            if limit and not self._rate:
                self._rate, self._level = float(limit), 0.0
                _log.warning("%s allows %s tokens per minute: kept to", self._name, f"{limit:,}")
