"""What goes wrong at an endpoint, as fabula's errors: what it is, whether to try again, and when.

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
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ..errors import ModelError, ModelMissing, ModelRefused, ModelTransient, ModelUnusable

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
    said = f"{endpoint} sent a web page in place of an answer: no model is there; "
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
