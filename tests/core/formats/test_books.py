from pathlib import Path

import pytest
from tests.tables import rows

from fabula.core.documents import read_document

BOOKS, READ = Path(__file__).parents[2] / "stories" / "books", Path(__file__).parent / "read"


@pytest.mark.parametrize(("book", "id", "title", "chapters"), rows(__file__, "books.tsv"))
def test_a_book_by_hand(book, id, title, chapters):
    document = read_document(BOOKS / book)
    text = document.text
    assert text == (READ / f"{book}.md").read_bytes().decode()
    assert (document.id, document.title) == (id, title)
    assert [one.title for one in document.chapters] == chapters.split(" | ")
    ends = [*(one.heading.start for one in document.chapters[1:]), len(text)]
    for chapter, end in zip(document.chapters, ends, strict=True):
        assert not chapter.heading.of(text) or chapter.heading.of(text).startswith("#")
        assert chapter.body.of(text) == text[chapter.heading.end : end].strip()
