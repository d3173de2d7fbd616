from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.documents import document_from_text
from fabula.core.series import (
    added,
    chapters_moved,
    horizons_moved,
    joined,
    moved,
    parted,
    removed,
    with_last,
)
from fabula.core.store.tables import digest_document
from fabula.errors import DocumentError, HorizonError, UsageError


def book(name, chapters):
    text = "".join(f"# Chapter {n}\n\n{said} in {name}.\n\n" for n, said in enumerate(chapters, 1))
    return document_from_text(text, id=name, title=f"The {name}")


def series(*books):
    return joined(books, id="series", title="Series")


WORDS = st.text(alphabet="abc xyzäß'—", min_size=1, max_size=30).filter(str.strip)
BOOKS = st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=5)


@given(BOOKS)
def test_each_book_can_be_had_back_to_the_byte(told):
    books = tuple(book(f"book{n}", chapters) for n, chapters in enumerate(told))
    whole = series(*books)
    assert parted(whole) == books
    assert [one.number for one in whole.chapters] == list(range(1, len(whole.chapters) + 1))
    for part, one in zip(whole.books, books, strict=True):
        assert [whole.chapters[n - 1].body.of(whole.text) for n in part.chapters] == [
            chapter.body.of(one.text) for chapter in one.chapters
        ]


@given(BOOKS, BOOKS)
def test_later_books_move_nothing_of_earlier_ones(told, later):
    first = [book(f"book{n}", chapters) for n, chapters in enumerate(told)]
    more = [book(f"more{n}", chapters) for n, chapters in enumerate(later)]
    short, long = series(*first), series(*first, *more)
    assert long.text.startswith(short.text)
    assert long.chapters[: len(short.chapters)] == short.chapters
    assert long.books[: len(short.books)] == short.books


ONE, TWO, THREE = book("one", ["a", "b"]), book("two", ["c"]), book("three", ["d", "e", "f"])


def names(document):
    return [one.id for one in document.books]


def test_books_are_put_in_replaced_moved_and_taken_out():
    whole = series(ONE, TWO)
    assert added(whole, THREE) == series(ONE, TWO, THREE)
    assert added(whole, THREE, at=1) == series(THREE, ONE, TWO)
    newer = book("one", ["a", "changed"])
    assert added(whole, newer) == series(newer, TWO)
    assert removed(added(whole, THREE), 2) == series(ONE, THREE)
    assert names(moved(series(ONE, TWO, THREE), 3, 1)) == ["three", "one", "two"]
    assert names(moved(series(ONE, TWO, THREE), 1, 3)) == ["two", "three", "one"]
    assert with_last(whole, THREE) == series(ONE, THREE)
    assert with_last(ONE, TWO) == TWO
    assert added(ONE, TWO).id == "one"


def test_horizons_and_chapters_not_yet_written_go_as_far_as_what_they_admit():
    first, second = book("first", "ab"), book("second", "cde")
    both = series(first, second)
    assert horizons_moved(first, both) == horizons_moved(both, both) == horizons_moved(both, first) == {}
    assert horizons_moved(both, moved(both, 2, 1)) == {1: 4, 2: 5, 3: 5, 4: 5}
    assert horizons_moved(both, removed(both, 1)) == {}
    assert horizons_moved(first, added(first, second, at=1)) == {1: 4, 2: 5}
    place = chapters_moved(first, added(first, second, at=1))
    assert place is not None and [place(n) for n in range(5)] == [0, 4, 5, 6, 7]
    place = chapters_moved(both, moved(both, 2, 1))
    assert place is not None and [place(n) for n in range(8)] == [0, 4, 5, 5, 5, 5, 6, 7]
    assert chapters_moved(first, both) is chapters_moved(both, removed(both, 1)) is None


def test_a_chapter_is_named_by_its_book():
    whole = series(ONE, TWO, THREE)
    assert [whole.chapter_of(3, n) for n in (1, 2, 3)] == [4, 5, 6]
    assert whole.chapter(4).title == "The three: Chapter 1"


@pytest.mark.parametrize(
    ("done", "error", "said"),
    [
        (lambda: series(ONE, ONE), DocumentError, "two books are named one"),
        (series, DocumentError, "1 to 500 books, not 0"),
        (lambda: added(series(ONE, TWO), THREE, at=4), UsageError, "at 1 to 3, not 4"),
        (lambda: removed(series(ONE), 1), UsageError, "holds one book"),
        (lambda: moved(ONE, 1, 1), UsageError, "holds one book: add another before one of them is moved"),
        (lambda: removed(series(ONE, TWO), 3), HorizonError, "not 3"),
        (lambda: series(ONE, TWO).chapter_of(3, 1), HorizonError, "books 1 to 2, not 3"),
        (lambda: series(ONE, TWO).chapter_of(0, 1), HorizonError, "not 0"),
        (lambda: series(ONE, TWO).chapter_of(2, 2), HorizonError, "chapters 1 to 1"),
        (lambda: ONE.chapter_of(1, 1), HorizonError, "is one book, no series"),
    ],
)
def test_what_cannot_be_is_refused(done, error, said):
    with pytest.raises(error, match=said):
        done()


def test_the_books_are_under_the_checksum_of_the_text():
    whole = series(ONE, TWO)
    other = replace(whole, books=(replace(whole.books[0], title="Another"), whole.books[1]))
    assert len({digest_document(one) for one in (whole, other, replace(whole, books=()))}) == 3
