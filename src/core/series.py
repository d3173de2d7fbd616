"""Several books read as one: a series has one canon, and its chapters are counted through all of it.

Each book stays as it was read, its text and its chapters; in the series its text stands behind that of the
book before it. So whatever holds of one book's chapters, the horizon first of all, holds across books.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..errors import DocumentError, UsageError
from .documents import MAX_CHAPTERS
from .types import Book, Chapter, Document

MAX_BOOKS = 500
"""The most books of a series."""
_BETWEEN = "\n\n"


def joined(books: Sequence[Document], *, id: str, title: str) -> Document:
    """The books, in the order in which they are told, as one document; spans of each move by where its text
    begins. A chapter's title says its book as well.

    Raises DocumentError where there is none, two have the same id, or they have too many chapters in all.
    """
    if not 1 <= len(books) <= MAX_BOOKS:
        raise DocumentError(f"a series has 1 to {MAX_BOOKS} books, not {len(books)}: give as many")
    names = [book.id for book in books]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise DocumentError(f"two books are named {twice}: give one of the files another name")
    chapters: list[Chapter] = []
    parts: list[Book] = []
    texts: list[str] = []
    start = 0
    for book in books:
        first = len(chapters) + 1
        label = _label(book.title)
        for number, one in enumerate(book.chapters, first):
            spans = one.heading.moved(start), one.body.moved(start)
            chapters.append(Chapter(number, f"{label}{one.title}", *spans))
        parts.append(Book(book.id, book.title, first, len(chapters), start))
        texts.append(book.text)
        start += len(book.text) + len(_BETWEEN)
    if len(chapters) > MAX_CHAPTERS:
        raise DocumentError(
            f"{title} has {len(chapters):,} chapters in all and {MAX_CHAPTERS:,} is the maximum: "
            "index it as two series"
        )
    return Document(id, title, _BETWEEN.join(texts), tuple(chapters), tuple(parts))


def parted(series: Document) -> tuple[Document, ...]:
    """The books that :func:`joined` made the series of; one that stands alone is its own only book."""
    if not series.books:
        return (series,)
    ends = [*(book.start - len(_BETWEEN) for book in series.books[1:]), len(series.text)]
    return tuple(_taken(series, book, end) for book, end in zip(series.books, ends, strict=True))


def added(series: Document, book: Document, *, at: int | None = None) -> Document:
    """The series with one book more, last or as number ``at``; a book of the same id makes place for it where
    no number is given. Raises UsageError for a place that there is not."""
    books = list(parted(series))
    same = [place for place, one in enumerate(books) if one.id == book.id]
    if same and at is None:
        books[same[0]] = book
    else:
        place = len(books) + 1 if at is None else at
        if not 1 <= place <= len(books) + 1:
            raise UsageError(f"a book can be put at 1 to {len(books) + 1}, not {place}")
        books.insert(place - 1, book)
    return _again(series, books)


def with_last(series: Document, book: Document) -> Document:
    """The series with another version of its last book; of a book that stands alone, that version."""
    return _again(series, (*parted(series)[:-1], book)) if series.books else book


def removed(series: Document, number: int) -> Document:
    """The series without its book of that number. Raises UsageError where it is the only one, HorizonError
    where there is none such."""
    books = _several(series, number, advice="index another project for another book")
    del books[number - 1]
    return _again(series, books)


def moved(series: Document, number: int, to: int) -> Document:
    """The series with the book of that number read as number ``to``. Raises UsageError where it is the only
    one, HorizonError for a book or a place that there is not."""
    books = _several(series, number, to, advice="add another before one of them is moved")
    books.insert(to - 1, books.pop(number - 1))
    return _again(series, books)


def horizons_moved(before: Document, after: Document) -> dict[int, int]:
    """Where the chapters that a horizon of ``before`` admits go further in ``after``, since books were put in
    before them or changed places: that horizon, and the least one that admits them all there. A chapter is
    known by its book and its number in that."""
    now = {place: number for number, place in enumerate(_places(after), 1)}
    found, furthest = {}, 0
    for chapter, place in enumerate(_places(before), 1):
        furthest = max(furthest, now.get(place, 0))
        if furthest > chapter:
            found[chapter] = furthest
    return found


def chapters_moved(before: Document, after: Document) -> Callable[[int], int] | None:
    """What :func:`horizons_moved` says of any chapter that somebody wrote down; one that ``before`` does not
    have yet goes as far as its last. None where no chapter goes further."""
    later, last = horizons_moved(before, after), len(before.chapters)
    ahead = later.get(last, last) - last

    def place(chapter: int) -> int:
        return chapter + ahead if chapter > last else later.get(chapter, chapter)

    return place if later else None


def _several(series: Document, *numbers: int, advice: str) -> list[Document]:
    if len(series.books) < 2:
        raise UsageError(f"{series.title} holds one book: {advice}")
    for number in numbers:
        series.book(number)
    return list(parted(series))


def _places(series: Document) -> Iterator[tuple[str, int]]:
    for book in series.books or (Book(series.id, series.title, 1, len(series.chapters), 0),):
        yield from ((book.id, number) for number, _ in enumerate(book.chapters))


def _again(series: Document, books: Sequence[Document]) -> Document:
    return joined(books, id=series.id, title=series.title)


def _taken(series: Document, book: Book, end: int) -> Document:
    label = _label(book.title)
    chapters = tuple(
        replace(
            one,
            number=one.number - book.first + 1,
            title=one.title.removeprefix(label),
            heading=one.heading.moved(-book.start),
            body=one.body.moved(-book.start),
        )
        for one in series.chapters[book.first - 1 : book.last]
    )
    return Document(book.id, book.title, series.text[book.start : end], chapters)


def _label(title: str) -> str:
    return f"{title}: "
