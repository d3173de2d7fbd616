"""Evaluation sets for retrieval as cases: one query, its candidates, and which of them are relevant."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common.story_data import rows
from fabula.core.embeddings import EmbeddingManager
from fabula.core.fusion.normalise import hits_of
from fabula.core.fusion.presets import COVERAGE, NEARNESS
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.text.term_evidence import QueryEvidence, measured
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Hit, TermStatistics

__all__ = [
    "DEPTH",
    "SETS",
    "SOURCES",
    "WITHIN",
    "Case",
    "Collection",
    "cases_of",
    "evidence_lists",
    "load_collection",
    "queries_of",
]

DEPTH = 30
"""How deep each index is searched: three times the ten passages that are judged."""

SOURCES = {
    "fairytaleqa_tale": "fairytaleqa",
    "fairytaleqa_open": "fairytaleqa",
    "graphragbench_silver": "graphragbench_silver",
    "musique100": "musique100",
    "hotpot100": "hotpot100",
}
SETS = tuple(SOURCES)
WITHIN = ("fairytaleqa_tale", "graphragbench_silver")
_TITLED = ("musique100", "hotpot100")


def evidence_lists(
    evidence: QueryEvidence, ordinals: Iterable[int], terms_of: Callable[[int], Sequence[str]]
) -> dict[str, list[Hit]]:
    """Coverage and nearness of each candidate, both in [0, 1], each list best first; chunks at 0 left out.

    ``terms_of`` gives a chunk's index terms in order of the text. Costs one pass over those of every
    candidate; making the terms costs more than that, so keep those of chunks that come often.
    """
    chunks = list(ordinals)
    told = [terms_of(ordinal) for ordinal in chunks]
    number = {term: at for at, term in enumerate(evidence.terms)}
    words = np.array([number.get(word, -2) for terms in told for word in terms], dtype=np.int32)
    ends = np.cumsum([0, *map(len, told)], dtype=np.int64)
    each = np.arange(len(chunks), dtype=np.intp)
    coverage, nearness = measured(evidence, list(number.values()), words, ends, each)
    lists = {}
    for name, scores in ((COVERAGE, coverage.tolist()), (NEARNESS, nearness.tolist())):
        held = [(o, s) for o, s in zip(chunks, scores, strict=True) if s > 0]
        lists[name] = hits_of([o for o, _ in held], [s for _, s in held])
    return lists


@dataclass(frozen=True, eq=False)
class Case:
    """One query over its pool: the union of both indexes' ``DEPTH`` best, with both scores of every one.

    ``group`` is the unit that the bootstrap
    resamples: the tale where there are many, else the query.
    """

    id: str
    group: str
    lexical: list[Hit]
    semantic: list[Hit]
    pool: NDArray[np.intp]
    bm25: NDArray[np.float64]
    cosine: NDArray[np.float64]
    ceiling: float
    relevant: frozenset[int]
    evidence: QueryEvidence
    terms_of: Callable[[int], Sequence[str]]

    @cached_property
    def found(self) -> dict[str, list[Hit]]:
        """The lists as the indexes gave them, each ``DEPTH`` long."""
        return {"lexical": self.lexical, "semantic": self.semantic}

    @cached_property
    def scored(self) -> dict[str, list[Hit]]:
        """Both scores of the whole pool, with coverage and nearness."""
        return {
            "lexical": hits_of(self.pool.tolist(), self.bm25.tolist()),
            "semantic": hits_of(self.pool.tolist(), self.cosine.tolist()),
            **evidence_lists(self.evidence, self.pool.tolist(), self.terms_of),
        }


@dataclass(frozen=True, eq=False)
class Collection:
    """A folder of the evaluation data, indexed. ``texts`` are what is indexed: titled passages with title.
    ``titles`` are those that a passage has of its own: a tale's is no title of its sections."""

    name: str
    ids: list[str]
    texts: list[str]
    titles: list[str]
    documents: list[str]
    terms: list[list[str]]
    queries: list[dict[str, Any]]
    relevant: dict[str, set[str]]
    vectors: NDArray[np.float32]
    query_vectors: NDArray[np.float32]
    digest: str


