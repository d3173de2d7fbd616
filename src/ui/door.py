"""What stands before the app: a door that knows the app's names and its own pages (see ``callers``)."""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from ..callers import Callers


class Door:
    """Refuses requests and sockets at a host that ``server.allowedHosts`` lacks, and sockets and writes
    from pages that are neither the app's own nor of ``server.corsAllowedOrigins``. Streamlit itself looks at
    the host of sockets alone, and takes them from every page of this machine."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        names = (name.strip("[]").lower() for name in config.get_option("server.allowedHosts"))
        self._callers = Callers(frozenset(names), frozenset(config.get_option("server.corsAllowedOrigins")))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = None
        if scope["type"] in ("http", "websocket"):
            refused = self._callers.refusal(scope["headers"], scope.get("method", "WEBSOCKET"))
        if refused is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused.name})
        else:
            await PlainTextResponse(refused.detail, refused.status)(scope, receive, send)
