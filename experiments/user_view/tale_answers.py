"""Does the reader of answers find what answers a question about a tale that it never saw?

    python experiments/run.py tale_answers --data DIR

FairytaleQA, the 25 tales that ``training/answer_reader.py`` keeps for this, each indexed by itself. Of every
fourth question: is the section right that holds the sentence shown first, and how much of the answer do the
words marked in it hold (F1 of tokens, over questions whose answer stands in the text, as SQuAD counts it)?
Beside it the sentence nearest by search, by words shared and by cosine. Then each question is asked of
another tale, where to refuse is right. Intervals resample tales."""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from fabula.bench.continuity import share
from fabula.core.answering.answer_reader import AnswerReader, packaged_reader
from fabula.core.answering.answered import AnswerSettings
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.embeddings import EmbeddingManager
from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.text.sentences import sentences
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Chunk, Span

from .text_questions import TEST_TALES, AskedText, TextQuestion, overlap, shuffled_tales

__all__ = ["main"]

Row = dict[str, Any]
Found = tuple[str, Span]
"""The words that answer, and the sentence that they stand in."""
READ, EVERY = 20, 4


class IndexedTale:
    """A tale with its chunks and sentences."""

    def __init__(self, asked: AskedText, embedder: EmbeddingManager) -> None:
        self.asked = asked
        self.chunks = chunk_document(document_from_text(asked.text, id="tale", title=asked.name))
        texts = [chunk.text for chunk in self.chunks]
        self._words = LexicalIndex.from_texts(texts)
        self._vectors = embedder.embed_documents(texts)
        self._embed = embedder.embed_query
        self.sentences = sentences(asked.text)
        self.sentence_vectors = embedder.embed_documents([span.of(asked.text) for span in self.sentences])

    def ranked(self, question: str) -> list[Chunk]:
        """Best first by hybrid search (.4 BM25, .6 cosine, both from 0 to 1)."""
        words, vectors = self._words.scores(question), self._vectors @ self._embed(question)
        scores = sum(
            share * (one - one.min()) / (np.ptp(one) + 1e-9) for share, one in ((0.4, words), (0.6, vectors))
        )
        return [self.chunks[i] for i in np.argsort(-np.asarray(scores), kind="stable")]

    def cosines(self, question: str) -> Any:
        """Of each sentence to the question."""
        return self.sentence_vectors @ self._embed(question)


def by_reader(reader: AnswerReader, tale: IndexedTale, question: str) -> tuple[Found, float]:
    """What the reader finds, and how sure it is."""
    ranked = tale.ranked(question)[:READ]
    read = reader.read(question, [chunk.text for chunk in ranked])
    best = read.sentences[0]
    chunk = ranked[best.passage]
    span = Span(chunk.span.start + best.span.start, chunk.span.start + best.span.end)
    return (best.words.of(chunk.text), span), read.told


def by_search(tale: IndexedTale, question: str) -> Found:
    """Of the passage ranked first, the sentence that shares most words with the question."""
    first = tale.ranked(question)[0].span
    return _most_shared(tale, question, [span for span in tale.sentences if span.overlaps(first)])


def by_words(tale: IndexedTale, question: str) -> Found:
    """The sentence of the tale that shares most words with the question, for its length."""
    return _most_shared(tale, question, tale.sentences)


def by_cosine(tale: IndexedTale, question: str) -> Found:
    """The sentence nearest to the question."""
    span = tale.sentences[int(tale.cosines(question).argmax())]
    return span.of(tale.asked.text), span


def _most_shared(tale: IndexedTale, question: str, spans: Sequence[Span]) -> Found:
    terms = Tokenizer().terms
    asked = set(terms(question))

    def worth(span: Span) -> float:
        own = set(terms(span.of(tale.asked.text)))
        return len(own & asked) / max(len(own), 6) ** 0.5

    best = max(spans, key=worth)
    return best.of(tale.asked.text), best


BASELINES: dict[str, Callable[[IndexedTale, str], Found]] = {
    "best sentence by search": by_search,
    "by words shared": by_words,
    "by cosine": by_cosine,
}


def token_f1(said: str, answers: Sequence[str]) -> float:
    """Rajpurkar et al. (2016): F1 of the bags of words, without articles, with the nearest answer."""

    def words(text: str) -> Counter[str]:
        found = re.findall(r"\w+", text.casefold())
        return Counter(word for word in found if word not in ("a", "an", "the"))

    own, best = words(said), 0.0
    for answer in answers:
        gold = words(answer)
        common = sum((own & gold).values())
        if common:
            best = max(best, 2 * common / (sum(own.values()) + sum(gold.values())))
    return best


def _in_section(span: Span, question: TextQuestion) -> bool:
    return any(2 * overlap(span, section) >= len(span) for section in question.within)


def main(options: argparse.Namespace) -> None:
    """Writes ``results/tale_answers.json``."""
    embedder, reader = EmbeddingManager(), packaged_reader()
    tales = [IndexedTale(asked, embedder) for asked in shuffled_tales(options.data)[:TEST_TALES]]
    least = AnswerSettings().least_confidence
    rows: list[Row] = []
    seconds = []
    for number, tale in enumerate(tales):
        other = tales[(number + 1) % len(tales)]
        for question in tale.asked.questions[::EVERY]:
            started = time.perf_counter()
            found, told = by_reader(reader, tale, question.text)
            seconds.append(time.perf_counter() - started)
            ways = {"reader": found} | {name: way(tale, question.text) for name, way in BASELINES.items()}
            row: Row = {"tale": tale.asked.name, "question": question.text, "explicit": bool(question.words)}
            for name, (words, span) in ways.items():
                row[f"{name}: section"] = _in_section(span, question)
                row[f"{name}: f1"] = round(token_f1(words, question.answers), 4)
            row["shown"] = found[0]
            row["refused"] = told < least
            row["refused of another tale"] = by_reader(reader, other, question.text)[1] < least
            rows.append(row)
        print(tale.asked.name, flush=True)
    aggregates = {}
    for name in ("reader", *BASELINES):
        aggregates[f"{name}: right section"] = _share(rows, f"{name}: section")
        aggregates[f"{name}: token F1, answers that stand in the text"] = _share(
            [row for row in rows if row["explicit"]], f"{name}: f1"
        )
    aggregates["refused, of its own tale"] = _share(rows, "refused")
    aggregates["refused, of another tale"] = _share(rows, "refused of another tale")
    facts = {
        "question": "Does the reader of answers find what answers a question about a tale that it never saw?",
        "tales": len(tales),
        "read": READ,
        "least_confidence": least,
        "aggregates": aggregates,
    }
    middle = sorted(seconds)[len(seconds) // 2]
    write_result("tale_answers", facts=facts, measured=machine(read_seconds_median=middle))
    for key, value in aggregates.items():
        print(f"{key}: {value}")


def _share(rows: Sequence[Row], key: str) -> Row:
    return share([(row["tale"], row[key]) for row in rows])


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__, data=True)
