"""Parts as the settings name them; each loads its model when it is first used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .config import Config
from .core.embeddings import EmbeddingManager
from .core.store.sqlite import ProjectStore
from .errors import ConfigError, DocumentError, ProjectError

if TYPE_CHECKING:
    from .core.interfaces import Generator
    from .core.memory_monitor import MemoryMonitor
    from .llm.usage import PriceTable
    from .story.codex import Codex
    from .story.interfaces import ChapterReader

__all__ = [
    "bound",
    "codex_file",
    "make_embedder",
    "make_generator",
    "make_monitor",
    "make_reader",
    "read_codex",
    "settings_file",
]


def make_embedder(config: Config) -> EmbeddingManager:
    e = config.embedding
    return EmbeddingManager(e.model, device=e.device, precision=e.precision, batch_size=e.batch_size)


def make_generator(config: Config) -> Generator:
    """The model of the settings, behind its recording where they name one."""
    from .llm.factory import GeneratorSettings
    from .llm.factory import make_generator as make

    told = config.generator
    own = {"recording", "replay", "max_cost", "prices"}
    settings = GeneratorSettings(**told.model_dump(exclude=own))

    def made() -> Generator:
        if not told.max_cost:
            return make(settings)
        from .llm.metered import MeteredGenerator

        prices = _prices(Path(told.prices))
        return MeteredGenerator(make(settings), prices=prices, max_cost=told.max_cost)

    if not told.recording:
        return made()
    from .llm.recorded import RecordedGenerator

    return RecordedGenerator(Path(told.recording), None if told.replay else made)


def _prices(path: Path) -> PriceTable:
    from .llm.usage import PriceTable

    try:
        return PriceTable.from_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the price list {path} cannot be read ({error})") from error


def make_reader(config: Config, generator: Callable[[], Generator] | None = None) -> ChapterReader:
    """Rules, and the language model beside them where the settings say so; ``generator`` gives one that the
    caller closes."""
    from .story.graph_rag.entity_extractor import StoryReader
    from .story.graph_rag.kept_parses import KEPT_CHARS

    rules = StoryReader(config.parsing.model, kept_chars=KEPT_CHARS)
    if not config.parsing.model_extractor:
        return rules
    from .story.combined_reader import CombinedReader
    from .story.model_extractor import ModelReader

    made = generator() if generator is not None else make_generator(config)
    return CombinedReader(rules, ModelReader(made, answer_tokens=config.parsing.model_answer_tokens))


def make_monitor(config: Config) -> MemoryMonitor:
    from .core.memory_monitor import GIB, MemoryMonitor

    budget = config.memory.budget_gb
    return MemoryMonitor(budget=int(budget * GIB) if budget else None)


def settings_file(folder: Path) -> list[Path]:
    """The settings that stand in a project's folder, if any."""
    file = folder / "fabula.toml"
    return [file] if file.is_file() else []


def codex_file(folder: Path, config: Config, given: Path | None) -> Path | None:
    """The codex that was named, else the one of the settings, whose path begins at the project's folder."""
    if given is not None:
        return given
    return folder / config.codex if config.codex else None


def read_codex(path: Path) -> Codex:
    """Raises DocumentError where it cannot be read, or is no codex (with the line)."""
    from .story.codex import Codex

    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DocumentError(f"the codex {path} cannot be read ({reason}): check its name") from error
    return Codex.parse(text)


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
