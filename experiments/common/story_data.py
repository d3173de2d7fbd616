"""What the story-model measures share: the split, documents with their chapters, and parses kept on disk."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from fabula.core.documents import document_from_text, read_document
from fabula.core.types import Document
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import dump_log, load_log
from fabula.story.linking import linker as linker_module
from fabula.story.linking.linker import Linker
from fabula.story.model.types import StoryLog

__all__ = ["CachedReader", "document_of", "held_out", "read_story", "rows"]

# read while rules were written: all but the last before there was a split, that one after it
_SEEN = frozenset(
    """anne-of-green-gables far-from-the-madding-crowd pride-and-prejudice the-great-gatsby
    the-three-musketeers huckleberry-finn anna-karenina""".split()
)


def held_out(doc: str) -> bool:
    """Is this document kept from those who write rules? About half are, by a digest of the name, so that
    every data set splits a novel the same way."""
    if doc in _SEEN:
        return False
    return hashlib.sha256(doc.encode()).digest()[0] % 2 == 1


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@cache
def document_of(path: Path) -> Document:
    """As it stands in the file, where the places of the gold lie: reading takes out what is no story."""
    read = read_document(path)
    return document_from_text(path.read_text(encoding="utf-8"), id=read.id, title=read.title)


def read_story(document: Document, reader: StoryReader) -> StoryLog:
    """Reads and links the chapters in order of telling. A CachedReader keeps the log as well, keyed by text
    and by every line of the story package, so that measures of one novel read it once."""
    kept = reader.log_file(document) if isinstance(reader, CachedReader) else None
    if kept is not None and kept.exists():
        return load_log(kept.read_text(encoding="utf-8"))
    linker = Linker()
    for chapter in document.chapters:
        linker.add(document, chapter, reader.read(chapter.body.of(document.text)))
    if kept is not None:
        partial = kept.with_suffix(f".{os.getpid()}.part")
        partial.write_text(dump_log(linker.log), encoding="utf-8")
        partial.replace(kept)
    return linker.log


@cache
def _code() -> str:
    """A digest of what turns parses into a log."""
    digest = hashlib.sha256()
    root = Path(linker_module.__file__).parents[1]
    for path in sorted(path for path in root.rglob("*") if path.suffix in {".py", ".toml", ".tsv"}):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class CachedReader(StoryReader):
    """A StoryReader that parses each chapter once and keeps the parse in ``folder``: the rules run anew at
    every reading, the parser does not. Keyed by text and model version."""

    def __init__(self, folder: Path, model: str = "en_core_web_sm") -> None:
        super().__init__(model)
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def log_file(self, document: Document) -> Path:
        """Where the log of this text is kept, as this code makes it."""
        told = [_code(), self.version, document.id, document.text, [c.title for c in document.chapters]]
        return self._folder / f"log-{hashlib.sha256(json.dumps(told).encode()).hexdigest()[:24]}.json"

    def load(self) -> None:
        if self._nlp is None:
            super().load()
            self._nlp = _Kept(self._nlp, self._folder)


class _Kept:
    def __init__(self, nlp: Any, folder: Path) -> None:
        self._nlp, self._folder = nlp, folder
        meta = nlp.meta
        self._model = f"{meta['lang']}-{meta['name']}-{meta['version']}-{meta['spacy_version']}-whole-names"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._nlp, name)

    def pipe(self, texts: Iterable[str]) -> Iterator[Any]:
        from spacy.tokens import DocBin

        told = list(texts)
        key = hashlib.sha256(json.dumps([self._model, told]).encode()).hexdigest()[:24]
        path = self._folder / f"{key}.spacy"
        if path.exists():
            yield from DocBin().from_disk(path).get_docs(self._nlp.vocab)
            return
        docs = list(self._nlp.pipe(told))
        partial = path.with_suffix(f".{id(docs)}.part")
        DocBin(docs=docs).to_disk(partial)
        partial.replace(path)
        yield from docs
