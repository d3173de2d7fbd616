"""What a worker does: one book into its project, from plain data alone."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..config import Config
from ..errors import FabulaError, MemoryBudgetError, UsageError

if TYPE_CHECKING:
    from ..core.runtime.model_requests import ModelPlan

__all__ = ["BookTask", "Outcome", "State", "key_of", "work"]

State = Literal["done", "later", "failed"]
"""``later``: there was not enough memory; it may be tried again when others are through."""


@dataclass(frozen=True, slots=True)
class BookTask:
    """A book's file or folder, the project's folder, and all settings as JSON. ``key`` says by content what
    is to be done; ``yes``: models that cost money may be asked."""

    key: str
    book: str
    folder: str
    settings: str
    yes: bool = False

    def failed(self, problem: str) -> Outcome:
        """What becomes of it where its worker died."""
        return Outcome(self.key, self.book, self.folder, "failed", problem=problem)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task: what indexing reported, or what went wrong in one line. ``read`` and
    ``embedded`` count the chapters that were worked on; ``worker`` is the process."""

    key: str
    book: str
    folder: str
    state: State
    title: str = ""
    chapters: int = 0
    words: int = 0
    read: int = 0
    embedded: int = 0
    problem: str = ""
    seconds: float = 0.0
    worker: int = 0


def key_of(book: Path, folder: Path, settings: str) -> str:
    """Differs whenever the book, its project or the settings do."""
    seen = hashlib.sha256(f"{folder}\n{settings}\n".encode())
    for path in sorted(book.rglob("*")) if book.is_dir() else [book]:
        if path.is_file():
            seen.update(f"{path.relative_to(book.parent)}\n".encode("utf-8", "surrogateescape"))
            with path.open("rb") as file:
                seen.update(hashlib.file_digest(file, "sha256").digest())
    return f"book-{seen.hexdigest()[:32]}"


def work(task: BookTask) -> Outcome:
    """Indexes the book. It raises nothing of ours: what went wrong is in the outcome. Chapters that were done
    before, by whomever, are not done again."""
    from ..engine import index_book

    started = time.perf_counter()
    told: dict[str, Any] = {"key": task.key, "book": task.book, "folder": task.folder, "worker": os.getpid()}
    try:
        config = Config.model_validate_json(task.settings)
        report = index_book(
            Path(task.book),
            Path(task.folder),
            config=config,
            confirm=lambda plan: _confirmed(plan, yes=task.yes),
            **_models(task.settings),
        )
    except MemoryBudgetError as error:
        state: State = "later"
        told["problem"] = " ".join(str(error).split())
    except (FabulaError, OSError) as error:
        state = "failed"
        told["problem"] = " ".join(str(error).split())
    else:
        state = "done"
        told |= {name: getattr(report, name) for name in ("title", "chapters", "words", "read", "embedded")}
    return Outcome(**told, state=state, seconds=round(time.perf_counter() - started, 2))


def _confirmed(plan: ModelPlan, *, yes: bool) -> None:
    if not yes:
        raise UsageError(f"{plan.model} is to be asked, which may cost money: say --yes")


@lru_cache(maxsize=1)
def _models(settings: str) -> dict[str, Any]:
    """Loaded once a worker; an endpoint's are made for each book, so that its calls are counted there."""
    from ..engine import make_embedder, make_reader

    config = Config.model_validate_json(settings)
    models: dict[str, Any] = {}
    if config.embedding.is_local:
        models["embedder"] = make_embedder(config)
    if not config.parsing.model_extractor:
        models["reader"] = make_reader(config)
    return models
