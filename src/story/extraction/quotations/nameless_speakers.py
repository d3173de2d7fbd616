"""Speakers without a name: "said the policeman", where somebody so called speaks more than once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...lexicon.words import PERSON_NOUNS
from ...model.chapter_reading import Mention
from ...model.types import EntityKind
from ..coreference.chapter_cast import ChapterCast
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

LEAST = 2  # times that somebody so called speaks in the chapter
_NO_ONE = frozenset(
    """other others one rest latter former voice voices speaker first second company crowd chorus letter note
    man woman boy girl lady gentleman child lad lass fellow person youth creature""".split()
)  # the latter are said of people who have names as well: "the girl" is mostly she who was named before
_INNER = frozenset({"ADJ", "NOUN", "NUM"})
_MOST = 5  # words of a phrase that is somebody's, the article among them


def _phrase_of(noun: Word) -> str:
    """Like ``the old sexton`` for the noun's own words, lower case; empty where it is not definite and
    singular, or names nobody in particular ("the other", "the girl")."""
    if noun.tag_ != "NN" or noun.lower_ in _NO_ONE:
        return ""
    i = noun.i - 1
    while i > 0 and (noun.doc[i].pos_ in _INNER or noun.doc[i].text == "-") and noun.doc[i].lower_ != "the":
        i -= 1
    words = [noun.doc[k].lower_ for k in range(i, noun.i + 1)] if i >= 0 else []
    return " ".join(words) if words[:1] == ["the"] and len(words) <= _MOST else ""


def note_nameless(
    chapter: ParsedChapter, cast: ChapterCast, nouns: Iterable[tuple[ParsedParagraph, Any]]
) -> None:
    """Adds a mention for each noun beside speech whose phrase comes ``LEAST`` times among ``nouns``; all of
    one phrase are one person of the chapter."""
    told = [(paragraph, noun, phrase) for paragraph, noun in nouns if (phrase := _phrase_of(noun))]
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
