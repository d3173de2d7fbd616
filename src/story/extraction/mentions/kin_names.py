"""Kinship words that stand as names: "pap come in", "Mother had taken off her bonnet".

Whoever tells of his own people, and whoever writes of children, calls a parent by what he is to them, without
"my" or "the". Only the narration counts: what speakers call their parents depends on who speaks.
"""

from __future__ import annotations

from ..parsing.chapter import ParsedChapter
from ..parsing.words import Word

# word → gender
KIN_NAMES: dict[str, str] = dict.fromkeys(
    "father papa pa pap pappy dad daddy grandfather grandpa granddad grandpapa".split(), "m"
) | dict.fromkeys(
    "mother mamma mama ma mum mummy mom grandmother grandma granny grandmamma grandmama auntie".split(), "f"
)
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
