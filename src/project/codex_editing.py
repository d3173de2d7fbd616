"""The codex of a project as its author writes it here: checked, applied, and only then kept.

It stands in the file that the setting ``codex`` names, where that lies in the project's folder; else in
``codex.yaml`` there.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ..core.files.atomic import changing, replace_file
from ..errors import UsageError
from ..story.codex.codex import Codex
from .creating import Reindexing
from .factories import OWN_CODEX, config_of

if TYPE_CHECKING:
    from .parts import OpenProject

TABLES = ("characters", "places", "groups", "things")
LONGEST_CODEX = 1_000_000  # characters
_EMPTY = "# What is laid down about this story: see docs/tutorials/first-codex.md.\ntitle: {title}\n"


def codex_text(project: OpenProject) -> str:
    """The codex that the index was made with, as it was written; the beginning of one where there is none."""
    if project.codex is not None:
        return project.codex.document.text
    return _EMPTY.format(title=json.dumps(project.document.title, ensure_ascii=False))


def with_entry(text: str, table: str, name: str, description: str = "") -> str:
    """The text with one more entry, right below the head of its table; the rest stays as it was written.
    Raises UsageError where it is written in a way that cannot be added to, or is no codex then."""
    if table not in TABLES:
        raise UsageError(f"a codex has the tables {', '.join(TABLES)}, not {table!r}")
    head = re.compile(rf"^{table}:[ \t]*(?:#.*)?$", re.MULTILINE).search(text)
    if head is None and re.search(rf"^{table}:", text, re.MULTILINE):
        raise UsageError(f"{table} are on one line: add {name!r} there by hand")
    below = text[head.end() :] if head is not None else ""
    following = re.match(r"\n(?:[ \t]*(?:#.*)?\n)*([ \t]*)- ", below)
    indent = following[1] if following is not None else "  "
    entry = f"{indent}- name: {json.dumps(name, ensure_ascii=False)}\n"
    if description.strip():
        said = json.dumps(" ".join(description.split()), ensure_ascii=False)
        entry += f"{indent}  description: {said}\n"
    above = f"{text.rstrip()}\n{table}:" if head is None else text[: head.end()]
    made = f"{above}\n{entry}{below.removeprefix(chr(10))}"
    Codex.parse(made)
    return made


class CodexDesk(Reindexing):
    """Changes the codex of the project in a folder."""

    __slots__ = ()

    def save(self, text: str, *, instead_of: str | None = None) -> Codex:
        """Makes this the codex: the story is linked anew with it, then it is written down. Raises
        DocumentError, with the line, for what is no codex, and UsageError where the codex lies outside the
        folder, or is not ``instead_of`` any more; then everything is as it was."""
        if len(text) > LONGEST_CODEX:
            raise UsageError(f"the codex has {len(text):,} characters, at most {LONGEST_CODEX:,} are kept")
        made = Codex.parse(text)
        named = config_of(self.folder, above=self.settings)[0].codex
        file = self.folder / (named or OWN_CODEX)
        if not file.resolve().is_relative_to(self.folder.resolve()):
            raise UsageError(
                f"the codex is kept in {named}, outside the project: edit it there, and index again"
            )
        with changing(file):
            if instead_of is not None and self._held() not in (None, instead_of):
                raise UsageError("the codex was changed in the meantime: look at it again")
            self.link_again(codex=made)
            replace_file(file, text)
        return made

    def _held(self) -> str | None:
        from .indexing import CODEX_FILE
        from .storage.opening import open_store

        with open_store(self.folder) as store:
            path = store.index().files(CODEX_FILE) / CODEX_FILE
            return path.read_text(encoding="utf-8") if path.is_file() else None
