"""How long somebody was at a place, as any sentence tells it that names one person, one place and one length
of time: traits of the aspect ``stay``. "His seven years in Vienna", "Vienna had kept him seven years"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.chapter_reading import Trait
from ...model.trait_values import PASSING, STAY, Stay
from ...time.amounts import NUMBER, number_of
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import masked, text_of
from ..patterns.told_trait import told_trait
from .durations import LENGTH, stretches
from .sighting_wordings import the_place

__all__ = [
    "goes_on",
    "read_stays",
]

_SURE = 0.75
_YEAR = 360.0
_LEAST = 0.7
_LONGEST = 300
_DAYS = {
    "year": 365.25, "twelvemonth": 365.25, "month": 30.4, "week": 7.0, "fortnight": 14.0, "day": 1.0,
    "night": 1.0, "winter": 91.0, "summer": 91.0, "season": 91.0,
}  # fmt: skip
_THE = r"the(?= (?:\w+ )?(?:fortnight|month|week|year|season|summer|winter) (?:which|that|§|of|was))"
_LONG = re.compile(
    rf"\b(?P<n>{NUMBER}|an?|{_THE})(?: (?:whole|full|long|entire|good|happy|weary|hard|quiet|solid|short))? "
    r"(?P<unit>year|month|week|twelvemonth|fortnight|day|night|winter|summer|season)s?\b(?!['-])"
)
_EXACTLY = re.compile(r",? (?:neither|and not|not) an? \w+ (?:more nor less|more or less|more|longer)\b")
# how a place is where somebody was
_AT_PLACE = re.compile(
    r"\b(?:in|at|of|from|to|into|out of|about|for|with|leave|leaving|left|quit|quitted|known?|knew|see|"
    r"seen|saw|enjoyed|endured|visited) ¤|¤ (?:had |has |was |were )?(?:kept|held|detained|claimed|cost|"
    r"saw|gave|taught|been|lasted|his|her|over|for)\b"
)
_BEING = re.compile(
    r"\b(?:was|were|been|live[ds]?|living|stay\w*|stopp?\w*|sat out|spent|spend|spending|pass(?:ed|ing)|"
    r"dwelt|remain\w*|resided|residence|work\w*|serv(?:ed|ing)|sojourn\w*|kept|held|gave|given|had|lasted|"
    r"lay|lain|left|leave|leaving|quitted|return\w*|came|come|back|home|away|took|taken|go|went|gone|"
    r"slipped|exile\w*|banish\w*|imprison\w*|time|years|months|weeks|days|fortnight|learnt|learned|taught|"
    r"cost|lodg\w+|visit|detained|endured|enjoyed)\b"
)
_LOOSE = re.compile(
    r"\b(?:ago|since|hence|later|(?:years?|months?|weeks?|twelvemonth|fortnight|days?) (?:before|after)|"
    r"old|of age|heard|wrote|writes?|letters?|news|talk\w*|till|until|if|would(?! never)|should|could|"
    r"might|may|shall|will|hop(?:e|es|ed|ing)|expect\w*|intend\w*|every (?:year|summer|winter|spring|"
    r"autumn|time|week|month)|wish\w*|meant|to be|was to|is to|were to|(?<!never saw it )(?<!never to see "
    r"it )again|another|second|third|next|this time|already|now|here|still|about (?:an?|\w+) \w+s?|nearly|"
    r"almost|some|more than|less than|over (?:an?|\w+) (?:years?|months?|weeks?)|scarcely|hardly|perhaps|"
    r"thought|believed|within|odd|has|have|'ve|one of (?:the|those|his|her|many)|of these|reign\w*|war|son|"
    r"daughter|brother|sister|wife|husband|father|mother|times|resolved|decided|invited|ask\w*|propos\w*|"
    r"used|journey|miles)\b|\?"
)
_OTHER = re.compile(
    r"\b(?:ago|another|every|since|hence|later|hop(?:e|es|ed|ing)|expect\w*|intend\w*|about (?:an?|\w+) "
    r"\w+s?|nearly|almost|son|daughter|brother|sister|father|mother|journey|miles|letters?|news)\b"
)
_GOING_ON = re.compile(
    r"(?:\bhad|'d) (?:\w+ )?been\b[^.;]*\b(?:when|before|by the time|and yet|as yet)\b|\bby (?:then|"
    r"that time)\b"
)
_WHOLE = re.compile(
    r"\b(?:in all|altogether|neither more nor less|no more|and no more|no longer|only|exactly|just|"
    r"precisely|to (?:a|the) day|took|lasted|whole|full|(?:had|has) (?!been\b)\w+|spent|passed|left|came "
    r"(?:home|back)|return\w*|ended|over|of (?:his|her|§\d's)|§\d's|the|after|first to last|known?|knew|"
    r"sojourn|for|during|all)\b"
)


def read_stays(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Trait]:
    """In order of the text, what is told as a whole or as past; what somebody says is REPORTED. Costs one
    search of a pattern a paragraph."""
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or not LENGTH.search(paragraph.prose.text.lower()):
            continue
        for sentence in paragraph.sentences:
            trait = _stay(chapter, arguments, paragraph, sentence)
            if trait is not None:
                yield trait
            else:
                yield from _stretches(chapter, arguments, paragraph, sentence)


def _stretches(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Iterator[Trait]:
    """An illness, a marriage, a voyage: what lasted, and was no stay at a place."""
    text = text_of(paragraph, sentence)
    if len(text) > _LONGEST or not LENGTH.search(text.lower()):
        return
    for person, days, topic in stretches(masked(chapter, arguments, paragraph, sentence)):
        sure = round(_SURE * person.factor, 3)
        yield told_trait(paragraph, sentence, person, STAY, str(Stay(days, topic)), sure=sure)


def _stay(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Trait | None:
    text = text_of(paragraph, sentence)
    place = the_place(chapter, paragraph, sentence) if len(text) <= _LONGEST else None
    if place is None or not _LONG.search(text.lower()):
        return None
    for spoken in _voices(paragraph, sentence):
        found = masked(chapter, arguments, paragraph, sentence, spoken=spoken)
        words = " ".join(found.words.split()).replace(place.lower().replace("’", "'"), "¤")
        long = list(_LONG.finditer(_EXACTLY.sub("", words)))
        if len(long) != 1 or len(found.people) != 1 or not _told(words):
            continue
        number = 1 if long[0]["n"] in ("a", "an", "the") else number_of(long[0]["n"])
        person = found.people[0]
        if number is None or person.factor < _LEAST:
            continue
        days = number * _DAYS[long[0]["unit"]]
        whole = days >= _YEAR or _WHOLE.search(words) is not None
        sure = round((_SURE if whole else PASSING) * person.factor, 3)
        return told_trait(paragraph, sentence, person, STAY, str(Stay(days, place.casefold())), sure=sure)
    return None


def _voices(paragraph: ParsedParagraph, sentence: Sentence) -> tuple[bool, ...]:
    """Of direct speech, of narration, or of both."""
    return tuple(sorted({paragraph.spoken(token) for token in paragraph.tokens(sentence)}, reverse=True))


def _told(words: str) -> bool:
    unsure = _LOOSE.search(words) or _GOING_ON.search(words)
    return bool(_AT_PLACE.search(words) and _BEING.search(words)) and not unsure


def goes_on(words: str) -> bool:
    """Is the length in masked words surely one so far, about so long, of another time or person, or only
    thought of?"""
    return _OTHER.search(words) is not None or _GOING_ON.search(words) is not None
