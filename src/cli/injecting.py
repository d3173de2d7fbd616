"""A copy of a project's book with slips put in on purpose, as files: the text, the gold, and a codex."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.documents import PLAIN
from ..core.files.atomic import replace_file
from ..core.files.plain_json import plain
from ..errors import UsageError
from ..story.injection import InjectedBook, inject
from ..views.answer import Answer

if TYPE_CHECKING:
    from ..engine import Project

__all__ = ["GOLD_FILE", "injected"]

GOLD_FILE = "gold.json"
_SCHEMA = "fabula.injection/1"


def injected(
    project: Project,
    folder: Path,
    *,
    families: Sequence[str] | None = None,
    seed: int = 0,
    per_family: int = 2,
    controls: int = 8,
) -> Answer:
    """Writes the edited book, ``gold.json`` and, where slips go against one, ``codex.yaml`` into a folder
    that is new or empty. Same project and arguments, same bytes. Raises UsageError for another folder or an
    unknown family."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} holds other files: choose an empty or a new folder")
    book = inject(
        project.document,
        view=project.view(),
        families=families,
        seed=seed,
        per_family=per_family,
        controls=controls,
    )
    book.verify()
    suffix = project.book_file.suffix if project.book_file else ".txt"
    suffix = suffix if suffix in PLAIN else ".md"  # what was converted is Markdown
    text = folder / f"{project.document.id}{suffix}"
    gold = {
        "schema": _SCHEMA,
        "document": {"id": book.document.id, "title": book.document.title},
        "seed": seed,
        "injections": plain(book.injections),
    }
    replace_file(text, book.document.text)
    replace_file(folder / GOLD_FILE, json.dumps(gold, ensure_ascii=False, indent=1) + "\n")
    if book.codex:
        replace_file(folder / "codex.yaml", book.codex)
    data = {"book": text.as_posix(), "gold": (folder / GOLD_FILE).as_posix(), **_counts(book)}
    return Answer(data, _worded(book, text))


def _counts(book: InjectedBook) -> dict[str, dict[str, int]]:
    return {
        name: dict(sorted(Counter(one.family for one in some).items()))
        for name, some in (("slips", book.slips()), ("controls", book.controls()))
    }


def _worded(book: InjectedBook, text: Path) -> str:
    lines = [f"{name}: {sum(by.values())}" for name, by in _counts(book).items()]
    lines[0] += "".join(f"\n  {family} {count}" for family, count in _counts(book)["slips"].items())
    codex = f" --codex {text.parent / 'codex.yaml'}" if book.codex else ""
    return "\n".join(
        [
            *lines,
            f"written: {text} and {text.parent / GOLD_FILE}",
            f"next: fabula index {text} -o NEW{codex}, then fabula check NEW",
        ]
    )
