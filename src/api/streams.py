"""Server-sent events of work in a thread, which is stopped when nobody listens any more."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from .problems import Problem, problem_of

EVENT_STREAM = "text/event-stream"
EVENTS = {
    EVENT_STREAM: {
        "schema": {  # of one event, as tools that read such streams take it
            "type": "object",
            "required": ["event", "data"],
            "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
        }
    }
}
QUIET_S = 15.0
"""After so long without an event a comment says that the connection is still in use."""
Emit = Callable[[str, Any], None]


class Abandoned(Exception):  # noqa: N818 (nothing went wrong)
    """Nobody listens any more; unwinds the work."""


class EventStream(StreamingResponse):
    """Events as they come. ``on_end`` is called when the last is sent or the client has gone."""

    media_type = EVENT_STREAM

    def __init__(self, events: AsyncIterator[bytes], *, on_end: Callable[[], None] = lambda: None) -> None:
        super().__init__(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_end()


def event(kind: str, data: Any, *, id: int | None = None) -> bytes:
    """One event; ``data`` is plain JSON data."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return format_sse_event(data_str=body, event=kind, id=None if id is None else str(id))


async def events_of(
    request: Request, work: Callable[[Emit], Mapping[str, Any]], *, seconds: float
) -> EventStream:
    """Runs ``work(emit)`` in a thread of its own and streams what it emits, then an event ``done`` with what
    it returns, or ``problem``. Once the client has gone, the next ``emit`` raises Abandoned.

    The stream begins when ``work`` emits something for the first time: what it raises before is raised here,
    and answered as by any other operation. After ``seconds`` nobody waits any longer: it ends with a problem
    (503), and so does the work as if the client had gone."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
    left = threading.Event()
    deadline = loop.time() + seconds

    def put(item: bytes | Exception | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server ends
            loop.call_soon_threadsafe(queue.put_nowait, item)

    def emit(kind: str, data: Any) -> None:
        if left.is_set():
            raise Abandoned
        if data != "":  # an empty piece of text only asks whether anybody listens
            put(event(kind, data))

    def run() -> None:
        try:
            put(event("done", work(emit)))
        except Abandoned:
            pass
        except Exception as error:  # noqa: BLE001 (the thread's outermost edge)
            put(error)
        finally:
            put(None)

    async def following() -> bytes | Exception | None:
        rest = deadline - loop.time()
        if left.is_set():
            return None
        try:
            if rest > 0:
                return await asyncio.wait_for(queue.get(), min(rest, QUIET_S))
        except TimeoutError:
            if rest > QUIET_S:
                return KEEPALIVE_COMMENT
        left.set()
        detail = f"the answer took more than {seconds:g} s: ask for less, or again later"
        return Problem(503, "stream-limit", detail)

    async def events(item: bytes | Exception | None) -> AsyncIterator[bytes]:
        while item is not None:
            yield item if isinstance(item, bytes) else event("problem", problem_of(item).data())
            item = await following()

    threading.Thread(target=run, name=f"stream {request.url.path}", daemon=True).start()
    first = await following()
    while first is KEEPALIVE_COMMENT:
        first = await following()
    if isinstance(first, Exception):
        raise first
    return EventStream(events(first), on_end=left.set)
