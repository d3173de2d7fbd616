import numpy as np
import pytest

from fabula.core.chunks.chunking import chunk_document
from fabula.core.chunks.table import ChunkTable
from fabula.core.types import Chapter, Document, Span
from fabula.errors import ProjectError

TEXT = "One fish swam.\n\nTwo fish — and a naïve one — did not.\r\n" * 9
BOOK = Document(
    "fish",
    "Fish",
    TEXT,
    (Chapter(1, "1", Span(0, 0), Span(0, 110)), Chapter(2, "2", Span(110, 110), Span(110, len(TEXT)))),
)
CHUNKS = chunk_document(BOOK, size=60, overlap=20)


def test_holds_the_chunks_it_was_made_of(tmp_path):
    table = ChunkTable.of(BOOK, CHUNKS)
    assert list(table) == CHUNKS
    assert table[-1] == CHUNKS[-1]
    assert table[1:4] == CHUNKS[1:4]
    assert table.chapters.tolist() == [c.chapter for c in CHUNKS]
    with pytest.raises(IndexError):
        table[len(CHUNKS)]
    table.save(tmp_path)
    assert list(ChunkTable.load(tmp_path, BOOK)) == CHUNKS


def test_an_empty_book_has_an_empty_table(tmp_path):
    ChunkTable.of(BOOK, []).save(tmp_path)
    assert len(ChunkTable.load(tmp_path, BOOK)) == 0


def test_damaged_or_foreign_files_are_one_clear_error(tmp_path):
    with pytest.raises(ProjectError, match="cannot be read"):
        ChunkTable.load(tmp_path, BOOK)
    ChunkTable.of(BOOK, CHUNKS).save(tmp_path)
    with pytest.raises(ProjectError, match="do not fit the text"):
        ChunkTable.load(tmp_path, Document("fish", "Fish", TEXT[:80], BOOK.chapters[:1]))
    np.save(tmp_path / "chunks.npy", np.zeros(4, dtype=np.int64))
    with pytest.raises(ProjectError, match="do not fit the text"):
        ChunkTable.load(tmp_path, BOOK)
