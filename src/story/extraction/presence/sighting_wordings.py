"""Where a sentence puts somebody, by turns of phrase, whether or not the place is known for one: "Boston was
where he was", "the landlord of an inn at Boston spoke to him", "had not left Boston"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.types import EntityKind
from ..clauses.arguments import Arguments
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..parsing.words import Word
from ..patterns.masking import masked

__all__ = ["AWAY_NOW", "CUE", "read_places_of", "the_place"]

_PREPOSITIONS = (
    r"(?:in|at|through|about|near|from|for|of|to|than|left|leave|leaving|quit|quitted|reach|"
    r"reached|within|around)"
)
CUE = re.compile(
    rf"\b(?i:{_PREPOSITIONS}) (?:the [a-z]+ (?:of|at|in) )?[A-Z][a-z]+|[A-Z][a-z]+ (?:was where|held|"
    r"sheltered|had|saw|it was|that)\b"
)
"""What a paragraph must have somewhere, case and all, that tells of somebody at a named place."""

AWAY_NOW = re.compile(
    r"\b(?:(?:was|were|is|being|lay|sat|had been) (?:then|still|yet|just then|now)\b|, then (?:in|at) ¤|"
    r"(?:then|still|yet|safe) (?:in|at) ¤|(?:that|the same|this) (?:very |same )*(?:day|evening|night|"
    r"morning|afternoon|week|month|winter|summer|autumn|spring|hour|moment|minute|instant|time)\b|(?:since|"
    r"before|until|till) (?:the )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|"
    r"spring|summer|autumn|winter|easter|christmas|michaelmas)|(?:for|these) (?:a |the |another |this |"
    r"past |last )*(?:\w+ )?(?:days|weeks?|months?|fortnight)\b|(?:a|the|two|three) (?:weeks?|months?|"
    r"days?|fortnight) (?:later|after|before|since)|all (?:this|that|the) |while (?:they|this|these|he|she|"
    r"§\d)|meanwhile|at the time|knew nothing of (?:this|all this|it|what)|(?:nobody|no one) (?:in the "
    r"house |there )?(?:knew|expected|looked for)|would not be (?:home|back)|not yet|no nearer|far (?:off|"
    r"away)|abroad|(?:hundreds?|thousands?|scores?|\w+) (?:of )?(?:miles|leagues) (?:away|off|from|lay|"
    r"distant|between)|in another (?:town|city|country|county))\b"
)
"""That what is told of holds at the time of the scene around."""

_P = r"§(?P<p>\d)"
_BEING = (
    r"(?:was|were|is|be|been|lay|sat|stood|stayed|remained|lived|lodged|slept|dined|supped|walked|spent|"
    r"passed|waited|worked|danced|played|watched|kept|lingered|wandered|loitered|strolled|drank|ate|rested|"
    r"tarried|dwelt|sojourned|preached|sang|spoke|wrote|writing|walking|lying|sitting|standing|staying|"
    r"living|dining|dressing|sleeping|waiting|crossing|lighting|attended|bought|sold|signed|knelt|heard|"
    r"made|took|had|looked|ended|began|called|visited|gave|paid|read|talked|went about|put up|fell|was "
    r"busy)"
)
_IN = r"(?:in|at|about|through|near|within|inside|around|round)"
_TO_TOWN = r"(?:the [\w-]+(?: [\w-]+)? (?:of|at|in) |[a-z]+ (?:of|in|at) )?"
_SEEING = (
    r"(?:saw|seen|see|seeing|met|spoke to|spoken to|speak to|danced with|dined with|supped with|walked "
    r"with|sat with|beside|with|found|watched|sheltered|held|kept|shelter|greeted|served|nursed|shaved|"
    r"carried|drove|driven|recogni[sz]ed|noticed|observed|passed|set|put|nobody (?:else )?but|no one but|"
    r"none but|save|housed|lodged|detained|contained|drawn|arrested|married|buried|shook hands with|bowed "
    r"to|lent|sold)"
)
_PLACED = tuple(
    re.compile(words)
    for words in (
        rf"(?<!of )(?<!between )(?<!to )(?<!with )(?<!from )(?<!for )(?<!by )(?<!about ){_P},? (?:who "
        r")?(?:§\d )?"
        rf"(?:(?!(?:whom|whose|which|that)\b)[\w'-]+ ){{0,4}}?{_BEING}\b[^.;§?]{{0,70}}?\b{_IN} "
        rf"{_TO_TOWN}¤",
        rf"\b{_SEEING} {_P}\b(?!')[^.;§?]{{0,60}}?\b{_IN} {_TO_TOWN}¤",
        rf"¤[^.;§?]{{0,50}}\b{_SEEING} {_P}\b(?!')",
        rf"\b{_IN} {_TO_TOWN}¤[^.;§?]{{0,60}} {_P},? (?:who |whom )?(?:[\w'-]+ ){{0,4}}?{_BEING}\b",
        rf"\b{_IN} {_TO_TOWN}¤[^.;§?]{{0,60}}\b{_SEEING} (?:\w+ )?{_P}\b(?!')",
        rf"¤ (?:was|is) (?:the place )?where {_P} (?:was|lay|slept|stayed|spent|passed|lived)",
        rf"¤ that (?:held|sheltered|saw|kept|found) {_P}",
        rf"{_P}, (?:[\w'-]+ ){{0,3}}{_IN} ¤,",
        rf"{_P}'s (?:bed|room|lodgings?|seat|train|coach|ship|carriage|window|chair|place|"
        rf"name)[^.;§?]{{0,30}}{_IN} {_TO_TOWN}¤",
        rf"{_P} (?:\w+ ){{0,3}}(?:had|has|did|does|was)(?: not|n't| never)(?: yet| once| so much as)* "
        r"(?:left|leave|quit|quitted|stir|stirred|(?:come|came)(?: home| back)?|returned?|"
        rf"got back|been back|gone)(?: \w+)? (?:from |out of |beyond )?{_TO_TOWN}¤",
        rf"not (?:until|till)[^.;§?]{{0,40}}that {_P} (?:came|returned|got|was)[^.;§?]{{0,15}} from ¤",
        rf"{_P} (?:\w+ ){{0,2}}(?:had |was )(?:\w+ )?(?:gone|sailed|set out|left|gone off|travelled|"
        r"started|sent|called|posted|summoned)[^.;§?]{0,30}(?:to|for) ¤[^.;§?]{0,30}\b(?:before|since|"
        r"still|ago|there)\b",
        rf"{_P} (?:was|is) (?:to (?:stay|remain|be)|no nearer|no closer|away|off|gone|held|kept|detained|"
        r"not expected(?: back)?|not looked for)(?: \w+)? (?:in|at|than|from|to|home from) ¤",
        rf"{_P}[^.;?]{{0,40}}\b(?:wrote|writes|writing|dated|telegraphed|wired|"
        r"cabled)\b[^.;§?]{0,25}\bfrom ¤",
        rf"between {_P}, (?:in|at) ¤",
    )
)  # fmt: skip
_UNSURE = re.compile(
    r"\b(?:dream\w*|dreamt|imagin\w*|suppos\w*|think|thinks|thinking|thought|believ\w*|wish\w*|hop(?:e|es|"
    r"ed|ing)|plan\w*|intend\w*|pretend\w*|fanc(?:y|ied)|if|whether|would|could|might|must|may|perhaps|"
    r"seem\w*|as though|remember(?:ed|s|ing)? (?:how|that|the|when|his|her)|(?:a|one|two|three|\w+) years? "
    r"(?:ago|before|since)|the year before|once|used to|lied|lie|den(?:y|ied)|doubt\w*|propos\w*|promis\w*|"
    r"go(?:es|ing)? to|brother|sister|mother|father|son|daughter|cousin|uncle|aunt|friend of|letter from|"
    r"news (?:from|of)|the (?:day|night|morning|week) (?:after|before) (?:the|that)|spoke of|told of|"
    r"talked of|asked|like|never been|not been|not in|nowhere|neither|nor|(?:describ|recount|relat)\w+ "
    r"(?:\w+ ){0,3}?how)\b|\b(?:clock|bells?|chimes) (?:at|in|of) ¤|\?"
)
_ALLOWED = re.compile(
    r"(?:might|could|would|may) have (?:been )?(?:seen|found|met|noticed|observed)|would not be (?:home|"
    r"back)|remember(?:ed|s) (?:having )?(?:seen|seeing|met|meeting)|could (?:have )?(?:tell|told|swear|"
    r"sworn|prove)|nowhere (?:else|but)|not in (?:the house|the room|the town)|knew nothing"
)
_CLAIMED = re.compile(
    r"§(\d) (?:\w+ ){0,2}(?:told|said|declared|maintained|protested|swore|claimed|"
    r"insisted|assured|pretended|gave out)\b[^.;]*?§\1"
)
_CALENDAR = frozenset(
    """january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday christmas easter lent advent michaelmas whitsun midsummer god
    heaven english french german american i mr mrs miss sir lady lord st saint""".split()
)
_BEFORE = frozenset(
    "in at through about near from for to than left leave quit quitted reach reached "
    "within around between".split()
)
_CHIEF = 0.7
_OPENED = frozenset("was held sheltered had it saw".split())


def read_places_of(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Iterator[tuple[Reference, str, str]]:
    """(who, the place as written, the masked sentence) for every one whom the sentence puts at its one place.
    What is thought, wished, asked or told of oneself to others is left out."""
    place = the_place(chapter, paragraph, sentence)
    if place is None:
        return
    found = masked(chapter, arguments, paragraph, sentence)
    words = " ".join(found.words.split()).replace(place.lower().replace("’", "'"), "¤")
    if "¤" not in words or not found.people or _UNSURE.search(_ALLOWED.sub("", words)):
        return
    spoken = paragraph.spoken(paragraph.words[sentence.start])
    if not spoken and _CLAIMED.search(words):
        return
    for number in _who(words):
        if found.people[number].factor >= _CHIEF:
            yield found.people[number], place, words


def _who(words: str) -> list[int]:
    for pattern in _PLACED:
        match = pattern.search(words)
        if match is None:
            continue
        number = int(match["p"])
        pair = re.search(rf"§(\d) and §{number}\b", words[: match.end()])
        beside = re.search(
            r"§(\d) (?:\w+ ){0,3}(?:saw|met|danced with|dined with|supped with|walked "
            r"with|sat with|found|watched|spoke to|shook hands with|with) "
            rf"§{number}\b",
            words,
        )
        others = [int(each[1]) for each in (pair, beside) if each is not None]
        return list(dict.fromkeys((number, *others)))
    return []


def the_place(chapter: ParsedChapter, paragraph: ParsedParagraph, sentence: Sentence) -> str | None:
    """The only named place of the sentence, as it is written."""
    places: dict[str, None] = {}
    taken = -1
    for token in paragraph.tokens(sentence):
        if token.i <= taken or not token.text[:1].isupper():
            continue
        number = paragraph.mention_of.get(token.i)
        if number is not None:
            mention = chapter.mentions[number]
            if mention.kind is EntityKind.LOCATION and not mention.surface.startswith("the "):
                places[mention.surface] = None
            continue
        if token.lower_ in _CALENDAR or token.pos_ not in ("PROPN", "NOUN") or token.i == sentence.start:
            if token.i == sentence.start and token.pos_ == "PROPN" and _opens(token):
                places[token.text] = None
            continue
        if token.i > 0 and (token.nbor(-1).lower_ in _BEFORE or token.ent_type_ in ("GPE", "LOC", "FAC")):
            last = token
            while last.i + 1 < sentence.end and _goes_on(paragraph, last.nbor(1)):
                last = last.nbor(1)
            taken = last.i
            places[paragraph.doc[token.i : last.i + 1].text] = None
    return next(iter(places)) if len(places) == 1 else None


def _opens(token: Word) -> bool:
    """A place that opens its sentence: "Boston was where", "Boston held him"."""
    return token.i + 1 < len(token.doc) and token.nbor(1).lower_ in _OPENED


def _goes_on(paragraph: ParsedParagraph, token: Word) -> bool:
    """The second word of "New Orleans"."""
    return token.text[:1].isupper() and token.pos_ == "PROPN" and token.i not in paragraph.mention_of
