"""A connection to one server, and how its answers are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

from ...errors import FabulaError

__all__ = ["ApiError", "AsOf", "Connection", "Json", "ServerEvent", "given", "keyed"]

Json = dict[str, Any]
AsOf = int | str | None
"""A chapter, or in a series a book and its chapter (``"2:5"``); None: all is read."""


class ApiError(FabulaError):
    """The server answered with a problem (RFC 9457). ``type`` is stable, ``status`` the HTTP status."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{problem.get('title', 'the request failed')}: {problem.get('detail', '')}")
        self.type = str(problem.get("type", "about:blank"))
        self.status = int(problem.get("status", 0))
        self.problem = dict(problem)


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One server-sent event; ``id`` is where to go on from (0 where the stream has no places)."""

    kind: str
    data: Any
    id: int = 0


class Connection:
    """Speaks to one server; use as a context manager. Threads may share one."""

    def __init__(self, url: str, *, token: str = "", timeout_s: float = 60.0) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout_s, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections to the server."""
        self._http.close()

    def _answer(self, method: str, path: str, **request: Any) -> httpx.Response:
        answer = self._http.request(method, path, **request)
        if answer.is_error:
            raise _error(answer)
        return answer

    def _json(self, method: str, path: str, **request: Any) -> Json:
        return dict(self._answer(method, path, **request).json())

    def _pages(self, path: str, **request: Any) -> Iterator[Json]:
        page = self._json("GET", path, **request)
        yield from page["items"]
        while page["next"] is not None:
            page = self._json("GET", page["next"])
            yield from page["items"]

    def _events(self, method: str, path: str, **request: Any) -> Iterator[ServerEvent]:
        with self._http.stream(method, path, **request) as answer:
            if answer.is_error:
                answer.read()
                raise _error(answer)
            for one in _parsed(answer.iter_lines()):
                if one.kind == "problem":
                    raise ApiError(one.data)
                yield one


def _parsed(lines: Iterable[str]) -> Iterator[ServerEvent]:
    kind, data, place = "", "", 0
    for line in lines:
        name, _, value = line.partition(": ")
        if not line and kind:
            yield ServerEvent(kind, json.loads(data), place)
            kind, data = "", ""
        elif name == "event":
            kind = value
        elif name == "data":
            data = value
        elif name == "id":
            place = int(value)


def _error(answer: httpx.Response) -> ApiError:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {"title": "The server answered with no problem details", "status": answer.status_code}
    return ApiError(problem)


def given(**params: Any) -> dict[str, Any]:
    """The parameters that are given, for a query."""
    return {name: value for name, value in params.items() if value is not None}


def keyed(key: str) -> dict[str, str]:
    """The header of an idempotency key, if there is one."""
    return {"Idempotency-Key": key} if key else {}
