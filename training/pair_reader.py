"""Fits the reader of pairs (``src/story/pairs``) to what careful readers know of who is what to whom.

    python training/pair_reader.py --data DIR --work DIR

``--data`` holds the novels (``novels/``, ``novels_more/``); the labels are ``experiments/data/people``, the
short stories ``experiments/data/stories``. ``--work`` keeps parses and story logs, so that a second run is
quick; the first takes about an hour on two cores, of which five minutes are the fit. Writes
``pair_weights.npz`` beside the reader and ``training/pair_reader.json``, the manifest, which also tells how
well pairs of books left out are read.

First step: one logistic regression a type over words of windows, one over nouns. Second step: one over
their scores for books they were not fitted to (five folds by book) beside what else is known of the pair.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from experiments.common.folders import DATA
from experiments.common.story_data import CachedReader
from fabula.core.documents import read_document
from fabula.core.types import Document, Horizon
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, dump_log, load_log
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.graph_rag.views.ties import people_of, rules_of
from fabula.story.linking.linker import Linker
from fabula.story.model.types import PairTold, StoryLog
from fabula.story.pairs.meetings import MeetingFolder
from fabula.story.pairs.pair_model import (
    ANY,
    GENDERS,
    SYMMETRIC,
    TYPES,
    WEIGHTS,
    Bag,
    Person,
    bags_of,
    noun_values,
    pair_values,
    scored_values,
    turned_feature,
    word_values,
)

MANIFEST = Path(__file__).with_suffix(".json")
PEOPLE, STORIES = DATA / "people", DATA / "stories"
LEFT_OUT = frozenset({"w09", "w10"})  # writers of the development split
KINDS_FITTED = (*TYPES, ANY)
LEAST_BOOKS, LEAST_PAIRS, LEAST_NAMES = 3, 8, 6
SOFT_FIRST, SOFT_SECOND = 0.05, 0.003
FOLDS = 5
Pair = tuple[str, str]


class OpenWords:  # its methods are those of PairModel that MeetingFolder calls
    """Numbers for whatever is seen."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.nouns: dict[str, int] = {}

    def word(self, feature: str) -> int | None:
        return self.words.setdefault(feature, len(self.words))

    def noun(self, noun: str) -> int | None:
        return self.nouns.setdefault(noun, len(self.nouns))

    def grounds(self, _: Sequence[int], *, turned: bool) -> Sequence[tuple[str, float]]:  # noqa: ARG002
        return ()

    def noun_grounds(self, _: int, __: str) -> Sequence[tuple[str, float]]:
        return ()

    def turn(self) -> list[int]:
        """Each feature's number seen from the other side; its own where nobody saw it so."""
        return [self.words.get(turned_feature(feature), row) for feature, row in self.words.items()]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A book as read, and what is true of its people: (type, a, b) by entity ids."""

    name: str
    view: StoryView
    told: tuple[PairTold, ...]
    true: frozenset[tuple[str, str, str]]
    known: frozenset[str]


@dataclass(slots=True)
class Book:
    """Its ordered pairs of people, with their values; ``known``: both have labels."""

    name: str
    pairs: list[Pair]
    bags: dict[Pair, Bag]
    people: dict[str, Person]
    words: list[dict[int, float]]
    nouns: list[dict[int, float]]
    rest: list[dict[str, float]]
    labels: Any
    known: Any


def labelled(data: Path, work: Path) -> Iterator[Labelled]:
    """Every novel and story with labels, read as the package reads it."""
    reader = CachedReader(work / "parses")
    for path in sorted((PEOPLE / "novels").glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        book = next(
            p for part in ("novels", "novels_more") if (p := data / part / f"{path.stem}.txt").is_file()
        )
        yield _labelled(path.stem, read_document(book), reader, work, row["characters"], row)
    for path in sorted((PEOPLE / "stories").glob("*.jsonl")):
        if path.stem in LEFT_OUT:
            continue
        texts = {one["id"]: one["text"] for one in _lines(STORIES / path.name)}
        for row in _lines(path):
            book = work / "stories" / f"{row['id']}.md"
            book.parent.mkdir(parents=True, exist_ok=True)
            book.write_text(texts[row["id"]], encoding="utf-8")
            yield _labelled(row["id"], read_document(book), reader, work, row["people"], row)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


WORDS = OpenWords()


def _labelled(
    name: str,
    document: Document,
    reader: CachedReader,
    work: Path,
    people: Sequence[Mapping[str, Any]],
    row: Any,
) -> Labelled:
    kept = work / "logs" / f"{name}.json"
    kept.parent.mkdir(parents=True, exist_ok=True)
    if not kept.is_file():
        linker = Linker(weights=OpenWords())
        for chapter in document.chapters:
            linker.add(document, chapter, reader.read(chapter.body.of(document.text)))
        kept.write_text(dump_log(replace(linker.log, pairs=())), encoding="utf-8")
    log = load_log(kept.read_text(encoding="utf-8"))
    view = StoryKnowledgeGraph(log).as_of(Horizon())
    of = entities_of(view, people, narrator=row.get("narrator", "third"))
    true = {(r["type"], of[r["a"]], of[r["b"]]) for r in row["relations"] if r["a"] in of and r["b"] in of}
    return Labelled(
        name,
        view,
        tuple(meetings(document, log)),
        frozenset(each for each in true if each[0] in TYPES),
        frozenset(of.values()),
    )


def meetings(document: Document, log: StoryLog) -> Iterator[PairTold]:
    """What each chapter showed of each pair, as linking would have told it."""
    folder = MeetingFolder(WORDS)
    for chapter in document.chapters:
        n = chapter.number
        yield from folder.add(
            document,
            chapter,
            mentions=[m for m in log.mentions if m.told == n],
            merges=[m for m in log.merges if m.told == n],
            quotations=[q for q in log.quotations if q.told == n],
        )


def entities_of(view: StoryView, people: Sequence[Mapping[str, Any]], *, narrator: str) -> dict[str, str]:
    """The entity that holds most mentions of each labelled person by names that are theirs alone."""
    owners: dict[str, set[str]] = defaultdict(set)
    for person in people:
        for name in (person["name"], *person.get("also", ())):
            owners[name.casefold()].add(person["id"])
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in view.log.mentions:
        found = owners.get(" ".join(mention.surface.split()).casefold(), set())
        who = narrator if mention.surface == "I" and narrator != "third" else None
        who = who or (next(iter(found)) if len(found) == 1 else None)
        if who:
            votes[view.resolve(mention.entity)][who] += 1
    best: dict[str, tuple[int, str]] = {}
    characters = people_of(view)
    for entity, count in sorted(votes.items()):
        who, mentions = count.most_common(1)[0]
        if entity in characters and mentions > best.get(who, (0, ""))[0]:
            best[who] = (mentions, entity)
    return {who: entity for who, (_, entity) in best.items()}


def book_of(told: Labelled, turn: Sequence[int], nouns: int) -> Book:
    people = people_of(told.view)
    bags = bags_of(told.told, {}, frozenset(people), turn)
    every = noun_values(bags, people, nouns)
    rules = rules_of(told.view)
    pairs = [pair for key in sorted(bags) for pair in (key, key[::-1])]
    return Book(
        told.name,
        pairs,
        bags,
        people,
        [word_values(bags[min(p), max(p)], turn, turned=p[0] > p[1]) for p in pairs],
        [every.get(p, {}) for p in pairs],
        [pair_values(bags[min(p), max(p)], people[p[0]], people[p[1]], rules.get(p, {})) for p in pairs],
        np.array([[_holds(told.true, kind, *p) for kind in KINDS_FITTED] for p in pairs]).reshape(
            -1, len(KINDS_FITTED)
        ),
        np.array([p[0] in told.known and p[1] in told.known for p in pairs], dtype=bool),
    )


def _holds(true: frozenset[tuple[str, str, str]], kind: str, one: str, other: str) -> bool:
    if kind == ANY:
        return any({one, other} == {a, b} for _, a, b in true)
    return (kind, one, other) in true or (kind in SYMMETRIC and (kind, other, one) in true)


def columns_of(books: Sequence[Book], part: str, least: int) -> dict[Any, int]:
    """The features seen with so many ordered pairs and in ``LEAST_BOOKS`` books, numbered."""
    pairs: Counter[Any] = Counter()
    inside: Counter[Any] = Counter()
    for book in books:
        rows = zip(getattr(book, part), book.known, strict=True)
        seen = Counter(feature for values, known in rows if known for feature in values)
        pairs.update(seen)
        inside.update(seen.keys())
    kept = sorted(f for f, n in pairs.items() if n >= least and inside[f] >= LEAST_BOOKS)
    return {feature: column for column, feature in enumerate(kept)}


def matrix(books: Sequence[Book], part: str, columns: Mapping[Any, int]) -> Any:
    places: list[int] = []
    values: list[float] = []
    ends = [0]
    for book in books:
        for row in getattr(book, part):
            known = sorted((columns[f], v) for f, v in row.items() if f in columns)
            places += [place for place, _ in known]
            values += [value for _, value in known]
            ends.append(len(places))
    return csr_matrix(
        (np.array(values, np.float64), np.array(places, np.int32), np.array(ends, np.int32)),
        shape=(len(ends) - 1, len(columns)),
    )


def labels(books: Sequence[Book]) -> Any:
    """Of the pairs whose both have labels."""
    return np.concatenate([book.labels[book.known] for book in books])


def known(books: Sequence[Book]) -> Any:
    return np.concatenate([book.known for book in books])


def fit(x: Any, y: Any, softness: float) -> tuple[Any, Any]:
    """Weights [features, kinds] and bias [kinds], a logistic regression each; nothing where none holds."""
    weights, bias = np.zeros((x.shape[1], y.shape[1])), np.full(y.shape[1], -9.0)
    for kind in range(y.shape[1]):
        if 0 < y[:, kind].sum() < len(y):
            line = LogisticRegression(C=softness, solver="liblinear", max_iter=300, random_state=0)
            line.fit(x, y[:, kind])
            weights[:, kind], bias[kind] = line.coef_[0], line.intercept_[0]
    return weights, bias


@dataclass(frozen=True, slots=True)
class First:
    """The first step: nouns, then words."""

    columns: tuple[dict[Any, int], dict[Any, int]]
    weights: tuple[Any, Any]
    bias: Any

    @classmethod
    def fitted(cls, books: Sequence[Book]) -> First:
        y, rows = labels(books), known(books)
        columns = (columns_of(books, "nouns", LEAST_PAIRS), columns_of(books, "words", LEAST_PAIRS))
        parts = zip(("nouns", "words"), columns, strict=True)
        fits = [fit(matrix(books, part, c)[rows], y, SOFT_FIRST) for part, c in parts]
        return cls(columns, (fits[0][0], fits[1][0]), np.concatenate([fits[0][1], fits[1][1]]))

    def scores(self, books: Sequence[Book]) -> Any:
        parts = [
            matrix(books, part, columns) @ weights
            for part, columns, weights in zip(("nouns", "words"), self.columns, self.weights, strict=True)
        ]
        return np.concatenate(parts, axis=1) + self.bias


def dense(books: Sequence[Book], scores: Any) -> Any:
    parts, at = [], 0
    for book in books:
        if book.pairs:
            own = scores[at : at + len(book.pairs)]
            parts.append(scored_values(book.pairs, own, book.bags, book.people))
        at += len(book.pairs)
    return np.concatenate(parts)


@dataclass(frozen=True, slots=True)
class Second:
    """The second step over standardised values, with the standards taken into its weights. Pairs of which one
    has no label count as nothing to each other: a reader does not name them."""

    names: dict[Any, int]
    dense: Any
    name_weights: Any
    bias: Any

    @classmethod
    def fitted(cls, books: Sequence[Book], scores: Any) -> Second:
        names = columns_of(books, "rest", LEAST_NAMES)
        x = np.concatenate([dense(books, scores), matrix(books, "rest", names).toarray()], axis=1)
        mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
        y = np.concatenate([book.labels for book in books])[:, : len(TYPES)]
        weights, bias = np.zeros((x.shape[1], y.shape[1])), np.zeros(y.shape[1])
        for kind in range(y.shape[1]):
            line = LogisticRegression(C=SOFT_SECOND, max_iter=1000, random_state=0)
            line.fit((x - mean) / spread, y[:, kind])
            weights[:, kind] = line.coef_[0] / spread
            bias[kind] = line.intercept_[0] - (line.coef_[0] * mean / spread).sum()
        split = x.shape[1] - len(names)
        return cls(names, weights[:split], weights[split:], bias)

    def odds(self, books: Sequence[Book], scores: Any) -> Any:
        return (
            dense(books, scores) @ self.dense
            + matrix(books, "rest", self.names) @ self.name_weights
            + self.bias
        )


def out_of_fold(books: Sequence[Book]) -> Any:
    """First-step scores of each book by models that were not fitted to it."""
    found: dict[str, Any] = {}
    for fold in range(FOLDS):
        inside = [book for i, book in enumerate(books) if i % FOLDS != fold]
        outside = [book for i, book in enumerate(books) if i % FOLDS == fold]
        scores, at = First.fitted(inside).scores(outside), 0
        for book in outside:
            found[book.name] = scores[at : at + len(book.pairs)]
            at += len(book.pairs)
    return np.concatenate([found[book.name] for book in books])


def thresholds(odds: Any, y: Any) -> list[float]:
    """Of each type the probability from which on showing it gains most: F1 over pairs of books left out."""
    least = []
    for kind in range(len(TYPES)):
        chance = 1 / (1 + np.exp(-odds[:, kind]))
        order = np.argsort(-chance, kind="stable")
        right = np.cumsum(y[order, kind])
        f1 = 2 * right / (np.arange(1, len(order) + 1) + y[:, kind].sum())
        least.append(round(float(min(0.9, max(0.1, chance[order][int(np.argmax(f1))]))), 4))
    return least


def measured(books: Sequence[Book], scores: Any) -> dict[str, Any]:
    """Average precision of each type over books that the steps were not fitted to; thresholds from there.
    ``scores`` are those of ``out_of_fold``."""
    ends = np.cumsum([0, *(len(book.pairs) for book in books)])
    parts = [scores[start:end] for start, end in pairwise(ends)]
    odds: dict[str, Any] = {}
    for fold in range(FOLDS):
        inside = [i for i in range(len(books)) if i % FOLDS != fold]
        second = Second.fitted([books[i] for i in inside], np.concatenate([parts[i] for i in inside]))
        for i in range(fold, len(books), FOLDS):
            odds[books[i].name] = second.odds([books[i]], parts[i])
    every = np.concatenate([odds[book.name] for book in books])
    y = np.concatenate([book.labels for book in books])
    ap = {t: round(float(average_precision_score(y[:, i], every[:, i])), 3) for i, t in enumerate(TYPES)}
    return {"average_precision": ap, "least": dict(zip(TYPES, thresholds(every, y), strict=True))}


def eight_bits(weights: Any) -> tuple[Any, Any]:
    scale = np.abs(weights).max(axis=0) / 127 + 1e-12
    return np.round(weights / scale).astype(np.int8), scale.astype(np.float32)


def export(first: First, second: Second, least: Mapping[str, float], turn: Sequence[int]) -> dict[str, Any]:
    """Writes the weights: only features that the fit kept, with those that they turn into."""
    texts = list(WORDS.words)
    kept = sorted(first.columns[1], key=lambda row: crc32(texts[row].encode()))
    place = {row: i for i, row in enumerate(kept)}
    closed = [row for row in kept if turn[row] in place]
    place = {row: i for i, row in enumerate(closed)}
    words, word_scale = eight_bits(first.weights[1][[first.columns[1][row] for row in closed]])
    noun_texts = list(WORDS.nouns)
    half = len(noun_texts) * len(GENDERS)
    used = sorted({(column % (half)) // len(GENDERS) % len(noun_texts) for column in first.columns[0]})
    views = 6
    grid = np.zeros((views, len(used), len(GENDERS), len(KINDS_FITTED)))
    at = {noun: i for i, noun in enumerate(used)}
    for column, row in first.columns[0].items():
        view, rest = divmod(column, half)
        noun, gender = divmod(rest, len(GENDERS))
        grid[view, at[noun], gender] = first.weights[0][row]
    nouns, noun_scale = eight_bits(grid.reshape(-1, len(KINDS_FITTED)))
    np.savez_compressed(
        WEIGHTS,
        words=np.array([crc32(texts[row].encode()) for row in closed], dtype=np.uint32),
        turn=np.array([place[turn[row]] for row in closed], dtype=np.int32),
        word_weights=words,
        word_scale=word_scale,
        nouns=np.array([noun_texts[noun] for noun in used]),
        noun_weights=nouns,
        noun_scale=noun_scale,
        first_bias=first.bias.astype(np.float32),
        dense=second.dense.astype(np.float32),
        names=np.array(list(second.names)),
        name_weights=second.name_weights.astype(np.float32),
        bias=second.bias.astype(np.float32),
        least=np.array([least[t] for t in TYPES], dtype=np.float32),
    )
    return {"words": len(closed), "nouns": len(used), "names": len(second.names)}


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--work", type=Path, required=True)
    chosen = options.parse_args()
    told = []
    for one in labelled(chosen.data, chosen.work):
        told.append(one)
        print(one.name, len(one.told), len(one.true), flush=True)
    turn = WORDS.turn()
    books = [book_of(one, turn, len(WORDS.nouns)) for one in told]
    books = [book for book in books if book.pairs]
    scores = out_of_fold(books)
    found = measured(books, scores)
    print(json.dumps(found, indent=1), flush=True)
    sizes = export(First.fitted(books), Second.fitted(books, scores), found["least"], turn)
    manifest = {
        "weights_sha256": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        "books": len(books),
        "pairs": sum(len(book.pairs) for book in books) // 2,
        "relations": sum(len(one.true) for one in told),
        **sizes,
        **found,
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(math.ceil(WEIGHTS.stat().st_size / 1024), "KiB")


if __name__ == "__main__":
    main()
