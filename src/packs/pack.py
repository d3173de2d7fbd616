"""A pack in its folder: made or brought up to its files, opened, searched and asked.

``pack.json`` names the folder of the current index, which it replaces at once, whole or not at all. Vectors
are known by the digest of what they are of: only what was never embedded is.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..core.chunks.table import Selection
from ..core.files.atomic import changing, replace_file
from ..core.interfaces import DocumentEmbedder, Vectors
from ..core.lexical.bm25 import LexicalIndex
from ..core.search import Search
from ..core.store.generations import digest_file
from ..core.types import Chunk, Horizon, Passage, Span
from ..core.vectors.index import VectorIndex
from ..errors import DocumentError, ModelRefused, ProjectError, UsageError
from .items import ANYTHING, Entry, Found, Skipped, Wanted, read_items

_MANIFEST = "pack.json"
_ITEMS = "items.jsonl"
_DIGESTS = "digests.txt"
_SCHEMA = 1
_BATCH = 128
_BETWEEN = "\n\n"
_PACKS = ("*.json", "*.jsonl")


@dataclass(frozen=True, slots=True)
class PackReport:
    """What a pack holds now: ``items``, as ``texts`` (one a language), ``embedded`` of them anew; ``skipped``
    ones are left out. ``changed``: there is another index than before."""

    items: int
    texts: int
    embedded: int
    changed: bool
    skipped: tuple[Skipped, ...]


def index_packs(
    sources: Sequence[Path],
    folder: Path,
    *,
    embedder: DocumentEmbedder,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> PackReport:
    """Makes the pack in ``folder`` hold the items of these files, and of the ``.json`` and ``.jsonl`` files
    in these folders, and no others. Raises DocumentError where one cannot be read, ProjectError where the
    folder holds something else or another process writes, ModelError where the model fails; then the pack is
    as it was, and what was embedded is kept for the next time."""
    entries, skipped = read_items(_files(sources))
    if folder.exists() and not (folder / _MANIFEST).is_file():
        strange = [one.name for one in folder.iterdir() if not re.fullmatch(r"\..*|embedded\.npz", one.name)]
        if strange:
            raise ProjectError(f"{folder} holds something else ({strange[0]}): name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        try:
            held.enter_context(changing(folder / _MANIFEST))
        except UsageError as error:
            raise ProjectError(str(error)) from error
        entries = sorted(entries, key=lambda entry: entry.chapter or 0)
        keys = [_digest(entry.semantic) for entry in entries]
        known = _known(folder, embedder)
        vectors, refused, count = _embedded(folder, entries, keys, known, embedder, progress)
        if refused:
            skipped += [Skipped(one.source, one.key, reason) for one, reason in refused]
            gone = {(one.key, one.language) for one, _ in refused}
            kept = [at for at, one in enumerate(entries) if (one.key, one.language) not in gone]
            entries, keys = [entries[at] for at in kept], [keys[at] for at in kept]
        made_of = "\n".join([embedder.version, *(one.to_json() for one in entries)])
        name = f"index-{_digest(made_of)[:16]}"
        changed = _manifest(folder).get("index") != name
        if changed:
            _publish(folder, name, entries, keys, [vectors[key] for key in keys], embedder)
    return PackReport(len({e.key for e in entries}), len(entries), count, changed, tuple(skipped))


class Pack:
    """A pack that was made. Raises ProjectError where there is none, or a file of it is damaged."""

    def __init__(self, folder: Path, *, embedder: DocumentEmbedder) -> None:
        manifest = _manifest(folder)
        if "index" not in manifest:
            raise ProjectError(f"{folder} holds no pack: make one with fabula packs index FILE -o {folder}")
        if manifest["version"] != embedder.version:
            raise ProjectError(
                f"the pack in {folder} was embedded with {manifest['embedder']}, the settings say "
                f"{embedder.name}: index it again, or set embedding.model back"
            )
        self._folder = folder / manifest["index"]
        for name, digest in manifest["sha256"].items():
            path = self._folder / name
            if not path.is_file() or digest_file(path) != digest:
                raise ProjectError(f"{path} is damaged: index the pack again")
        self._embedder = embedder

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """In order of chapter, then as the files have them."""
        lines = (self._folder / _ITEMS).read_text(encoding="utf-8").split("\n")
        return tuple(Entry.from_json(line) for line in lines if line)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """An entry each; a span is that in all texts, one after the other with a blank line between."""
        made, at = [], 0
        for ordinal, one in enumerate(self.entries):
            span = Span(at, at + len(one.text))
            made.append(Chunk(f"{one.key}:{one.language}", "pack", one.chapter or 0, ordinal, span, one.text))
            at = span.end + len(_BETWEEN)
        return tuple(made)

    @cached_property
    def _engine(self) -> Search:
        lexical, vectors = LexicalIndex.load(self._folder), VectorIndex.load(self._folder)
        return Search(self.chunks, lexical, vectors, self._embedder)

    def search(
        self, query: str, k: int = 5, *, wanted: Wanted = ANYTHING, as_of: int | None = None
    ) -> tuple[Found, ...]:
        """The ``k`` best items, each once; with ``as_of`` none of a later chapter."""
        found: dict[str, Found] = {}
        for passage in self.passages(query, 4 * k, wanted, Horizon(as_of)):
            entry = self.entries[passage.chunk.ordinal]
            found.setdefault(entry.key, Found(entry, passage.score))
        return tuple(found.values())[:k]

    def place(self, span: Span) -> str:
        """Which item a part of the text is of."""
        inside = (chunk.ordinal for chunk in self.chunks if chunk.span.start <= span.start < chunk.span.end)
        held = next((self.entries[ordinal] for ordinal in inside), None)
        return " ".join(filter(None, (held.key, held.section))) if held else ""

    def weights(self, question: str, horizon: Horizon) -> Mapping[str, float]:
        """The question's index terms and how telling each is."""
        found = self._engine.lexical.statistics(question, limit=self._engine.limit(horizon))
        return {one.term: one.idf for one in found if one.df}

    def passages(
        self, query: str, k: int, wanted: Wanted, horizon: Horizon, *, lexical: bool = False
    ) -> Sequence[Passage]:
        """The ``k`` best texts, an item's once in each language; with ``lexical`` by words alone."""
        if not self.entries:
            return []
        mask = np.array([wanted.admits(one) for one in self.entries], dtype=np.bool_)
        chosen = Selection(self._engine.limit(horizon), mask)
        return self._engine.search(query, k, selection=chosen, mode="lexical" if lexical else "hybrid")


