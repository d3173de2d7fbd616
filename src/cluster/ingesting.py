"""A folder of books into a library: each a project of its own, in parallel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..config import Source
from ..core.documents import SUPPORTED, document_id
from ..core.runtime.memory_monitor import GIB
from ..engine import config_of, make_monitor
from ..errors import DocumentError, UsageError
from .tasks import BookTask, key_of

__all__ = ["books_in", "tasks_of"]

_WHOLE = ".scriv"
_LONGEST = 80


def books_in(folder: Path) -> tuple[Path, ...]:
    """Every book below a folder, in order of path: files of the kinds that can be read, and Scrivener
    projects. Hidden ones are passed over, and links that lead out. Raises DocumentError where there is
    none."""
    if not folder.is_dir():
        raise DocumentError(f"{folder} is no folder: name the one that holds the books")
    found = tuple(_walk(folder, folder.resolve()))
    if not found:
        raise DocumentError(f"{folder} holds no book: {', '.join(SUPPORTED)} or Scrivener projects")
    return found


def _walk(folder: Path, root: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not path.resolve().is_relative_to(root):
            continue
        if path.is_dir() and path.suffix.lower() != _WHOLE:
            if not path.is_symlink():
                yield from _walk(path, root)
        elif path.is_dir() or path.suffix.lower() in SUPPORTED:
            yield path


def tasks_of(
    books: Sequence[Path],
    library: Path,
    *,
    workers: int | None,
    settings: Sequence[Source] = (),
    assignments: Sequence[str] = (),
    yes: bool = False,
) -> tuple[BookTask, ...]:
    """A task for each book: its project is a folder of the library, named for the book (and numbered where
    two bear one name). Of ``workers`` on this machine each may take its share of the memory; elsewhere
    (None) what the settings say. Raises UsageError where a book lies in the library."""
    names: dict[str, int] = {}
    tasks = []
    for book in books:
        if book.resolve().is_relative_to(library.resolve()):
            raise UsageError(f"{book} lies in {library}: take another folder for the projects")
        name = document_id(book.name)[:_LONGEST]
        names[name] = names.get(name, 0) + 1
        folder = library / (name if names[name] == 1 else f"{name}-{names[name]}")
        config = config_of(folder, above=settings, assignments=assignments)[0]
        if workers:
            share = make_monitor(config).budget / workers / GIB
            config = config.model_copy(
                update={"memory": config.memory.model_copy(update={"budget_gb": round(share, 3)})}
            )
        told = config.model_dump_json()
        key = key_of(book, folder, told)
        tasks.append(BookTask(key, str(book.resolve()), str(folder.resolve()), told, yes))
    return tuple(tasks)