def load_collection(folder: Path, *, embedder: EmbeddingManager, cache: Path) -> Collection:
    """Reads and embeds; vectors are kept in ``cache`` under a digest of the texts and the model."""
    corpus, queries = rows(folder / "corpus.jsonl"), rows(folder / "queries.jsonl")
    titled = folder.name in _TITLED
    texts = [f"{p['title']}. {p['text']}" if titled else p["text"] for p in corpus]
    relevant: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, passage, score = line.split("\t")
        if int(score) > 0:
            relevant.setdefault(query, set()).add(passage)
    tokenizer = Tokenizer()
    ids = [p["_id"] for p in corpus]
    asked = [q["text"] for q in queries]
    return Collection(
        name=folder.name,
        ids=ids,
        texts=texts,
        titles=[p["title"] if titled else "" for p in corpus],
        documents=[i if titled else i.split("#")[0] for i in ids],
        terms=[tokenizer.terms(text) for text in texts],
        queries=queries,
        relevant=relevant,
        vectors=_vectors(texts, embedder=embedder, cache=cache),
        query_vectors=_vectors(asked, embedder=embedder, cache=cache),
        digest=hashlib.sha256("\0".join([*texts, *asked]).encode()).hexdigest()[:12],
    )


def queries_of(name: str, collection: Collection) -> list[int]:
    """Which queries of the collection the set asks, by place."""
    every = range(len(collection.queries))
    return [i for i in every if name != "fairytaleqa_open" or collection.queries[i]["open_ok"]]


def cases_of(name: str, collection: Collection) -> Iterator[Case]:
    """The cases of a set. In the sets of one tale or novel a query ranks only the passages of its own, and
    BM25's statistics are those of that tale, as in an index of one book."""
    within = name in WITHIN
    indexes: dict[str, LexicalIndex] = {}
    tokenizer = Tokenizer()
    members: dict[str, list[int]] = {}
    for i, document in enumerate(collection.documents):
        members.setdefault(document if within else "", []).append(i)
    number = {passage: i for i, passage in enumerate(collection.ids)}
    for i in queries_of(name, collection):
        query, vector = collection.queries[i], collection.query_vectors[i]
        own = query["doc"] if within else ""
        chunks = np.asarray(members[own], dtype=np.intp)
        if own not in indexes:
            texts = [collection.texts[i] for i in chunks]
            indexes[own] = LexicalIndex.from_texts(texts, tokenizer=tokenizer)
        gold = {number[p] for p in collection.relevant.get(query["_id"], ())}
        group = query["doc"] if name.startswith("fairytaleqa") else query["_id"]
        yield _case(
            query["_id"],
            query["text"],
            group=group,
            index=indexes[own],
            chunks=chunks,
            cosine=(collection.vectors[chunks] @ vector).astype(np.float64),
            gold=gold,
            terms=collection.terms,
        )


def _case(
    name: str,
    text: str,
    *,
    group: str,
    index: LexicalIndex,
    chunks: NDArray[np.intp],
    cosine: NDArray[np.float64],
    gold: set[int],
    terms: list[list[str]],
) -> Case:
    bm25 = index.scores(text)
    statistics: list[TermStatistics] = index.statistics(text)
    lexical, semantic = (np.lexsort((np.arange(len(s)), -s))[:DEPTH] for s in (bm25, cosine))
    lexical = lexical[bm25[lexical] > 0]
    pool = np.union1d(lexical, semantic)
    evidence = QueryEvidence.of(statistics)
    return Case(
        id=name,
        group=group,
        lexical=[Hit(int(chunks[i]), float(bm25[i])) for i in lexical],
        semantic=[Hit(int(chunks[i]), float(cosine[i])) for i in semantic],
        pool=chunks[pool],
        bm25=bm25[pool],
        cosine=cosine[pool],
        ceiling=index.ceiling_of(statistics),
        relevant=frozenset(gold & set(chunks.tolist())),
        evidence=evidence,
        terms_of=terms.__getitem__,
    )


def _vectors(texts: Sequence[str], *, embedder: EmbeddingManager, cache: Path) -> NDArray[np.float32]:
    digest = hashlib.sha256("\0".join([embedder.name, *texts]).encode()).hexdigest()[:16]
    path = cache / f"{digest}.npy"
    if path.exists():
        kept: NDArray[np.float32] = np.load(path, allow_pickle=False)
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    vectors = embedder.embed_documents(texts)
    np.save(path, vectors, allow_pickle=False)
    return vectors
