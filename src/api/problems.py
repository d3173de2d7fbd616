"""Errors as RFC 9457 problem details: what is wrong and what to do, never a path or a key."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from ..errors import (
    ConfigError,
    DocumentError,
    FabulaError,
    HorizonError,
    MemoryBudgetError,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelTransient,
    NameTaken,
    ProjectError,
    UntrustedSettings,
    UsageError,
)

MEDIA_TYPE = "application/problem+json"
_log = logging.getLogger(__name__)
_TITLES = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "This may not be done",
    404: "There is no such thing",
    405: "This cannot be done here",
    408: "The request came too slowly",
    409: "It is in the way of something else",
    411: "The length is needed",
    413: "The body is too large",
    415: "The body is of another type",
    421: "The server does not answer as that host",
    422: "The request is not valid",
    429: "Too much at once",
    431: "The head is too large",
    500: "Something is wrong with the server",
    502: "A model gave no answer",
    503: "It cannot be done now",
}


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """What is wrong with one part of a request; ``where`` is its place, e.g. ``query.as_of``."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class ProblemShown:
    """Problem details (RFC 9457). ``type`` is stable and for programs, ``detail`` for people."""

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[FieldProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem before it is answered. ``name`` is what stays the same from version to version."""

    status: int
    name: str
    detail: str
    errors: tuple[FieldProblem, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()

    def data(self) -> dict[str, Any]:
        """The members of RFC 9457 as plain JSON (``type``, ``title``, ``status``, ``detail``), and
        ``errors``, a list of ``where`` and ``message``."""
        shown: dict[str, Any] = {
            "type": f"urn:fabula:problem:{self.name}",
            "title": _TITLES.get(self.status, "The request failed"),
            "status": self.status,
            "detail": self.detail,
            "errors": [{"where": one.where, "message": one.message} for one in self.errors],
        }
        return shown

    def response(self) -> Response:
        """The problem as it is answered: JSON of :data:`MEDIA_TYPE`, with the problem's headers."""
        body = json.dumps(self.data(), ensure_ascii=True, separators=(",", ":"))
        return Response(body, self.status, dict(self.headers), MEDIA_TYPE)


class Raised(Exception):  # noqa: N818 (what is raised is a problem)
    """A problem on its way to the client."""

    def __init__(
        self,
        status: int,
        name: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.problem = Problem(status, name, detail, headers=tuple((headers or {}).items()))


_KINDS: tuple[tuple[type[FabulaError], int, str], ...] = (
    (HorizonError, 404, "no-such-chapter"),
    (DocumentError, 422, "not-a-story"),
    (NameTaken, 409, "name-taken"),
    (UntrustedSettings, 403, "untrusted-settings"),
    (ConfigError, 422, "not-valid"),
    (UsageError, 422, "not-valid"),
    (ModelMissing, 503, "model-missing"),
    (ModelTransient, 503, "model-unavailable"),
    (ModelRefused, 502, "model-refused"),
    (ModelError, 502, "model-failed"),
    (ProjectError, 503, "project-unavailable"),
    (MemoryBudgetError, 503, "memory-short"),
    (FabulaError, 500, "internal"),
)
# The messages of these name folders, addresses and settings of the server: they go to its log.
_KEPT = {
    "untrusted-settings": "the project's folder asks for models or addresses that nobody confirmed: "
    "where the server runs, look at them, confirm them with fabula trust, and start it again",
    "model-missing": "a model that this needs is not there; the server's log says which",
    "model-unavailable": "a model that this needs does not answer now; try again later",
    "model-refused": "a model that this needs refused to answer; the server's log says why",
    "model-failed": "a model that this needs failed; the server's log says why",
    "project-unavailable": "the project cannot be used now: it is being written to, or damaged",
    "internal": "the server's log says more",
}


def problem_of(error: BaseException) -> Problem:
    """What a client is told of an error."""
    if isinstance(error, Raised):
        return error.problem
    for kind, status, name in _KINDS:
        if isinstance(error, kind):
            if name in _KEPT:
                _log.error("%s: %s", name, error)
            headers = (("Retry-After", "5"),) if kind is MemoryBudgetError else ()
            return Problem(status, name, _KEPT.get(name) or " ".join(str(error).split()), headers=headers)
    _log.error("unforeseen %s", type(error).__name__, exc_info=error)
    return Problem(500, "internal", _KEPT["internal"])


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems of an operation for its OpenAPI description; 400 and 422 everywhere, 401 and 429 too."""
    return {
        status: {
            "description": _TITLES[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemShown"}}},
        }
        for status in sorted(statuses)
    }


def showing(shown: type, *problems: int) -> dict[str, Any]:
    """How an operation is declared that answers with what is ``shown``, and its problems as for
    :func:`documented`."""
    return {"response_model": shown, "responses": documented(*problems)}


def answering(status: int, shown: type | None, description: str, *problems: int) -> dict[str, Any]:
    """How an operation is declared that answers with a ``status`` of its own: what is ``shown`` (None: no
    body), what that says, and its problems as for :func:`documented`."""
    said = {status: {"description": description}, **documented(*problems)}
    body = {"response_class": Response} if shown is None else {"response_model": shown}
    return {"status_code": status, "responses": said, **body}


def handle(app: FastAPI) -> None:
    """Has every error of the application answered as a problem."""

    async def ours(_: Request, error: Exception) -> Response:
        return problem_of(error).response()

    async def http(request: Request, error: Exception) -> Response:
        problem = _http_problem(error)
        if problem.status == 405:  # the framework names the methods of one operation of the path
            methods = _methods(app, request.url.path)
            problem = replace(problem, headers=(("Allow", ", ".join(methods)),))
        return problem.response()

    async def invalid(_: Request, error: Exception) -> Response:
        found = error.errors() if isinstance(error, RequestValidationError) else []
        return _invalid_problem(found).response()

    app.add_exception_handler(Raised, ours)
    app.add_exception_handler(FabulaError, ours)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)


_HTTP_NAMES = {
    400: ("malformed", "the body cannot be read: send what the operation's description says"),
    404: ("no-such-path", "nothing is at this path: see /v1/openapi.json"),
    405: ("no-such-method", "this path takes other methods: see the Allow header"),
    413: ("too-large", "the body is larger than this operation takes"),
    415: ("another-type", "the body is of a type that this operation does not take"),
}


def _http_problem(error: Exception) -> Problem:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = (getattr(error, "headers", None) or {}).items()
    name, detail = _HTTP_NAMES.get(status, ("http", "the request cannot be answered"))
    return Problem(status, name, detail, headers=tuple(headers))


def _methods(app: FastAPI, path: str) -> list[str]:
    found: set[str] = set()
    for template, operations in app.openapi()["paths"].items():
        if compile_path(template)[0].match(path):
            found |= {method.upper() for method in operations}
    return sorted(found | ({"HEAD"} if "GET" in found else set()))


def _invalid_problem(found: Sequence[Mapping[str, Any]]) -> Problem:
    """What was sent is not repeated: it may be anything."""
    if any(one.get("type") == "json_invalid" for one in found):
        return Problem(400, "malformed", "the body is no JSON: send one JSON object in UTF-8")
    errors = tuple(FieldProblem(_where(one.get("loc", ())), str(one.get("msg", ""))) for one in found[:20])
    first = f"{errors[0].where}: {errors[0].message}" if errors else "the request is not valid"
    return Problem(422, "not-valid", first, errors)


def _where(place: Sequence[object]) -> str:
    words = ".".join(str(part) for part in place)[:200]
    return words.encode("utf-8", "replace").decode()
