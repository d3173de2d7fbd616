import httpx2
import openai
import pytest
from tests.tables import rows

from fabula.errors import ModelMissing, ModelRefused, ModelTransient
from fabula.llm.openai_errors import Endpoint, classify, retry_after

ENDPOINT = Endpoint("m", "host/v1", "KEY", 9.0)
REQUEST = httpx2.Request("POST", "http://host/v1")


def _status(kind, code, body=None):
    return kind("said", response=httpx2.Response(code, request=REQUEST), body=body)


def _caused(error, cause):
    error.__cause__ = cause
    return error


TABLE = [
    (openai.APITimeoutError(REQUEST), ModelTransient, True),
    (openai.APIConnectionError(request=REQUEST), ModelTransient, True),
    (_caused(openai.APIConnectionError(request=REQUEST), httpx2.ConnectError("refused")), ModelMissing, True),
    (_status(openai.BadRequestError, 400), ModelRefused, False),
    (_status(openai.AuthenticationError, 401), ModelRefused, False),
    (openai.OAuthError(response=httpx2.Response(401, request=REQUEST), body=None), ModelRefused, False),
    (_status(openai.PermissionDeniedError, 403), ModelRefused, False),
    (_status(openai.NotFoundError, 404), ModelMissing, False),
    (_status(openai.APIStatusError, 408), ModelTransient, True),
    (_status(openai.ConflictError, 409), ModelTransient, True),
    (_status(openai.APIStatusError, 418), ModelRefused, False),
    (_status(openai.UnprocessableEntityError, 422), ModelRefused, False),
    (_status(openai.RateLimitError, 429), ModelTransient, True),
    (_status(openai.RateLimitError, 429, {"code": "insufficient_quota"}), ModelRefused, False),
    (_status(openai.InternalServerError, 503), ModelTransient, True),
    (openai.APIResponseValidationError(httpx2.Response(200, request=REQUEST), None), ModelTransient, True),
    (openai.APIError("busy", REQUEST, body={"code": "503"}), ModelTransient, True),
    (openai.APIError("busy", REQUEST, body={"type": "server_error"}), ModelTransient, True),
    (openai.APIError("too long", REQUEST, body={"code": "context_length_exceeded"}), ModelRefused, False),
    (openai.APIError("odd", REQUEST, body=None), ModelRefused, False),
    (openai.ContentFilterFinishReasonError(), ModelRefused, False),
    (openai.OpenAIError("odd"), ModelRefused, False),
    (ValueError("not json"), ModelTransient, True),
]


@pytest.mark.parametrize(
    ("error", "kind", "again"), TABLE, ids=lambda value: getattr(value, "__name__", None)
)
def test_table(error, kind, again):
    failure = classify(error, ENDPOINT)
    assert (failure.kind, failure.again) == (kind, again)
    assert "m at host/v1" in failure.message


@pytest.mark.parametrize(("value", "seconds"), rows(__file__, "retry_after.tsv"))
def test_retry_after(value, seconds):
    assert retry_after({"retry-after": value}, now=100.0) == (float(seconds) if seconds else None)


def test_long_messages_are_cut():
    assert len(classify(ValueError("x" * 10_000), ENDPOINT).message) < 700
