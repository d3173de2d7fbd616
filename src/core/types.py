"""The values that every part of fabula speaks in.

Offsets are always half-open character offsets into the original text of one document, as it was read
(newlines included), so ``span.of(document.text)`` is the quote, whatever was stripped for reading.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import EvidenceError, HorizonError


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range ``[start, end)`` of characters in a document's original text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The part of ``text`` that the span covers."""
        return text[self.start : self.end]

    def __len__(self) -> int:
        return self.end - self.start

    def moved(self, by: int) -> Span:
        """The same range so many characters further on."""
        return Span(self.start + by, self.end + by)

    def contains(self, other: Span) -> bool:
        """Does the other lie within this one? Equal spans do."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Do the two share a character? Spans that only touch do not; an empty one does inside the other."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter in order of telling; ``number`` counts from 1 through the whole book.

    ``heading`` covers the heading's lines (empty where there is none), ``body`` the text after it.
    ``title`` is the heading as a reader would say it, e.g. ``"VOLUME II, CHAPTER I"``.
    """

    number: int
    title: str
    heading: Span
    body: Span


@dataclass(frozen=True, slots=True)
class Book:
    """One book of a series: its chapters are ``first`` to ``last``, both inclusive, of those that are counted
    through the whole series. ``start`` is where its text begins in that of the series."""

    id: str
    title: str
    first: int
    last: int
    start: int

    @property
    def chapters(self) -> range:
        """The numbers of its chapters."""
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its chapters. The id comes from the name, never from the text: an id made from the
    text would change with later chapters and leak them through every horizon. ``books`` are those of a
    series, in its order; a book that stands alone has none."""

    id: str
    title: str
    text: str
    chapters: tuple[Chapter, ...]
    books: tuple[Book, ...] = ()

    def chapter(self, number: int) -> Chapter:
        """The chapter of that number. Raises HorizonError where the story has none such."""
        if not 1 <= number <= len(self.chapters):
            raise HorizonError(
                f"{self.title} has chapters 1 to {len(self.chapters)}, not {number}: choose one of those"
            )
        return self.chapters[number - 1]

    def book(self, number: int) -> Book:
        """The book of that number in the series, from 1. Raises HorizonError where there is none such."""
        if not self.books:
            raise HorizonError(f"{self.title} is one book, no series: name a chapter alone")
        if not 1 <= number <= len(self.books):
            raise HorizonError(
                f"{self.title} has books 1 to {len(self.books)}, not {number}: choose one of those"
            )
        return self.books[number - 1]

    def chapter_of(self, book: int, chapter: int) -> int:
        """The number in the whole series of a book's own chapter. Raises HorizonError for one that is not
        there."""
        found = self.book(book)
        if not 1 <= chapter <= len(found.chapters):
            raise HorizonError(
                f"{found.title} has chapters 1 to {len(found.chapters)}, not {chapter}: choose one of those"
            )
        return found.first + chapter - 1


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far a reader has read: chapters up to and including ``chapter``; ``None`` is the whole text.

    Nothing told after the horizon may change any output computed at it.
    """

    chapter: int | None = None

    def __post_init__(self) -> None:
        if self.chapter is not None and self.chapter < 0:
            raise HorizonError(f"a horizon is a chapter from 0 up, or none at all, not {self.chapter}")

    def admits(self, chapter: int) -> bool:
        """Has a reader at the horizon read that chapter?"""
        return self.chapter is None or chapter <= self.chapter


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable piece of one chapter. ``ordinal`` is its place in order of telling, from 0."""

    id: str
    document_id: str
    chapter: int
    ordinal: int
    span: Span
    text: str

    @classmethod
    def of(cls, document: Document, chapter: int, ordinal: int, span: Span) -> Chunk:
        """What stands at the span of the document's text."""
        text = span.of(document.text)
        return cls(cls.make_id(document.id, span, text), document.id, chapter, ordinal, span, text)

    @staticmethod
    def make_id(document_id: str, span: Span, text: str) -> str:
        """16 hex digits of a SHA-256 over document id, span and text."""
        seed = f"{document_id}\0{span.start}\0{span.end}\0{text}"
        return hashlib.sha256(seed.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Hit:
    """One index's answer: the chunk's ordinal and the index's own score, higher is better."""

    ordinal: int
    score: float


@dataclass(frozen=True, slots=True)
class Share:
    """What one retriever gave to a fused score: its rank (from 1), its own score, and its part. ``via`` is
    what led a graph there: a name, or the passage before or after."""

    retriever: str
    rank: int
    score: float
    share: float
    via: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved chunk. The shares sum to the score."""

    chunk: Chunk
    score: float
    shares: tuple[Share, ...] = ()


Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points, from the top left of a page as it is shown."""


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Where words stand on a printed page: ``page`` from 1, its lines from 1 (first and last, both of
    them), and the box around the words."""

    page: int
    first_line: int
    last_line: int
    box: Box

    @property
    def label(self) -> str:
        """``Page 12, Lines 3-9``, or ``Page 12, Line 3``."""
        lines = f"Lines {self.first_line}-{self.last_line}"
        one = self.first_line == self.last_line
        return f"Page {self.page}, {f'Line {self.first_line}' if one else lines}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote and where it stands: ``span.of(document.text) == quote``."""

    document_id: str
    chapter: int
    span: Span
    quote: str

    @classmethod
    def of(cls, document: Document, chapter: int, span: Span) -> Evidence:
        """What stands at the span of the document's text. That it stands in ``chapter`` is not checked."""
        return cls(document.id, chapter, span, span.of(document.text))

    @property
    def line(self) -> str:
        """The quote as one line: every run of white space, line breaks too, as one space."""
        return " ".join(self.quote.split())

    def overlaps(self, other: Evidence) -> bool:
        """Do the two share a character of one document?"""
        return self.document_id == other.document_id and self.span.overlaps(other.span)

    def verify(self, text: str) -> None:
        """Raises EvidenceError where the quote is not in the text at its span."""
        found = self.span.of(text)
        if found != self.quote:
            raise EvidenceError(
                f"{self.document_id} {self.span.start}:{self.span.end} reads {found!r}, not {self.quote!r}"
            )


@dataclass(frozen=True, slots=True)
class Note:
    """A piece of structured context in words, with the quotes it stands on.

    ``kind`` is one of ``"character"``, ``"state"``, ``"relation"``, ``"path"``, ``"constraint"``.
    ``entities`` are entity ids.
    """

    kind: str
    text: str
    entities: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a context did not take, and why (``"budget"`` or ``"duplicate"``)."""

    label: str
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Context:
    """What a pipeline hands to the model: passages, notes, and what did not fit.

    ``tokens`` counts the rendered context in the generator's own tokens.
    """

    passages: tuple[Passage, ...] = ()
    notes: tuple[Note, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to a generator. ``version`` names the template that made it. ``schema`` is a JSON schema,
    as text, that the answer is held to where the generator can do that; empty for prose."""

    system: str
    user: str
    version: str
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Generation:
    """What a generator returned. ``finish_reason`` is ``"stop"`` or ``"length"``."""

    text: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    finish_reason: str = "stop"
    settings: tuple[tuple[str, str | int | float], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model. ``estimated`` says that the endpoint reported no token counts of its own."""

    model: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """A query's term: how often the query has it, how many chunks hold it (0: unknown), and its idf (for
    an unknown term what a term in no chunk would have)."""

    term: str
    count: float
    df: int
    idf: float


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """What scoring needs to know of several indexes together: how many ``chunks`` they have, how many
    ``terms`` in all, and in how many chunks each term of a query stands."""

    chunks: int
    terms: int
    df: Mapping[str, int]

    @property
    def mean_length(self) -> float:
        """Terms in a chunk."""
        return self.terms / max(self.chunks, 1)

    def __add__(self, other: CorpusStatistics) -> CorpusStatistics:
        df = {word: self.df.get(word, 0) + other.df.get(word, 0) for word in {**self.df, **other.df}}
        return CorpusStatistics(self.chunks + other.chunks, self.terms + other.terms, df)


@dataclass(frozen=True, slots=True)
class Hop:
    """From the passage ``source`` to the passage ``target``; ``weight`` is in (0, 1].

    ``via`` says what carries it: an entity's name as written, or FOLLOWING or PRECEDING.
    """

    source: int
    target: int
    weight: float
    via: str
