"""A folder of books into a library: each a project of its own, indexed by a worker from plain data alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..config import Config
from ..core.documents import SUPPORTED, document_id
from ..core.formats.folders.packing import MARKS
from ..core.runtime.memory_monitor import GIB
from ..core.runtime.model_requests import ModelPlan
from ..engine import config_of, index_book, make_embedder, make_monitor, make_reader
from ..errors import DocumentError, UsageError
from ..project.indexing import IndexReport
from .pools import Ended

_WHOLE = ".scriv"
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class BookTask:
    """A book's file or folder, the project's, and all settings as JSON. ``yes``: paid models may be asked."""

    book: str
    folder: str
    settings: str
    yes: bool = False


def books_in(folder: Path) -> tuple[Path, ...]:
    """Books below a folder, in order of path: files that can be read, and projects of other programs. Hidden
    ones are passed over, and links that lead out. Raises DocumentError where there is none."""
    if not folder.is_dir():
        raise DocumentError(f"{folder} is not a folder: name the one that holds the books")
    found = tuple(_walk(folder, folder.resolve()))
    if not found:
        raise DocumentError(f"{folder} holds no book: {', '.join(SUPPORTED)} or projects")
    return found


def _walk(folder: Path, root: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not path.resolve().is_relative_to(root):
            continue
        whole = path.suffix.lower() == _WHOLE or any((path / one).is_file() for one in MARKS)
        if path.is_dir() and not whole:
            if not path.is_symlink():
                yield from _walk(path, root)
        elif path.suffix.lower() in SUPPORTED or (whole and not Path(f"{path}.msk").is_file()):
            yield path


def tasks_of(
    books: Sequence[Path],
    library: Path,
    *,
    workers: int | None,
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
        config = config_of(folder, assignments=assignments)[0]
        if workers:
            share = make_monitor(config).budget / workers / GIB
            config = config.model_copy(
                update={"memory": config.memory.model_copy(update={"budget_gb": round(share, 3)})}
            )
        tasks.append(BookTask(str(book.resolve()), str(folder.resolve()), config.model_dump_json(), yes))
    return tuple(tasks)


def outcome_of(ended: Ended[BookTask, IndexReport]) -> dict[str, Any]:
    """A book's outcome as plain data. ``read`` and ``embedded`` count the chapters worked on."""
    task, report = ended.task, ended.given
    return {
        "book": task.book,
        "folder": task.folder,
        "state": ended.state,
        "title": report.title if report else "",
        **{name: getattr(report, name, 0) for name in ("chapters", "words", "read", "embedded")},
        "problem": ended.problem,
        "seconds": ended.seconds,
        "worker": ended.worker,
    }


def work(task: BookTask) -> IndexReport:
    """Indexes the book; chapters done before, by whomever, are kept. Raises what ``index_book`` does."""
    return index_book(
        Path(task.book),
        Path(task.folder),
        config=Config.model_validate_json(task.settings),
        confirm=lambda plan: _confirmed(plan, yes=task.yes),
        **_models(task.settings),
    )


def _confirmed(plan: ModelPlan, *, yes: bool) -> None:
    if not yes:
        raise UsageError(f"{plan.model} is to be asked, which may cost money: say --yes")


@lru_cache(maxsize=1)
def _models(settings: str) -> dict[str, Any]:
    """Loaded once a worker; an endpoint's are made for each book, so that its calls are counted there."""
    config = Config.model_validate_json(settings)
    models: dict[str, Any] = {}
    if config.embedding.is_local:
        models["embedder"] = make_embedder(config)
    if not config.model_reads:
        models["reader"] = make_reader(config)
    return models
