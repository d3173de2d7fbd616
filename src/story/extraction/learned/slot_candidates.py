"""What a sentence may tell of somebody's looks, hand and family, by the words of it that could be the
value.

A candidate is a value in its place: "§0 deals the cards with the left" may tell the better hand of §0.
Whether it does, and of whom, is for ``slot_scorer``; here stands what it takes at the least: the colour is
near the eyes, the number counts no paces, the left is no side of the road.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...lexicon.trait_words import EYE_COLOURS, FIELDS, HAIR_COLOURS
from ...time.amounts import NUMBER, number_of
from ...time.grammar import time_expressions
from ..presence.durations import LENGTH, days_of

__all__ = ["KINDS", "PLACE", "VALUE", "Candidate", "candidates", "day_of"]

KINDS = ("hand", "eyes", "hair", "children", "siblings", "wedding", "profession", "stay")
"""What is told: ``hand`` is the better one, ``wedding`` the day on which somebody was married, ``stay`` the
days that he was at the one place of the sentence."""
VALUE, OTHER_VALUE, PLACE = "¤", "¢", "◊"
"""How the value, other words that could be it, and the place are written in ``Candidate.words``."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """``value`` as a trait has it; ``words`` are the masked words with ``VALUE`` for it."""

    kind: str
    value: str
    words: str


_NO_HAND = """
    hand side of bank eye leg foot ear cheek wing flank wall door window shoulder breast temple knee boot shoe
    glove stuff sort kind thing man way time moment place road path turn turning honourable reverend to one
    ones centre line number direction phrase word note angle nail mind answer sense measure spirit day hour
    person people minded
