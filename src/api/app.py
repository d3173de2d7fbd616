"""The application: its routes, its gates, its description."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from starlette.middleware.cors import CORSMiddleware

from .. import __version__
from ..callers import Callers, own_names
from .admission import OPEN_PATHS, Admission, Watched
from .backend import Backend
from .problems import ProblemShown, documented, handle, words_in
from .routes import authoring, jobs, packs, projects, search, server, story
from .settings import ServerSettings, Tokens


def described(app: FastAPI, *, tokens: bool) -> dict[str, Any]:
    """The description of all operations; with ``tokens`` they ask for a bearer token."""
    found = get_openapi(
        title=app.title,
        version=app.version,
        description=Path(__file__).with_name("about.md").read_text(encoding="utf-8").strip(),
        routes=app.routes,
        tags=[{"name": n, "description": d} for n, d in words_in("tags.toml").items()],
    )
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    made = TypeAdapter(ProblemShown).json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(made.pop("$defs", {}))
    schemas["ProblemShown"] = made
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _put_right(operation)
            _add_problems(path, method, operation, guarded=tokens and path not in OPEN_PATHS)
    if tokens:
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return found


def _put_right(operation: dict[str, Any]) -> None:
    for schema in (one.get("schema", {}) for one in operation.get("parameters", ())):
        options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
        if len(options) == 1:  # a parameter is there or not; it is never null
            del schema["anyOf"]
            schema.update(options[0])
        if schema.get("default", "") is None:
            del schema["default"]


def _add_problems(path: str, method: str, operation: dict[str, Any], *, guarded: bool) -> None:
    """Those that its form shows; it names the others itself."""
    sent = operation.get("requestBody", {}).get("content", {})
    statuses = {421, 422, 431} | ({404} if "{" in path else set())
    statuses |= {503} if "{project_id}" in path else set()
    statuses |= {403} if method != "get" else set()
    statuses |= {400, 413} if sent else set()
    statuses |= {415} if "multipart/form-data" in sent else set()
    if guarded:
        statuses.add(401)
        operation["security"] = [{"token": []}]
    operation["responses"] |= {str(status): one for status, one in documented(*statuses).items()}


# A request is held against one route after the other: what is asked most comes first.
_ROUTERS = [one.router for one in (search, server, projects, jobs, story, packs, authoring)]
_UPLOADS = re.compile(r"/v1/projects(?:/[^/]+/books)?|/v1/packs/[^/]+")


def create_app(settings: ServerSettings) -> FastAPI:
    """The application over one library. Raises ConfigError for a token file that does not hold. The library
    is opened, and jobs run, between its start and its end (use it as ``with TestClient(app)``, say)."""
    tokens = Tokens.load(settings.tokens) if settings.tokens is not None else None

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        backend = app.state.backend = Backend(settings)
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.limits.threads
        backend.runner.start()
        try:
            yield
        finally:
            await anyio.to_thread.run_sync(backend.close)

    app = FastAPI(
        title="fabula",
        version=__version__,
        openapi_url="/v1/openapi.json",
        docs_url=None,  # its pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    handle(app)
    for router in _ROUTERS:
        app.include_router(router)
    # what is added last stands outermost
    callers = Callers(own_names("", settings.host_names), frozenset(settings.origins))
    app.add_middleware(Admission, callers=callers, tokens=tokens, limits=settings.limits, uploads=_UPLOADS)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "HEAD", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"],
        )
    app.add_middleware(Watched)
    app.openapi = cache(partial(described, app, tokens=tokens is not None))  # type: ignore[method-assign]
    return app
