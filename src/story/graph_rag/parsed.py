"""A chapter as the parser sees it: paragraphs with their parses, and who is named where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.types import Span
from ..reading import Mention, Scene
from .inflection import verb_lemma
from .prose import Paragraph

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
else:
    Doc = Token = Any

__all__ = ["ParsedChapter", "ParsedParagraph", "Sentence"]


@dataclass(slots=True)
class Sentence:
    """``index`` counts through the chapter, so that nearness of sentences can be measured."""

    index: int
    start: int
    end: int
    span: Span


@dataclass(slots=True)
class ParsedParagraph:
    """``mention_of`` gives the mention that covers a token, by the token's index in ``doc``. ``words`` are
    the tokens of ``doc``, made once: spaCy makes new ones whenever a doc is gone through."""

    number: int
    prose: Paragraph
    doc: Doc
    sentences: list[Sentence] = field(default_factory=list)
    mention_of: dict[int, int] = field(default_factory=dict)
    words: list[Token] = field(init=False)

    def __post_init__(self) -> None:
        self.words = list(self.doc)

    def span(self, first: Token, last: Token) -> Span:
        """From the first token's first to the last token's last character, in the chapter's body."""
        return self.prose.span(first.idx, last.idx + len(last))

    def spoken(self, token: Token) -> bool:
        return self.prose.spoken(token.idx)

    def sentence(self, token: Token) -> Sentence:
        """The sentence that holds the token."""
        low, high = 0, len(self.sentences) - 1
        while low < high:
            middle = (low + high) // 2
            if self.sentences[middle].end <= token.i:
                low = middle + 1
            else:
                high = middle
        return self.sentences[low]

    def tokens(self, sentence: Sentence) -> Any:
        """The sentence's tokens, as a spaCy span."""
        return self.doc[sentence.start : sentence.end]


def _misread(token: Any) -> bool:
    """A verb by its place in the sentence, though tagged as something else ("dwelt", "forsook")."""
    return token.dep_ == "ROOT" and token.is_lower and any(c.dep_ == "nsubj" for c in token.children)


@dataclass(slots=True)
class ParsedChapter:
    """``narrator`` is the mention that stands for who tells the chapter, None where nobody says "I"."""

    paragraphs: list[ParsedParagraph]
    scenes: tuple[Scene, ...]
    mentions: list[Mention] = field(default_factory=list)
    narrator: int | None = None

    @classmethod
    def of(cls, prose: list[Paragraph], docs: list[Doc], scenes: tuple[Scene, ...]) -> ParsedChapter:
        """Joins paragraphs with their parses, and sets right the lemmas of the lexicon's verbs.
        ``docs[k]`` is the parse of ``prose[k].text``."""
        parsed, count = [], 0
        for number, (paragraph, doc) in enumerate(zip(prose, docs, strict=True)):
            for token in doc:
                if token.pos_ in ("VERB", "AUX") or _misread(token):
                    token.lemma_ = verb_lemma(token.lower_, token.lemma_)
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
