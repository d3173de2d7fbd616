"""The application: its routes, its gates, its description."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from starlette.middleware.cors import CORSMiddleware

from .. import __version__
from ..callers import Callers, own_names
from .admission import Admission, Door, Watched
from .backend import Backend
from .metrics import Measured
from .problems import ProblemShown, documented, handle
from .routes import server
from .settings import ServerSettings, Tokens

_ABOUT = """Graph-augmented hybrid retrieval and a blind continuity critic for long stories.

* **Horizon.** Every read takes `as_of`, a chapter: nothing told after it has any influence on the answer.
* **Evidence.** Every claim carries quotes with half-open character offsets into the original text.
* **Errors** are problem details (RFC 9457), `application/problem+json`; `type` is stable.
* **Pages.** Lists take `offset` and `limit` and give `total` and `next`, the way to the next page.
* **Idempotency.** Writes take an `Idempotency-Key`: the same request again gets the first answer again, with
  `Idempotency-Replayed: true`; another request under the same key is 422, one still in flight 409.
* **Names.** A request must name the server by a name that it knows (421), and pages of other origins that
  were not named to it may not write (403).
* **Heavy work** (asking, checking, comparing) is bounded: 429 with `Retry-After` when it is too much."""
_OPEN = {"/v1/health", "/v1/ready"}


def described(app: FastAPI, *, tokens: bool) -> dict[str, Any]:
    """The description of all operations; with ``tokens`` they ask for a bearer token."""
    found = get_openapi(
        title=app.title,
        version=app.version,
        description=_ABOUT,
        routes=app.routes,
        tags=[
            {"name": "projects", "description": "Stories and their indexes"},
            {"name": "jobs", "description": "Work that goes on after its request"},
            {"name": "search", "description": "Passages and answers"},
            {"name": "chapters", "description": "Drafts that become chapters"},
            {"name": "story", "description": "The graph, at a horizon"},
            {"name": "codex", "description": "What the author lays down"},
            {"name": "packs", "description": "Tagged pieces of text, by themselves"},
            {"name": "pictures", "description": "Portraits and maps"},
            {"name": "comparing", "description": "Pipelines and drafts"},
            {"name": "server", "description": "The server itself"},
        ],
    )
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    _add_problem(schemas)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _put_right(operation, guarded=tokens and path not in _OPEN)
            refused = documented(421, 431) if method == "get" else documented(403, 421, 431)
            operation["responses"].update({str(status): one for status, one in refused.items()})
    if tokens:
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return found


def _add_problem(schemas: dict[str, Any]) -> None:
    made = TypeAdapter(ProblemShown).json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(made.pop("$defs", {}))
    schemas["ProblemShown"] = made


def _put_right(operation: dict[str, Any], *, guarded: bool) -> None:
    for parameter in operation.get("parameters", ()):
        schema = parameter.get("schema", {})
        options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
        if len(options) == 1:  # a parameter is there or not; it is never null
            del schema["anyOf"]
            schema.update(options[0])
        if "default" in schema and schema["default"] is None:
            del schema["default"]
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if status == "422" and "application/problem+json" in content:
            content.pop("application/json", None)
    if guarded:
        operation["security"] = [{"token": []}]
    else:
        operation["responses"].pop("401", None)


# A request is held against one route after the other: what is asked most comes first.
_ROUTES = ["search", "server", "projects", "jobs", "story", "books", "pictures", "packs", "chapters"]
_ROUTES += ["corrections", "codex", "conversations", "compare"]
_UPLOADS = re.compile(r"/v1/projects(?:/[^/]+/(?:books|pictures))?|/v1/packs/[^/]+")


def create_app(settings: ServerSettings) -> FastAPI:
    """The application over one library. Raises ConfigError for a token file that does not hold. The library
    is opened, and jobs run, between its start and its end (use it as ``with TestClient(app)``, say)."""
    tokens = Tokens.load(settings.tokens) if settings.tokens is not None else None
    measured = Measured(lambda: app.state.backend)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        backend = app.state.backend = Backend.open(settings)
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
    app.state.measured = measured
    handle(app)
    for name in _ROUTES:
        app.include_router(import_module(f".routes.{name}", __package__).router)
    app.include_router(server.metrics_router)
    _guard(app, settings, tokens, measured)
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(described(app, tokens=tokens is not None))
        return made

    app.openapi = openapi  # type: ignore[method-assign]
    return app


def _guard(app: FastAPI, settings: ServerSettings, tokens: Tokens | None, measured: Measured) -> None:
    """What is added last stands outermost."""
    app.add_middleware(Admission, tokens=tokens, limits=settings.limits, uploads=_UPLOADS)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "HEAD", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"],
        )
    callers = Callers(own_names("", settings.host_names), frozenset(settings.origins))
    app.add_middleware(Door, callers=callers)
    app.add_middleware(Watched, measured=measured)
