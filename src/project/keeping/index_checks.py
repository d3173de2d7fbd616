"""The index against the text that it is of: files, chunks, postings, names, vectors, facts."""

from __future__ import annotations

import filecmp
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from ...core.chunks.table import ChunkTable
from ...core.lexical.bm25 import LexicalIndex
from ...core.store.sqlite import ProjectStore, digest
from ...core.types import Document
from ...core.vectors.index import VectorIndex
from ...errors import ProjectError
from ...story.graph_rag.passages.passage_graph import PassageGraph, PassageText
from ...story.passages.facts_table import ChunkFactsTable
from .broken import Findings

__all__ = ["check_chunks", "check_facts", "check_files", "check_postings", "check_vectors"]

_UNIT = 1e-3  # how far from 1 the length of a vector may be
_T = TypeVar("_T")
_VECTORS = "vectors:"  # how the names of their producers begin


def check_files(store: ProjectStore, generation: str, found: Findings) -> None:
    """Every file of the index against its manifest."""
    try:
        for file, problem in store.generations.differing(generation):
            found.add(f"index/{generation}/{file}", problem, cure="index")
        found.count("files", sum(1 for _ in (store.generations.root / generation).iterdir()))
    except ProjectError as error:
        found.add(f"index/{generation}", "its manifest cannot be used", cure="index", why=error)


def check_chunks(folder: Path, document: Document, found: Findings) -> ChunkTable | None:
    """Every span against its chapter; None where the table cannot be used."""
    table = _loaded(lambda: ChunkTable.load(folder, document), f"index/{folder.name}/chunks.npy", found)
    if table is None:
        return None
    part, wrong, last = f"index/{folder.name}/chunks.npy", [], (0, 0)
    bodies = {chapter.number: chapter.body for chapter in document.chapters}
    for chunk in table:
        body = bodies.get(chunk.chapter)
        inside = body is not None and body.contains(chunk.span) and bool(chunk.text.strip())
        if not inside or (chunk.chapter, chunk.span.start) < last:
            wrong.append(chunk.ordinal)
        last = (chunk.chapter, chunk.span.start)
    if wrong:
        found.add(part, f"{len(wrong)} chunks are no part of their chapter, first {wrong[0]}", cure="index")
    found.count("chunks", len(table))
    return None if wrong else table


def check_postings(folder: Path, chunks: ChunkTable, found: Findings) -> None:
    """Postings and names by passage against those of the same chunks made anew."""
    texts = [chunk.text for chunk in chunks]
    passages = (PassageText(i, "", text) for i, text in enumerate(texts))
    with tempfile.TemporaryDirectory() as place:
        again = Path(place)
        LexicalIndex.from_texts(texts).save(again)
        PassageGraph.from_passages(passages).save(again)
        for made in sorted(again.iterdir()):
            kept = folder / made.name
            if not kept.is_file() or not filecmp.cmp(kept, made, shallow=False):
                found.add(
                    f"index/{folder.name}/{made.name}", "it is not what these chunks come to", cure="index"
                )


def check_vectors(
    store: ProjectStore, folder: Path, document: Document, chunks: ChunkTable, found: Findings
) -> None:
    """A row of length 1 for every chunk; the same as was kept, where all of it was."""
    part = f"index/{folder.name}/vectors.npy"
    index = _loaded(lambda: VectorIndex.load(folder), part, found)
    if index is None:
        return
    rows = index.vectors
    if rows.ndim != 2 or len(rows) != len(chunks):
        found.add(part, f"it holds {len(rows)} vectors of {len(chunks)} chunks", cure="index")
        return
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    wrong = np.flatnonzero(~(np.abs(lengths - 1) <= _UNIT))  # not a number is wrong too
    if len(wrong):
        found.add(
            part, f"{len(wrong)} vectors have not length 1, first that of chunk {wrong[0]}", cure="index"
        )
    elif not _are_kept(store, document, chunks, rows.astype(np.float32, copy=False)):
        found.add(part, "they are not the vectors that were kept of these chapters", cure="index")
    found.count("vectors", len(rows))


def _are_kept(store: ProjectStore, document: Document, chunks: ChunkTable, rows: np.ndarray) -> bool:
    """Is one producer's kept work these rows? True too where none kept all of it."""
    numbers = sorted(set(chunks.chapters.tolist()))
    keys = {c.number: digest(c.body.of(document.text)) for c in document.chapters}
    producers = sorted({one for one, _ in store.upkeep().work_keys() if one.startswith(_VECTORS)})
    is_whole = False
    for producer in producers:
        kept = [store.work(producer, keys[number]) for number in numbers]
        whole = [each for each in kept if each is not None]
        if len(whole) < len(kept):
            continue
        is_whole = True
        try:
            parts = [np.load(io.BytesIO(each), allow_pickle=False) for each in whole]
            if np.array_equal(np.concatenate([rows[:0], *parts]), rows):
                return True
        except (ValueError, EOFError):
            continue
    return not is_whole


def check_facts(folder: Path, chunks: ChunkTable, found: Findings) -> None:
    """A row of facts for every chunk, of its chapter."""
    part = f"index/{folder.name}/facts.npy"
    table = _loaded(lambda: ChunkFactsTable.load(folder), part, found)
    if table is not None and not np.array_equal(table.chapters, chunks.chapters):
        found.add(part, f"its {len(table)} rows are not those of {len(chunks)} chunks", cure="index")


def _loaded(load: Callable[[], _T], part: str, found: Findings) -> _T | None:
    try:
        return load()
    except ProjectError as error:
        found.add(part, "it cannot be used", cure="index", why=error)
        return None
