"""Where somebody is seen at a moment that the text pins down: traits of the aspect ``sighted``.

Wider than ``whereabouts``, which reads clauses of being and staying: here one sentence of the narration that
names one person, one town or country and one moment is enough, however it is put ("People in Lyons remembered
having seen X at noon on the Saturday"). Two such sentences are worth comparing where the moment is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...model.chapter_reading import Trait
from ...model.trait_values import AWAY, DAY_ONLY, NOW, SIGHTED, Sighting
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word, Words
from ..patterns.masking import masked, text_of
from ..patterns.told_trait import told_trait
from .absences import AWAY_CUE, away
from .sighting_wordings import AWAY_NOW, CUE, read_places_of, the_place
from .timed_sightings import HOUR, places_at_hours

__all__ = [
    "read_sightings",
]

_SURE = 0.8
_WITHIN = frozenset("in at about through near around within inside".split())
_OUTSIDE = frozenset("from of for without by than like".split())
_PARTS = frozenset("morning forenoon afternoon evening night eve".split())
_HOURS = frozenset(
    "noon noonday midday midnight dawn daybreak sunrise sunset dusk nightfall o'clock o’clock".split()
)
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_ANCHORS = frozenset("ADJ NOUN PROPN NUM".split())
_UNSURE = frozenset(
    """dream imagine suppose think believe wish hope expect plan intend pretend fancy propose ask promise
    picture deny doubt suggest swear claim rumour rumor""".split()
)
_MODAL = frozenset("will would shall should can could may might must".split())
_FINDING = frozenset("find see meet discover observe notice come".split())
_BEFORE_HOUR = frozenset("at striking struck past".split())
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(
    rf"\b(?:the \w+(?:-\w+)? of (?:{_MONTHS})|(?:{_MONTHS}) (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b|"
    rf"\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})|Christmas (?:Day|Eve)|New Year[’']s (?:Day|Eve)|"
    r"(?:Easter|Whit) (?:Sunday|Monday)|Good Friday|Midsummer (?:Day|Eve))"
)
_LONGEST = 300  # characters of a sentence that is still about one thing
_OTHER_DAY = re.compile(
    r"\b(?:the (?:day|night|morning|week) (?:after|before) (?:the|that)|(?:a|one|two|\w+) years? (?:ago|"
    r"before)|seem\w*|remembered how)\b|\b(?:told|said|declared|maintained|claimed|protested|insisted|gave "
    r"out)\b[^.;]{0,40}\b(?:that )?(?:he|she|i) (?:had|was)\b"
)
# what is told of a place beside the scene, but not of its time, or of a way there
_NOT_NOW = re.compile(
    r"\b(?:had (?:once |often |always )?(?:been|lived|spent|stayed|passed|served|studied|met|known|seen|"
    r"visited|travell?ed)\b|always|often|usually|generally|whenever|every (?:day|year|week|morning|evening|"
    r"night|summer|winter|spring|autumn)|as far as|on (?:his|her|the|their|my) (?:way|road|journey) (?:to|"
    r"from|back)|bound for|address(?:ed)? (?:to|at|in)|thoughts? (?:of|went|flew|were)|the road to|the "
    r"train (?:to|for|from)|(?:letters?|telegrams?|parcels?|news|word) (?:\w+ ){0,3}(?:from|to|of|for))\b"
)
_LASTING = re.compile(r"\b(?:since|still|yet|then|these|not|never|all (?:this|that|the))\b")
_NEAR = 6  # words between an hour and its day
_MEANWHILE = re.compile(
    r"\b(?:meanwhile|in the mean ?time|(?:at|in) (?:that|this|the)(?: very| same| selfsame| exact| "
    r"precise)* (?:moment|instant|minute|hour|time)|just then|far (?:off|away)|(?:miles|leagues) (?:off|"
    r"away|distant|from)|(?:there|in \w+|at \w+) still|still (?:there|in|at)|since the \w+|(?:all|the "
    r"whole of) (?:that|this) (?:day|week|month|morning|afternoon|evening|night|while|time)|(?:that|the) "
    r"(?:very |self)?same (?:day|hour|morning|afternoon|evening|night)|even then|the while|"
    r"(?:by|all) (?:that|this|the) (?:time|while))\b",
    re.IGNORECASE,
)


def read_sightings(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Trait]:
    """In order of the text. ``value`` is the moment and the place, without case; what somebody says is
    REPORTED. Costs one search of a pattern a paragraph."""
    for paragraph in chapter.paragraphs:
        if paragraph.mention_of and HOUR.search(paragraph.prose.text):
            yield from _by_hours(chapter, arguments, paragraph)
        if paragraph.mention_of and AWAY_CUE.search(paragraph.prose.text):
            yield from _far_off(chapter, arguments, paragraph)
        if not CUE.search(paragraph.prose.text) or not paragraph.mention_of:
            continue
        for sentence in paragraph.sentences:
            told = list(_plain(chapter, paragraph, sentence))
            yield from told or _by_wording(chapter, arguments, paragraph, sentence)


def _by_hours(chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph) -> Iterator[Trait]:
    """Places without a name, at an hour of a day."""
    for sentence in paragraph.sentences:
        text = text_of(paragraph, sentence)
        if len(text) > _LONGEST or not HOUR.search(text):
            continue
        for who, moment, place in places_at_hours(masked(chapter, arguments, paragraph, sentence)):
            yield _sighting(paragraph, sentence, who, moment, place)


def _far_off(chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph) -> Iterator[Trait]:
    """Who is told to be away for the time being (``AWAY``)."""
    for sentence in paragraph.sentences:
        text = text_of(paragraph, sentence)
        if len(text) > _LONGEST or not AWAY_CUE.search(text):
            continue
        seen = masked(chapter, arguments, paragraph, sentence)
        for who, place in away(seen, the_place(chapter, paragraph, sentence)):
            yield _sighting(paragraph, sentence, who, AWAY, place)


def _by_wording(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Iterator[Trait]:
    text = text_of(paragraph, sentence)
    if len(text) > _LONGEST or not CUE.search(text):
        return
    moment = _moment(paragraph, sentence) or _asked_before(paragraph, sentence)
    flat = " ".join(text.lower().split())
    if not moment and (_at_another_time(flat) or not (_MEANWHILE.search(flat) or AWAY_NOW.search(flat))):
        return
    spoken = any(paragraph.spoken(token) for token in paragraph.tokens(sentence))
    if spoken and not moment:
        return
    for who, place, _ in read_places_of(chapter, arguments, paragraph, sentence):
        yield _sighting(paragraph, sentence, who, moment or NOW, place.casefold())


def _sighting(
    paragraph: ParsedParagraph, sentence: Sentence, who: Reference, moment: str, place: str
) -> Trait:
    sure = round(_SURE * who.factor, 3)
    return told_trait(paragraph, sentence, who, SIGHTED, str(Sighting(moment, place)), sure=sure)


def _at_another_time(text: str) -> bool:
    return _NOT_NOW.search(text) is not None and _LASTING.search(text) is None


def _asked_before(paragraph: ParsedParagraph, sentence: Sentence) -> str:
    """The moment of the question before: "Where was he on the night of the storm? He was in Boston"."""
    at = paragraph.sentences.index(sentence)
    before = paragraph.sentences[at - 1] if at else None
    if before is None or "?" not in text_of(paragraph, before):
        return ""
    return _moment(paragraph, before)


def _plain(chapter: ParsedChapter, paragraph: ParsedParagraph, sentence: Sentence) -> Iterator[Trait]:
    """A sentence of the narration with one person, one place that is known for one, and a moment."""
    found = _person_and_place(chapter, paragraph, sentence)
    if found is None or _unsure(paragraph, sentence):
        return
    person, place = found
    text = " ".join(paragraph.tokens(sentence).text.split())
    moment = _moment(paragraph, sentence)
    if not moment and _MEANWHILE.search(text):
        moment = NOW
    if moment and not _OTHER_DAY.search(text.lower()):
        value = str(Sighting(moment, chapter.mentions[place].surface.casefold()))
        yield Trait(person, SIGHTED, value, (sentence.span,), Modality.FACT, _SURE, False, ())


def _person_and_place(
    chapter: ParsedChapter, paragraph: ParsedParagraph, sentence: Sentence
) -> tuple[int, int] | None:
    """The only person and the only named place of the sentence, where he may well be in it."""
    people: dict[str, tuple[int, Any]] = {}
    places: dict[str, tuple[int, Any]] = {}
    for token in paragraph.tokens(sentence):
        number = paragraph.mention_of.get(token.i)
        if number is None or (paragraph.mention_of.get(token.head.i) == number and token.head is not token):
            continue
        mention = chapter.mentions[number]
        if token.text in _MONTHS.split("|") and token.i > 0 and token.nbor(-1).lower_ in ("of", "in"):
            continue  # "the first of May" is nobody's name
        if paragraph.spoken(token):
            return None
        if mention.kind is EntityKind.LOCATION:
            if not mention.surface.startswith("the "):
                places.setdefault(mention.surface, (number, token))
        elif mention.kind in (EntityKind.CHARACTER, EntityKind.GROUP):
            people.setdefault(mention.surface, (number, token))
    if len(people) != 1 or len(places) != 1:
        return None
    (person, named), (place, site) = next(iter(people.values())), next(iter(places.values()))
    if chapter.mentions[person].kind is not EntityKind.CHARACTER or named.dep_ == "poss":
        return None
    if named.dep_ == "pobj" and named.head.lower_ in _OUTSIDE:
        return None
    return (person, place) if _lies_in(site) else None


def _lies_in(site: Word) -> bool:
    """Like "in Lyons", "in the streets of Lyons"."""
    link = site.head
    if site.dep_ == "dobj":
        stayed = link.lemma_.lower() in ("leave", "quit") and any(c.dep_ == "neg" for c in link.children)
        return stayed or link.lemma_.lower() in ("reach", "enter")
    if site.dep_ != "pobj":
        return False
    return link.lower_ in _WITHIN or (link.lower_ == "of" and link.head.pos_ == "NOUN" and link.head.is_lower)


def _unsure(paragraph: ParsedParagraph, sentence: Sentence) -> bool:
    """Is it denied, thought, wished or only possible? "Would have been found there" says that he was."""
    for token in paragraph.tokens(sentence):
        if token.lower_ in ("neither", "nor", "?"):
            return True
        if (token.dep_ == "neg" or token.lower_ == "never") and token.head.dep_ != "relcl":
            return token.head.lemma_.lower() not in ("leave", "quit", "stir")
        if token.lemma_.lower() in _UNSURE and token.pos_ == "VERB":
            return True
        if token.lower_ in _MODAL and token.dep_ == "aux":
            verb = token.head
            perfect = any(child.lower_ == "have" for child in verb.children if child.dep_ == "aux")
            if not (perfect and verb.lemma_.lower() in _FINDING):
                return True
    return False


def _moment(paragraph: ParsedParagraph, sentence: Sentence) -> str:
    """The words that pin a moment down, in no order: an hour and its day, or the part of a day that is told
    from others ("the night of the great storm"). Empty for none."""
    doc = paragraph.doc
    for i in range(sentence.start, sentence.end):
        word = doc[i].lower_
        if word in _PARTS and i + 1 < sentence.end and doc[i + 1].lower_ == "of":
            anchor = _anchor(paragraph, i + 2, sentence.end)
            if anchor:
                return " ".join(sorted((word, *anchor)))
        if word in _HOURS or _struck(doc, i, sentence.start):
            day = _day(paragraph, i, sentence)
            if day:
                return " ".join(sorted({*_hour(doc, i), *day}))
    return _date(paragraph.tokens(sentence).text)


def _struck(doc: Words, i: int, low: int) -> bool:
    """The hour of "at nine", "were striking nine"."""
    word = doc[i]
    return bool(word.pos_ == "NUM" and i > low and doc[i - 1].lower_ in _BEFORE_HOUR)


def _date(text: str) -> str:
    """A day of the year ("the first of May", "Christmas Eve") behind a mark, so that it is known from an
    hour; empty for none."""
    found = _DATE.search(text)
    if found is None:
        return ""
    words = (found.group(0).lower().replace("the ", "").replace(" of ", " ")).split()
    return DAY_ONLY + " ".join(sorted(words))


def _anchor(paragraph: ParsedParagraph, start: int, end: int) -> list[str]:
    """What tells the day from others behind "of": "the great storm", "the fourteenth"."""
    doc = paragraph.doc
    words: list[str] = []
    definite = start < end and doc[start].lower_ in ("the", "that", "his", "her", "their")
    for i in range(start + definite, end):
        person = i in paragraph.mention_of and doc[i].lower_ not in _DAYS
        if person or (doc[i].pos_ not in _ANCHORS and doc[i].lower_ not in _DAYS):
            break
        words.append(doc[i].lower_)
        if doc[i].pos_ in ("NOUN", "PROPN") and i + 1 < end and doc[i + 1].pos_ != "NOUN":
            break
    dated = bool(words) and words[0] in _DAYS
    return words if definite and not dated else []


def _hour(doc: Words, i: int) -> tuple[str, ...]:
    """The words of the hour that ends at token ``i``: "half past nine o'clock", "noon"."""
    words = [doc[i].lower_.replace("’", "'")]
    k = i - 1
    while k >= 0 and i - k < _NEAR and (doc[k].pos_ == "NUM" or doc[k].lower_ in ("half", "past", "quarter")):
        words.append(doc[k].lower_)
        k -= 1
    return tuple(words)


def _day(paragraph: ParsedParagraph, i: int, sentence: Sentence) -> tuple[str, ...]:
    """The weekday or the number of the day beside an hour, and the part of it."""
    doc = paragraph.doc
    found: list[str] = []
    for k in range(max(sentence.start, i - _NEAR), min(sentence.end, i + _NEAR + 1)):
        word = doc[k].lower_
        ordinal = word.endswith(("th", "st", "nd", "rd")) and k > 0 and doc[k - 1].lower_ == "the"
        if word in _DAYS or (ordinal and doc[k].pos_ in ("ADJ", "NOUN", "NUM")):
            found.append(word)
            if k + 1 < sentence.end and doc[k + 1].lower_ in _PARTS:
                found.append(doc[k + 1].lower_)
    return tuple(found)
