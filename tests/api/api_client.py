"""A client of the HTTP interface for its tests: what the server answers, as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

from fabula.errors import FabulaError

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


class AuthoringClient(Connection):
    """The part of :class:`..client.Client` that changes a project."""

    def add_book(self, project: str, name: str, content: bytes, *, key: str = "") -> Json:
        """The job that puts a book behind the last one of a series; ``key`` as for :meth:`ingest`."""
        files = {"file": (name, content)}
        return self._json("POST", f"/v1/projects/{project}/books", files=files, headers=keyed(key))

    def remove_book(self, project: str, number: int, *, key: str = "") -> Json:
        """The job that takes that book of a series out; ``key`` as for :meth:`ingest`."""
        return self._json("DELETE", f"/v1/projects/{project}/books/{number}", headers=keyed(key))

    def corrections(self, project: str, *, as_of: AsOf = None) -> Json:
        """Who is who by the author's word, but for what speaks of names first told after the horizon."""
        return self._json("GET", f"/v1/projects/{project}/corrections", params=given(as_of=as_of))

    def correct(
        self, project: str, correction: Mapping[str, Any], *, as_of: AsOf = None, key: str = ""
    ) -> Json:
        """Adds a correction (``kind``, ``who``, and what its kind takes); what it changed."""
        path, params = f"/v1/projects/{project}/corrections", given(as_of=as_of)
        return self._json("POST", path, params=params, json=dict(correction), headers=keyed(key))

    def take_back(self, project: str, correction: str) -> None:
        """Takes the correction of that id back."""
        self._answer("DELETE", f"/v1/projects/{project}/corrections/{correction}")

    def move_book(self, project: str, number: int, to: int, *, key: str = "") -> Json:
        """The job that lets a book of a series be read as number ``to``."""
        path = f"/v1/projects/{project}/books/{number}"
        return self._json("PATCH", path, json={"to": to}, headers=keyed(key))

    def suggest(self, project: str, wish: str = "", *, as_of: AsOf = None, **how: Any) -> Json:
        """Ways in which the story could go on; ``how`` are the body's other fields: count, form."""
        path = f"/v1/projects/{project}/suggestions"
        return self._json("POST", path, params=given(as_of=as_of), json={"wish": wish, **how})

    def accept(self, project: str, draft: str, *, title: str = "", after: AsOf = None, key: str = "") -> Json:
        """Makes the draft the book's next chapter; ``after`` is the chapter that it was written to follow.
        Without a ``key`` the same draft sent twice is two chapters."""
        path, body = f"/v1/projects/{project}/chapters", {"draft": draft, "title": title}
        return self._json("POST", path, params=given(as_of=after), json=body, headers=keyed(key))

    def take_back_chapter(self, project: str, number: int) -> None:
        """Takes the last chapter back, where it was accepted; ``number`` is its number."""
        self._answer("DELETE", f"/v1/projects/{project}/chapters/{number}")

    def codex(self, project: str) -> Json:
        """The codex as its author wrote it (``text``), and the names and rules it lays down."""
        return self._json("GET", f"/v1/projects/{project}/codex")

    def write_codex(self, project: str, text: str, *, instead_of: str | None = None, key: str = "") -> Json:
        """Makes this text the codex; refused where it is none, or ``instead_of`` is not the codex any
        more."""
        body = given(text=text, instead_of=instead_of)
        return self._json("PUT", f"/v1/projects/{project}/codex", json=body, headers=keyed(key))

    def lay_down(self, project: str, table: str, name: str, description: str = "", *, key: str = "") -> Json:
        """Adds one more to ``characters``, ``places``, ``groups`` or ``things``."""
        body, path = {"name": name, "description": description}, f"/v1/projects/{project}/codex/{table}"
        return self._json("POST", path, json=body, headers=keyed(key))

    def pictures(self, project: str, *, as_of: AsOf = None) -> Json:
        """Portraits and maps that a reader at the horizon may see."""
        return self._json("GET", f"/v1/projects/{project}/pictures", params=given(as_of=as_of))

    def picture(self, project: str, picture: str, *, as_of: AsOf = None) -> bytes:
        """The file of a picture, PNG or JPEG."""
        path = f"/v1/projects/{project}/pictures/{picture}"
        return self._answer("GET", path, params=given(as_of=as_of)).content

    def add_picture(
        self,
        project: str,
        name: str,
        content: bytes,
        *,
        of: Sequence[str] = (),
        caption: str = "",
        from_chapter: int = 0,
    ) -> Json:
        """Keeps a picture of whom or what is named in ``of``; again, to change what is said of it."""
        told = {"of": list(of), "caption": caption, "from_chapter": str(from_chapter)}
        path = f"/v1/projects/{project}/pictures"
        return self._json("POST", path, files={"file": (name, content)}, data=told)

    def remove_picture(self, project: str, picture: str) -> None:
        """Takes a picture out, with its file."""
        self._answer("DELETE", f"/v1/projects/{project}/pictures/{picture}")


