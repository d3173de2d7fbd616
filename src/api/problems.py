"""Errors as RFC 9457 problem details: what is wrong and what to do, never a path or a key."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
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
_HERE = "where the server runs"
# Routes that went, by their first word after the project, and what does their work now.
_RETIRED = {
    "ask": 'for a stream send "stream": true to /v1/projects/ID/ask',
    "books": f"run fabula library books, {_HERE}, or use the app",
    "chapters": f"send the text with its new chapter to /v1/projects, or run fabula accept, {_HERE}",
    "codex": "send the whole with PUT to /v1/projects/ID/codex",
    "demo": "send the story to /v1/projects",
    "embeddings": "GET /v1/projects/ID has them",
    "impact": f"run fabula search --impact, {_HERE}",
    "ledger": "GET /v1/projects/ID/bible has the threads",
    "pictures": f"run fabula pictures, {_HERE}, or use the app",
    "ready": "GET /v1/health is 503 until the server is ready",
    "score": 'send "drafts" to /v1/projects/ID/compare',
    "suspects": f"run fabula check --suspects, {_HERE}",
    "usage": f"run fabula model usage, {_HERE}",
    "verify": f"run fabula verify, {_HERE}",
}
_ROUTE = re.compile(r"/v1/(?:projects/[^/]+/)?([a-z]+)(?:/|$)")


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
        return {
            "type": f"urn:fabula:problem:{self.name}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "errors": [{"where": one.where, "message": one.message} for one in self.errors],
        }

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


_LOG = "the server's log says"
# Errors that have words here name folders, addresses and settings: their messages go to the log.
_KINDS: tuple[tuple[type[FabulaError], int, str, str], ...] = (
    (HorizonError, 404, "no-such-chapter", ""),
    (DocumentError, 422, "not-a-story", ""),
    (NameTaken, 409, "name-taken", ""),
    (
        UntrustedSettings,
        403,
        "untrusted-settings",
        "the project's folder asks for models or addresses that nobody confirmed: where the server runs, "
        "look at them, confirm them with fabula trust, and start it again",
    ),
    (ConfigError, 422, "not-valid", ""),
    (UsageError, 422, "not-valid", ""),
    (ModelMissing, 503, "model-missing", f"a model that this needs is not there; {_LOG} which"),
    (
        ModelTransient,
        503,
        "model-unavailable",
        "a model that this needs does not answer now; try again later",
    ),
    (ModelRefused, 502, "model-refused", f"a model that this needs refused to answer; {_LOG} why"),
    (ModelError, 502, "model-failed", f"a model that this needs failed; {_LOG} why"),
    (
        ProjectError,
        503,
        "project-unavailable",
        "the project cannot be used now: it is being written to, or damaged",
    ),
    (MemoryBudgetError, 503, "memory-short", ""),
    (FabulaError, 500, "internal", f"{_LOG} more"),
)


def problem_of(error: BaseException) -> Problem:
    """What a client is told of an error."""
    if isinstance(error, Raised):
        return error.problem
    for kind, status, name, detail in _KINDS:
        if isinstance(error, kind):
            if detail:
                _log.error("%s: %s", name, error)
            headers = (("Retry-After", "5"),) if kind is MemoryBudgetError else ()
            return Problem(status, name, detail or " ".join(str(error).split()), headers=headers)
    _log.error("unforeseen %s", type(error).__name__, exc_info=error)
    return Problem(500, "internal", f"{_LOG} more")


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Problems of an operation for its OpenAPI description."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemShown"}}},
        }
        for status in sorted(statuses)
    }


def answering(shown: object, *problems: int, status: int = 200, description: str = "") -> dict[str, Any]:
    """How an operation is declared: what its answer holds (None: no body), which ``status`` it has and what
    that says, and the ``problems`` that its form does not show (see :func:`.app.described`)."""
    said = {status: {"description": description}} if description else {}
    body = {"response_class": Response} if shown is None else {"response_model": shown}
    return {"status_code": status, "responses": said | documented(*problems), **body}


def handle(app: FastAPI) -> None:
    """Has every error of the application answered as a problem."""

    async def ours(_: Request, error: Exception) -> Response:
        return problem_of(error).response()

    async def http(request: Request, error: Exception) -> Response:
        problem = _http_problem(error, request.url.path)
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


def _http_problem(error: Exception, path: str) -> Problem:
    status = error.status_code if isinstance(error, HTTPException) else 500
    route = _ROUTE.match(path) if status == 404 else None
    if route is not None and route[1] in _RETIRED:
        return Problem(410, "gone", f"this went: {_RETIRED[route[1]]}")
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
        return Problem(400, "malformed", "the body is not JSON: send one JSON object in UTF-8")
    errors = tuple(FieldProblem(_where(one.get("loc", ())), str(one.get("msg", ""))) for one in found[:20])
    first = f"{errors[0].where}: {errors[0].message}" if errors else "the request is not valid"
    return Problem(422, "not-valid", first, errors)


def _where(place: Sequence[object]) -> str:
    words = ".".join(str(part) for part in place)[:200]
    return words.encode("utf-8", "replace").decode()
