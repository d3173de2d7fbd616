"""From the openai client's exceptions to fabula's: what it is, whether to try again, and when.

==============================================  ===============  =====
raised by the client or sent by the endpoint    becomes          again
==============================================  ===============  =====
no connection                                   ModelMissing     yes
timeout, connection lost, 408, 409, 429, 5xx    ModelTransient   yes
429 for want of credit                          ModelRefused     no
404                                             ModelMissing     no
401, 403, other 4xx                             ModelRefused     no
an error inside the stream                      by its own code
a stream that is not what the protocol says     ModelTransient   yes
an answer without end (AnswerTooLong)           ModelRefused     no
anything else from the client                   ModelRefused     no
==============================================  ===============  =====
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, ModelMissing, ModelRefused, ModelTransient

if TYPE_CHECKING:
    import openai

_TRY_AGAIN = frozenset({408, 409, 429})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_TRANSIENT_CODES = frozenset({"server_error", "rate_limit_exceeded", "overloaded", "timeout"})
_LONGEST_MESSAGE = 500


class AnswerTooLong(Exception):  # noqa: N818 (never leaves this package)
    """An endpoint sent more than was allowed; the text says how much: "more than 64 MB"."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What messages may say of an endpoint: never its key, nor credentials within its address."""

    model: str
    where: str
    key_variable: str
    timeout_s: float

    def __str__(self) -> str:
        return f"{self.model} at {self.where}"


@dataclass(frozen=True, slots=True)
class Failure:
    """``kind`` and ``message`` of the error to raise; ``wait_s`` is what the endpoint asked for."""

    kind: type[ModelError]
    message: str
    again: bool
    wait_s: float | None = None


def classify(error: Exception, endpoint: Endpoint) -> Failure:
    """One failure for each exception that the openai client, or reading its stream, can raise."""
    import openai

    rows: tuple[tuple[type[Exception], Callable[[Any, Endpoint], Failure]], ...] = (
        (openai.APITimeoutError, _timeout),
        (openai.APIConnectionError, _connection),
        (openai.APIStatusError, _status),
        (openai.APIResponseValidationError, _unreadable),
        (openai.APIError, _within_stream),
        (openai.OpenAIError, _client_refused),
    )
    for each in (error, error.__cause__):
        if isinstance(each, AnswerTooLong):
            return Failure(ModelRefused, f"{endpoint} sent an answer {_went_on(each)}", False)
    for kind, to_failure in rows:
        if isinstance(error, kind):
            return to_failure(error, endpoint)
    return _unreadable(error, endpoint)


def retry_after(headers: Mapping[str, str], *, now: float) -> float | None:
    """Seconds from a Retry-After header, which is a number or an HTTP date; None without a valid one."""
    value = headers.get("retry-after", "").strip()
    try:
        if re.fullmatch(r"-?\d+(\.\d+)?", value):
            return max(0.0, float(value))
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _timeout(error: Exception, endpoint: Endpoint) -> Failure:  # noqa: ARG001 (a row of the table)
    return Failure(
        ModelTransient, f"{endpoint} sent nothing for {endpoint.timeout_s:g} s: raise timeout_s", True
    )


def _connection(error: Exception, endpoint: Endpoint) -> Failure:
    cause = error.__cause__
    if cause is not None and type(cause).__name__ in ("ConnectError", "UnsupportedProtocol"):
        said = f"{endpoint} cannot be reached ({cause}): is it running, is base_url right?"
        return Failure(ModelMissing, said, True)
    return Failure(
        ModelTransient, f"the connection to {endpoint} was lost ({cause or error}): try again", True
    )


def _status(error: openai.APIStatusError, endpoint: Endpoint) -> Failure:
    code, said = error.status_code, _said(error)
    if code == 401:
        variable = endpoint.key_variable or "the variable named by api_key_env"
        return Failure(
            ModelRefused, f"{endpoint} does not take the key ({said}): set {variable} to a valid one", False
        )
    if code == 404:
        return Failure(ModelMissing, f"{endpoint} does not exist ({said}): check model and base_url", False)
    if code == 429 and error.code in _NO_CREDIT:
        return Failure(ModelRefused, f"{endpoint} has no credit left ({said})", False)
    if code in _TRY_AGAIN or code >= 500:
        wait = retry_after(error.response.headers, now=time.time())
        return Failure(ModelTransient, f"{endpoint} answered {code} ({said})", True, wait)
    return Failure(ModelRefused, f"{endpoint} answered {code} ({said})", False)


def _unreadable(error: Exception, endpoint: Endpoint) -> Failure:
    return Failure(
        ModelTransient, f"{endpoint} sent an answer that cannot be read ({_said(error)}): try again", True
    )


def _within_stream(error: openai.APIError, endpoint: Endpoint) -> Failure:
    code = str(error.code or error.type or "")
    again = code in _TRANSIENT_CODES or (code.isdigit() and (int(code) in _TRY_AGAIN or int(code) >= 500))
    kind = ModelTransient if again else ModelRefused
    return Failure(kind, f"{endpoint} broke off with an error ({_said(error)})", again)


def _went_on(error: AnswerTooLong) -> str:
    return f"without end ({error}): it was cut off; is base_url right?"


def _client_refused(error: Exception, endpoint: Endpoint) -> Failure:
    return Failure(ModelRefused, f"the openai client refused to ask {endpoint}: {_said(error)}", False)


def _said(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "…"
