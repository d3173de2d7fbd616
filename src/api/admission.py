"""Middleware before every request: from where it comes, who asks, how much is sent, how long it took."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..callers import Callers
from .problems import Problem, problem_of
from .settings import EVERYBODY, Limits, Tokens

OPEN_PATHS = frozenset({"/v1/health", "/v1/openapi.json"})
_BEARER = "bearer "
_CLOSE = {"Connection": "close"}  # what is still being sent is not wanted
_log = logging.getLogger("fabula.api.access")


@dataclass(frozen=True, slots=True)
class Admission:
    """Refuses what names the server by a name that is not its own, all that comes from pages of others (reads
    too, since one may ask a model that costs), who has no token, and what is too large: before any of the
    body is read.

    Leaves the ``Access`` in the scope's state. ``uploads`` matches the paths that take a file. A body without
    a length is counted while it comes.
    """

    app: ASGIApp
    callers: Callers
    tokens: Tokens | None
    limits: Limits
    uploads: re.Pattern[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        path = scope["path"]
        most = self.limits.upload if self.uploads.fullmatch(path) else self.limits.body
        try:
            harmless = path in OPEN_PATHS or scope["method"] == "OPTIONS"
            refusal = self.callers.refusal(scope["headers"], "GET" if harmless else "POST")
            if refusal is not None:
                raise Problem(refusal.status, refusal.name, refusal.detail)
            _check_head(scope, self.limits.head)
            access = EVERYBODY if path in OPEN_PATHS else self._access(headers)
            _check_length(headers, most)
        except Problem as refused:
            await refused.response()(scope, receive, send)
            return
        scope.setdefault("state", {})["access"] = access
        await self.app(scope, _counted(receive, most), send)

    def _access(self, headers: Mapping[str, str]) -> object:
        if self.tokens is None:
            return EVERYBODY
        given = headers.get("authorization", "")
        is_bearer = given.lower().startswith(_BEARER)
        known = self.tokens.access(given[len(_BEARER) :].strip()) if is_bearer else None
        if known is None:
            detail = "send a token that this server knows: Authorization: Bearer TOKEN"
            raise Problem(401, "no-token", detail, headers={"WWW-Authenticate": "Bearer"})
        return known


def _check_head(scope: Scope, most: int) -> None:
    """The server's own limit is for a head that is not whole yet: one that comes at once passes it."""
    size = len(scope["raw_path"]) + len(scope["query_string"])
    size += sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    if size > most:
        detail = f"the head of a request may have {most} bytes: send less"
        raise Problem(431, "head-too-large", detail, headers=_CLOSE)


def _check_length(headers: Mapping[str, str], most: int) -> None:
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit():
        raise Problem(400, "malformed", "the Content-Length is no number")
    if int(length) > most:
        detail = f"the body may have {most} bytes here: send less"
        raise Problem(413, "too-large", detail, headers=_CLOSE)


def _counted(receive: Receive, most: int) -> Receive:
    seen = 0

    async def take() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                raise HTTPException(413, headers=_CLOSE)  # of a kind that the framework lets through
        return message

    return take


class Watched:
    """Counts and times every request, logs it without its query, and answers what nobody foresaw. HEAD is
    answered as GET is, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status, method, ended = 0, scope["method"], False
        asked = {**scope, "method": "GET"} if method == "HEAD" else scope

        async def noted(message: Message) -> None:
            nonlocal status, ended
            if message["type"] == "http.response.start":
                status = message["status"]
            elif method == "HEAD":  # its answer ends with the head, also that of a stream
                message = {"type": "http.response.body"}
            if not ended:
                ended = method == "HEAD" and message["type"] == "http.response.body"
                await send(message)

        try:
            await self._app(asked, receive, noted)
        except Exception as error:  # noqa: BLE001 (the outermost edge)
            problem = problem_of(error).response()
            if not status:
                await problem(scope, receive, noted)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(asked.get("route"), "path", "other")
            scope["app"].state.backend.metrics.request(method, route, status or 499, seconds)
            _log.info("%s %s %d %.1f ms", method, route, status or 499, 1000 * seconds)