class Client(AuthoringClient):
    """Speaks to one server; use as a context manager. Threads may share one.

    ``as_of`` is everywhere the chapter that nothing may come from after; in a series it may be a book and its
    chapter, ``"2:5"``. Every method raises ApiError where
    the server answers with a problem, and httpx's errors where it does not answer.
    """

    # --- the server ------------------------------------------------------------------------------

    def health(self) -> Json:
        """The server's ``status``, ``"ok"``, and its ``version``. Needs no token."""
        return self._json("GET", "/v1/health")

    def ready(self) -> Json:
        """Raises ApiError (503) while it is not."""
        return self._json("GET", "/v1/ready")

    def metrics(self) -> str:
        """Prometheus' text format."""
        return self._answer("GET", "/metrics").text

    # --- projects and jobs -----------------------------------------------------------------------

    def projects(self) -> Iterator[Json]:
        """All of them, page by page."""
        return self._pages("/v1/projects?limit=200")

    def project(self, project: str, *, as_of: AsOf = None) -> Json:
        """The project's title, and its chapters up to the horizon with their half-open character offsets."""
        return self._json("GET", f"/v1/projects/{project}", params=given(as_of=as_of))

    def ingest(self, name: str, content: bytes, *, key: str = "") -> Json:
        """The job that indexes a text; under ``key`` it is sent once, however often it is asked for."""
        files = {"file": (name, content)}
        return self._json("POST", "/v1/projects", files=files, headers=keyed(key))

    def ingest_demo(self, *, key: str = "") -> Json:
        """The job that indexes the demo story; ``key`` as for :meth:`ingest`."""
        return self._json("POST", "/v1/demo", headers=keyed(key))

    def remove(self, project: str, *, key: str = "") -> None:
        """Deletes the project with its index, graph and ratings. Refused (409) while a job works on it."""
        self._answer("DELETE", f"/v1/projects/{project}", headers=keyed(key))

    def embeddings(self, project: str, *, as_of: AsOf = None) -> Json:
        """Which model made the project's vectors, how many there are up to the horizon, and whether the
        settings still name it (``current``)."""
        return self._json("GET", f"/v1/projects/{project}/embeddings", params=given(as_of=as_of))

    def verify(self, project: str) -> Json:
        """What is broken in a project, if anything is, and what was compared."""
        return self._json("GET", f"/v1/projects/{project}/verify")

    def rebuild_embeddings(self, project: str, *, key: str = "") -> Json:
        """The job that makes all of the project's vectors anew, with the model that the settings name now;
        ``key`` as for :meth:`ingest`."""
        return self._json("POST", f"/v1/projects/{project}/embeddings/rebuild", headers=keyed(key))

    def jobs(self, *, status: str | None = None, project: str | None = None) -> Iterator[Json]:
        """Newest first."""
        return self._pages("/v1/jobs", params=given(status=status, project=project, limit=200))

    def job(self, job: str) -> Json:
        """The job as it is now: its ``status``, its ``report`` once it is done, its ``problem`` where it
        failed. Times are seconds since 1970."""
        return self._json("GET", f"/v1/jobs/{job}")

    def cancel(self, job: str) -> Json:
        """Asks for a job that waits or runs to be ended, and gives the job. One that is over stays as it
        is."""
        return self._json("POST", f"/v1/jobs/{job}/cancel")

    def follow(self, job: str, *, after: int = 0) -> Iterator[ServerEvent]:
        """The job's events from the one after ``after`` to its end."""
        headers = {"Last-Event-ID": str(after)} if after else {}
        return self._events("GET", f"/v1/jobs/{job}/events", headers=headers)

    # --- reading ---------------------------------------------------------------------------------

    def search(self, project: str, query: str, *, as_of: AsOf = None, **how: Any) -> Json:
        """``how`` are the operation's other parameters: k, mode, semantic_weight, least_score, chapters,
        characters."""
        params = given(q=query, as_of=as_of, **how)
        return self._json("GET", f"/v1/projects/{project}/search", params=params)

    def search_all(
        self,
        query: str,
        projects: Sequence[str] = (),
        *,
        read_to: Mapping[str, int] | None = None,
        k: int | None = None,
    ) -> Json:
        """The best passages of several projects, of all where none is named; ``read_to`` says of each how far
        it is read, else it is searched whole."""
        upto = [f"{name}:{chapter}" for name, chapter in (read_to or {}).items()]
        params = given(q=query, projects=list(projects) or None, read_to=upto or None, k=k)
        return self._json("GET", "/v1/search", params=params)

    def memories(
        self,
        project: str,
        query: str,
        *,
        collections: Sequence[str] = (),
        limit: int | None = None,
        as_of: AsOf = None,
    ) -> Json:
        """What chapters, characters and codex hold on the query; ``collections`` names which to ask."""
        params = given(q=query, collections=list(collections) or None, limit=limit, as_of=as_of)
        return self._json("GET", f"/v1/projects/{project}/memories", params=params)

    def graph(self, project: str, *, as_of: AsOf = None, **how: Any) -> Json:
        """Who and what the story tells of, and how they stand to each other, with quotes. ``how`` are the
        operation's other parameters: kinds, around, min_confidence, limit."""
        return self._json("GET", f"/v1/projects/{project}/graph", params=given(as_of=as_of, **how))

    def arcs(self, project: str, names: Sequence[str] = (), *, as_of: AsOf = None) -> Json:
        """How the characters of these names or ids fare from chapter to chapter; the five most mentioned
        where none is given. A name that nobody bears up to the horizon is an ApiError (404)."""
        params = given(as_of=as_of, names=list(names) or None)
        return self._json("GET", f"/v1/projects/{project}/arcs", params=params)

    def timeline(self, project: str, *, entity: str | None = None, as_of: AsOf = None) -> Json:
        """Events in order of telling, with their place in the order of happening; those of one entity (a name
        or an id) where it is given. At most 300, the gravest, the flashbacks and the dated before others;
        ``left_out`` counts the rest."""
        params = given(as_of=as_of, entity=entity)
        return self._json("GET", f"/v1/projects/{project}/timeline", params=params)

    def recap(self, project: str, *, length: str = "medium", model: bool = False, as_of: AsOf = None) -> Json:
        """The story so far, a line a sentence with its quotes: ``length`` is ``short``, ``medium`` or
        ``long``."""
        params = given(as_of=as_of, length=length, model=model)
        return self._json("GET", f"/v1/projects/{project}/recap", params=params)

    def ledger(self, project: str, *, as_of: AsOf = None) -> Json:
        """What the story has planted and what has come of it, what is still waited for first."""
        return self._json("GET", f"/v1/projects/{project}/ledger", params=given(as_of=as_of))

    def suspects(
        self, project: str, *, chapter: int | None = None, limit: int = 20, as_of: AsOf = None
    ) -> Json:
        """Pairs of sentences that may contradict each other, the likeliest first (the later in ``chapter``,
        where one is given): a list to read."""
        params = given(as_of=as_of, chapter=chapter, limit=limit)
        return self._json("GET", f"/v1/projects/{project}/suspects", params=params)

    def impact(
        self,
        project: str,
        words: str,
        *,
        chapter: int | None = None,
        limit: int = 7,
        as_of: AsOf = None,
    ) -> Json:
        """Where else the story speaks of what it tells in these words, copied from it."""
        params = given(as_of=as_of, q=words, chapter=chapter, limit=limit)
        return self._json("GET", f"/v1/projects/{project}/impact", params=params)

    def check(self, project: str, *, draft: str | None = None, as_of: AsOf = None) -> Json:
        """Findings in the story, or in a draft set right after the horizon."""
        path, params = f"/v1/projects/{project}/check", given(as_of=as_of)
        if draft is None:
            return self._json("GET", path, params=params)
        return self._json("POST", path, params=params, json={"draft": draft})

    # --- packs -----------------------------------------------------------------------------------

    def packs(self) -> Json:
        """The ids of the packs."""
        return self._json("GET", "/v1/packs")

    def pack(self, pack: str) -> Json:
        """What a pack holds: languages, sections and tags to filter by."""
        return self._json("GET", f"/v1/packs/{pack}")

    def put_pack(self, pack: str, name: str, content: bytes, *, key: str = "") -> Json:
        """The job that makes the pack hold the items of a file and no others; ``key`` as for
        :meth:`ingest`."""
        return self._json("POST", f"/v1/packs/{pack}", files={"file": (name, content)}, headers=keyed(key))

    def search_pack(self, pack: str, query: str, **how: Any) -> Json:
        """``how`` are the operation's other parameters: k, tags, language, section, inactive, as_of."""
        return self._json("GET", f"/v1/packs/{pack}/search", params=given(q=query, **how))

    def ask_pack(self, pack: str, question: str, **how: Any) -> Json:
        """An answer in the items' own sentences; ``how`` as for :meth:`search_pack`."""
        return self._json("GET", f"/v1/packs/{pack}/ask", params=given(q=question, **how))

    def remove_pack(self, pack: str) -> None:
        """Deletes the pack."""
        self._answer("DELETE", f"/v1/packs/{pack}")

    # --- asking and writing ----------------------------------------------------------------------

    def ask(self, project: str, question: str, *, as_of: AsOf = None, **how: Any) -> Json:
        """``how`` are the body's other fields: k, history, conversation_id, filter, model."""
        path, params = f"/v1/projects/{project}/ask", given(as_of=as_of)
        return self._json("POST", path, params=params, json={"question": question, **how})

    def ask_streaming(
        self, project: str, question: str, *, as_of: AsOf = None, **how: Any
    ) -> Iterator[ServerEvent]:
        """``started``, ``text`` pieces, then ``done`` with what :meth:`ask` gives. Whoever stops asking for
        more (closes the iterator) ends the work."""
        path, params = f"/v1/projects/{project}/ask/stream", given(as_of=as_of)
        return self._events("POST", path, params=params, json={"question": question, **how})

    def usage(self, project: str) -> Json:
        """What the project's models were asked, by day and model, with dollars by the server's prices."""
        return self._json("GET", f"/v1/projects/{project}/usage")

    def conversations(self, project: str, *, as_of: AsOf = None) -> Json:
        """Those that are kept, as far as they were held at the horizon or before it."""
        return self._json("GET", f"/v1/projects/{project}/conversations", params=given(as_of=as_of))

    def conversation(self, project: str, conversation: str, *, as_of: AsOf = None) -> Json:
        """Its questions and answers, in order."""
        path = f"/v1/projects/{project}/conversations/{conversation}"
        return self._json("GET", path, params=given(as_of=as_of))

    def forget(self, project: str, conversation: str) -> None:
        """Deletes a conversation; what was kept of it is overwritten."""
        self._answer("DELETE", f"/v1/projects/{project}/conversations/{conversation}")

    def compare(self, project: str, prompt: str, *, as_of: AsOf = None, **how: Any) -> Iterator[ServerEvent]:
        """Stages and text of each pipeline, then ``done`` with the report. Closing it ends the work."""
        path, params = f"/v1/projects/{project}/compare", given(as_of=as_of)
        return self._events("POST", path, params=params, json={"prompt": prompt, **how})

    def score(self, project: str, drafts: Mapping[str, str], *, prompt: str, as_of: AsOf = None) -> Json:
        """The report on texts that were written elsewhere for the prompt: ``drafts`` are 1 to 10 texts by
        name. They are scored as the pipelines' drafts are, set right after the horizon."""
        path, params = f"/v1/projects/{project}/score", given(as_of=as_of)
        return self._json("POST", path, params=params, json={"prompt": prompt, "drafts": dict(drafts)})

    def rate(
        self,
        project: str,
        query: str,
        chunk_id: str,
        rating: float,
        *,
        as_of: AsOf = None,
        key: str = "",
    ) -> Json:
        """How well a passage answered a search, 0 to 1; on disk when it returns."""
        body = {"query": query, "chunk_id": chunk_id, "rating": rating}
        path, params = f"/v1/projects/{project}/feedback", given(as_of=as_of)
        return self._json("POST", path, params=params, json=body, headers=keyed(key))

    def ratings(self, project: str, *, as_of: AsOf = None) -> Json:
        """How many passages were rated, how well, and which searches did not serve."""
        return self._json("GET", f"/v1/projects/{project}/feedback", params=given(as_of=as_of))

    def forget_ratings(self, project: str) -> None:
        """Deletes all ratings of the project; doing it twice changes nothing."""
        self._answer("DELETE", f"/v1/projects/{project}/feedback")
