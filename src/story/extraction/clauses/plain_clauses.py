"""The plainest clause there is, a name, a verb, a name: read off the words where the parser fails on it."""

from __future__ import annotations

from ...lexicon.inflection import verb_lemma
from ...lexicon.verb_rules import VERBS
from ...model.types import EntityKind
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

_FACTOR = 0.95
_ENDINGS = ("ed", "es", "s", "t", "k", "w", "ing")
_FINITE_LOOK = frozenset("NN NNS NNP NNPS JJ RB".split())


def plain_lemma(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> str:
    """The lexicon's verb where a token taken for a noun or adjective stands between two persons' names
    ("Elena forsook Marcus"); empty where it does not."""
    if token.tag_ not in _FINITE_LOOK or not token.is_lower or token.i in paragraph.mention_of:
        return ""
    lemma = verb_lemma(token.lower_, "")
    if lemma not in VERBS or lemma == token.lower_ or not token.lower_.endswith(_ENDINGS):
        return ""
    both = name_before(chapter, paragraph, token) and name_after(chapter, paragraph, token)
    return lemma if both else ""


def name_before(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> Reference | None:
    """The person named right before the token, at the beginning of a sentence or behind a mark."""
    start = token.i - 1
    if start > 0 and token.lower_.endswith("ing") and paragraph.words[start].lower_ in ("was", "is"):
        start -= 1
    number = paragraph.mention_of.get(start)
    if number is None or chapter.mentions[number].kind is not EntityKind.CHARACTER:
        return None
    while start > 0 and paragraph.mention_of.get(start - 1) == number:
        start -= 1
    first = paragraph.words[start]
    opens = first.is_sent_start or paragraph.words[start - 1].is_punct
    return Reference(number, _FACTOR) if opens else None


def name_after(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> Reference | None:
    """The person named right behind the token, unless the name only owns what comes next."""
    number = paragraph.mention_of.get(token.i + 1)
    if number is None or chapter.mentions[number].kind is not EntityKind.CHARACTER:
        return None
    end = token.i + 1
    while end < len(paragraph.doc) and paragraph.mention_of.get(end) == number:
        end += 1
    owns = end < len(paragraph.doc) and paragraph.words[end].tag_ == "POS"
    return None if owns else Reference(number, _FACTOR)
