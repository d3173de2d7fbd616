"""A client of the HTTP interface for its tests: what the server answers, as plain data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx

from fabula.errors import FabulaError


class ApiError(FabulaError):
    """The server answered with a problem (RFC 9457). ``type`` is stable, ``status`` the HTTP status."""

    def __init__(self, problem):
        super().__init__(f"{problem['title']}: {problem['detail']}")
        self.type, self.status, self.problem = problem["type"], problem["status"], problem


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One server-sent event."""

    kind: str
    data: Any


class Client:
    """Speaks to one server; use as a context manager. What is asked by name goes into the query of a GET,
    else into the body, but for ``as_of`` and the idempotency ``key``. Raises ApiError."""

    def __init__(self, url, *, token="", timeout_s=60.0):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout_s, trust_env=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._http.close()

    def _json(self, method, path, *, key="", **request):
        headers = {"Idempotency-Key": key} if key else {}
        answer = self._http.request(method, f"/v1/{path}", headers=headers, **request)
        if answer.is_error:
            raise ApiError(answer.json())
        return answer.json() if answer.content else None

    def get(self, path, **asked):
        return self._json("GET", path, params=asked)

    def send(self, method, path, *, key="", as_of=None, **body):
        params = {} if as_of is None else {"as_of": as_of}
        return self._json(method, path, params=params, json=body or None, key=key)

    def upload(self, path, name, content, *, key=""):
        """The job that takes a file."""
        return self._json("POST", path, files={"file": (name, content)}, key=key)

    def ingest(self, name, content, *, key=""):
        """The job that indexes a text."""
        return self.upload("projects", name, content, key=key)

    def follow(self, job):
        """The job's events to its end."""
        return self._events("GET", f"jobs/{job}/events")

    def ended(self, job: Any) -> tuple[str, Any]:
        """How a job ends, and with what."""
        last = list(self.follow(job["id"]))[-1]
        return last.kind, last.data

    def ask_streaming(self, project, question, **how):
        """``started``, ``text`` pieces, then ``done`` with what :meth:`ask` gives."""
        asked = {"question": question, "stream": True, **how}
        return self._events("POST", f"projects/{project}/ask", json=asked)

    def stream(self, method, path, **request):
        return self._http.stream(method, f"/v1/{path}", **request)

    def _events(self, method, path, **request):
        with self.stream(method, path, **request) as answer:
            if answer.is_error:
                raise ApiError(json.loads(answer.read()))
            lines = {}
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                lines[name] = value
                if line or "event" not in lines:
                    continue
                if lines["event"] == "problem":
                    raise ApiError(json.loads(lines["data"]))
                yield ServerEvent(lines["event"], json.loads(lines["data"]))
                lines = {}
