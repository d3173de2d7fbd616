"""The words beside direct speech that tell who says it: "said Anne", "he cried", "Then the captain asked:".

Looked for on the text's surface first, since the small parser is unsure around quotation marks (trigram
matching in Muzny et al. 2017), by the parse second.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from ...lexicon.words import CLAUSE_WORDS, PERSON_NOUNS, SAYING
from ...model.types import PEOPLE
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Word

_PAST = frozenset("said says quoth cried asked replied answered returned exclaimed".split())
SPEAKERS = frozenset("he she i they we it who".split())
_OPEN = CLAUSE_WORDS.listed("opens_phrase")
_ENDS = frozenset({".", "!", "?", ";"})
_INDIRECT = frozenset("if whether that how what why not".split())
_WITHIN = 14  # tokens from the speech
_LEADS = frozenset({",", ":", "--", "—", "-", "–"})


@dataclass(frozen=True, slots=True)
class Tag:
    """``subject`` is the head word of who speaks; ``mention`` who is named by it, None for a pronoun or a
    noun; ``word`` the subject in lower case. ``verb`` tells the saying; ``plain`` where it is a verb of
    saying, and not merely what somebody does beside speech."""

    subject: Word
    mention: int | None
    word: str
    verb: Word
    plain: bool


@dataclass(slots=True)
class TagFinder:
    """Looks around the pieces of speech in one paragraph."""

    chapter: ParsedChapter
    paragraph: ParsedParagraph
    words: list[str]
    starts: list[int]

    @classmethod
    def of(cls, chapter: ParsedChapter, paragraph: ParsedParagraph) -> TagFinder:
        words, starts = [], []
        for token in paragraph.words:
            words.append(token.lower_)
            starts.append(token.idx)
        return cls(chapter, paragraph, words, starts)

    def at(self, offset: int) -> int:
        """The first token that begins at or behind a character offset."""
        return bisect_left(self.starts, offset)

    def after(self, offset: int, limit: int) -> Tag | None:
        """The tag that follows speech ending at ``offset``, before ``limit`` (characters)."""
        a, stop = self.at(offset), self.at(limit)
        end = a
        while end < min(stop, a + _WITHIN) and self.words[end] not in _ENDS:
            end += 1
        while a < end and self.words[a] in _LEADS:
            a += 1
        if a >= end:
            return None
        text = self.paragraph.prose.text
        comma = text[max(0, offset - 3) : offset].rstrip("\"'”’»").endswith((",", "—", "-", "–"))
        attached = comma or text[self.starts[a]].islower()
        inverted = None
        if self._says(a) or (attached and self.paragraph.words[a].tag_ == "VBD"):
            inverted = self._phrase(a + 1, end)
        if inverted is not None:
            return self._tag(inverted, a)
        subject = self._phrase(a, end)
        return self._with_verb(subject, end, attached) if subject is not None else None

    def _with_verb(self, subject: tuple[int, int], end: int, attached: bool) -> Tag | None:
        """The subject with its verb close behind."""
        doc, start = self.paragraph.doc, subject[1]
        for v in range(start, min(end, start + 5)):
            if self._says(v) or (attached and doc[v].tag_ in ("VBD", "VBZ", "VBP")):
                return self._tag(subject, v)
        return None

    def before(self, offset: int, limit: int, *, closing: bool = False) -> Tag | None:
        """The tag that leads to speech beginning at ``offset``, behind ``limit`` (characters); with
        ``closing`` also in a sentence that has ended ("Then Anne spoke.")."""
        a, end = self.at(limit), self.at(offset)
        closed = closing and end > a and self.words[end - 1] in _ENDS
        end -= closed
        if end <= a or self.words[end - 1] in _ENDS:
            return None
        begin = end - 1
        while begin > a and self.words[begin - 1] not in _ENDS:
            begin -= 1
        if closed:
            return self._spoke(begin, end)
        tag = self._leading(begin, end, self._says)
        if tag is None and self.words[end - 1] in _LEADS:
            tag = self._leading(begin, end, lambda i: self.paragraph.words[i].tag_ in ("VBD", "VBZ"))
        return tag

    def _spoke(self, begin: int, end: int) -> Tag | None:
        """The sentence ends on the saying itself and does not tell what was said."""
        last = max(begin, end - 6)
        if any(word in _INDIRECT for word in self.words[last:end]):
            return None
        if any(token.tag_ == "VB" for token in self.paragraph.doc[last:end]):
            return None
        return self._leading(begin, end, self._says, last)

    def _leading(
        self, begin: int, end: int, fits: Callable[[int], bool], last: int | None = None
    ) -> Tag | None:
        doc = self.paragraph.doc
        for v in range(end - 1, (begin if last is None else last) - 1, -1):
            if fits(v) and not self.paragraph.spoken(doc[v]):
                subject = self._subject_of(v, begin, end)
                if subject is not None and (fits == self._says or self._person(subject[0])):
                    return self._tag(subject, v)
        return None

    def _says(self, i: int) -> bool:
        word = self.words[i]
        if word in _PAST:
            return True
        token = self.paragraph.words[i]
        if word == "went":
            return i + 1 < len(self.words) and self.words[i + 1] == "on"
        return token.pos_ == "VERB" and token.tag_ != "VBG" and token.lemma_ in SAYING

    def _tag(self, phrase: tuple[int, int], v: int) -> Tag:
        i = phrase[0]
        doc = self.paragraph.doc
        number = self.paragraph.mention_of.get(i)
        if number is not None and self.chapter.mentions[number].kind not in PEOPLE:
            number = None
        return Tag(doc[i], number, self.words[i], doc[v], self._says(v))

    def _subject_of(self, v: int, begin: int, end: int) -> tuple[int, int] | None:
        """By the parse; failing that the nearest phrase in front of the verb, or right behind it."""
        verb = self.paragraph.words[v]
        node = verb
        for _ in range(3):
            for child in node.children:
                if child.dep_ == "nsubj" and begin <= child.i < end and self._person(child.i):
                    return child.i, child.i + 1
            if node.dep_ not in ("conj", "xcomp", "ccomp", "advcl") or node.head.i < begin:
                break
            node = node.head
        if v + 1 < end and (found := self._phrase(v + 1, end)):
            return found
        for i in range(v - 1, begin - 1, -1):
            if self._person(i):
                return i, i + 1
        return None

    def _person(self, i: int) -> bool:
        number = self.paragraph.mention_of.get(i)
        if number is not None:
            return bool(self.chapter.mentions[number].kind in PEOPLE)
        return self.words[i] in SPEAKERS or self.words[i] in PERSON_NOUNS

    def _phrase(self, i: int, end: int) -> tuple[int, int] | None:
        """A name, pronoun or noun phrase that starts at token ``i``: its head word, and the token after."""
        if i >= end:
            return None
        covered = self.paragraph.mention_of
        if i in covered:
            return self._named(i, end)
        if self.words[i] in SPEAKERS:
            return i, i + 1
        doc = self.paragraph.doc
        if self.words[i] not in _OPEN and doc[i].pos_ not in ("DET", "PROPN", "NOUN", "ADJ", "NUM"):
            return None
        head = None
        for k in range(i, min(end, i + 7)):
            if k in covered:
                return self._named(k, end)
            if doc[k].pos_ in ("NOUN", "PROPN"):
                head = k
            elif doc[k].text == "-" and head == k - 1 and not doc[head].whitespace_:
                continue  # "the charity-boy"
            elif head is not None or doc[k].pos_ not in ("DET", "ADJ", "PRON", "NUM", "ADV", "VERB", "PART"):
                break
        return (head, head + 1) if head is not None else None

    def _named(self, i: int, end: int) -> tuple[int, int] | None:
        number, k = self.paragraph.mention_of[i], i
        while k + 1 < end and self.paragraph.mention_of.get(k + 1) == number:
            k += 1
        if self.chapter.mentions[number].kind not in PEOPLE:
            return None
        if k + 2 < end and self.words[k + 1] in ("'s", "’s", "'", "’"):  # "Anne's aunt"
            return self._phrase(k + 2, end)
        return k, k + 1
