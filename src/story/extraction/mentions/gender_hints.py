"""What pronouns tell of a person's gender where grammar alone binds them: "Sissy dropped her eyes"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.types import EntityKind
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word

_PRONOUNS = {"himself": "m", "herself": "f", "his": "m", "her": "f"}
_BODY = frozenset(
    "head eye eyes face lip lips brow brows shoulder shoulders throat voice gaze chin cheek cheeks".split()
)
# what one does with one's own
_OWN = frozenset(
    """shake bow raise lower drop lift turn nod bend clear open close shut shrug bite cast hang toss incline
    wrinkle hide cover wipe rub scratch dry lick purse roll lose find""".split()
)


def find_gender_hints(chapter: ParsedChapter) -> None:
    """Sets ``hint`` on the mentions of people that a reflexive pronoun or the possessive of a part of the
    body speaks of. Of a contradiction the first counts."""
    for paragraph in chapter.paragraphs:
        for number, gender in _hints(chapter, paragraph):
            mention = chapter.mentions[number]
            if not mention.hint:
                chapter.mentions[number] = replace(mention, hint=gender)


def _hints(chapter: ParsedChapter, paragraph: ParsedParagraph) -> Iterator[tuple[int, str]]:
    if not paragraph.mention_of:
        return
    for token in paragraph.words:
        gender = _PRONOUNS.get(token.lower_)
        if gender is None:
            continue
        verb = _verb_of(token)
        subject = _subject(verb) if verb is not None else None
        number = paragraph.mention_of.get(subject.i) if subject is not None else None
        if number is None or paragraph.spoken(token) != chapter.mentions[number].spoken:
            continue
        if chapter.mentions[number].kind is EntityKind.CHARACTER:
            yield number, gender


def _verb_of(token: Word) -> Word | None:
    """The verb whose subject the pronoun must mean; None where it may mean somebody else."""
    if token.dep_ == "poss":
        noun = token.head
        if noun.dep_ != "dobj" or noun.lower_ not in _BODY or noun.head.lemma_ not in _OWN:
            return None
        return noun.head
    if token.lower_.endswith("self") and token.dep_ in ("dobj", "dative", "pobj"):
        head = token.head.head if token.dep_ == "pobj" else token.head
        return head if head.pos_ == "VERB" else None
    return None


def _subject(verb: Word) -> Word | None:
    """The one subject; that of the verb before in "X rose and shook her head"."""
    for _ in range(3):
        subjects = [child for child in verb.children if child.dep_ == "nsubj"]
        if subjects:
            return subjects[0] if len(subjects) == 1 and not list(subjects[0].conjuncts) else None
        if verb.dep_ != "conj":
            return None
        verb = verb.head
    return None
