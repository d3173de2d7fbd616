"""How long somebody was at a place, as any sentence tells it that names one person, one place and one length
of time: traits of the aspect ``stay``. "His seven years in Vienna", "Vienna had kept him seven years"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..reading import Trait
from .arguments import Arguments
from .masked import masked, text_of
from .parsed import ParsedChapter, ParsedParagraph, Sentence
from .sighting_gist import the_place
from .stretch_gist import LENGTH, stretches
from .time_amounts import NUMBER, number_of
from .told_trait import told_trait

__all__ = ["STAY", "length_and_place", "read_stays"]

STAY = "stay"
_SURE = 0.75
_LEAST = 0.7
_AT = "@"
_LONGEST = 300
_DAYS = {"year": 365.25, "twelvemonth": 365.25, "month": 30.4, "week": 7.0}
_LONG = re.compile(
    rf"\b(?P<n>{NUMBER}|an?)(?: (?:whole|full|long|entire|good|happy|weary|hard|quiet))? (?P<unit>year|"
    r"month|week|twelvemonth)s?\b"
)
_BEING = (
    r"(?:was|were|been|live[ds]?|living|stay\w*|spent|spend|spending|passed|dwelt|remained|resided|worked|"
    r"served|serving|sojourn\w*|kept|held|gave|"
    r"given|had|lasted|lay|left|leave|leaving|quitted|return\w*|came|come|back|home|away|took|taken|go|"
    r"went|slipped|exile|residence|banishment|"
    r"imprisonment|time|years|months|weeks|learnt|learned|taught|taking|get|cost)"
)
_AT_PLACE = (
    re.compile(rf"\b{_BEING}\b[^.;?!]{{0,60}}\b(?:in|at|to|of|from|about) ¤"),
    re.compile(rf"\b(?:in|at|of) ¤[^.;?!]{{0,60}}\b{_BEING}\b"),
    re.compile(r"¤ (?:had |has )?(?:kept|held|detained|claimed|cost|saw)\b"),
    re.compile(r"\b(?:left|leave|leaving|quit|quitted) ¤"),
)
_LOOSE = re.compile(
    r"\b(?:ago|since|hence|later|(?:years?|months?|weeks?|twelvemonth) before|"
    r"old|of age|heard|wrote|writes?|letters?|news|talk\w*|till|until|"
    r"if|would|should|could|might|may|shall|"
    r"will|hop(?:e|es|ed|ing)|expect\w*|intend\w*|every|wish\w*|meant|to be|was to|is to|were to|again|"
    r"another|second|third|next|last|this time|"
    r"already|now|here|still|known|knew|know|about|nearly|almost|some|more than|less than|over|scarcely|"
    r"hardly|perhaps|thought|believed|first|"
    r"within|odd|has|have|'ve|one of|of them|of these|reign\w*|war|son|daughter|brother|sister|wife|"
    r"husband|father|mother|once|times|a year|"
    r"a week|a month|resolved|decided|invited|ask\w*|propos\w*|used)\b(?! for a)|\?"
)
_HAD = re.compile(r"\bhad\b|'d\b")
_WHOLE = re.compile(
    r"\b(?:in all|altogether|neither more nor less|no more and no less|and no more|no longer|exactly|just|"
    r"precisely|to (?:a|the) day|took|lasted|whole|"
    r"full|had (?:kept|held|made|given|cost|taught|learnt|learned|left|gone)|left|came (?:home|back)|"
    r"returned|ended)\b"
)
_YEAR = 360.0


def length_and_place(value: str) -> tuple[float, str]:
    """The two halves of a trait's value: the days and the place without case."""
    days, _, place = value.partition(_AT)
    return float(days), place


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
        yield told_trait(paragraph, sentence, person, STAY, f"{days:g}{_AT}{topic}", sure=sure)


def _stay(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Trait | None:
    text = " ".join(text_of(paragraph, sentence).lower().split())
    long = _LONG.search(text)
    place = the_place(chapter, paragraph, sentence) if long is not None and len(text) <= _LONGEST else None
    if long is None or place is None or len(_LONG.findall(text)) > 1:
        return None
    found = masked(chapter, arguments, paragraph, sentence)
    words = " ".join(found.words.split()).replace(place.lower().replace("’", "'"), "¤")
    spoken = any(paragraph.spoken(token) for token in paragraph.tokens(sentence))
    who = set(re.findall(r"§(\d)", words))
    number = 1 if long["n"] in ("a", "an") else number_of(long["n"])
    if number is None or not found.people or (len(who) > 1 and not spoken) or _LOOSE.search(words):
        return None
    if _HAD.search(words) and not _WHOLE.search(words):
        return None
    days = number * _DAYS[long["unit"]]
    if (days < _YEAR and not _WHOLE.search(words)) or not any(each.search(words) for each in _AT_PLACE):
        return None
    person = found.people[0]
    if person.factor < _LEAST:
        return None
    sure = round(_SURE * person.factor, 3)
    return told_trait(paragraph, sentence, person, STAY, f"{days:g}{_AT}{place.casefold()}", sure=sure)
