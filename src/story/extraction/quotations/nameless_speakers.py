"""Speakers without a name: "said the policeman", where somebody so called speaks more than once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...lexicon.person_nouns import PERSON_NOUNS
from ...model.chapter_reading import Mention
from ...model.types import EntityKind
from ..coreference.chapter_cast import ChapterCast
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

__all__ = ["GENERAL", "definite", "note_nameless", "phrase_of"]

LEAST = 2  # times that somebody so called speaks in the chapter
_NO_ONE = frozenset(
    """other others one rest latter former voice voices speaker first second company crowd chorus letter
    note""".split()
)
# said of people who have names as well: "the girl" is mostly she who was named before
GENERAL = frozenset("man woman boy girl lady gentleman child lad lass fellow person youth creature".split())
_INNER = frozenset({"ADJ", "NOUN", "NUM"})
_MOST = 4  # words of a phrase that is somebody's


def phrase_of(noun: Word) -> str:
    """Like ``the old sexton`` for the noun's own words, lower case; empty where it is not definite and
    singular, or names nobody in particular ("the other", "the girl")."""
    if noun.lower_ in GENERAL:
        return ""
    first = definite(noun)
    words = [noun.doc[i].lower_ for i in range(first, noun.i + 1)] if first else []
    return "the " + " ".join(words) if 0 < len(words) <= _MOST else ""


def definite(noun: Word) -> int:
    """The token behind the article of "the old sexton", 0 where the noun is not definite and singular, or
    names nobody in particular ("the other")."""
    if noun.tag_ != "NN" or noun.lower_ in _NO_ONE:
        return 0
    i = noun.i - 1
    while i > 0 and (noun.doc[i].pos_ in _INNER or noun.doc[i].text == "-") and noun.doc[i].lower_ != "the":
        i -= 1
    return i + 1 if i >= 0 and noun.doc[i].lower_ == "the" else 0


def note_nameless(
    chapter: ParsedChapter, cast: ChapterCast, nouns: Iterable[tuple[ParsedParagraph, Any]]
) -> None:
    """Adds a mention for each noun beside speech whose phrase comes ``LEAST`` times among ``nouns``; all of
    one phrase are one person of the chapter."""
    told = [(paragraph, noun, phrase) for paragraph, noun in nouns if (phrase := phrase_of(noun))]
    counts = Counter(phrase for _, _, phrase in told)
    people: dict[str, int] = {}
    for paragraph, noun, phrase in told:
        if counts[phrase] < LEAST:
            continue
        gender = PERSON_NOUNS.get(noun.lower_, "")
        if phrase not in people:
            people[phrase] = cast.another(gender)
        span, sentence = paragraph.span(noun, noun), paragraph.sentence(noun).span
        paragraph.mention_of[noun.i] = len(chapter.mentions)
        chapter.mentions.append(
            Mention(span, phrase, EntityKind.CHARACTER, gender, paragraph.prose.scene, sentence, True)
        )
        cast.who.append(people[phrase])
