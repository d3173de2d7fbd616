"""What every Store keeps, with its ratings and conversations. A subclass gives ``place`` as a fixture, whose
``create()`` and ``open()`` give a store to be closed, of the same project."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from fabula.core.chunks.table import ChunkTable
from fabula.core.lexical.bm25 import BM25Settings, LexicalIndex
from fabula.core.store.conversations import KeptTurn
from fabula.core.store.generations import Publication
from fabula.core.types import Book, Call, Chapter, Chunk, Document, Horizon, Span
from fabula.core.vectors.index import VectorIndex
from fabula.errors import ProjectError

from .conversation_contract import ConversationsContract
from .lexical_contract import search
from .rating_contract import RatingStoreContract, rating_of

TEXTS = [
    "The ferry left the harbour before dawn.",
    "Nobody at the harbour saw it leave — it was naïve.",
    "",
    "She kept the letter in a tin and the tin under the bed.",
    "Bread, salt, a letter.\r\n",
]
SETTINGS = BM25Settings()


def document_of(texts=TEXTS, *, id="ferry", title="The “Ferry”"):
    """A chapter for each text."""
    chapters, text = [], ""
    for number, one in enumerate(texts, start=1):
        heading = Span(len(text), len(text) + 3)
        text += f"#{number}\n"
        chapters.append(Chapter(number, f"Chapter {number}", heading, Span(len(text), len(text) + len(one))))
        text += one
    return Document(id, title, text, tuple(chapters))


def parts_of(document, *, dimension=4, seed=1, vectors=None, chunked=True, **how):
    """A chunk for each chapter (none, if not ``chunked``); vectors are drawn at random if none are given."""
    chunks = []
    for ordinal, chapter in enumerate(document.chapters if chunked else ()):
        text = chapter.body.of(document.text)
        id = Chunk.make_id(document.id, chapter.body, text)
        chunks.append(Chunk(id, document.id, chapter.number, ordinal, chapter.body, text))
    if vectors is None:
        vectors = np.random.default_rng(seed).normal(size=(len(chunks), dimension)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    def fill(folder):
        (folder / "story.json").write_bytes(b"{}")
        (folder / "facts.json").write_bytes(b"\x00\xff")

    lexical = LexicalIndex.from_texts(chunk.text for chunk in chunks)
    return Publication(document, ChunkTable.of(document, chunks), lexical, VectorIndex(vectors), fill, **how)


def publish(store, document, *, used=(), meta=None, **parts):
    made = parts_of(document, meta=meta or {"settings": "{}"}, used=used, **parts)
    with store.lock():
        store.publish(made)
    return made


class Place:
    """Where stores of one kind are made and opened."""

    def __init__(self, kind, *where):
        self.create, self.open = partial(kind.create, *where), partial(kind.open, *where)


class StoreContract(RatingStoreContract, ConversationsContract):
    @pytest.fixture
    def store(self, place):
        with place.create() as made:
            yield made

    def test_what_is_published_comes_back(self, place):
        book = document_of()
        with place.create() as store:
            assert store.document() is store.book() is store.meta("settings") is None
            with pytest.raises(ProjectError, match="no finished index"):
                store.index()
            parts = publish(store, book, meta={"settings": '{"a": "ü"}'})
            assert store.document() == book
        with place.open() as store:
            assert store.document() == book
            assert store.book() == (book.id, book.title)
            assert store.meta("settings") == '{"a": "ü"}'
            index = store.index()
            assert list(index.chunks(book)) == list(parts.chunks)
            assert (index.files("story.*") / "story.json").read_bytes() == b"{}"
            assert (index.files() / "facts.json").read_bytes() == b"\x00\xff"
            scores = [each.scores("the letter").tolist() for each in (index.lexical(SETTINGS), parts.lexical)]
            assert scores[0] == scores[1]
            query, every = parts.vectors.vectors[3], np.arange(5)
            cosines = [each.cosines(query, every).tolist() for each in (index.vectors(), parts.vectors)]
            assert cosines[0] == cosines[1]
            index.verify()

    def test_the_books_of_a_series_come_back(self, place):
        book = document_of()
        series = replace(book, books=(Book("a", "A “1”", 1, 2, 0), Book("b", "B", 3, 5, 60)))
        with place.create() as store:
            publish(store, series)
            assert store.document() == store.snapshot().document == series
        with place.open() as store:
            assert store.document() == series
        with place.create() as store:
            publish(store, book)
            assert store.document() == book

    def test_an_index_of_words_comes_back_whole(self, place):
        with place.create() as store:
            publish(store, document_of(TEXTS))
            kept, fresh = store.index().lexical(SETTINGS), LexicalIndex.from_texts(TEXTS)
            assert search(kept, "letter in the harbour", 9) == search(fresh, "letter in the harbour", 9)
            terms = fresh.statistics("tin under the bed")
            measured = [
                [each.tolist() for each in one.evidence(terms, np.arange(5))] for one in (kept, fresh)
            ]
        assert measured[0] == measured[1]

    def test_a_book_without_chunks(self, place):
        empty = document_of([""])
        with place.create() as store:
            publish(store, empty, chunked=False)
            assert store.document() == empty
            index = store.index()
            assert len(index.chunks(empty)) == len(index.lexical(SETTINGS)) == len(index.vectors()) == 0
            index.verify()

    def test_a_reader_stays_with_its_generation(self, place):
        old, new = document_of(), document_of(["Another book."], title="Later")
        with place.create() as writer:
            before = publish(writer, old)
            with place.open() as reader:
                index, reader_stamp = reader.index(), reader.stamp()
                publish(writer, new, seed=2)
                assert list(index.chunks(old)) == list(before.chunks)
                assert search(index.lexical(SETTINGS), "ferry", 3) == search(before.lexical, "ferry", 3)
                assert len(index.vectors()) == len(TEXTS)
                with place.open() as another:
                    assert another.document() == new
                    assert another.index().name != index.name
                    assert another.stamp() != reader_stamp
                    assert int(another.stamp().rpartition("-")[2]) > 10**18
                    assert len(another.index().vectors()) == 1

    def test_a_generation_that_is_gone_gives_an_error_and_nothing_else(self, place):
        with place.create() as writer:
            publish(writer, document_of())
            with place.open() as reader:
                index = reader.index()
                for seed in (2, 3, 4):
                    publish(writer, document_of(["Another."]), seed=seed)
                for use in (
                    lambda: index.chunks(document_of()),
                    lambda: search(index.lexical(SETTINGS), "ferry", 3),
                    lambda: index.vectors().nearest(np.ones(4, np.float32) / 2, 3),
                    lambda: index.files("story.json"),
                    index.verify,
                ):
                    with pytest.raises(ProjectError):
                        use()

    def test_work_is_kept_until_it_is_no_longer_used(self, place):
        with place.create() as store:
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda key: store.keep_work("vectors", key, b""), ["k0", "k1", "k2"] * 9))
            for key, output in (("k1", b"1"), ("k1", b"2"), ("k2", b"\x00\xff"), ("k3", b"")):
                store.keep_work("vectors", key, output)
            assert store.work("vectors", "k1") == b"2"
            assert store.work("vectors", "k3") == b""
            assert store.work("readings", "k1") is None
            publish(store, document_of(), used=[("vectors", "k2")])
            assert store.work("vectors", "k1") is None
        with place.open() as store:
            assert store.work("vectors", "k2") == b"\x00\xff"

    def test_only_one_writer(self, place):
        with place.create() as store, place.open() as second:
            with store.lock(), pytest.raises(ProjectError, match="another process is writing"), second.lock():
                pass
            with second.lock():
                pass

    def test_a_failed_publish_changes_nothing(self, place):
        book = document_of()
        with place.create() as store:
            parts = publish(store, book)

            def fail(folder):
                raise RuntimeError("half")

            broken = replace(parts, document=document_of(["Other."]), fill=fail)
            with store.lock(), pytest.raises(RuntimeError, match="half"):
                store.publish(broken)
            assert store.document() == book
            store.index().verify()
            publish(store, document_of(["Third."]), seed=3)
            assert store.document() == document_of(["Third."])

    def test_what_is_remembered_rated_and_asked_outlives_an_index(self, place):
        with place.create() as store:
            store.remember("book", "a.txt")
            store.remember("book", "b.txt")
            store.feedback().add(rating_of("who?"))
            store.conversations().add("one", KeptTurn("Who?", "She.", 3, True))
            publish(store, document_of())
        with place.open() as store:
            assert (store.meta("book"), store.meta("nothing")) == ("b.txt", None)
            assert [one.query for one in store.feedback().recent(9, horizon=Horizon())] == ["who?"]
            assert [one.id for one in store.conversations().listed(horizon=Horizon())] == ["one"]

    def test_what_is_postponed_counts_later(self, place):
        with place.create() as store:
            ratings = store.feedback()
            for told in (2, None, 1, 4):
                ratings.add(rating_of(str(told), chapter=told))
            ratings.postpone({2: 4, 4: 5, 7: 9})
            assert [one.horizon.chapter for one in ratings.recent(9, horizon=Horizon())] == [5, 1, None, 4]

    def test_calls_of_models_outlive_an_index(self, place):
        call = Call("m", 10, 2, 0.5)
        with place.create() as store:
            assert store.usage().rows() == ()
            store.usage().add(replace(call, estimated=True), "language")
            publish(store, document_of())
        with place.open() as store, ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: store.usage().add(call, "language"), range(20)))
            [row] = store.usage().rows()
        assert (row.calls, row.estimated, row.prompt_tokens, row.seconds) == (21, 1, 210, 10.5)

    def test_what_was_never_made_is_no_project(self, place):
        with pytest.raises(ProjectError):
            place.open()
