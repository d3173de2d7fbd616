"""Parts as the settings name them; each loads its model when it is first used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from .config import Config
from .core.embeddings import EmbeddingManager
from .core.store.sqlite import ProjectStore
from .errors import ProjectError

if TYPE_CHECKING:
    from .core.memory_monitor import MemoryMonitor
    from .story.graph_rag.entity_extractor import StoryReader

__all__ = ["bound", "make_embedder", "make_monitor", "make_reader", "settings_file"]


def make_embedder(config: Config) -> EmbeddingManager:
    e = config.embedding
    return EmbeddingManager(e.model, device=e.device, precision=e.precision, batch_size=e.batch_size)


def make_reader(config: Config) -> StoryReader:
    from .story.graph_rag.entity_extractor import StoryReader

    return StoryReader(config.parsing.model)


def make_monitor(config: Config) -> MemoryMonitor:
    from .core.memory_monitor import GIB, MemoryMonitor

    budget = config.memory.budget_gb
    return MemoryMonitor(budget=int(budget * GIB) if budget else None)


def settings_file(folder: Path) -> list[Path]:
    """The settings that stand in a project's folder, if any."""
    file = folder / "fabula.toml"
    return [file] if file.is_file() else []


def bound(store: ProjectStore, config: Config) -> Config:
    """The settings, but for those that an index was made with: they hold for as long as it is used.

    Raises ProjectError where the project holds no finished index."""
    raw = store.meta("settings")
    if raw is None:
        raise ProjectError(f"the project in {store.folder} holds no finished index: run fabula index again")
    made = Config.model_validate(json.loads(raw))
    return config.model_copy(
        update={"chunking": made.chunking, "embedding": made.embedding, "parsing": made.parsing}
    )