""".split()
_SIDE = re.compile(
    r"\b(?P<handed>left|right)(?=-?\s?hand(?:ed|er|ers|edness)\b|-armers?\b)|(?<!to )(?<!on )(?<!upon "
    r")(?<!towards )(?<!at )(?<!turned )(?<!from )\b(?:(?:the|his|her|my|your|their|with|§\d's|that|a|"
    r"good) )(?P<side>left|right)(?= (?:hand|fist|arm|palm|wrist|thumb|fingers?|paw)\b|[^\w\s]|$|"
    rf" (?:(?!(?:{'|'.join(_NO_HAND)})\b)\w+))|"
    r"\b(?P<lefty>south-?paws?|lefty|cack-handed|corrie-fisted|sinister (?:hand|fist|side))\b"
)
_EYES = re.compile(r"\b(?:eye[sd]?|gaze|glance|stare|orbs?|iris(?:es)?)\b")
_HAIR = re.compile(
    r"\b(?:hair(?:ed|s)?|head(?:ed|s)?|curls?|curly|locks?|tress(?:es)?|ringlets?|plaits?|braids?|mane|mop|"
    r"poll|beard(?:ed)?|whiskers?|moustaches?|topknot|coils?|fringe|bun|parting|crown|temples|redhead|"
    r"tufts?|strands?)\b"
)
_DENIED = re.compile(r"\b(?:not|no|never|n't|neither|nor) (?:\w+ )?$")
_WEDDING = re.compile(
    r"\b(?:marri\w+|wed(?:ded|ding)?s?|bride\w*|bridal|(?:bride)?groom|altar|nuptials?|husband|wife|vows?|"
    r"aisle|banns|licen[cs]e|honeymoon|church|match|bachelor|maiden name|spinster|register|joined|united|"
    r"given away|gave (?:away|her hand)|bells)\b"
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTH = re.compile(rf"(?<=of )(?:{_MONTHS})\b|\b(?:{_MONTHS})(?=,? (?:the )?\d)|(?<=\d )(?:{_MONTHS})\b")
_CALENDAR_DAY = re.compile(r"XXXX-(\d\d-\d\d)")
_TWO_LENGTHS = 2
_MET = re.compile(
    r"\b(?:met|meet|saw|seen|for|from|with|by|past|passed|like|than|asked|called|paid|followed|fetched|found|"
    r"married|beside|behind|to|knew) (?:an?|the|his|her|some|any) (?:\w+ )?$"
)
_NEAR = 7  # words between a colour and what has it
_BEFORE_NOUN = 3
_FEW = {"children": 12, "siblings": 4}  # words between a number and the kin that it counts
_FUNCTION = frozenset(
    """and or as of with in like were was are is that which to but at for from by on than over under so such
    too when while where behind beneath again above, if though because all they had have has not there his
    her he she before after until since who whom about upon between it them too still now only even always
    very nearly quite""".split()
)
_NUMBER = re.compile(rf"(?<![\w§'£$.,:-])(?:{NUMBER}|half a dozen|a dozen)(?![\w§’'%-])")
_DOZENS = {"half a dozen": 6, "a dozen": 12}
_RANGE = re.compile(rf" (?:or|to) {NUMBER}\b")
_RANGE_BEHIND = re.compile(rf"\b{NUMBER} (?:or|to) $")
_CLOCK = re.compile(r"\b(?:o'clock|clock|struck|degrees|chapter|page|miles?|p\.m|a\.m)\b")
_THEN = re.compile(r"\b(?:then(?=[.,;!])|in those days|at that time|so far|as yet)")
_O_CLOCK = re.compile(r"\b(?:at|by|till|until|past) $")
_PART = re.compile(
    r" (?:\w+ )?(?:younger|elder|other|others|of (?:his|her|my|your|their|the|§\d's)|more|half-|\w+-in-law|"
    r"in arms|in law)\b"
)
_MOST_CHILDREN = 16
_CHILDREN = re.compile(
    r"\b(?:child(?:ren)?|sons?|daughters?|boys?|girls?|bab(?:y|ies)|bairns?|little ones?|offspring|heirs?|"
    r"family|brood|nursery|young ones|youngsters|father|mother|parents?|mouths?|infants?|kids|lads?|lasses)\b"
)
_SIBLINGS = re.compile(
    r"\b(?:brothers?|sisters?|siblings?|brethren|eldest|youngest|elder|younger|of us|family|children|"
    r"sons|daughters|boys|girls|born|twins?|triplets)\b"
)
_NO_CHILD = re.compile(
    r"\bchildless\b|\b(?:(?:had|has|have|with|without|left|bore|borne|of|got|was|were|and|but|for) (?:no|"
    r"never an?|not an?|neither|never any|not any|never once an?|any|an?|not one)|no) (?:\w+ "
    r")?(?:child(?:ren)?|sons?|daughters?|bab(?:y|ies)|heirs?|offspring|cradle|issue|little ones?)\b"
)
_NEGATED = re.compile(r"\b(?:no|never|not|nor|neither|without|childless|none|nobody)\b")
_ONE_CHILD = re.compile(
    r"\b(?:only|one|single|sole) (?:surviving |living |little |dear )?(?:child|son|daughter|chick|lamb)\b"
)
_NO_SIBLING = re.compile(
    r"\b(?:an|the|(?:his|her) (?:\w+ )?(?:\w+ )?|their|was|were|as) only (?:child|son|daughter|one|boy|"
    r"girl)\b|(?<!of )(?<!of neither brother )\b(?:no|without|never an?|not an?|nor|never any|neither) "
    r"(?:\w+ )?(?:brothers?|sisters?|siblings?)\b"
)


def candidates(words: str) -> Iterator[Candidate]:
    """All of a masked sentence in lower case, kind by kind, each value in each of its places."""
    yield from _hands(words)
    yield from _coloured(words, "eyes", EYE_COLOURS, _EYES)
    yield from _coloured(words, "hair", HAIR_COLOURS, _HAIR)
    yield from _numbers(words)
    yield from _weddings(words)
    yield from _trades(words)
    yield from _stays(words)
    for kind, none in (("children", _NO_CHILD), ("siblings", _NO_SIBLING)):
        found = none.search(words)
        if found is not None and (kind == "siblings" or _NEGATED.search(words)):
            yield Candidate(kind, "0", _marked(words, [found.span()], [], keep=True))
    if (found := _ONE_CHILD.search(words)) is not None:
        yield Candidate("children", "1", _marked(words, [found.span()], [], keep=True))


def _hands(words: str) -> Iterator[Candidate]:
    found: dict[str, list[tuple[int, int]]] = {"left": [], "right": []}
    for each in _SIDE.finditer(words):
        if _DENIED.search(words[: each.start()]):
            continue
        group = next(name for name in ("handed", "side", "lefty") if each[name])
        found["left" if group == "lefty" else each[group]].append(each.span(group))
    for side, other in (("left", "right"), ("right", "left")):
        if found[side]:
            yield Candidate("hand", side, _marked(words, found[side], found[other]))


def _coloured(words: str, kind: str, table: Mapping[str, str], noun: re.Pattern[str]) -> Iterator[Candidate]:
    nouns = [each.start() for each in noun.finditer(words)]
    if not nouns:
        return
    spans = [each.span() for each in re.finditer(r"[a-z]+", words)]
    at = {start: i for i, (start, _) in enumerate(spans)}
    places = [at[start] for start in nouns if start in at]
    found: dict[str, list[tuple[int, int]]] = {}
    for i, (start, end) in enumerate(spans):
        family = table.get(words[start:end])
        if family is None or family == "light" or _DENIED.search(words[:start]):
            continue
        if not any(abs(i - j) <= _NEAR for j in places):
            continue
        if not _goes_with(words, spans, i, places):
            continue
        found.setdefault(family, []).append((start, end))
    for family in sorted(found):
        others = [span for other in found if other != family for span in found[other]]
        yield Candidate(kind, family, _marked(words, found[family], others))


def _weddings(words: str) -> Iterator[Candidate]:
    if _MONTH.search(words) is None or _WEDDING.search(words) is None:
        return
    named = _MONTH.sub(lambda found: found[0].capitalize(), words)
    told = [each for each in time_expressions(named) if each.kind == "date"]
    days = [(_CALENDAR_DAY.fullmatch(each.value), (each.start, each.end)) for each in told]
    spans = [span for day, span in days if day is not None]
    for day, span in days:
        if day is not None:
            yield Candidate(
                "wedding", day[1], _marked(words, [span], [other for other in spans if other != span])
            )


def _trades(words: str) -> Iterator[Candidate]:
    found: dict[str, list[tuple[int, int]]] = {}
    for each in re.finditer(r"(?<![\w-])[a-z]+(?![\w-])", words):
        before = words[: each.start()]
        if each[0] in FIELDS and not (_DENIED.search(before) or _MET.search(before)):
            found.setdefault(FIELDS[each[0]], []).append(each.span())
    for field in sorted(found):
        others = [span for other in found if other != field for span in found[other]]
        yield Candidate("profession", field, _marked(words, found[field], others))


def _stays(words: str) -> Iterator[Candidate]:
    lengths = list(LENGTH.finditer(words)) if PLACE in words else []
    for each in lengths:
        days = days_of(each)
        if days is not None and days >= 1 and len(lengths) <= _TWO_LENGTHS:
            others = [other.span() for other in lengths if other is not each]
            yield Candidate("stay", f"{days:g}", _marked(words, [each.span()], others))


def day_of(words: str) -> str | None:
    """``"06-09"`` for "the ninth of June", whatever the case; None for what is no day of a month."""
    named = re.sub(rf"\b(?:{_MONTHS})\b", lambda found: found[0].capitalize(), words.lower())
    days = [_CALENDAR_DAY.fullmatch(each.value) for each in time_expressions(named)]
    return next((day[1] for day in days if day is not None), None)


def _goes_with(words: str, spans: list[tuple[int, int]], i: int, places: list[int]) -> bool:
    """Does the colour stand before what has it, or alone, and not before something else: "blue, mild eyes",
    "of the deepest blue, and", but not "a blue flannel shirt"?"""
    for j in range(i + 1, min(i + 1 + _BEFORE_NOUN, len(spans))):
        between = words[spans[j - 1][1] : spans[j][0]]
        alone = between not in (" ", "-") or words[spans[j][0] : spans[j][1]] in _FUNCTION
        if j in places:
            return True
        if alone and j == i + 1:
            return True
        if alone and between.strip() not in (",", ""):
            return False
    return i + 1 >= len(spans)


def _numbers(words: str) -> Iterator[Candidate]:
    kin = {"children": [m.span() for m in _CHILDREN.finditer(words)]}
    kin["siblings"] = [m.span() for m in _SIBLINGS.finditer(words)]
    then = _THEN.search(words) is not None
    numbers = [(each, _counted(each[0])) for each in _NUMBER.finditer(words)]
    for each, number in numbers:
        if number is None:
            continue
        rest, before = words[each.end() :], words[: each.start()]
        marked = _marked(
            words,
            [each.span()],
            [other.span() for other, _ in numbers if other is not each and other[0] != "one"],
        )
        if _RANGE.match(rest) or _RANGE_BEHIND.search(before) or _CLOCK.search(words):
            continue
        if number > _MOST_CHILDREN or re.match(
            r"(?: |-)(?:years?|months?|weeks?|days?|hours?|o'clock)\b", rest
        ):
            continue
        if then or _PART.match(rest) or _O_CLOCK.search(before):
            continue
        for kind, nouns in kin.items():
            near = any(_between(words, each.span(), noun) <= _FEW[kind] for noun in nouns)
            if near and (number > 1 or kind == "children"):
                yield Candidate(kind, str(number), marked)


def _between(words: str, number: tuple[int, int], noun: tuple[int, int]) -> int:
    """How many words stand between a number and a noun of kin; many where a new clause begins."""
    between = words[number[1] : noun[0]] if number[1] <= noun[0] else words[noun[1] : number[0]]
    return 99 if re.search(r"[;:?!]", between) else len(between.split())


def _counted(words: str) -> int | None:
    return _DOZENS.get(words, number_of(words))


def _marked(
    words: str, value: list[tuple[int, int]], others: list[tuple[int, int]], *, keep: bool = False
) -> str:
    """The words with these spans as ``VALUE`` and those as ``OTHER_VALUE``; a kept one stays behind its
    mark."""
    marks = sorted([(*span, VALUE) for span in value] + [(*span, OTHER_VALUE) for span in others])
    parts, last = [], 0
    for start, end, mark in marks:
        if start < last:
            continue
        parts += [words[last:start], f"{mark} {words[start:end]}" if keep else mark]
        last = end
    return "".join([*parts, words[last:]])
