"""Connections that end: those whose head or body does not come within its time, and those that are too many.

uvicorn has no such limits: a few hundred requests that are half sent would stand for ever.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .problems import Problem

if TYPE_CHECKING:
    from .settings import Limits

_EVERY_S = 0.2
_LATE = Problem(408, "too-slow", "the request did not come whole in time: send it again")
_FULL = Problem(503, "too-many-connections", "as many connections are open as this server takes: try again")


def bounded_protocol(limits: Limits) -> type[H11Protocol]:
    """uvicorn's protocol over h11 within ``connections``, ``head_s``, ``body_s`` and ``body_rate``."""

    class BoundedProtocol(H11Protocol):
        _waits_for: object = None  # h11's state of the client, while something of it is waited for
        _since = 0.0
        _received = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            full = len(self.connections) >= limits.connections
            super().connection_made(transport)
            if full:
                self._refuse(_FULL)
            else:
                self._look()
                self._tick()

        def data_received(self, data: bytes) -> None:
            self._received += len(data)
            super().data_received(data)
            self._look()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look()

        def _look(self) -> None:
            """Sees what the client has begun to send; nothing else is waited for here. A line on which
            nothing new was begun is closed by uvicorn itself."""
            now = self.conn.their_state
            wants = now is h11.SEND_BODY or (now is h11.IDLE and self.timeout_keep_alive_task is None)
            if (now if wants else None) is not self._waits_for:
                self._waits_for, self._since, self._received = now if wants else None, self.loop.time(), 0

        def _tick(self) -> None:
            if self.transport.is_closing():
                return
            taken = self.loop.time() - self._since
            in_time = limits.body_s + self._received / limits.body_rate
            if self._waits_for and taken > (limits.head_s if self._waits_for is h11.IDLE else in_time):
                self._refuse(_LATE)
            else:
                self.loop.call_later(_EVERY_S, self._tick)

        def _refuse(self, problem: Problem) -> None:
            if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
                self.transport.write(_whole(problem))
            self.transport.close()

    return BoundedProtocol


def _whole(problem: Problem) -> bytes:
    """The answer as it goes over the line."""
    answer = problem.response()
    head = b"".join(b"%s: %s\r\n" % pair for pair in answer.raw_headers)
    return b"HTTP/1.1 %d \r\n%sconnection: close\r\n\r\n%s" % (problem.status, head, bytes(answer.body))
