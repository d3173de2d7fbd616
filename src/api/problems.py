"""Errors as RFC 9457 problem details: what is wrong and what to do, never a path or a key."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from ..core.files.toml import load_toml
from ..errors import FabulaError, MemoryBudgetError

MEDIA_TYPE = "application/problem+json"
_NONE: Mapping[str, str] = {}
_log = logging.getLogger(__name__)
_WAYS = {
    ("extra_forbidden", "body.as_of"): "give the chapter in the address: ?as_of=5",
    ("missing", "body.file"): "send the book as a form (multipart/form-data) with the field file",
}
"""What to do about a request, by the kind of problem and its place."""
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


class Problem(Exception):  # noqa: N818 (what is raised is a problem)
    """A problem on its way to the client. ``name`` is what stays the same from version to version."""

    def __init__(
        self,
        status: int,
        name: str,
        detail: str,
        errors: tuple[FieldProblem, ...] = (),
        *,
        headers: Mapping[str, str] = _NONE,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self._name, self._errors, self._headers = name, errors, headers

    def data(self) -> dict[str, Any]:
        """As plain JSON."""
        kind, title = f"urn:fabula:problem:{self._name}", HTTPStatus(self.status).phrase
        return asdict(ProblemShown(kind, title, self.status, str(self), self._errors))

    def response(self) -> Response:
        """The problem as it is answered: JSON of :data:`MEDIA_TYPE`, with the problem's headers."""
        body = json.dumps(self.data(), ensure_ascii=True, separators=(",", ":"))
        return Response(body, self.status, self._headers, MEDIA_TYPE)


@cache
def words_in(name: str) -> Mapping[str, Any]:
    """What is said over HTTP, in a file of this folder: in ``problems.toml`` of an error, by its class or its
    status of HTTP."""
    return load_toml(Path(__file__).with_name(name))


def problem_of(error: BaseException) -> Problem:
    """What a client is told of an error."""
    if isinstance(error, Problem):
        return error
    told = words_in("problems.toml")
    found = next((told[one.__name__] for one in type(error).__mro__ if one.__name__ in told), None)
    if found is None:
        _log.error("unforeseen %s", type(error).__name__, exc_info=error)
        found = told["FabulaError"]
    elif "detail" in found:
        _log.error("%s: %s", found["name"], error)
    headers = {"Retry-After": "5"} if isinstance(error, MemoryBudgetError) else _NONE
    detail = found.get("detail") or " ".join(str(error).split())
    return Problem(found["status"], found["name"], detail, headers=headers)


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

    async def answered(request: Request, error: Exception) -> Response:
        if isinstance(error, RequestValidationError):
            return _invalid_problem(error.errors()).response()
        if not isinstance(error, HTTPException):
            return problem_of(error).response()
        route = _ROUTE.match(request.url.path) if error.status_code == 404 else None
        if route is not None and (instead := words_in("retired_routes.toml").get(route[1])):
            return Problem(410, "gone", f"this went: {instead}").response()
        told = words_in("problems.toml")
        said = told.get(str(error.status_code), told["HTTP"])
        headers = dict(error.headers or {})
        if error.status_code == 405:  # the framework names the methods of one operation of the path
            headers = {"Allow": ", ".join(_methods(app, request.url.path))}
        return Problem(error.status_code, **said, headers=headers).response()

    for kind in (Problem, FabulaError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, answered)


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
    errors = []
    for one in found[:20]:
        place = ".".join(str(part) for part in one.get("loc", ()) if "[" not in str(part))  # no validator's
        where = place[:200].encode("utf-8", "replace").decode()
        said = _WAYS.get((str(one.get("type")), where), str(one.get("msg", "")))
        errors.append(FieldProblem(where, said))
    first = f"{errors[0].where}: {errors[0].message}" if errors else "the request is not valid"
    return Problem(422, "not-valid", first, tuple(errors))
