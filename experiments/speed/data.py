"""What every system of the speed experiment is given: texts, vectors and queries, the same bytes for all.

Texts are chunks of real novels joined into one library; past what the novels give, the library is told
again, each chunk made anew of sentences that stand near its place. Every :data:`STRIDE`-th chunk of the
novels is embedded with MiniLM; any other vector is a mixture of the two real ones around its place plus
Gaussian noise of the real vectors' own covariance, at unit length. Everything is seeded.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import read_document
from fabula.core.embeddings import EmbeddingManager
from fabula.core.text.sentences import sentences
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Chapter, Document, Span

__all__ = ["CHUNK_OVERLAP", "CHUNK_SIZE", "SEED", "STRIDE", "Library", "library", "make_size"]

Vectors = NDArray[np.float32]
Rows = NDArray[np.int64]

SEED = 20
CHUNK_SIZE, CHUNK_OVERLAP = 500, 140
STRIDE = 8
MIXED = 0.62  # share of a made vector's square length that is its neighbours' mixture; the rest is noise
QUERY_COSINE = (0.4, 0.7)  # of a made query vector and its source: what MiniLM gives fragments of a passage
REAL_QUERIES = 40
MADE_CHAPTER = 50  # chunks
_NAME = re.compile(r"(?<=[a-z,;] )(?:(?:Mr|Mrs|Miss|Dr|Sir|Lady|Captain)\.? )?[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")


@dataclass(frozen=True, slots=True)
class Library:
    """All novels as one document, its chunks' texts, their chapter, start and end, and the vectors that
    were embedded (those of chunks 0, STRIDE, 2 * STRIDE ...)."""

    document: Document
    texts: list[str]
    rows: Rows
    anchors: Vectors


def library(data: Path, cache: Path, *, novels: int | None = None) -> Library:
    """Reads ``data/novels/*.txt`` (the first ``novels`` of them by name); vectors come from the cache, or
    are made and put there, which takes minutes."""
    files = sorted((data / "novels").glob("*.txt"))[:novels]
    if not files:
        raise SystemExit(f"there are no novels in {data / 'novels'}: name another folder with --data")
    document = _joined([read_document(file) for file in files])
    chunks = chunk_document(document, size=CHUNK_SIZE, overlap=CHUNK_OVERLAP)
    texts = [chunk.text for chunk in chunks]
    rows = np.array([(c.chapter, c.span.start, c.span.end) for c in chunks], dtype=np.int64)
    return Library(document, texts, rows, _embedded(texts[::STRIDE], cache))


def make_size(source: Library, chunks: int, queries: int, cache: Path, folder: Path) -> dict[str, Any]:
    """Writes the data of one size into ``folder``, and says what it holds.

    At or below the novels' own number of chunks, whole chapters are taken from the front until there are
    at least ``chunks``; above it, exactly ``chunks`` are made.
    """
    wanted: dict[str, Any] = {
        "chunks": chunks,
        "queries": queries,
        "seed": SEED,
        "novels": source.document.id,
    }
    wanted["how"] = ["telling", SEED, CHUNK_SIZE, CHUNK_OVERLAP, STRIDE, MIXED, *QUERY_COSINE, REAL_QUERIES]
    facts = folder / "facts.json"
    if facts.is_file() and (found := json.loads(facts.read_text()))["wanted"] == wanted:
        return dict(found)
    folder.mkdir(parents=True, exist_ok=True)
    real = chunks <= len(source.texts)
    document, texts, rows = _front(source, chunks) if real else _retold(source.texts, chunks)
    vectors = _vectors(source.anchors, len(texts), len(source.texts))
    _write_document(folder, document, rows)
    np.save(folder / "vectors.npy", vectors)
    asked, towards = _queries(texts, vectors, queries, source.anchors, cache)
    (folder / "queries.json").write_text(json.dumps(asked, ensure_ascii=False), encoding="utf-8")
    np.save(folder / "query-vectors.npy", towards)
    half = int(rows[len(texts) // 2, 0])
    limit = int(np.searchsorted(rows[:, 0], half, side="right"))
    made = {
        "wanted": wanted,
        "chunks": len(texts),
        "characters": sum(map(len, texts)),
        "from_novels": real,
        "half": {"chapter": half, "chunks": limit},
        "neighbour_cosine": _neighbours(vectors),
    }
    facts.write_text(json.dumps(made), encoding="utf-8")
    return made


# --- texts ---------------------------------------------------------------------------------------


def _joined(books: Sequence[Document]) -> Document:
    """One document of many, chapters numbered through."""
    text, chapters = "", []
    parts: list[str] = []
    at = 0
    for book in books:
        for c in book.chapters:
            spans = (Span(s.start + at, s.end + at) for s in (c.heading, c.body))
            chapters.append(Chapter(len(chapters) + 1, f"{book.title}: {c.title}", *spans))
        parts.append(book.text)
        at += len(book.text)
    text = "".join(parts)
    return Document(f"library-{len(books)}-{len(text)}", "Library", text, tuple(chapters))


def _front(source: Library, chunks: int) -> tuple[Document, list[str], Rows]:
    """The library's first whole chapters that hold at least ``chunks``."""
    last = int(source.rows[chunks - 1, 0])
    rows = source.rows[source.rows[:, 0] <= last]
    chapters = source.document.chapters[:last]
    text = source.document.text[: chapters[-1].body.end]
    document = Document(source.document.id, source.document.title, text, chapters)
    return document, source.texts[: len(rows)], rows


def _retold(said: Sequence[str], count: int) -> tuple[Document, list[str], Rows]:
    """A made document of ``count`` chunks, :data:`MADE_CHAPTER` to a chapter."""
    texts = _resampled(said, count)
    ends = np.cumsum([len(text) + 2 for text in texts])
    starts = np.concatenate([[0], ends[:-1]])
    rows = np.stack([1 + np.arange(count) // MADE_CHAPTER, starts, ends - 2], axis=1)
    first = starts[::MADE_CHAPTER].tolist()
    chapters = tuple(
        Chapter(number, f"Part {number}", Span(start, start), Span(start, end))
        for number, (start, end) in enumerate(zip(first, [*first[1:], int(ends[-1])], strict=True), start=1)
    )
    text = "".join(f"{text}\n\n" for text in texts)
    return Document(f"retold-{count}", "Retold", text, chapters), texts, rows


def _resampled(texts: Sequence[str], count: int) -> list[str]:
    """Chunk number j is up to five sentences out of the forty around place ``j % len(texts)``."""
    rng = np.random.default_rng(SEED)
    said: list[str] = []
    first = np.zeros(len(texts), dtype=np.int64)
    for at, text in enumerate(texts):
        first[at] = len(said)
        said.extend(span.of(text) for span in sentences(text) if 20 <= len(span) <= 300)
    around = rng.integers(-20, 21, size=(count, 5))
    picked = np.clip(first[np.arange(count) % len(texts)][:, None] + around, 0, len(said) - 1)
    out = []
    for row in picked.tolist():
        text = said[row[0]]
        for sentence in row[1:]:
            if len(text) > 380:
                break
            text = f"{text} {said[sentence]}"
        out.append(text)
    return out


def _write_document(folder: Path, document: Document, rows: Rows) -> None:
    """The text, where its chapters stand, and of each chunk the chapter, start and end."""
    (folder / "document.txt").write_text(document.text, encoding="utf-8", newline="")
    chapters = [[c.heading.start, c.heading.end, c.body.start, c.body.end] for c in document.chapters]
    (folder / "document.json").write_text(
        json.dumps({"id": document.id, "title": document.title, "chapters": chapters}), encoding="utf-8"
    )
    np.save(folder / "rows.npy", rows)


# --- vectors -------------------------------------------------------------------------------------


def _embedded(texts: Sequence[str], cache: Path) -> Vectors:
    """MiniLM's vectors of the texts, made in batches that the cache keeps."""
    import hashlib

    key = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    file = cache / f"minilm-{len(texts)}-{key}.npy"
    if file.is_file():
        return np.asarray(np.load(file), dtype=np.float32)
    file.parent.mkdir(parents=True, exist_ok=True)
    manager, rows = EmbeddingManager(), []
    for start in range(0, len(texts), 256):
        rows.append(manager.embed_documents(texts[start : start + 256]))
        print(f"embedded {start + len(rows[-1])} of {len(texts)}", file=sys.stderr, flush=True)
    vectors = np.concatenate(rows).astype(np.float32)
    np.save(file, vectors)
    return vectors


def _vectors(anchors: Vectors, count: int, own: int) -> Vectors:
    """Row j: the real vector where place ``j % own`` has one and is told for the first time, else a
    mixture of those before and after its place, and noise."""
    rng = np.random.default_rng(SEED + 1)
    shape = _noise_shape(anchors)
    out = np.empty((count, anchors.shape[1]), dtype=np.float32)
    for start in range(0, count, 50_000):
        at = np.arange(start, min(start + 50_000, count))
        place = at % own
        before = np.minimum(place // STRIDE, len(anchors) - 1)
        after = np.minimum(before + 1, len(anchors) - 1)
        weight = rng.uniform(0.15, 0.85, size=(len(at), 1)).astype(np.float32)
        mixed = _unit(weight * anchors[before] + (1 - weight) * anchors[after])
        noise = _unit(rng.standard_normal((len(at), anchors.shape[1]), dtype=np.float32) @ shape)
        rows = _unit(np.float32(MIXED**0.5) * mixed + np.float32((1 - MIXED) ** 0.5) * noise)
        real = (at < own) & (place % STRIDE == 0)
        rows[real] = anchors[before[real]]
        out[start : start + len(at)] = rows
    return out


def _noise_shape(anchors: Vectors) -> Vectors:
    """A matrix that gives white noise the covariance of the vectors."""
    values, axes = np.linalg.eigh(np.cov(anchors, rowvar=False))
    return np.asarray((axes * np.sqrt(np.maximum(values, 0))).T, dtype=np.float32)


def _unit(rows: Vectors) -> Vectors:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _neighbours(vectors: Vectors) -> dict[str, float]:
    """Mean cosine of a chunk to the next one, and to its nearest among a sample of all."""
    rng = np.random.default_rng(SEED + 3)
    some = np.sort(rng.choice(len(vectors), size=min(300, len(vectors)), replace=False))
    close = vectors[some] @ vectors.T
    close[np.arange(len(some)), some] = -1
    beside = np.einsum("ij,ij->i", vectors[some[:-1]], vectors[some[:-1] + 1])
    return {"next": round(float(beside.mean()), 3), "nearest": round(float(close.max(axis=1).mean()), 3)}


# --- queries -------------------------------------------------------------------------------------


def _queries(
    texts: Sequence[str], vectors: Vectors, count: int, anchors: Vectors, cache: Path
) -> tuple[list[dict[str, Any]], Vectors]:
    """No two the same, and none of stop words alone, which some systems refuse. The first
    :data:`REAL_QUERIES` have their text's own vector, the others their source's turned away from it by noise,
    to a cosine drawn from :data:`QUERY_COSINE`."""
    rng = np.random.default_rng(SEED + 2)
    asked: list[dict[str, Any]] = []
    seen: set[str] = set()
    tokenizer = Tokenizer()
    while len(asked) < count:
        source = int(rng.integers(len(texts)))
        text = _fragment(texts[source], rng)
        if text not in seen and any(len(term) > 1 for term in tokenizer.terms(text)):
            seen.add(text)
            asked.append({"text": text, "source": source})
    towards = vectors[[q["source"] for q in asked]]
    away = rng.standard_normal(towards.shape, dtype=np.float32) @ _noise_shape(anchors)
    away = _unit(away - np.sum(away * towards, axis=1, keepdims=True) * towards)
    cosine = rng.uniform(*QUERY_COSINE, size=(count, 1)).astype(np.float32)
    made = _unit(cosine * towards + np.sqrt(1 - cosine**2) * away)
    real = min(REAL_QUERIES, count)
    made[:real] = _embedded([q["text"] for q in asked[:real]], cache)
    return asked, made


def _fragment(text: str, rng: np.random.Generator) -> str:
    """Four to ten words in a row, or in one case of four a name with up to two words of the text."""
    words = _WORD.findall(text)
    names = _NAME.findall(text)
    if names and rng.random() < 0.25:
        others = [w.lower() for w in words if len(w) > 4 and w.islower()]
        more = rng.choice(others, size=int(rng.integers(0, 3)), replace=False) if len(others) > 2 else []
        return " ".join([names[int(rng.integers(len(names)))], *map(str, more)])
    length = int(rng.integers(4, 11))
    if len(words) < length:
        return ""
    start = int(rng.integers(len(words) - length + 1))
    return " ".join(words[start : start + length])
