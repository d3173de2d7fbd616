"""What an author does through the server: books, chapters, who is who, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .connection import AsOf, Connection, Json, given, keyed

__all__ = ["AuthoringClient"]


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