def _files(sources: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        if source.is_dir():
            inside = [path for pattern in _PACKS for path in source.rglob(pattern) if path.is_file()]
            if not inside:
                raise DocumentError(f"{source} holds no .json or .jsonl file")
            found += sorted(inside)
        else:
            found.append(source)
    return list(dict.fromkeys(found))


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        held = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ProjectError(
            f"{folder / _MANIFEST} is damaged ({error}): index the pack again elsewhere"
        ) from error
    if not isinstance(held, dict) or held.get("schema") != _SCHEMA:
        raise ProjectError(f"{folder / _MANIFEST} is of another version: index the pack into a new folder")
    return held


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _known(folder: Path, embedder: DocumentEmbedder) -> dict[str, Vectors]:
    """Vectors that are there already, by digest, of this very model."""
    known: dict[str, Vectors] = {}
    manifest = _manifest(folder)
    if manifest.get("version") == embedder.version:
        index = folder / manifest["index"]
        with suppress(OSError, ValueError, ProjectError):  # made anew
            keys = (index / _DIGESTS).read_text(encoding="utf-8").split()
            known |= dict(zip(keys, np.asarray(VectorIndex.load(index).vectors), strict=True))
    with (
        suppress(OSError, ValueError, KeyError),
        np.load(folder / "embedded.npz", allow_pickle=False) as held,
    ):
        if str(held["version"]) == embedder.version:
            known |= dict(zip(held["keys"].tolist(), held["rows"], strict=True))
    return known


def _embedded(
    folder: Path,
    entries: Sequence[Entry],
    keys: Sequence[str],
    known: dict[str, Vectors],
    embedder: DocumentEmbedder,
    progress: Callable[[str, int, int], None],
) -> tuple[dict[str, Vectors], list[tuple[Entry, str]], int]:
    """All vectors by digest, the entries that the model refused, each with why, and how many were made."""
    missing = {key: entry for key, entry in zip(keys, entries, strict=True) if key not in known}
    refused: dict[str, str] = {}
    made = 0
    with ExitStack() as failing:
        failing.callback(_keep, folder, known, embedder)  # what is paid for is kept
        todo = list(missing)
        for start in range(0, len(todo), _BATCH):
            some = todo[start : start + _BATCH]
            rows, no = _batch(embedder, {key: missing[key].semantic for key in some})
            known |= rows
            refused |= no
            made += len(rows)
            progress("embed", min(start + _BATCH, len(todo)), len(todo))
        failing.pop_all()
    bad = [(entry, refused[key]) for key, entry in zip(keys, entries, strict=True) if key in refused]
    return known, bad, made


def _batch(embedder: DocumentEmbedder, texts: Mapping[str, str]) -> tuple[dict[str, Vectors], dict[str, str]]:
    """One by one where the model refuses them together: one that it cannot take must not cost the others."""
    try:
        return dict(zip(texts, embedder.embed_documents(list(texts.values())), strict=True)), {}
    except ModelRefused as error:
        if len(texts) == 1:
            return {}, {next(iter(texts)): f"the embedding model refused it: {error}"}
    rows: dict[str, Vectors] = {}
    refused: dict[str, str] = {}
    for key, text in texts.items():
        one, no = _batch(embedder, {key: text})
        rows |= one
        refused |= no
    return rows, refused


def _keep(folder: Path, known: Mapping[str, Vectors], embedder: DocumentEmbedder) -> None:
    if not known:
        return
    held = io.BytesIO()
    rows = np.stack(list(known.values()))
    np.savez(held, version=np.array(embedder.version), keys=np.array(list(known)), rows=rows)
    replace_file(folder / "embedded.npz", held.getvalue())


def _publish(
    folder: Path,
    name: str,
    entries: Sequence[Entry],
    keys: Sequence[str],
    rows: Iterable[Vectors],
    embedder: DocumentEmbedder,
) -> None:
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    stacked = list(rows)
    vectors = np.stack(stacked) if stacked else np.zeros((0, embedder.dimension), np.float32)
    VectorIndex(np.asarray(vectors, np.float32)).save(place)
    LexicalIndex.from_texts([one.text for one in entries]).save(place)
    replace_file(place / _ITEMS, "".join(f"{one.to_json()}\n" for one in entries))
    replace_file(place / _DIGESTS, "".join(f"{key}\n" for key in keys))
    manifest = {
        "schema": _SCHEMA,
        "index": name,
        "embedder": embedder.name,
        "version": embedder.version,
        "sha256": {path.name: digest_file(path) for path in sorted(place.iterdir())},
    }
    replace_file(folder / _MANIFEST, json.dumps(manifest, indent=1) + "\n")
    (folder / "embedded.npz").unlink(missing_ok=True)
    for old in folder.glob("index-*"):
        if old.name != name:
            shutil.rmtree(old, ignore_errors=True)
