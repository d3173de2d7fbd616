"""Names that the parser does not know for names: "Jean-Luc", and "Will" or "May", which are words as well.

The parser takes "Will shrugged" for a verb in the future. Where the chapter tells that Will is somebody, it
is given the paragraph again with a common name of the same length in his place; what it reads holds for him.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from re import Match
from typing import TYPE_CHECKING, Any

from ...lexicon.verbs_and_nouns import HUMAN_VERBS, SAY_VERBS, VERBS, base_form
from ...lexicon.words import SHORT_FORMS
from ...names.lexicon import CALENDAR, GIVEN, GROUP_WORDS, NON_NAMES, PARTICLES, PLACE_WORDS, TITLES
from ...names.spelling import plain_names
from .chapter import Word, Words

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer
else:
    Tokenizer = Any

MENTIONS = 10  # within sentences: so many make a name of a word that the chapter also writes small
LEAST = 2  # mentions and deeds of a word that it does not
_GIVEN = GIVEN.keys() | SHORT_FORMS.keys()
_COMMON = {
    len(name): name
    for name in "Ed Tom John Peter Robert William Margaret Elizabeth Jacqueline Christopher".split()
}
_PROPER = frozenset({"NNP", "NNPS"})
_FINITE = frozenset("VBD VBZ VBP MD POS".split())
_TOLD_BEFORE = frozenset("DT PDT PRP$ POS WP$ CD".split())  # "the Hope", "Your Grace"
_DATED = frozenset("on of in before after until till since by from during be was is".split())
_OPENING = frozenset("“ ‘ \" ' « „ ( — – -- : ; . ! ? …".split())


def keep_names_whole(tokenizer: Tokenizer) -> None:
    """From now on the tokenizer cuts no word at a hyphen where the word opens on a capital or a particle and
    ends on a capital part: "Jean-Luc", "al-Rashid"."""
    cuts = tokenizer.infix_finditer

    def outside_names(word: str) -> Iterator[Match[str]]:
        first, last = word.partition("-")[0], word.rpartition("-")[2]
        name = last[:1].isupper() and (first[:1].isupper() or first in PARTICLES)
        return (cut for cut in cuts(word) if not (name and cut[0] == "-"))

    tokenizer.infix_finditer = outside_names


def stand_ins(docs: Iterable[Words]) -> dict[str, str]:
    """The paragraphs that the parser should see again, each with the text to show it: as long as the
    paragraph, common names in the place of those that it misread somewhere in these docs."""
    docs = tuple(docs)
    names = _find_names(docs)
    small = _small(docs)
    misread = {
        word.text for doc in docs for word in doc if word.text in names and _doubtful(doc, word, small)
    }
    return {doc.text: text for doc in docs if (text := _shown(doc, misread))} if misread else {}


def _doubtful(doc: Words, word: Word, small: Collection[str]) -> bool:
    """Did the parser take the name for a word, or might it?"""
    common = word.lower_ in NON_NAMES or word.lower_ in small
    return common or word.tag_ not in _PROPER or _is_strange(doc, word)


def _shown(doc: Words, names: Collection[str]) -> str:
    text, found = plain_names(doc.text), False
    for word in doc:
        if word.text in names and _stands(doc, word):
            text = text[: word.idx] + _common_name(len(word)) + text[word.idx + len(word) :]
            found = True
    return text if found else ""


def _common_name(length: int) -> str:
    return _COMMON.get(length) or ("Christopher" + length * "r")[: length - 3] + "son"


def _find_names(docs: Iterable[Words]) -> set[str]:
    """The words that are somebody's name: beside a verb of speech, before a surname, capitalised within
    sentences or doing what people do so often that it is no chance."""
    names, given, uses, deeds = set[str](), set[str](), Counter[str](), Counter[str]()
    for doc in docs:
        for word in doc:
            if not _may_be_name(word) or _qualified(doc, word):
                continue
            if _before_surname(doc, word):
                names.add(word.text)
            if _inside(doc, word):
                uses[word.text] += 1
                if _speaks(doc, word):
                    names.add(word.text)
            deeds[word.text] += _acts(doc, word)
            if word.lower_.partition("-")[0] in _GIVEN or _is_strange(doc, word):
                given.add(word.text)
    small = _small(docs)
    for text in uses.keys() | deeds.keys():
        least = MENTIONS if text.lower() in small else 1 if text in given else LEAST
        if uses[text] + deeds[text] >= least and (least == 1 or (uses[text] and deeds[text])):
            names.add(text)
    return names


def _is_strange(doc: Words, word: Word) -> bool:
    """Has the name a hyphen, or letters that the parser has hardly met?"""
    return "-" in word.text or doc.text[word.idx : word.idx + len(word)] != word.text


def _may_be_name(word: Word) -> bool:
    text = word.text
    if len(text) < 2 or not text[0].isupper() or text.isupper() or word.lower_ in TITLES:
        return False
    if "-" in text and word.dep_ in ("amod", "compound") and word.head.is_lower:
        return False  # "an Anglo-Saxon word"
    return word.lower_ not in NON_NAMES or word.lower_ in CALENDAR or word.lower_ in _GIVEN


def _acts(doc: Words, word: Word) -> bool:
    """Like "May took", whatever the parser makes of it."""
    after = doc[min(word.i + 1, len(doc) - 1)]
    return after.tag_ in ("VBD", "VBZ", "VBN") and (after.lemma_ in HUMAN_VERBS or after.lemma_ in VERBS)


def _small(docs: Iterable[Words]) -> set[str]:
    return {word.text for doc in docs for word in doc if word.is_lower}


def _speaks(doc: Words, word: Word) -> bool:
    """Like "said May", "May said"."""
    beside = (doc[word.i - 1], doc[min(word.i + 1, len(doc) - 1)])
    return any(each.lemma_ in SAY_VERBS and each.tag_ in ("VBD", "VBZ") for each in beside)


def _before_surname(doc: Words, word: Word) -> bool:
    if word.i + 1 >= len(doc) or not word.whitespace_ or _qualified(doc, word):
        return False
    after = doc[word.i + 1]
    if not after.text[0].isupper() or after.text.isupper() or after.tag_ not in _PROPER:
        return False
    if after.lower_ in PLACE_WORDS | GROUP_WORDS | NON_NAMES or after.lower_ in GIVEN:
        return False
    if word.lower_ in _GIVEN:
        return True
    return _inside(doc, word) and word.ent_type_ == after.ent_type_ == "PERSON"


def _inside(doc: Words, word: Word) -> bool:
    """Does a capital tell something here? Not where a sentence or a speech opens; it does where one closed
    on a comma: "Come," May said."""
    if word.i == 0:
        return False
    before = doc[word.i - 1]
    if before.is_quote and word.i > 1 and doc[word.i - 2].text == ",":
        return True
    return not word.is_sent_start and before.text not in _OPENING


def _qualified(doc: Words, word: Word) -> bool:
    """Like "the Hope", "Your Grace", "in May", "May 5"."""
    before, after = doc[word.i - 1] if word.i else None, doc[min(word.i + 1, len(doc) - 1)]
    if word.lower_ in CALENDAR and (
        after.like_num or (before is not None and (before.lower_ in _DATED or before.tag_ == "JJ"))
    ):
        return True
    return before is not None and before.tag_ in _TOLD_BEFORE and not word.is_sent_start


def _stands(doc: Words, word: Word) -> bool:
    """Does the word stand for somebody here, and not at the head of a sentence as what it is besides ("Will
    you come?")?"""
    if _qualified(doc, word):
        return False
    if _inside(doc, word) or word.i + 1 >= len(doc):
        return True
    after = doc[word.i + 1]
    if after.lower_ == "and" and word.i + 2 < len(doc):
        return doc[word.i + 2].text[0].isupper()
    inflected = after.lower_.endswith("ed") or base_form(after.lower_) != after.lower_
    return after.tag_ in _FINITE or inflected or after.is_punct or _before_surname(doc, word)
