"""The trade of somebody, told by what goes with it: "his patients", "apprenticed to a cooper", "followed the
sea", "whose sermons were long". Over masked sentences (``masked``), fields as in ``FIELDS``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...lexicon.trait_words import FIELDS
from ...model.chapter_reading import Trait
from ...model.types import EntityKind
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter
from ..patterns.masking import Masked, masked, spelled_out, text_of
from ..patterns.told_trait import told_trait

__all__ = ["read_trade_signs"]

_SURE, _LEAST, _LONGEST = 0.75, 0.75, 260
_OF = r"§(\d)'s (?:[\w-]+ ){0,2}?"
_WHO = r"§(\d)(?!'s),? (?:who |had |has |have |was |were |is )?(?:[\w-]+ ){0,3}?"
_LEARNT = (
    r"(?:apprenticed|articled|bound|(?:served|serving|was serving) (?:§\d's|his|her|a|the|out §\d's) "
    r"(?:time|apprenticeship|articles|indentures)|worked as a journeyman|journeyman|'prentice) (?:to|"
    r"with|under|for)"
)
_BRED = r"(?:bred|brought up|born|called|gone|went|go|taken|took|intended|educated) (?:in)?(?:to|for) the"
_TRADE = r"(?:trade|calling|business|profession|craft|occupation|living|livelihood)"
_GERUNDS = {
    "roofs": "thatching|slating|plumbing",
    "cloth": "weaving|tailoring|dressmaking|millinery|needlework|sewing",
    "bread": "baking",
    "beer": "brewing",
    "wood": "carpentry|joinery|carpentering|cabinet-making|wheelwrighting",
    "stone": "masonry|stone-cutting|bricklaying|quarrying",
    "land": "farming|ploughing",
    "sea": "fishing|seafaring",
    "print": "printing|bookbinding|bookselling",
    "teaching": "teaching|school-teaching",
    "shoes": "shoemaking|cobbling|bootmaking",
    "smith": "smithing|horseshoeing|farriery",
    "meat": "butchering",
    "painting": "painting|portrait-painting|engraving",
    "leather": "tanning|saddlery",
    "clocks": "clockmaking|watchmaking|clock-mending",
    "law": "the law|conveyancing",
    "medicine": "medicine|physic|surgery|doctoring|midwifery",
    "garden": "gardening",
    "coal": "mining",
    "barber": "barbering|hairdressing",
    "music": "fiddling|piano-tuning",
    "teeth": "dentistry",
    "casks": "coopering",
    "metal": "goldsmithing|gunsmithing|locksmithing",
    "press": "journalism",
    "burials": "undertaking",
    "laundry": "washing|laundering",
    "driving": "driving",
}
_SIGNS = {
    "medicine": rf"{_OF}(?:patients|surgery|dispensary|stethoscope|lancets?|consulting-room|"
    r"medical practice)|"
    rf"{_WHO}(?:bled|physicked|prescribed for|dosed) (?:the|§\d's) (?:\w+ )?(?:patients|sick|"
    rf"poor|"
    rf"parish|village)|{_WHO}{_BRED} (?:medicine|medical profession)",
    "law": rf"{_OF}(?:clients|briefs?|law-books|law practice)|{_WHO}{_BRED} (?:law|bar)",
    "church": rf"{_OF}(?:sermons?|pulpit|parishioners|congregation|curacy|cassock|surplice)|{_WHO}{_BRED} "
    r"(?:church|ministry|priesthood|pulpit)|§(\d) (?:\w+ )?(?:took|taken|in) (?:holy )?orders",
    "teaching": (
        rf"{_OF}(?:pupils(?! (?:were|dilat|contract|wid|of))|scholars|schoolroom|classroom)|"
        rf"{_WHO}taught (?:the )?(?:\w+ )?(?:children|scholars|infants|boys|girls|school)(?! to)"
    ),
    "smith": rf"{_OF}(?:forge|anvil|smithy)|{_WHO}(?:shod|shoes) (?:the |all the )?(?:\w+ )?horses",
    "bread": rf"{_OF}(?:bakehouse|bakery|ovens?)|{_WHO}baked? (?:the |all the )?(?:\w+ )?bread",
    "cloth": rf"{_OF}looms?|{_WHO}(?:sewed|sews|made (?:gowns|dresses|coats)|cut (?:coats|gowns)) for",
    "wood": rf"{_OF}(?:lathe|carpenter's bench|jack-plane)|{_WHO}planed? (?:his|her|§\d's|the) (?:\w+ )?"
    r"(?:boards?|planks?)",
    "painting": rf"{_OF}(?:easel|studio|sitters|palette)",
    "shoes": rf"{_OF}(?:lasts|awl|cobbler's bench)",
    "land": rf"{_OF}(?:plough|cornfields|turnips|ploughland)",
    "sea": rf"{_WHO}follow(?:ed|s) the sea|{_OF}(?:nets|fishing-boat|trawler|lobster-pots)",
    "clocks": rf"{_WHO}(?:mended|mends|made|makes|repaired) (?:the )?(?:\w+ )?(?:clocks|watches)",
    "press": rf"{_WHO}(?:wrote|writes|written) for (?:the |a )?(?:\w+ )?(?:newspapers?|papers|press)",
    "driving": rf"{_WHO}(?:drove|drives) (?:the|an?) (?:\w+ )?"
    r"(?:mail|stage|mail-coach|stage-coach|coach|cab)\b",
    "ferry": rf"{_WHO}(?:kept|keeps|worked|rowed|ran) the (?:\w+ )?ferry",
    "barber": rf"{_OF}(?:barber's pole|razors)",
    "burials": rf"{_OF}(?:hearse|coffins)",
    "stage": rf"{_WHO}(?:gone|went|was) (?:up)?on the (?:stage|boards)",
    "trade": rf"{_WHO}(?:in|into) the (?:wine|tea|corn|wool|cotton|timber|sugar|coal|spice|grocery) trade|"
    rf"{_WHO}(?:sold|sells) (?:\w+ ){{1,4}}(?:by the (?:yard|pound|pint)|over the counter)",
}


def _words_of(field: str) -> str:
    return "|".join(word for word, name in FIELDS.items() if name == field)


_PATTERNS = tuple(
    (field, re.compile(rf"(?<![\w-])(?:{'|'.join(filter(None, rows))})(?![\w-])"))
    for field in dict.fromkeys((*FIELDS.values(), *_GERUNDS, *_SIGNS))
    for rows in (
        [_SIGNS.get(field, "")],
        [rf"{_WHO}{_LEARNT} (?:an?|the|old) (?:[\w-]+ )?(?:{_words_of(field)})" if _words_of(field) else ""],
        [rf"{_OF}{_TRADE} (?:was|is|had been) (?:{_GERUNDS[field]})" if field in _GERUNDS else ""],
    )
    if any(rows)
)
_TRIGGER = re.compile(
    r"\b(?:patients|surgery|dispensary|stethoscope|lancet|consulting-room|practice|bled|physicked|prescribed|"
    r"dosed|clients|briefs?|law|bar|church|sermons?|pulpit|parishioners|congregation|curacy|cassock|surplice|"
    r"ministry|orders|pupils|scholars|schoolroom|classroom|taught|forge|anvil|smithy|shod|shoes|bakehouse|"
    r"bakery|ovens?|baked?|looms?|sewed|sews|gowns|coats|lathe|planed?|easel|studio|sitters|palette|lasts?|awl|"
    r"plough|sea|nets|trawler|clocks|watches|wrote|writes|drove|drives|ferry|razors|hearse|coffins|stage|"
    r"boards|trade|sold|sells|apprentice\w*|articled|bound|journeyman|time|medicine|priesthood|"
    rf"{_TRADE})\b"
)
_NOT = re.compile(
    r"\b(?:not|never|no|nor|neither|if|would|might|should|could|as though|as if|like|pretend\w*|wish\w*|"
    r"mother|"
    r"father|son|daughter|brother|sister|uncle|aunt|husband|wife|once|used to|for the|played|among|one of)\b|"
    r"n't|\?"
)


def read_trade_signs(chapter: ParsedChapter, arguments: Arguments, known: frozenset[int]) -> Iterator[Trait]:
    """Traits ``profession``, in order of the text, one a sentence at the most, out of narration; ``known``
    holds where the sentences begin that tell a trade already."""
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or paragraph.prose.letter:
            continue
        if not _TRIGGER.search(paragraph.prose.text.lower()):
            continue
        for sentence in paragraph.sentences:
            text = text_of(paragraph, sentence).lower()
            if len(text) > _LONGEST or sentence.span.start in known or not _TRIGGER.search(text):
                continue
            if any(paragraph.spoken(token) for token in paragraph.tokens(sentence)):
                continue
            seen = masked(chapter, arguments, paragraph, sentence)
            sign = _sign(seen)
            if sign is None:
                continue
            field, who = sign[0], seen.people[sign[1]]
            if chapter.mentions[who.mention].kind is EntityKind.CHARACTER and who.factor >= _LEAST:
                sure = round(_SURE * who.factor, 3)
                yield told_trait(paragraph, sentence, who, "profession", field, sure=sure)


def _sign(seen: Masked) -> tuple[str, int] | None:
    """(field, whose) where the sentence tells one trade of one person."""
    words = spelled_out(seen.words)
    if not seen.people or _NOT.search(words):
        return None
    found = {
        (field, int(next(group for group in match.groups() if group)))
        for field, pattern in _PATTERNS
        if (match := pattern.search(words)) is not None
    }
    return found.pop() if len(found) == 1 else None
