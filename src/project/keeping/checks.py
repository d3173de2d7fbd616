"""Checks of a project's parts: the index against the text, the story's log against the book (every quote
where it says it stands, every id somebody's), and what readers and the author keep beside them."""

from __future__ import annotations

import filecmp
import io
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...core.chunks.table import ChunkTable
from ...core.lexical.bm25 import LexicalIndex
from ...core.store.sqlite import ProjectStore, digest
from ...core.store.sqlite_files import problems_in
from ...core.types import Chapter, Document, Evidence, Horizon
from ...core.vectors.index import VectorIndex
from ...errors import FabulaError, ProjectError
from ...story.continuity.suppressions import SUPPRESSIONS_FILE, Suppressions
from ...story.corrections import CORRECTIONS_FILE, read_corrections, surface_key, uses
from ...story.graph_rag.passage_graph import PassageGraph, PassageText
from ...story.interchange.importing import GRAPHS, load_graph
from ...story.model.types import EventTold, StateTold, StoryLog
from ...story.passages.chunk_facts import ChunkFactsTable
from ..factories import config_of
from ..pictures import file_of
from ..storage.pictures_file import PICTURES_FILE, read_pictures
from .broken import Findings

_UNIT = 1e-3  # how far from 1 the length of a vector may be
_T = TypeVar("_T")
_VECTORS = "vectors:"  # how the names of their producers begin
_ENTITIES: Mapping[str, tuple[str, ...]] = {
    "merges": ("entity", "into"),
    "relations": ("subject", "object"),
    "states": ("entity",),
    "quotations": ("speaker", "hearers"),
    "presences": ("entity", "place"),
    "times": ("entity",),
    "facts": ("entity",),
    "pairs": ("one", "other"),
    "laws": ("who",),
    "corrected": ("entity",),
}
_EVENTS: Mapping[str, tuple[str, ...]] = {
    "causes": ("effect", "cause"),
    "orders": ("earlier", "later"),
    "times": ("event",),
}


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
    producers = sorted({one for one, _ in store.work_keys() if one.startswith(_VECTORS)})
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


def check_log(log: StoryLog, document: Document, *, authored: str | None, part: str, found: Findings) -> None:
    """``authored`` is the text of the codex that the index was made with. Breaks are counted by kind of
    record, with the place of the first."""
    chapters = {chapter.number: chapter for chapter in document.chapters}
    known = {one.entity for one in log.mentions}
    events = {one.id for one in log.events}
    quotes = 0
    for each in fields(log):
        records = getattr(log, each.name)
        wrong: dict[str, list[str]] = {}
        for number, record in enumerate(records):
            if not 0 <= record.told <= len(chapters):
                wrong.setdefault("are told in a chapter that there is not", []).append(f"record {number}")
            for quote in _quotes(record):
                quotes += 1
                if problem := _misplaced(quote, document, chapters, authored):
                    wrong.setdefault(problem, []).append(f"{quote.span.start}:{quote.span.end}")
            people = (*_ids(record, _ENTITIES.get(each.name, ())), *_others(record))
            if any(id not in known for id in people):
                wrong.setdefault("name nobody that is mentioned", []).append(f"record {number}")
            if any(id not in events for id in _ids(record, _EVENTS.get(each.name, ()))):
                wrong.setdefault("name an event that is not told", []).append(f"record {number}")
        for problem, places in wrong.items():
            found.add(part, f"{len(places)} {each.name} {problem}, first {places[0]}", cure="index")
    found.count("quotes", quotes)


def _quotes(record: Any) -> Iterator[Evidence]:
    """All evidence in any field of the record."""
    for each in fields(record):
        value = getattr(record, each.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Evidence):
                yield one


