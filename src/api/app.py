"""The application: its routes, its gates, its description."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from .. import __version__
from ..callers import Callers, own_names
from .admission import Admission, Door, Watched
from .backend import Backend
from .metrics import Measured
from .problems import handle
from .routes import server
from .schema.openapi import described
from .settings import ServerSettings
from .tokens import Tokens

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
