"""The application: its routes, its gates, its description."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from starlette.middleware.cors import CORSMiddleware

from .. import __version__
from ..callers import Callers, own_names
from .admission import Admission, Watched
from .backend import Backend
from .problems import ProblemShown, documented, handle
from .routes import authoring, jobs, packs, projects, search, server, story
from .settings import ServerSettings, Tokens

_OPEN = "/v1/health"


def described(app: FastAPI, *, tokens: bool) -> dict[str, Any]:
    """The description of all operations; with ``tokens`` they ask for a bearer token."""
    found = get_openapi(
        title=app.title,
        version=app.version,
        description=Path(__file__).with_name("about.md").read_text(encoding="utf-8").strip(),
        routes=app.routes,
        tags=[
            {"name": "projects", "description": "Stories and their indexes"},
            {"name": "jobs", "description": "Work that goes on after its request"},
            {"name": "search", "description": "Passages and answers"},
            {"name": "story", "description": "The graph, at a horizon"},
            {"name": "authoring", "description": "What an author lays down, corrects and writes on"},
            {"name": "packs", "description": "Tagged pieces of text, by themselves"},
            {"name": "server", "description": "The server itself"},
        ],
    )
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    _add_problem(schemas)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _put_right(operation)
            _add_problems(path, method, operation, guarded=tokens and path != _OPEN)
    if tokens:
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return found


def _add_problem(schemas: dict[str, Any]) -> None:
    made = TypeAdapter(ProblemShown).json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(made.pop("$defs", {}))
    schemas["ProblemShown"] = made


def _put_right(operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        schema = parameter.get("schema", {})
        options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
        if len(options) == 1:  # a parameter is there or not; it is never null
            del schema["anyOf"]
            schema.update(options[0])
        if "default" in schema and schema["default"] is None:
            del schema["default"]


def _add_problems(path: str, method: str, operation: dict[str, Any], *, guarded: bool) -> None:
    """Those that its form shows; it names the others itself."""
    statuses = {421, 422, 431} | ({404} if "{" in path else set())
    statuses |= {503} if "{project_id}" in path else set()
    statuses |= {403} if method != "get" else set()
    sent = operation.get("requestBody", {}).get("content", {})
    statuses |= {400, 413} if sent else set()
    statuses |= {415} if "multipart/form-data" in sent else set()
    if guarded:
        statuses.add(401)
        operation["security"] = [{"token": []}]
    for status, problem in documented(*statuses).items():
        operation["responses"][str(status)] = problem


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
    _guard(app, settings, tokens)
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(described(app, tokens=tokens is not None))
        return made

    app.openapi = openapi  # type: ignore[method-assign]
    return app


def _guard(app: FastAPI, settings: ServerSettings, tokens: Tokens | None) -> None:
    """What is added last stands outermost."""
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
