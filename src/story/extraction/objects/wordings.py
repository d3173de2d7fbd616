"""What a sentence comes to about a thing, where no construction of grammar tells it: "lay at the bottom of
the sea", "found its way to the pawnbroker's", "his hand closed on it". The thing is masked, so that a wording
is looked for whatever the thing is called."""

from __future__ import annotations

import re
from enum import StrEnum

from ...model.types import EntityKind, Modality
from ..clauses.modality import modality_of
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word
from .returns import RETURNED, SURE
from .wording_table import GONE, KEPT, SHOWN

__all__ = ["Turn", "told_of_thing"]

_LONGEST = 400  # characters of a sentence that is still about one thing
_IN_POINTING = frozenset({"det", "poss", "amod", "compound", "nmod", "nummod"})
_UNTOLD = re.compile(
    r"\b(?:if|unless|whether|almost|nearly|well-nigh|as though|dream\w*|imagin\w*|fanc(?:y|ied)|suppos\w+|"
    r"wish\w*|hop(?:e|ed|ing)|fear\w*|afraid|dread\w*|might|could|would|should|may|must|will|shall|perhaps|"
    r"refus\w+|threat\w+|rather than|lest|like|pretend\w*|seem\w*|thought of|think of|meant to|mean to|"
    r"intend\w*|going to|wanted|offered to|about to|tried|try|before|until|till|in those days|used to|once|"
    r"remember\w*|instead of|all but|save|except|except(?:ing)?|but for)\b|\?"
)
_IT = frozenset({"it", "them"})
_MANY = re.compile(r"§(?: §)+")
_NOT = re.compile(r"\b(?:not|never|nor|neither|hardly|scarcely|no|without|missed|wanted|longed)\b|n[’']t\b")
_MET = frozenset({None, Modality.PLANNED, Modality.IMAGINED})
_FREE = frozenset({Modality.FACT, Modality.FLASHBACK, Modality.REPORTED})


class Turn(StrEnum):
    """What a sentence may come to about a thing: its use ends, it comes back, or somebody has it."""

    GONE = "gone"
    BACK = "back"
    KEPT = "kept"


def told_of_thing(
    chapter: ParsedChapter, paragraph: ParsedParagraph, noun: Word, turn: Turn
) -> tuple[str, float, Word, Modality] | None:
    """(act, how surely, the clause's verb, how the text vouches for it) for the thing at ``noun``. None where
    nothing of the kind is told, or it is denied, thought or wished. Costs a search of each pattern in one
    sentence."""
    text, before = _masked(chapter, paragraph, noun)
    if not text:
        return None
    if turn is Turn.KEPT:
        found = _has(text, spoken=paragraph.spoken(noun))
    else:
        found = _gone(text) if turn is Turn.GONE else _back(text)
    if found is None:
        return None
    act, sure, (start, end) = found
    rest = text[:start] + " " + text[end:]
    if noun.lower_ in _IT and " of ¤" in text[start:end]:
        return None
    if _UNTOLD.search(rest) or (_NOT.search(text[max(0, start - before) : start])):
        return None
    verb = _verb(noun)
    told = modality_of(chapter, paragraph, verb) if verb is not None else Modality.FACT
    if told is Modality.PLANNED and "never" in text[start:end]:
        told = Modality.REPORTED if paragraph.spoken(noun) else Modality.FACT
    if told is Modality.NEGATED or (told is None and paragraph.spoken(noun)):
        told = Modality.REPORTED if paragraph.spoken(noun) else Modality.FACT
    return (act, sure, verb if verb is not None else noun, told) if told in _FREE else None


def _gone(text: str) -> tuple[str, float, tuple[int, int]] | None:
    for act, sure, words in GONE:
        if (found := words.search(text)) is not None:
            return act, sure, found.span()
    return None


def _back(text: str) -> tuple[str, float, tuple[int, int]] | None:
    for words in RETURNED if _gone(text) is None else RETURNED[:SURE]:
        if (found := words.search(text)) is not None:
            return "regains", 0.75, found.span()
    return None


def _has(text: str, *, spoken: bool) -> tuple[str, float, tuple[int, int]] | None:
    if spoken:
        found = SHOWN.search(text)
        return ("uses", 0.75, found.span()) if found is not None else None
    for words in KEPT:
        if (found := words.search(text)) is not None:
            return "uses", 0.75, found.span()
    return None


def _masked(
    chapter: ParsedChapter, paragraph: ParsedParagraph, noun: Word, *, around: int = 30
) -> tuple[str, int]:
    """The sentence in lower case with the thing as "¤", and how many characters before a match may deny it;
    empty where the sentence is too long."""
    doc = noun.doc
    sentence = paragraph.sentence(noun)
    first = noun
    for child in noun.children:
        if child.dep_ in _IN_POINTING and child.i < first.i and child.left_edge.i >= sentence.start:
            first = child.left_edge
    words: list[str] = []
    for token in doc[sentence.start : sentence.end]:
        if first.i <= token.i < noun.i:
            continue
        number = paragraph.mention_of.get(token.i)
        named = number is not None and chapter.mentions[number].kind is EntityKind.CHARACTER
        if named and token.i != noun.i and token.tag_ != "POS":
            words.append("§" + (" " if token.whitespace_ or token.is_space else ""))
            continue
        words.append(
            ("¤" if token.i == noun.i else token.lower_)
            + (" " if token.whitespace_ or token.is_space else "")
        )
    text = _MANY.sub("§", " ".join("".join(words).split()))
    return (text, around) if len(text) <= _LONGEST else ("", 0)


def _verb(noun: Word) -> Word | None:
    node = noun
    while node.pos_ not in ("VERB", "AUX"):
        if node.head.i == node.i:
            return None
        node = node.head
    return node
