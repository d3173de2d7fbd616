"""A client of the HTTP interface for its tests: what the server answers, as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from fabula.errors import FabulaError

# Method and path of each operation, and what else it is given by place; the rest is given by name.
OPERATIONS = {
    "project": "GET projects/{}",
    "remove": "DELETE projects/{}",
    "rebuild_embeddings": "POST projects/{}/embeddings/rebuild",
    "job": "GET jobs/{}",
    "cancel": "POST jobs/{}/cancel",
    "remove_book": "DELETE projects/{}/books/{}",
    "move_book": "PATCH projects/{}/books/{} to",
    "search": "GET projects/{}/search q",
    "memories": "GET projects/{}/memories q",
    "graph": "GET projects/{}/graph",
    "suggest": "POST projects/{}/suggestions wish",
    "codex": "GET projects/{}/codex",
    "write_codex": "PUT projects/{}/codex text",
    "lay_down": "POST projects/{}/codex/{} name description",
    "packs": "GET packs",
    "pack": "GET packs/{}",
    "search_pack": "GET packs/{}/search q",
    "ask_pack": "GET packs/{}/ask q",
    "remove_pack": "DELETE packs/{}",
    "ask": "POST projects/{}/ask question",
}


class ApiError(FabulaError):
    """The server answered with a problem (RFC 9457). ``type`` is stable, ``status`` the HTTP status."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem['title']}: {problem['detail']}")
        self.type, self.status, self.problem = problem["type"], problem["status"], problem


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One server-sent event; ``id`` is where to go on from (0 where the stream has no places)."""

    kind: str
    data: Any
    id: int = 0


class Client:
    """Speaks to one server; use as a context manager. Each of :data:`OPERATIONS` is a method: what it is
    given by place fills the path and names the first parameters; ``as_of`` (``after``) is the horizon,
    ``key`` the idempotency key, all else goes into the query, or the body. Raises ApiError."""

    def __init__(self, url: str, *, token: str = "", timeout_s: float = 60.0) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout_s, trust_env=False)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def __getattr__(self, name: str) -> Any:
        if name not in OPERATIONS:
            raise AttributeError(name)
        method, path, *places = OPERATIONS[name].split()

        def call(*args: Any, as_of: Any = None, after: Any = None, key: str = "", **how: Any) -> Any:
            count = path.count("{}")
            told = {**dict(zip(places, args[count:], strict=False)), **how}
            for more in args[count + len(places) :]:
                told |= more
            told = {one: value for one, value in told.items() if value is not None}
            upto = after if as_of is None else as_of
            params = {} if upto is None else {"as_of": upto}
            if method in ("GET", "DELETE"):
                return self._json(method, path.format(*args), params=params | told, key=key)
            return self._json(
                method, path.format(*args), params=params, json=told if told or places else None, key=key
            )

        return call

    def _json(self, method: str, path: str, *, key: str = "", **request: Any) -> Any:
        headers = {"Idempotency-Key": key} if key else {}
        answer = self._http.request(method, f"/v1/{path}", headers=headers, **request)
        if answer.is_error:
            raise ApiError(answer.json())
        return answer.json() if answer.content else None

    def projects(self) -> Iterator[Any]:
        """All of them, page by page."""
        return self._pages("projects", limit=200)

    def jobs(self, **how: Any) -> Iterator[Any]:
        """Newest first."""
        return self._pages("jobs", limit=200, **how)

    def _pages(self, path: str, **params: Any) -> Iterator[Any]:
        page = self._json("GET", path, params=params)
        yield from page["items"]
        while page["next"] is not None:
            page = self._json("GET", page["next"].removeprefix("/v1/"))
            yield from page["items"]

    def ingest(self, name: str, content: bytes, *, key: str = "") -> Any:
        """The job that indexes a text."""
        return self._json("POST", "projects", files={"file": (name, content)}, key=key)

    def add_book(self, project: str, name: str, content: bytes, *, key: str = "") -> Any:
        """The job that puts a book behind the last one of a series."""
        return self._json("POST", f"projects/{project}/books", files={"file": (name, content)}, key=key)

    def put_pack(self, pack: str, name: str, content: bytes, *, key: str = "") -> Any:
        """The job that makes the pack hold the items of a file and no others."""
        return self._json("POST", f"packs/{pack}", files={"file": (name, content)}, key=key)

    def follow(self, job: str, *, after: int = 0) -> Iterator[ServerEvent]:
        """The job's events from the one after ``after`` to its end."""
        return self._events(
            "GET", f"jobs/{job}/events", headers={"Last-Event-ID": str(after)} if after else {}
        )

    def ask_streaming(self, project: str, question: str, **how: Any) -> Iterator[ServerEvent]:
        """``started``, ``text`` pieces, then ``done`` with what :meth:`ask` gives."""
        return self._events("POST", f"projects/{project}/ask/stream", json={"question": question, **how})

    def _events(self, method: str, path: str, **request: Any) -> Iterator[ServerEvent]:
        with self._http.stream(method, f"/v1/{path}", **request) as answer:
            if answer.is_error:
                raise ApiError(json.loads(answer.read()))
            kind, data, place = "", "", 0
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if not line and kind == "problem":
                    raise ApiError(json.loads(data))
                if not line and kind:
                    yield ServerEvent(kind, json.loads(data), place)
                    kind, data = "", ""
                elif name == "event":
                    kind = value
                elif name == "data":
                    data = value
                elif name == "id":
                    place = int(value)
