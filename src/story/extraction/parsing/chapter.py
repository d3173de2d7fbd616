"""A chapter as the parser sees it: paragraphs with their parses, and who is named where.

spaCy makes a token anew whenever it is asked for one, and looks its strings up each time. The readers ask a
thousand times a word, so what they read is copied once: ``Word`` for its ``Token``, ``Words`` for its
``Doc``, ``Stretch`` for its ``Span``. What a name means here, it means there (https://spacy.io/api/token).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, overload

from ....core.types import Span
from ...lexicon.verbs_and_nouns import verb_lemma
from ...model.chapter_reading import Mention, Scene
from ...names.spelling import plain_names
from ...prose import Paragraph

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(slots=True, init=False, eq=False, repr=False)
class Word:
    """One token. ``i`` is its place in the paragraph, ``idx`` that of its first character; ``head`` of the
    root is the root; ``children`` are in order of the text; ``is_name`` says that another name stood in for
    the word when it was parsed. Each place has one object: ``is`` means the same as ``==``."""

    _left: int
    _right: int
    children: tuple[Word, ...]
    dep_: str
    doc: Words
    ent_type_: str
    head: Word
    i: int
    idx: int
    is_alpha: bool
    is_lower: bool
    is_name: bool
    is_punct: bool
    is_quote: bool
    is_sent_start: bool
    is_space: bool
    is_stop: bool
    lemma_: str
    like_num: bool
    lower_: str
    pos_: str
    sent: Stretch
    tag_: str
    text: str
    whitespace_: str

    def __len__(self) -> int:
        return len(self.text)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Word({self.i}, {self.text!r})"

    def name_as(self, written: str) -> None:
        """Gives the word back its own spelling, if it was another name that the parser saw."""
        if written != self.text:
            self.text, self.lower_, self.lemma_, self.is_name = written, written.lower(), written, True

    def nbor(self, distance: int = 1) -> Word:
        """The word that far on, or back. Raises IndexError past either end of the paragraph."""
        at = self.i + distance
        if at < 0:
            raise IndexError(f"no word {-distance} before {self!r}")
        return self.doc.words[at]

    def by(self, *deps: str) -> list[Word]:
        """The words that hang on this one by one of these dependencies."""
        return [child for child in self.children if child.dep_ in deps]

    def has(self, *deps: str) -> bool:
        """Does a word hang on this one so?"""
        return any(child.dep_ in deps for child in self.children)

    def said(self, *deps: str) -> set[str]:
        """In small letters, the words that hang on this one so; in any way, where none is named."""
        return {child.lower_ for child in self.children if not deps or child.dep_ in deps}

    @property
    def left_edge(self) -> Word:
        """The first word of what hangs on this one."""
        return self.doc.words[self._left]

    @property
    def right_edge(self) -> Word:
        """The last word of what hangs on this one."""
        return self.doc.words[self._right]

    @property
    def subtree(self) -> Iterator[Word]:
        """This word and all that hangs on it, what hangs on the left first."""
        todo = [(self, bool(self.children))]
        while todo:
            word, above = todo.pop()
            if not above:
                yield word
                continue
            i, below = word.i, word.children
            todo += [(child, bool(child.children)) for child in reversed(below) if child.i > i]
            todo.append((word, False))
            todo += [(child, bool(child.children)) for child in reversed(below) if child.i < i]

    @property
    def conjuncts(self) -> tuple[Word, ...]:
        """The words joined to this one by coordination, itself left out."""
        first = self
        while first.dep_ == "conj" and first.head is not first:
            first = first.head
        joined = [first]
        for word in joined:
            joined += [child for child in word.children if child.dep_ == "conj" and child.i > word.i]
        return tuple(word for word in joined if word is not self)

    def is_ancestor(self, other: Word) -> bool:
        """Whether ``other`` hangs on this word, at whatever distance."""
        above = other
        while above.head is not above:
            above = above.head
            if above is self:
                return True
        return False


class Stretch(tuple[Word, ...]):
    """Words that follow one another. ``end`` is the place behind the last; an empty one has no places."""

    __slots__ = ()

    @property
    def start(self) -> int:
        return self[0].i

    @property
    def end(self) -> int:
        return self[-1].i + 1

    @property
    def start_char(self) -> int:
        return self[0].idx

    @property
    def end_char(self) -> int:
        return self[-1].idx + len(self[-1].text)

    @property
    def text(self) -> str:
        return self[0].doc.text[self.start_char : self.end_char] if self else ""

    @property
    def root(self) -> Word:
        """The word nearest to the root of its sentence, the first of those where several are as near; a mark
        or space only where there is nothing else."""
        for word in self:
            if word.head is word:
                return word
        first, last, furthest = self.start, self.end, len(self[0].doc.words)
        best, nearest = self[0], furthest
        for word in self:
            if not first <= word.head.i < last:
                bare = (word.is_space or word.is_punct) and not word.children
                steps = furthest - 1 if bare else _height(word)
                if steps < nearest:
                    best, nearest = word, steps
        return best


def _height(word: Word) -> int:
    """Steps to the root."""
    steps = 0
    while word.head is not word:
        word, steps = word.head, steps + 1
    return steps


class Words:
    """A parsed paragraph: its ``words``, its sentences ``sents``, and the entities found in it, ``ents``,
    each a stretch with its label. The lemmas of the lexicon's verbs are set right."""

    __slots__ = ("ents", "sents", "text", "words")

    def __init__(self, doc: Doc, lexemes: Lexemes, text: str = "") -> None:
        """``text`` is the paragraph as written, where the parser saw it in other letters or with other names
        of the same length (see ``parsing.stand_ins``)."""
        self.text: str = text or doc.text
        self.words = lexemes.words(doc)
        self.sents = tuple(Stretch(self.words[sent.start : sent.end]) for sent in doc.sents)
        self.ents = tuple(
            (Stretch(self.words[entity.start : entity.end]), entity.label_) for entity in doc.ents
        )
        for word in self.words:
            word.doc = self
            root = word.dep_ == "ROOT" and word.is_lower and any(c.dep_ == "nsubj" for c in word.children)
            if root or word.pos_ in ("VERB", "AUX"):  # "dwelt", "forsook", tagged as something else
                word.lemma_ = verb_lemma(word.lower_, word.lemma_)
        if (written := plain_names(self.text)) != doc.text:
            for word in self.words:
                word.name_as(written[word.idx : word.idx + len(word.text)])
        for sent in self.sents:
            for word in sent:
                word.sent = sent

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @overload
    def __getitem__(self, at: int) -> Word: ...
    @overload
    def __getitem__(self, at: slice) -> Stretch: ...
    def __getitem__(self, at: int | slice) -> Word | Stretch:
        return Stretch(self.words[at]) if isinstance(at, slice) else self.words[at]

    def covering(self, start: int, end: int) -> Stretch | None:
        """The words that hold any of the characters ``[start, end)``; None where there are none."""
        words = self.words
        first = max(0, bisect_right(words, start, key=lambda word: word.idx) - 1)
        last = bisect_right(words, end - 1, key=lambda word: word.idx)
        if first < len(words) and words[first].idx + len(words[first].text) <= start:
            first += 1
        return Stretch(words[first:last]) if first < last else None