def _ids(record: Any, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = getattr(record, name)
        yield from value if isinstance(value, tuple) else (value,) * (value is not None)


def _others(record: Any) -> Iterator[str]:
    """Entities that a record names otherwise than in a field of theirs."""
    if isinstance(record, EventTold):
        yield from (id for _, id in record.participants)
    if isinstance(record, StateTold) and record.aspect == "location":
        yield record.value


def _misplaced(
    quote: Evidence, document: Document, chapters: Mapping[int, Chapter], authored: str | None
) -> str:
    text = document.text
    if quote.document_id != document.id:
        if authored is None:
            return "quote what is neither the book nor its codex"
        text = authored
    elif quote.chapter not in chapters or not _within(quote, chapters[quote.chapter]):
        return "quote what is not of the chapter named"
    return "" if quote.span.of(text) == quote.quote else "quote what does not stand there"


def _within(quote: Evidence, chapter: Chapter) -> bool:
    return chapter.heading.start <= quote.span.start and quote.span.end <= chapter.body.end


def check_ratings(store: ProjectStore, chunks: ChunkTable | None, found: Findings) -> None:
    """Every rating can be read; those of passages that the text no longer has are noted."""
    ratings = store.feedback().examined()
    known = {chunk.id for chunk in chunks} if chunks is not None and ratings else set()
    gone = 0
    for id, chunk, problem in ratings:
        if problem:
            why = ProjectError(problem)
            found.add("fabula.db, feedback", f"rating {id} cannot be read", cure="ratings", why=why)
        elif chunks is not None and chunk not in known:
            gone += 1
    if gone:
        found.notes.append(f"{gone} ratings are of passages that the text no longer has; they still weigh")
    found.count("ratings", len(ratings))


def check_turns(store: ProjectStore, found: Findings) -> None:
    """Every conversation can be read."""
    with _said("fabula.db, turns", found, advice="restore the project from a backup"):
        whole = Horizon()
        talks = store.conversations().listed(horizon=whole)
        turns = [turn for talk in talks for turn in store.conversations().turns(talk.id, horizon=whole)]
        found.count("turns", len(turns))


def check_corrections(
    folder: Path, document: Document, log: StoryLog | None, made_with: str | None, found: Findings
) -> None:
    """Every name in ``corrections.toml`` is one that the book uses. ``made_with`` is the key of those that
    the index was made with."""
    with _said(CORRECTIONS_FILE, found, advice="mend that place"):
        corrections = read_corrections(folder / CORRECTIONS_FILE)
        text = " ".join(document.text.split()).casefold()
        ids = {surface_key(one.entity) for one in log.mentions} if log is not None else set()
        for number, one in enumerate(corrections.entries):
            for name in one.surfaces:
                if not uses(text, surface_key(name)) and surface_key(name) not in ids:
                    place = corrections.place(number)
                    found.add(
                        CORRECTIONS_FILE,
                        f"{place} names {name!r}, which the book does not have",
                        advice="mend the name, or take the correction out",
                    )
        if made_with is not None and corrections.key != made_with:
            found.notes.append(
                f"{CORRECTIONS_FILE} has changed since the index was made: fabula correct apply makes it hold"
            )
        found.count("corrections", len(corrections.entries))


def check_own_files(folder: Path, document: Document | None, found: Findings) -> None:
    """Settings, suppressions, graphs of other programs, and what a model answered."""
    with _said("fabula.toml", found, advice="mend that place"):
        config_of(folder)
    with _said(SUPPRESSIONS_FILE, found, advice="mend that place"):
        if (folder / SUPPRESSIONS_FILE).is_file():
            Suppressions.load(folder / SUPPRESSIONS_FILE)
    with _said(PICTURES_FILE, found, advice="mend that place, or put the picture in again"):
        for one in read_pictures(folder):
            file_of(folder, one)
    if document is not None:
        for path in sorted(folder.glob(f"{GRAPHS}/*.json")):
            with _said(f"{GRAPHS}/{path.name}", found, advice="import it again, or remove the file"):
                load_graph(folder, path.stem, document)
    for file in sorted(folder.glob("answers-*.sqlite")):
        for problem in problems_in(file)[:1]:
            advice = "remove the file: the model is asked again"
            found.add(file.name, "the database is damaged", advice=advice, why=ProjectError(problem))


@contextmanager
def _said(part: str, found: Findings, *, advice: str) -> Iterator[None]:
    """Has an error told as a break of the part."""
    try:
        yield
    except FabulaError as error:
        found.add(part, "it cannot be used", advice=advice, why=error)
