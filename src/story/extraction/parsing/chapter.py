"""A chapter as the parser sees it: paragraphs with their parses, and who is named where."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter

from ....core.types import Span
from ...model.chapter_reading import Mention, Scene
from ...prose import Paragraph
from .words import Stretch, Word, Words


def nouns_by_sentence(chapter: ParsedChapter) -> tuple[frozenset[str], ...]:
    """The lemmas of the common nouns, and names as they are written, in lower case, sentence by sentence.

    Of a compound only the head counts ("boat" of "ferry boat"), of a name its last word, so that "Mr. Dove"
    and "Henry Dove" are one.
    """
    return tuple(
        frozenset(
            token.lemma_.casefold() if token.pos_ == "NOUN" else token.lower_
            for token in paragraph.tokens(sentence)
            if token.pos_ in ("NOUN", "PROPN") and token.dep_ != "compound"
        )
        for paragraph, sentence in chapter.sentences()
    )


_end = attrgetter("end")


@dataclass(slots=True)
class Sentence:
    """``index`` counts through the chapter, so that nearness of sentences can be measured."""

    index: int
    start: int
    end: int
    span: Span


@dataclass(slots=True)
class ParsedParagraph:
    """``mention_of`` gives the mention that covers a token, by the token's index in ``doc``."""

    number: int
    prose: Paragraph
    doc: Words
    sentences: list[Sentence] = field(default_factory=list)
    mention_of: dict[int, int] = field(default_factory=dict)
    _spoken: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        quotes = self.prose.quotes
        self._spoken = frozenset(word.i for word in self.doc.words if quotes and self.prose.spoken(word.idx))

    @property
    def words(self) -> tuple[Word, ...]:
        return self.doc.words

    def span(self, first: Word, last: Word) -> Span:
        """From the first token's first to the last token's last character, in the chapter's body."""
        return self.prose.span(first.idx, last.idx + len(last))

    def spoken(self, token: Word) -> bool:
        return token.i in self._spoken

    def sentence(self, token: Word) -> Sentence:
        """The sentence that holds the token."""
        at = bisect_right(self.sentences, token.i, key=_end)
        return self.sentences[min(at, len(self.sentences) - 1)]

    def tokens(self, sentence: Sentence) -> Stretch:
        """The sentence's tokens."""
        return self.doc[sentence.start : sentence.end]


@dataclass(slots=True)
class ParsedChapter:
    """``narrator`` is the mention that stands for who tells the chapter, None where nobody says "I"."""

    paragraphs: list[ParsedParagraph]
    scenes: tuple[Scene, ...]
    mentions: list[Mention] = field(default_factory=list)
    narrator: int | None = None

    @classmethod
    def of(cls, prose: list[Paragraph], docs: list[Words], scenes: tuple[Scene, ...]) -> ParsedChapter:
        """Joins paragraphs with their parses: ``docs[k]`` is that of ``prose[k].text``."""
        parsed, count = [], 0
        for number, (paragraph, doc) in enumerate(zip(prose, docs, strict=True)):
            sentences = []
            for sent in doc.sents:
                words = sent.text
                start = sent.start_char + len(words) - len(words.lstrip())
                end = sent.start_char + len(words.rstrip())
                if start < end:
                    span = paragraph.span(start, end)
                    sentences.append(Sentence(count, sent.start, sent.end, span))
                    count += 1
            parsed.append(ParsedParagraph(number, paragraph, doc, sentences))
        return cls(parsed, scenes)

    def sentences(self) -> Iterator[tuple[ParsedParagraph, Sentence]]:
        """All sentences in order of the text, each with its paragraph."""
        for paragraph in self.paragraphs:
            for sentence in paragraph.sentences:
                yield paragraph, sentence
