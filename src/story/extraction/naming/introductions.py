"""Where the text says who somebody is: "X, a merchant", "his brother X", "X is a baker"."""

from __future__ import annotations

from collections.abc import Iterator

from ...lexicon.person_nouns import CALLINGS, PERSON_NOUNS
from ...lexicon.verbs_and_nouns import KIN
from ...model.chapter_reading import Trait
from ...model.trait_values import INTRODUCTION
from ...model.types import EntityKind, Modality
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word, Words

__all__ = ["read_introductions"]


_SURE = {"apposition": 0.85, "naming": 0.9, "noun": 0.85, "relative": 0.75, "copula": 0.85}
_NAMED = frozenset("named called christened nicknamed alias".split())
_OPENS = frozenset("a an the his her their its my our your one another both".split())
_RELATIVE = frozenset("who whose whom".split())
_PEOPLE = frozenset({*PERSON_NOUNS, *CALLINGS, *KIN})
_NOUNS = ("NN", "NNS")
_ENDS = frozenset({",", ".", ";", ")", "-", "—", "–", ":"})
_ROLES = frozenset("as for at in with from".split())  # "works as", "serves in", "lives with"
_STANDING = frozenset("work serve live reside bear".split())
_LONGEST = 14  # words of an apposition
_NEAR = 6  # words within which a verb must follow
_AGE = (1, 120)


def read_introductions(chapter: ParsedChapter) -> Iterator[Trait]:
    """In order of the text, one a mention of a person at most: the trait's value is the introducing words as
    written, its evidence the sentence. Told in direct speech it is REPORTED, else FACT.

    Looked for are an apposition ("Hero, Leonato's daughter", "the baker, Tom Hale"), a noun before the name
    ("her friend Ann"), a participle of naming ("a man called Hale"), a relative clause behind a comma, an age
    behind the name ("Ann, 46,"), a copula with a noun ("Ann is a nurse") and "works as", "lives in". Read
    off the words where they are plain, since parses of such short phrases fail often.
    """
    for paragraph in chapter.paragraphs:
        for number, first, last in _people(chapter, paragraph):
            found = _introduced(paragraph, first, last)
            if found is None:
                continue
            how, low, high = found
            doc = paragraph.doc
            spoken = paragraph.spoken(doc[first])
            yield Trait(
                number,
                INTRODUCTION,
                paragraph.prose.text[doc[low].idx : doc[high].idx + len(doc[high])],
                (paragraph.sentence(doc[first]).span,),
                Modality.REPORTED if spoken else Modality.FACT,
                _SURE[how],
            )


def _people(chapter: ParsedChapter, paragraph: ParsedParagraph) -> Iterator[tuple[int, int, int]]:
    """Each person's mention with the indices of its first and last token."""
    tokens: dict[int, list[int]] = {}
    for i, number in paragraph.mention_of.items():
        tokens.setdefault(number, []).append(i)
    for number, covered in sorted(tokens.items(), key=lambda item: item[1][0]):
        if chapter.mentions[number].kind is EntityKind.CHARACTER:
            yield number, min(covered), max(covered)


def _introduced(paragraph: ParsedParagraph, first: int, last: int) -> tuple[str, int, int] | None:
    """How, and the first and last token of the words that do it."""
    doc = paragraph.doc
    return (
        _before(doc, first, paragraph)
        or _behind(doc, last)
        or _copula(doc, first, last)
        or _hung_beside(doc, first, last)
    )


def _before(doc: Words, first: int, paragraph: ParsedParagraph) -> tuple[str, int, int] | None:
    """ "his servant X", "her boss, X", "a man named X"; a title alone introduces nobody."""
    i = first - 1
    if i < 0:
        return None
    if doc[i].tag_ == "PRP$" or doc[i].lower_ in ("a", "an"):  # "my Finn", "an Adam"
        return "noun", i, i
    comma = doc[i].text == ","
    if comma:
        i -= 1
    if i > 0 and doc[i].lower_ in _NAMED and doc[i - 1].tag_ in _NOUNS:
        return "naming", _left(doc, i - 1), i
    word = doc[i] if i >= 0 else None
    if word is None or not word.is_lower or word.tag_ not in _NOUNS or i in paragraph.mention_of:
        return None
    person = word.lower_ in _PEOPLE or word.lemma_.lower() in _PEOPLE
    low = _left(doc, i)
    opened = doc[low].lower_ in _OPENS or doc[low].tag_ in ("NNP", "POS")
    if comma:
        return ("apposition", low, i) if person and opened else None
    return ("noun", low, i) if person or (opened and word.head.i == first) else None


def _left(doc: Words, i: int) -> int:
    """The first token of the simple noun phrase that ends at ``i``."""
    low = i
    while low > 0 and (
        doc[low - 1].tag_
        in ("JJ", "JJR", "JJS", "NN", "NNP", "POS", "CD", "DT", "PRP$", "VBN", "VBG", "HYPH")
    ):
        low -= 1
        if doc[low].tag_ in ("DT", "PRP$"):
            break
    return low


