"""Tokens as words of names: titles, capitals, particles.

And kinship words that stand as names: "pap come in", "Mother had taken off her bonnet". Whoever tells of his
own people, and whoever writes of children, calls a parent by what he is to them, without "my" or "the". Only
the narration counts: what speakers call their parents depends on who speaks.
"""

from __future__ import annotations

from functools import lru_cache

from ...names.lexicon import PARTICLES, TITLES
from ..parsing.chapter import ParsedChapter, Word, Words

_SPELLINGS = 1 << 16  # of which it is kept what they look like
_TAILS = ("'ll", "’ll", "'d", "’d", "'ve", "’ve", "'re", "’re", "'s", "’s")


def is_title(token: Word) -> bool:
    """A title as written before a name: capitalised, e.g. ``Mr.``, ``Captain``."""
    return _title(token.text)


@lru_cache(_SPELLINGS)
def _title(text: str) -> bool:
    return text[0].isupper() and text.rstrip(".").lower() in TITLES


def name_text(token: Word) -> str:
    """The token as a word of a name: without what a dash has glued to it ("Knightley.--It")."""
    return _name_text(token.text)


def _name_text(text: str) -> str:
    return text.partition("--")[0].rstrip(".") if "--" in text else text


def is_name_word(token: Word) -> bool:
    """Could the token be a word of a name? Capitalised, not in capitals throughout, of letters."""
    return _name_word(token.text)


@lru_cache(_SPELLINGS)
def _name_word(text: str) -> bool:
    text = _name_text(text)
    if len(text) > 3 and text[1] in "'’" and text[2].isupper():
        text = text[2:]  # d'Artagnan
    particle, _, rest = text.partition("-")
    text = rest if particle in PARTICLES else text  # al-Rashid
    if text.endswith(_TAILS):  # "Wilf'll", which the parser leaves whole
        return False
    if (
        len(text) < 2
        or text == "I."
        or not text[0].isupper()
        or (text.isupper() and len(text.replace(".", "")) > 3)
    ):
        return False
    return text.replace("-", "").replace("'", "").replace("’", "").replace(".", "").isalpha()


def is_particle(doc: Words, i: int) -> bool:
    """Like "van" and "de", its mark in "de' Medici", and the "Ó" of "Seán Ó Briain"."""
    token = doc[i]
    if token.text in ("'", "’"):
        return bool(i and doc[i - 1].text in PARTICLES and not doc[i - 1].whitespace_)
    return token.text in PARTICLES or (token.text == "O" and doc.text[token.idx] != "O")


# word → gender
KIN_NAMES: dict[str, str] = dict.fromkeys(
    "father papa pa pap pappy dad daddy grandfather grandpa granddad grandpapa".split(), "m"
) | dict.fromkeys(
    """mother mamma mama ma mum mummy mom mam grandmother grandma granny gran grandmamma grandmama nan nana
    auntie""".split(), "f"
)  # fmt: skip
LEAST = 2  # so often must it be one who acts
_NOUNS = frozenset({"NN", "NNP"})
_TELLING = frozenset("det poss amod compound nummod appos conj cc prep relcl case".split())
_NO_NAME = frozenset({"conj", "compound", "attr", "appos"})


def bare_kin(token: Word) -> bool:
    """Does the kinship word stand as names do, with nothing that tells whose or which?"""
    if token.tag_ not in _NOUNS or token.dep_ in _NO_NAME:
        return False
    before = token.doc[token.i - 1] if token.i else None
    if before is not None and before.whitespace_ and before.tag_ in ("DT", "PRP$", "POS", "JJ", "WP$"):
        return False
    return not any(child.dep_ in _TELLING for child in token.children)


def find_kin_names(chapter: ParsedChapter) -> frozenset[str]:
    """The words (lower case) that the chapter's narration uses so: the subject of a verb ``LEAST`` times."""
    counts: dict[str, int] = {}
    for paragraph in chapter.paragraphs:
        for token in paragraph.words:
            word = token.lower_
            if (
                word in KIN_NAMES
                and token.dep_ == "nsubj"
                and bare_kin(token)
                and not paragraph.spoken(token)
            ):
                counts[word] = counts.get(word, 0) + 1
    return frozenset(word for word, count in counts.items() if count >= LEAST)
