"""The clients of the load experiment, in a process of their own: many connections, little work for each.

Reads its order as JSON from stdin, writes what it saw as JSON to stdout. HTTP is spoken by hand over kept
connections, since on two cores a client library would cost more than the server it measures.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from typing import Any
from urllib.parse import quote

__all__ = ["main"]


class Seen:
    """What all clients saw: seconds of every answer, and what went wrong."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.errors: list[str] = []


async def main(order: dict[str, Any]) -> dict[str, Any]:
    """``rate`` is the most requests a second of one client (None: the next as soon as one is answered).

    A client that waits for an answer sends nothing, so the offered rate sinks with a slow server: a closed
    loop with pacing. Clients start spread over one interval; queries are never repeated within a run.
    """
    seen = Seen()
    end = time.perf_counter() + order["seconds"]
    queries = iter(order["queries"])
    clients = [_client(order, queries, seen, end, number) for number in range(order["clients"])]
    started = time.perf_counter()
    await asyncio.gather(*clients)
    return {"seconds": seen.seconds, "errors": seen.errors, "wall": time.perf_counter() - started}


async def _client(order: dict[str, Any], queries: Any, seen: Seen, end: float, number: int) -> None:
    interval = 1.0 / order["rate"] if order["rate"] else 0.0
    chance = random.Random(f"{order['seed']}-{number}")
    due = time.perf_counter() + chance.random() * interval
    line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    while (wait := max(0.0, due - time.perf_counter())) + time.perf_counter() < end:
        await asyncio.sleep(wait)
        query = next(queries, None)
        if query is None:
            seen.errors.append("the queries ran out")
            break
        start = time.perf_counter()
        due = start + interval * chance.uniform(0.8, 1.2)
        try:
            if line is None:
                line = await asyncio.open_connection("127.0.0.1", order["port"])
            status = await asyncio.wait_for(_get(line, f"{order['path']}&q={quote(query)}"), timeout=30)
        except (OSError, ValueError, EOFError, TimeoutError) as error:
            seen.errors.append(type(error).__name__)
            line = None
            continue
        seen.seconds.append(time.perf_counter() - start)
        if status != 200:
            seen.errors.append(str(status))
    if line is not None:
        line[1].close()


async def _get(line: tuple[asyncio.StreamReader, asyncio.StreamWriter], path: str) -> int:
    """The status, once the whole answer is there."""
    reader, writer = line
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode("ascii"))
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = int(head.split("content-length:", 1)[1].split("\r\n", 1)[0])
    await reader.readexactly(length)
    return int(head.split(" ", 2)[1])


if __name__ == "__main__":
    json.dump(asyncio.run(main(json.load(sys.stdin))), sys.stdout)
