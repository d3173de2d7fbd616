"""The packs that a library's folder holds, beside its stories: what the server and the app serve."""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..config import Config
from ..core.interfaces import DocumentEmbedder, Generator
from ..core.types import Horizon
from ..errors import ProjectError, UsageError
from ..llm.recorded import RecordedGenerator
from ..project.factories import require_own_model
from .asking import writer
from .pack import Pack, PackReport, index_packs

ENDINGS = (".json", ".jsonl")
MAX_PACK_MB = 20
_FOLDER = ".packs"  # no story's folder begins with a dot
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_OPEN = 4
_MOST_TAGS = 200


@dataclass(frozen=True, slots=True)
class PackSummary:
    """``items`` of a pack, as ``texts`` (one a language); ``tags``: values by name, most common first."""

    name: str
    items: int
    texts: int
    languages: tuple[str, ...]
    sections: tuple[str, ...]
    tags: Mapping[str, tuple[str, ...]]


class PackShelf:
    """The packs below ``root``; ``embedder`` makes the model when it is first needed, ``config`` says which
    language model writes. Safe in threads."""

    def __init__(
        self, root: Path, embedder: Callable[[], DocumentEmbedder], config: Config | None = None
    ) -> None:
        self._root = root / _FOLDER
        self._make = embedder
        self._config = config or Config()
        self._embedder: DocumentEmbedder | None = None
        self._lock = threading.Lock()
        opened = lru_cache(maxsize=_OPEN)
        self._opened = opened(lambda name, _: Pack(self.folder(name), embedder=self._model()))
        self._writers: dict[str, RecordedGenerator] = {}

    @property
    def model_answers(self) -> bool:
        """Does the language model write where nothing else is said?"""
        return self._config.model_answers

    def writer(self, name: str, *, suggests: bool = False) -> Generator:
        """The language model, which is asked nothing twice. Raises UsageError as :func:`.asking.writer`."""
        with self._lock:
            if suggests:
                require_own_model(self._config, "suggestions are made")
            if name not in self._writers:
                self._writers[name] = writer(self._config, self.folder(name))
            return self._writers[name]

    def names(self) -> tuple[str, ...]:
        """Of all finished packs, in order."""
        found = self._root.iterdir() if self._root.is_dir() else ()
        return tuple(sorted(one.name for one in found if (one / "pack.json").is_file()))

    def folder(self, name: str) -> Path:
        """Raises UsageError for what names no pack."""
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} names no pack: take small letters, digits and hyphens")
        return self._root / name

    def index(
        self,
        name: str,
        file: str,
        content: bytes,
        *,
        progress: Callable[[str, int, int], None] = lambda *_: None,
    ) -> PackReport:
        """Makes the pack hold the items of an uploaded file and no others. Raises UsageError for another kind
        of file or too large a one, DocumentError where it is unreadable, ModelError."""
        if not file.lower().endswith(ENDINGS):
            raise UsageError(f"{file} is no pack: send a {' or '.join(ENDINGS)} file")
        if len(content) > MAX_PACK_MB * 1_000_000:
            raise UsageError(
                f"{file} has {len(content) / 1e6:.0f} MB, at most {MAX_PACK_MB} are taken: "
                "index it with fabula packs index"
            )
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / f"{name}{ENDINGS[file.lower().endswith(ENDINGS[1])]}"
            path.write_bytes(content)
            return index_packs([path], self.folder(name), embedder=self._model(), progress=progress)

    def open(self, name: str) -> Pack:
        """Raises ProjectError where there is no such pack, or it is damaged."""
        return self._opened(name, self._mark(name))

    def summary(self, name: str, *, as_of: int | None = None) -> PackSummary:
        """Of all items; with ``as_of`` of none of a later chapter. Raises ProjectError as :meth:`open`."""
        horizon = Horizon(as_of)
        entries = [one for one in self.open(name).entries if horizon.admits(one.chapter or 0)]
        tags = Counter(pair for one in entries for pair in one.tags)
        named: dict[str, list[str]] = {}
        for (tag, value), _ in tags.most_common(_MOST_TAGS):
            named.setdefault(tag, []).append(value)
        return PackSummary(
            name,
            len({one.key for one in entries}),
            len(entries),
            tuple(sorted({one.language for one in entries if one.language})),
            tuple(dict.fromkeys(one.section for one in entries if one.section)),
            {tag: tuple(values) for tag, values in sorted(named.items())},
        )

    def remove(self, name: str) -> None:
        """Deletes a pack. Raises ProjectError where there is none."""
        self._mark(name)
        folder = self.folder(name)
        (folder / "pack.json").unlink(missing_ok=True)  # from here on it is no pack
        self._opened.cache_clear()
        with self._lock:
            if name in self._writers:
                self._writers.pop(name).close()
        shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Closes the models."""
        self._opened.cache_clear()
        with self._lock:
            while self._writers:
                self._writers.popitem()[1].close()
            if self._embedder is not None:
                self._embedder.close()
                self._embedder = None

    def _model(self) -> DocumentEmbedder:
        with self._lock:
            if self._embedder is None:
                self._embedder = self._make()
            return self._embedder

    def _mark(self, name: str) -> int:
        try:
            return (self.folder(name) / "pack.json").stat().st_mtime_ns
        except OSError:
            raise ProjectError(f"there is no pack {name!r}: index one first") from None
