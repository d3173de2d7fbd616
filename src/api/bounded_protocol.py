"""Connections that end: those whose head or body does not come within its time, and those that are too many.

uvicorn has no such limits: a few hundred requests that are half sent would stand for ever.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .problems import Problem

if TYPE_CHECKING:
    from .settings import Limits

__all__ = ["bounded_protocol"]

_LATE = Problem(408, "too-slow", "the request did not come whole in time: send it again")
_FULL = Problem(503, "too-many-connections", "as many connections are open as this server takes: try again")


def bounded_protocol(limits: Limits) -> type[H11Protocol]:
    """uvicorn's protocol over h11 within ``connections``, ``head_s``, ``body_s`` and ``body_rate``."""

    class BoundedProtocol(H11Protocol):
        def __init__(self, *args: Any, **how: Any) -> None:
            super().__init__(*args, **how)
            self._timer: asyncio.TimerHandle | None = None
            self._waits_for: object = None  # h11's state of the client, while a time is set for it
            self._since = 0.0
            self._received = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            full = len(self.connections) >= limits.connections
            super().connection_made(transport)
            if full:
                self._refuse(_FULL)
            else:
                self._look()

        def data_received(self, data: bytes) -> None:
            self._received += len(data)
            super().data_received(data)
            self._look()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def _look(self) -> None:
            """Sets the time for what the client has begun to send; nothing else is waited for here. A line
            on which nothing new was begun is closed by uvicorn itself."""
            now = self.conn.their_state
            wants = now is h11.SEND_BODY or (now is h11.IDLE and self.timeout_keep_alive_task is None)
            if not wants or self.transport.is_closing():
                self._stop()
            elif now is not self._waits_for:
                self._stop()
                self._waits_for, self._since, self._received = now, self.loop.time(), 0
                self._set()

        def _end(self) -> float:
            """When, by the loop's clock, the client must have sent all of it."""
            if self._waits_for is h11.IDLE:
                return self._since + limits.head_s
            return self._since + limits.body_s + self._received / limits.body_rate

        def _set(self) -> None:
            self._timer = self.loop.call_at(self._end(), self._passed)

        def _passed(self) -> None:
            if self.loop.time() < self._end():  # a body that came on meanwhile
                self._set()
            else:
                self._refuse(_LATE)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
            self._timer, self._waits_for = None, None

        def _refuse(self, problem: Problem) -> None:
            self._stop()
            if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
                self.transport.write(_whole(problem))
            self.transport.close()

    return BoundedProtocol


def _whole(problem: Problem) -> bytes:
    """The answer as it goes over the line."""
    answer = problem.response()
    head = b"".join(b"%s: %s\r\n" % pair for pair in answer.raw_headers)
    return b"HTTP/1.1 %d \r\n%sconnection: close\r\n\r\n%s" % (problem.status, head, bytes(answer.body))
