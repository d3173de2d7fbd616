"""How many children, brothers or sisters somebody has, by a turn of phrase that the grammar of
``kin_counts.grammar`` does not hold: "five children called him father", "without brother or sister", "a
brood of six", "two sons and three daughters", "how many children have you?" with its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from ...model.types import EntityKind, Modality
from ...time.amounts import NUMBER, number_of
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedParagraph, Sentence
from ..patterns.masking import Masked, masked, readings, text_of
from ..traits.looks import Look
from ..traits.owners import Owner, Owners
from .totals import totals

__all__ = ["read_count_gist"]

_SURE = 0.8
_LONGEST = 400
_LEAST, _MOST = 2, 20
_ALIKE = {"sibling": ("sibling", "brother", "sister"), "child": ("child",)}
_DOZENS = {
    "a dozen": 12, "half a dozen": 6, "half-a-dozen": 6, "a round dozen": 12, "a pair of": 2, "both": 2,
    "neither of": 2, "an": 1, "a": 1, "no": 0, "an only one": 1,
}  # fmt: skip
_KINDS = {
    "children": "child", "child": "child", "little ones": "child", "young ones": "child", "bairns": "child",
    "babies": "child", "youngsters": "child",
    "sons": "son", "son": "son", "boys": "son", "boy": "son", "lads": "son", "daughters": "daughter",
    "daughter": "daughter", "girls": "daughter", "girl": "daughter", "brothers": "brother",
    "brother": "brother",
    "sisters": "sister", "sister": "sister", "brothers and sisters": "sibling",
    "sisters and brothers": "sibling",
    "siblings": "sibling", "brothers or sisters": "sibling",
}  # fmt: skip
_TO_KIN = {"child": "sibling", "son": "brother", "daughter": "sister"}
_ADJ = (
    r"(?:(?:fine|dear|little|small|young|bonny|healthy|hungry|handsome|beautiful|strapping|sturdy|growing|"
    r"living|lively|noisy|"
    r"unruly|motherless|fatherless|lovely|good|grown-up|grown|big|tall|strong|own|blooming|rosy|such|"
    r"pretty|other|more) )?"
)
_N = rf"(?P<n>{NUMBER}|a dozen|half a dozen|half-a-dozen|a round dozen|a pair of)"
_K = (
    rf"{_ADJ}(?P<k>brothers and sisters|sisters and brothers|children|little ones|young ones|bairns|"
    r"babies|youngsters|sons|boys|lads|daughters|girls|brothers|sisters|siblings|child|son|daughter|"
    r"brother|sister)(?![\w'’-])"
)
_OWN = r"§\d(?:'s)?"
_HAS = (
    r"(?:had|has|have|'ve|possessed|owned|kept|reared|raised|fed|counted|boasted|could boast|could "
    r"show|fathered|mothered|begot|begat|bore|brought up|was the proud (?:father|mother|possessor) of|"
    r"rejoiced in|had to show for (?:it|himself))"
)
_CHILD, _SIB = "child", "sibling"
# wording, kind where it names none, what is added to the number, whether the kind is that of the owner's kin
_WORDINGS: tuple[tuple[str, str, int, bool], ...] = (
    (rf"§\d(?: \w+)? {_HAS} (?:two|three|four|five|six|seven|one|a|\d+) (?:\w+ )?(?:sons?|boys?|"
     r"daughters?|girls?) and (?:two|three|four|five|six|seven|one|a|\d+) ", "sum", 0, False),
    (r"§\d(?:'s)? (?:family|children|offspring|issue) (?:\w+ )?(?:consisted of|were|was|comprised|"
     r"numbered|made up of|included) (?:\w+ )?\w+ (?:sons?|boys?|daughters?|girls?) and ", "sum", 0, False),
    (rf"{_N} {_K} (?:had |have |has )?(?:been |were |was )?born (?:to|unto) §\d", "", 0, False),
    (rf"{_N} {_K} (?:who |that )?(?:called|calls|call|named|knew) §\d (?:\w+ )?(?:father|mother|papa|"
     r"mamma|dada|parent|brother|sister)", "", 0, False),
    (rf"(?:given|gave|borne|bore|presented|brought|sent|granted|blessed|left) §\d(?: with)? {_N} "
     rf"{_K}\b", "", 0, False),
    (rf"§\d's {_K}[^.;?§]{{0,40}}?\b(?:numbered|were|was|are|all|there were|make|made|made up|to the "
     rf"number of|came to|counted|,|—|--)(?: now| all)? ?{_N}(?= of them|,| in (?:all|number)|[.;:!]|$| "
     r"altogether| and)", "", 0, False),
    (r"(?:each|every one|all|eldest|youngest|first|last|smallest|none|any|one or other|every) of §\d's "
     rf"{_N}(?: {_K})?", _CHILD, 0, False),
    (r"(?P<n>both|neither of)(?: of)? §\d's " + _K, "", 0, False),
    (r"§\d[^.;?]{0,40} (?:family|houseful|house full|brood|tribe|flock|quiver|nest|nestful|litter|"
     rf"troop|string|nursery|nurseryful|cradleful) of {_N}(?: {_K})?(?! (?:brothers|years|persons|"
     r"servants|room))", _CHILD, 0, False),
    (r"§\d(?:'s)? (?:\w+ ){0,2}(?:family|brood|tribe|flock|nursery|quiver|hearth) (?:\w+ )?(?:of|held|"
     rf"numbered|contained|counted|was|sheltered) {_N}(?: {_K})?", _CHILD, 0, False),
    (rf"(?:nursery|fireside|hearth|table|family|cradle) (?:at|of) §\d(?:'s)? [^.;?]{{0,25}}?{_N} "
     rf"{_K}", _CHILD, 0, False),
    (r"§\d(?:,| \w+)* (?:come|came|comes|sprang|sprung|been|was|is|belonged)(?: \w+)? "
     r"(?:of|from|to|in|into|one "
     rf"of) a (?:large |great |big |small )?(?:family|brood|household|litter) of {_N} "
     rf"{_K}", _SIB, -1, True),
    (r"§\d,? (?:\w+ ){0,5}(?:man|woman|widow|widower|wife|husband|father|mother|parent|lady|"
     rf"gentleman)(?: \w+)? (?:with|of|to) {_N} {_K}", "", 0, False),
    (rf"§\d[^.;?]{{0,60}}\bwith {_N} {_K}\b,? (?:\w+ )?(?:to (?:feed|keep|rear|bring|clothe|educate|"
     r"provide|support|look|think|care)|about|behind|round|around|at|clinging|hanging|depend\w*|under|on "
     r"(?:his|her)|upon (?:his|her|§))", "", 0, False),
    (r"§\d[^.;?]{0,40}\b(?:left|widowed|left a widow|left a widower|burdened|saddled|blessed|"
     rf"encumbered|provided|favoured|surrounded)(?: \w+)? (?:with|by) {_N} {_K}", "", 0, False),
    (rf"§\d[^.;?]{{0,30}} {_N} (?:hungry |little |small |young )?mouths? to (?:feed|"
     r"fill)[^.;?]*\b(?P<k>children|child|little ones|bairns)\b", "", 0, False),
    (rf"§\d (?:\w+ ){{0,2}}{_HAS} (?:a (?:family|brood|round|houseful) of )?{_N} {_K}(?! (?:in|at|from|"
     r"under|of|on board|who)\b)", "", 0, False),
    (rf"§\d (?:\w+ )?(?:left|leaves|leave)(?: behind (?:him|her))? {_N} {_K}(?: behind| to mourn| to "
     r"(?:his|her)| orphans?|,|\.)", "", 0, False),
    (rf"\b{_N} (?!years|o'clock)\w+, (?:one|a \w+|a piece|each) for (?:each|every one) of §\d's "
     rf"{_K}", "", 0, False),
    (rf"(?:an? \w+ for|for) each of §\d's {_K}[,:—-]+ ?{_N}(?: of them| in all)", "", 0, False),
    (rf"(?:cut|divided|broke|shared|parted)\b[^.;]{{0,25}}\binto {_N}\b[^.;]{{0,30}}\b(?:each|every) "
     rf"(?:of §\d's )?{_K}", "", 0, False),
    (rf"§\d (?:\w+ ){{0,3}}(?:counted|numbered|told over) (?:§\d's )?{_K}[^.;?]{{0,15}}?\b(?:there were|"
     rf"all) {_N}", "", 0, False),
    (r"§\d (?:\w+ ){0,3}(?:\w+ )?(?:lived|grew up|grown up|raised|reared|brought up|born|slept|shared "
     rf"[\w ]{{1,20}}) (?:\w+ )?(?:among|amongst|amid|amidst|with|between|alongside) (?:§\d's )?{_N} "
     rf"{_K}", "", 0, True),
    (rf"(?:father|mother|parent|author) of {_N}\b(?! (?:the|them|us))(?: {_K})?", _CHILD, 0, False),
    (rf"{_N} (?:little|small|young) (?:\w+s|faces|heads|copies) (?:of|round|about|at) §\d's (?:table|"
     r"fireside|hearth|board|knee|knees|name|own)", _CHILD, 0, False),
    (rf"{_N} {_K} (?:\w+ ){{0,3}}(?:at|round|around|about|by|under|in) §\d's (?:\w+ )?(?:table|fireside|"
     r"hearth|board|knees?|nursery|skirts?)", "", 0, False),
)  # fmt: skip
# the number and the kin somewhere in a sentence of one person, with a word that makes them his own
_LOOSE = re.compile(
    rf"(?<!of the )(?<!of )\b{_N} {_K}\b(?! (?:of (?!§|his|her)|who|in the|from|years|came in|and §)|[’'])"
)
_HEARSAY = re.compile(
    r"\b(?:hear\w*|report\w*|rumou?r\w*|said|told|believ\w*|thought|brought|came|come|coming|arriv\w*|"
    r"visit\w*|"
    r"call(?:ed)?|danc\w+|speak\w*|spoke|ask\w*|of the|other|these|those)\b"
)
_RELATIVES = frozenset({"sons", "daughters", "brothers", "sisters"})
_OWN_WORDS = re.compile(
    r"\b(?:father|mother|papa|mamma|born|wife|husband|widow(?:er)?|nursery|cradles?|at home|§\d's own|"
    r"hers|every one of them|"
    r"not one of them|all of them|the eldest|the youngest|bring(?:ing)? up|brought up|to (?:feed|rear|"
    r"clothe|keep|educate|marry)|family|"
    r"parents?|christened|baptised|bore|borne|begot\w*|blessed|raised|reared|about §\d's (?:knees|skirts|"
    r"table)|to §\d's name|§\d's house)\b"
)
_FIXED: tuple[tuple[str, str, int], ...] = (
    (r"§\d(?:,| \w+){0,3} (?:was|is|were|am|had been|been|remained|remain|died|lived|being|left)(?: \w+)? "
     r"childless", "child", 0),
    (r"§\d (?:and §\d |and §\d's (?:wife|husband) )?(?:had|has|have|'ve) (?:never )?(?:had )?(?:no|not a|"
     r"never a|neither) (?:child|children|chick|son or daughter|child of)\b", "child", 0),
    (r"(?:no|never a|not a) (?:child|children|cradle|little one)\b[^.;?]{0,25}\b(?:born to|blessed|came "
     r"to|call(?:ed)?|come to|been given to|given to|sent to|to gladden) §\d", "child", 0),
    (r"§\d (?:had|has|have|'ve) (?:an|one|but one|only one|but an|a single|just one) (?:only "
     r")?child\b", "child", 1),
    (r"§\d (?:never|had never|has never)[^.;?]{0,20}\bchild(?:ren)?\b[^.;?]{0,12} (?:but|save|except|"
     r"beyond) (?:the |that |this )?(?:one|§)", "child", 1),
    (r"(?:no|other|never a|never any|any) (?:child|little one)\b (?:but|save|besides|except|than) "
     r"§\d", "sibling", 0),
    (r"(?:no|other) son\b (?:but|save|besides|except|than) §\d", "brother", 0),
    (r"(?:no|other) daughter\b (?:but|save|besides|except|than) §\d", "sister", 0),
    (r"§\d,? (?:was |were |is |had been )?(?:\w+ )?(?:the|§\d's (?:\w+ )?(?:mother's|father's|parents')) "
     r"(?:only|sole|one) (?:child\b|one\b(?! (?:of|who|in|to|that|among|there|with|she|he|"
     r"§)))", "sibling", 0),
    (r"§\d (?:was|is|am|being|had been|'m)(?: \w+)? (?:an|§\d's parents'|§\d's mother's|§\d's father's) "
     r"only child\b", "sibling", 0),
    (r"(?<!of )(?<!to )(?<!from )(?<!for )(?:without|neither|never|nor|no|not a|never a)"
     r"(?: had| a| any| either| known)* (?:brothers?|"
     r"sisters?) (?:or|nor)(?: a)? (?:brothers?|sisters?)\b"
     r"(?! (?:like|so|was|were|could|had|said|spoke|came|knew|saw|thought|made|took|went|\w+ed)\b)",
     "sibling", 0),
    (r"(?:without|never had|never a|never known|not a|had no|has no|have no|having no|knew no) (?:a |any "
     r")?brothers?\b(?! (?:or|nor|in|like|so))", "brother", 0),
    (r"(?:without|never had|never a|never known|not a|had no|has no|have no|having no|knew no) (?:a |any "
     r")?sisters?\b(?! (?:or|nor|in|like|so))", "sister", 0),
    (r"§\d,? (?:was|is|am|being|had been|'m)(?: \w+)? (?:an|§\d's parents'|§\d's mother's) only (?:son|"
     r"boy)\b", "brother", 0),
    (r"§\d,? (?:was|is|am|being|had been|'m)(?: \w+)? (?:an|§\d's parents'|§\d's mother's) only "
     r"(?:daughter|girl)\b", "sister", 0),
    (r"§\d,? (?:was |is )?(?:\w+ )?the only (?:one|child|boy|girl)(?: that)? §\d's (?:mother|father|"
     r"parents) (?:\w+ )?(?:ever |had )?(?:had|bore|borne|reared|raised)", "sibling", 0),
    (r"(?:alone of (?:his|her|§\d's) (?:parents|mother)|(?:only|solitary|one) (?:bird|chick|lamb) (?:of|"
     r"in) §\d's (?:mother's|parents')?)", "sibling", 0),
)  # fmt: skip
_PATTERNS = tuple((re.compile(words), kind, more, kin) for words, kind, more, kin in _WORDINGS)
_SETTLED = tuple((re.compile(words), kind, value) for words, kind, value in _FIXED)
_TRIGGER = re.compile(
    r"\b(?:child(?:ren|less)?|baby|born|christened|twins|cradle|birth|little ones|young ones|bairns|"
    r"youngsters|sons?|daughters?|boys|girls|"
    r"brothers?|sisters?|"
    r"siblings|of us|of them|(?:one|eldest|youngest|last|first) of|family of|brood|flock of|tribe of|"
    r"nursery|mouths|father of|mother of|parent of|houseful)\b"
)
_UNTOLD = re.compile(
    r"\b(?:if|whether|wish\w*|hop(?:e|ed|ing)|dream\w*|as though|fanc(?:y|ied)|imagin\w*|suppos\w*|"
    r"pretend\w*|almost|nearly|"
    r"might|would|should|lied|lie|perhaps|seem\w*|like|then|by then|at (?:that|the|this) time|in those "
    r"days|as yet|so far|"
    r"step|half-|foster\w*|adopted|in-law|in arms|in law|(?:in|at|of) (?:his|her|§\d's|the) (?:school|"
    r"class)|village|parish|pupils?|lost|buried|dead|died|death|"
    r"another (?:child|son|daughter|brother|sister|boy|girl)|first|second|third|fourth|fifth|sixth|"
    r"grand\w*|orphan\w*|elder|younger|eldest but|two of|three of|some of|one of §|"
    r"took|taken|invited|met|saw|wanted|longed|surviv\w+|still|remaining|left (?:alive|now)|now|unlike|"
    r"christ|god)\b|\?"
)
_SUM = re.compile(
    rf"({NUMBER}|an?) (?:\w+ )?(?:sons?|boys?|daughters?|girls?) and (?:of )?({NUMBER}|an?) "
    r"(?:\w+ )?(?:sons?|boys?|daughters?|girls?)\b"
)
# one more of them
_BORN = re.compile(
    r"\b(?:another|new|fourth|fifth|sixth|seventh|eighth|ninth|tenth|second|third|last)(?:[- ]born)? "
    r"(?:little )?(?:child|baby|son|boy|daughter|girl|brother|sister|one|arrival|infant|cradle)\b|"
    r"\b(?:another child|brought to bed of|twins|newly born|new-born|newborn|delivered of)\b|"
    r"\b(?:child|son|daughter|boy|girl|brother|sister) (?:was|were|had been) born (?:to|unto)\b"
)
_BIRTH = re.compile(
    r"\b(?:born|birth|came|come|arriv\w+|bore|borne|gave|given|presented|brought|added|christened|"
    r"baptised|cradle|wife|husband|nursery|delivered|joined|wailed|blessed|sent|has another|have "
    r"another|had another)\b"
)
_DEATH = re.compile(r"\b(?:die[ds]?|dead|death|buried|lost)\b|\?")
_HOW_MANY = re.compile(
    r"\bhow many (?:\w+ )?(children|brothers and sisters|brothers|sisters|sons|"
    r"daughters|siblings|little ones)\b"
)
_OPENING = re.compile(
    rf"[“\"'‘](?:only |but |just |oh,? |why,? |all told,? )?({NUMBER}|none|not one|a "
    r"dozen|no|an only one)\b",
    re.IGNORECASE,
)
_ANSWER = 220
_BESIDE = 40


def read_count_gist(
    owners: Owners, paragraph: ParsedParagraph, told: frozenset[tuple[int, str]]
) -> Iterator[tuple[Any, Look]]:
    """(token, look) where no count of that kin was read: ``told`` holds (index of the sentence, aspect) of
    those that were. Costs one search of a pattern a paragraph, more only where a trigger stands."""
    if not _TRIGGER.search(paragraph.prose.text.lower()):
        return
    yield from _answered(owners, paragraph)
    for sentence in paragraph.sentences:
        text = " ".join(text_of(paragraph, sentence).lower().split())
        if len(text) > _LONGEST or not _TRIGGER.search(text):
            continue
        yield from _births(owners, paragraph, sentence, text)
        for kind, value, reference in _all_told(owners, paragraph, sentence, text):
            if not any((sentence.index, f"count:{each}") in told for each in _ALIKE.get(kind, (kind,))):
                token = paragraph.words[sentence.start]
                sure = round(_SURE * reference.factor, 3)
                owner = Owner(reference, owners.where_told(paragraph, token), sure)
                yield token, Look(f"count:{kind}", value, owner, settled=True)


def _all_told(
    owners: Owners, paragraph: ParsedParagraph, sentence: Sentence, text: str
) -> Iterator[tuple[str, str, Reference]]:
    first = tuple(_counts(owners, paragraph, sentence, text))
    yield from first
    kinds = {kind for kind, _, _ in first}
    for told in totals(masked(owners.chapter, owners.arguments, paragraph, sentence)):
        if told[0] not in kinds:
            yield told


def _births(
    owners: Owners, paragraph: ParsedParagraph, sentence: Sentence, text: str
) -> Iterator[tuple[Any, Look]]:
    """One more for everybody whom the sentence names: "his wife gave him a fourth child"."""
    if _BORN.search(text) is None or _BIRTH.search(text) is None or _DEATH.search(text):
        return
    seen = masked(owners.chapter, owners.arguments, paragraph, sentence)
    token = paragraph.words[sentence.start]
    for reference in seen.people[:2]:
        owner = Owner(reference, owners.where_told(paragraph, token), round(_SURE * reference.factor, 3))
        for kind in ("child", "sibling"):
            yield token, Look(f"count:{kind}", "+1", owner, True)


def _answered(owners: Owners, paragraph: ParsedParagraph) -> Iterator[tuple[Any, Look]]:
    """Like "“How many brothers have you?” asked Anna. “Five,” said Tom"."""
    text = paragraph.prose.text
    asked = _HOW_MANY.search(text.lower())
    if asked is None:
        return
    answer = _OPENING.search(text, asked.end(), asked.end() + _ANSWER)
    if answer is None:
        return
    named = _first_person(owners, paragraph, asked.end(), asked.end() + _BESIDE)
    of_you = re.match(r"[^.?!]{0,12}\byou\b", text[asked.end() :]) is not None
    who = _first_person(owners, paragraph, answer.end(), answer.end() + _BESIDE) if of_you else named
    number = _number(answer[1].lower()) if answer[1].lower() not in ("none", "not one") else 0
    kind = _KINDS.get(asked[1])
    if who is None or number is None or kind is None:
        return
    token = next((t for t in paragraph.doc if t.idx >= answer.start(1)), None)
    if token is not None:
        reference = Reference(who)
        modality = Modality.REPORTED
        yield token, Look(f"count:{kind}", str(number), Owner(reference, modality, _SURE), settled=True)


def _first_person(owners: Owners, paragraph: ParsedParagraph, start: int, end: int) -> int | None:
    for i, number in sorted(paragraph.mention_of.items()):
        person = owners.chapter.mentions[number].kind is EntityKind.CHARACTER
        if person and start <= paragraph.words[i].idx < end:
            return number
    return None


def _counts(
    owners: Owners, paragraph: ParsedParagraph, sentence: Sentence, text: str
) -> Iterator[tuple[str, str, Reference]]:
    """(kind of kin, number, whose), one a sentence."""
    if _UNTOLD.search(_ALLOWED.sub("", text)):
        return
    seen = masked(owners.chapter, owners.arguments, paragraph, sentence)
    told = readings(seen.words)
    for words, (pattern, kind, value) in product(told, _SETTLED):
        found = pattern.search(words)
        who = _who(seen, words, found) if found is not None else None
        if who is not None:
            yield kind, str(value), who
            return
    for words, (pattern, kind, more, kin) in product(told, _PATTERNS):
        found = pattern.search(words)
        who = _who(seen, words, found) if found is not None else None
        count = _told(words, found, kind, more=more, kin=kin) if found is not None else None
        if who is not None and count is not None:
            yield *count, who
            return
    words = told[-1]
    found = _LOOSE.search(words)
    own = found is not None and (
        _OWN_WORDS.search(words) or (found["k"] in _RELATIVES and not _HEARSAY.search(words))
    )
    if found is not None and own and len(seen.people) == 1:
        kind, number = _KINDS[found["k"]], _number(found["n"])
        if number is not None and 2 <= number <= _MOST:
            yield kind, str(number), seen.people[0]


def _told(words: str, found: re.Match[str], kind: str, *, more: int, kin: bool) -> tuple[str, str] | None:
    """(kind of kin, number) of a match of ``_WORDINGS``."""
    if kind == "sum":
        pair = _SUM.search(words)
        parts = [_number(part) for part in pair.groups()] if pair is not None else [None]
        return None if None in parts else ("child", str(sum(part or 0 for part in parts)))
    named = _KINDS.get(found.groupdict().get("k") or "", kind)
    number = _number(found["n"])
    if number is None or not named or number < _LEAST or number + more > _MOST:
        return None
    return _TO_KIN.get(named, named) if kin else named, str(number + more)


def _number(words: str) -> int | None:
    value = _DOZENS.get(words)
    return value if value is not None else number_of(words)


def _who(seen: Masked, words: str, found: re.Match[str]) -> Reference | None:
    """The person of the match, or the only one of the sentence."""
    inside = {int(each) for each in re.findall(r"§(\d)", found.group(0))}
    around = inside or {int(each) for each in re.findall(r"§(\d)", words)}
    return seen.people[min(around)] if len(around) == 1 else None


_ALLOWED = re.compile(
    r"\bwould (?:always )?tell|\bno (?:child|son|daughter) but|little ones? like|first "
    r"to last"
)