class _Strings(dict[int, str]):
    """The strings of spaCy's keys, each looked up once."""

    def __init__(self) -> None:
        super().__init__()
        self.store: Any = None

    def __missing__(self, key: int) -> str:
        found: str = self.store[key]
        self[key] = found
        return found


class Lexemes:
    """Makes words of spaCy's docs. What depends on the spelling alone is looked up once a spelling."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, ...]] = {}
        self._strings = _Strings()

    def words(self, doc: Doc) -> tuple[Word, ...]:
        """The words of a doc, each with its head and children; ``doc`` and ``sent`` are left to be set."""
        made: list[Word] = []
        known, string = self._known, self._strings
        string.store = doc.vocab.strings
        at = 0
        for i, row in enumerate(doc.to_array(_COLUMNS).tolist()):
            orth, lemma, pos, tag, dep, entity, opens, spaced = row
            lexeme = known.get(orth)
            if lexeme is None:
                lexeme = known[orth] = tuple(getattr(doc[i], name) for name in _OF_SPELLING)
            word = Word()
            (
                word.text,
                word.lower_,
                word.is_alpha,
                word.is_lower,
                word.is_punct,
                word.is_quote,
                word.is_space,
                word.is_stop,
                word.like_num,
            ) = lexeme
            word.i, word.idx = i, at
            word.lemma_, word.pos_, word.tag_ = string[lemma], string[pos], string[tag]
            word.dep_, word.ent_type_ = string[dep], string[entity]
            word.is_sent_start, word.is_name = opens == 1, False
            word.whitespace_ = " " if spaced else ""
            at += len(word.text) + spaced
            made.append(word)
        if made:
            _hang(made, doc.to_array("HEAD").astype("int64").tolist())
        return tuple(made)


def _hang(words: list[Word], heads: list[int]) -> None:
    """Gives each word its head, ``heads[i]`` words on from it, its children and the ends of its subtree."""
    below: dict[int, list[Word]] = {}
    levels: list[Word] = []
    for word, distance in zip(words, heads, strict=True):
        i = word._left = word._right = word.i
        word.head, word.children = words[i + distance], ()
        if distance:
            below.setdefault(i + distance, []).append(word)
        else:
            levels.append(word)
    for i, children in below.items():
        words[i].children = tuple(children)
    for word in levels:  # grows: each level of the tree brings the next
        levels += word.children
    for word in reversed(levels):
        head = word.head
        head._left, head._right = min(head._left, word._left), max(head._right, word._right)


_COLUMNS = ["ORTH", "LEMMA", "POS", "TAG", "DEP", "ENT_TYPE", "SENT_START", "SPACY"]
_OF_SPELLING = "text lower_ is_alpha is_lower is_punct is_quote is_space is_stop like_num".split()


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
        at = bisect_right(self.sentences, token.i, key=_end)
        return self.sentences[min(at, len(self.sentences) - 1)]

    def tokens(self, sentence: Sentence) -> Stretch:
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

    def name(self, mention: int) -> str:
        """The name as it is written there, case folded."""
        return self.mentions[mention].surface.casefold()