def _behind(  # noqa: PLR0911 (a form a line)
    doc: Words, last: int
) -> tuple[str, int, int] | None:
    """ "X, a merchant of Y", "X, Y's daughter", "X, 46, ", "X, who …", "X (the baker)"."""
    i = last + 1
    if i + 1 >= len(doc) or doc[i].text not in (",", "(", "—", "–"):
        return None
    i += 1
    word = doc[i]
    if word.lower_ in _RELATIVE:
        return _relative(doc, i)
    if word.like_num and i + 1 < len(doc) and doc[i + 1].text in _ENDS:
        years = int(word.text) if word.text.isdecimal() and len(word.text) < 4 else 0
        return ("apposition", i, i) if _AGE[0] <= years <= _AGE[1] else None
    owner = _owner(doc, i)
    if word.lower_ not in _OPENS and not owner and word.tag_ not in _NOUNS:
        return None
    high = _phrase_end(doc, owner or i)
    if high is None:
        return None
    if not owner and word.tag_ in _NOUNS and word.lower_ not in _PEOPLE and word.head.i != last:
        return None
    return "apposition", i, high


def _relative(doc: Words, i: int) -> tuple[str, int, int] | None:
    """ "X, who is his heir", "X, who lives in"; not "X, who warns her"."""
    for verb in doc[i + 1 : i + _NEAR]:
        if verb.tag_ in ("VBD", "VBZ", "VBP") or verb.lemma_ in _STANDING:
            standing = _standing(verb)
            return ("relative", i, standing) if standing is not None else None
    return None


def _standing(verb: Word) -> int | None:
    """The last token of "is a baker", "works as", "lives in"; None where the verb says no such thing."""
    if verb.lemma_ in ("be", "become"):
        nouns = (c.i for c in verb.children if c.dep_ == "attr" and c.tag_ in _NOUNS and c.i > verb.i)
        return next(nouns, None)
    placed = verb.lemma_ in _STANDING and any(c.dep_ == "prep" and c.lower_ in _ROLES for c in verb.children)
    return int(verb.i) if placed else None


def _owner(doc: Words, i: int) -> int:
    """Behind the possessive of a name that begins at ``i``; 0 where none does."""
    while i < len(doc) and doc[i].tag_ in ("NNP", "NNPS"):
        i += 1
        if i < len(doc) and doc[i].tag_ == "POS":
            return i
    return 0


def _phrase_end(doc: Words, i: int) -> int | None:
    """The last token of a noun phrase that begins at ``i`` and ends before a mark; None where a verb comes
    first ("Meanwhile, the baker went") or a list goes on ("X, the baker and Y")."""
    noun = None
    for j in range(i, min(len(doc), i + _LONGEST)):
        word = doc[j]
        if word.text in _ENDS or (word.is_sent_start and j > i):
            break
        if word.tag_ in ("VBD", "VBZ", "VBP", "MD") and noun is not None and not _inside(word, i):
            return None
        if word.tag_ in _NOUNS or (word.tag_ == "NNP" and noun is None and word.lower_ in _PEOPLE):
            noun = j
        elif word.lower_ == "and" and noun is not None and _list_goes_on(doc, noun, j + 1):
            return None
    else:
        return noun
    return noun


def _list_goes_on(doc: Words, noun: int, behind: int) -> bool:
    """Like "the baker and Tom", "the baker and his wife"."""
    if doc[noun].lower_ not in _PEOPLE or behind >= len(doc):
        return False
    return bool(doc[behind].tag_ == "NNP" or doc[behind].lower_ in _OPENS)


def _inside(verb: Word, start: int) -> bool:
    """Does the verb stand in a relative clause of the phrase?"""
    return verb.dep_ == "relcl" or any(
        verb.doc[j].lower_ in ("who", "that", "which", "whom") for j in range(start, verb.i)
    )


def _copula(doc: Words, first: int, last: int) -> tuple[str, int, int] | None:
    """ "X is a baker", "X works as a nurse", "X was born in"."""
    subject = next((t for t in doc[first : last + 1] if t.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None:
        return None
    verb = subject.head
    if verb.i < last or verb.i - last >= _NEAR or any(child.dep_ == "neg" for child in verb.children):
        return None
    standing = _standing(verb)
    return ("copula", verb.i, standing) if standing is not None else None


def _hung_beside(doc: Words, first: int, last: int) -> tuple[str, int, int] | None:
    """An apposition that only the parser sees."""
    for token in doc[first : last + 1]:
        if token.dep_ == "appos" and token.head.tag_ in _NOUNS and token.head.i < first:
            return "apposition", token.head.left_edge.i, token.head.i
        for child in token.children:
            if child.dep_ == "appos" and child.tag_ in _NOUNS and child.i > last:
                return "apposition", last + 1, child.i
    return None
