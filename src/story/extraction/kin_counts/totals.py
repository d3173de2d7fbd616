"""More turns of phrase that count somebody's kin: "the fourth of six brothers", "one of twelve", "two sisters
and no brothers", and that there are some at all ("Tom's elder brother"), which who is an only child cannot
have. Read off the sentence with its people numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from ...time.amounts import NUMBER, number_of
from ..coreference.pronouns import Reference
from ..patterns.masking import Masked, readings

__all__ = ["KIN", "totals"]

KIN = {
    "children": "child", "child": "child", "little ones": "child", "youngsters": "child", "bairns": "child",
    "kids": "child", "kid": "child",
    "family": "child", "sons": "son", "son": "son", "boys": "son", "boy": "son", "lads": "son",
    "daughters": "daughter", "daughter": "daughter", "girls": "daughter", "girl": "daughter",
    "brothers": "brother", "brother": "brother", "sisters": "sister", "sister": "sister",
    "siblings": "sibling", "brothers and sisters": "sibling", "sisters and brothers": "sibling",
    "brothers or sisters": "sibling", "brother or sister": "sibling", "brother nor sister": "sibling",
    "sister nor brother": "sibling", "sister or brother": "sibling", "chick nor child": "child",
    "chick or child": "child", "son or daughter": "child", "sons or daughters": "child",
    "son nor daughter": "child", "child nor chick": "child", "kith nor kin": "sibling",
}  # fmt: skip
_TO_KIN = {"child": "sibling", "son": "brother", "daughter": "sister"}
_P = r"§(?P<p>\d)"
_N = rf"(?P<n>{NUMBER}|a pair of|a dozen|half a dozen|both)"
_ADJ = (
    r"(?:(?:fine|dear|little|small|young|healthy|handsome|beautiful|strapping|"
    r"sturdy|lively|grown-up|grown|"
    r"tall|strong|own|good|living|pretty|unmarried|married|big) )*"
)
_K = (
    rf"{_ADJ}(?P<k>brothers? (?:and|or|nor) sisters?|sisters? (?:and|or|nor) brothers?|children|little ones|"
    r"youngsters|bairns|kids|kid|sons|boys|lads|daughters|girls|brothers|sisters|siblings|child|son|"
    r"daughter|brother|"
    r"sister|boy|girl)\b(?!['’-]| in law)"
)
_SOME = r"(?P<k>brothers|sisters|sons|daughters|children|brother|sister|son|daughter|child)\b(?!['’-]| in )"
_HAVE = (
    r"(?:had|has|have|'ve|having|owned|possessed|reared|raised|brought up|bore|borne|fathered|boasted|"
    r"kept|was blessed with|blessed with|grew up with|grown up with|shared (?:\w+ )?with)(?: got| been left "
    r"with)?"
)
_ONLY = r"(?:(?:but|only|just|exactly|all|had|now|the|never more than|no more than|no fewer than|in all) )*"
_RANK = (
    r"(?:eldest|oldest|youngest|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|one|"
    r"middle one|middle|elder|younger|baby)"
)
_NTH = {
    word: n for n, word in enumerate("second third fourth fifth sixth seventh eighth ninth tenth".split(), 2)
}
# wording, the kind where it names none, how the number is to be taken
_TOTAL, _OTHERS, _NONE, _SOMEBODY, _LEAST, _SINGLE, _NTH_OF = range(7)
_WORDINGS = tuple(
    (re.compile(words), kind, how)
    for words, kind, how in (
        (rf"\b(?:neither|no|nor|without|never a|not a|never had a|never had any)(?: \w+)? (?P<k>brother nor "
         rf"sister|sister nor brother|brothers? or sisters?|sisters? or brothers?|chick nor child|chick or "
         rf"child|child nor chick|sons? n?or daughters?)\b(?! (?:said|spoke|came|knew|saw|thought|made|"
         rf"took|went|"
         rf"was|were|had|could|\w+ed)\b).{{0,60}}{_P}", "", _NONE),
        (rf"{_P}.{{0,50}}(?<!of )(?<!to )(?<!from )(?<!for )\b(?:neither|no|nor|without|"
         r"never a|not a|never had a|never had any|never had)"
         rf"(?: \w+)? (?P<k>brother nor sister|sister nor brother|brothers? or sisters?|"
         rf"sisters? or brothers?|"
         rf"chick nor child|chick or child|child nor chick|sons? n?or daughters?)\b", "", _NONE),
        (rf"{_P}(?: \w+){{0,2}} {_HAVE} (?:had )?(?:no|never a|not a|never any|never had a|never had any) "
         rf"{_K}(?! (?:like|so|here|with|in|now|left))", "", _NONE),
        (rf"{_P}(?: \w+){{0,2}} never (?:had|known|possessed|borne?|bore) (?:a |any |had a |had any )?{_K}"
         r"(?! (?:like|so|here|with|in|now|left))", "", _NONE),
        (rf"{_P}[^.;?§]{{0,40}}\b(?:and|but) no {_K}(?! (?:like|so|here|with|in|now|left))", "", _NONE),
        (rf"\bno (?P<k>brother|sister|child|son|daughter|children|brothers|sisters) (?:had|has) {_P}\b", "",
         _NONE),
        (rf"\b(?P<k>brothers|sisters|children|sons|daughters)\? (?:i have|i've|i had|§\d (?:have|has|"
         rf"had|'ve)|"
         rf"§\d've) none\b.{{0,40}}{_P}", "", _NONE),
        (rf"{_P}(?:,| \w+){{0,3}} (?:was|were|is|being|remained|died|lived)(?: \w+){{0,2}} childless\b",
         "child", _NONE),
        (rf"{_P} and §\d's (?:wife|husband)(?: \w+){{0,2}} childless\b", "child", _NONE),
        (rf"{_P}[^.;?]{{0,30}}\bnever (?:been |once )?blessed with (?:a family|children|a child)\b", "child",
         _NONE),
        (rf"\b(?:as )?(?:an|the|§\d's (?:parents'|mother's|father's|family's)) only (?P<k>child|son|boy|"
         rf"daughter|girl)\b[^.;?§]{{0,30}}, {_P}\b(?!')", "", _SINGLE),
        (rf"{_P},? (?:(?:was|is|being|had been|am|'m|who was|as) )?(?:\w+ )?(?:an|the) (?:only|one|sole) "
         r"(?P<k>child|son|boy|daughter|girl) (?:of the (?:house|family)|in the (?:house|family)|"
         r"at home|among)", "", _SINGLE),
        (rf"{_P},? (?:who )?(?:was|is|am|'m|'s|made|came|had been|being|stood)(?: only| but| just| himself| "
         rf"herself)? (?:the )?{_RANK} (?:of|in|among)(?: a family of| a brood of| a household of| the)? "
         rf"{_N}(?: {_K}|(?=[.,;:!”\"]| and | who | born))", "sibling", _OTHERS),
        (rf"{_P},? (?:who )?(?:was|is|am|'m|'s|made|came|had been|being|stood)(?: the)? (?:\w+ )?(?:in|of|"
         rf"from|to) a (?:\w+ )?(?:family|brood|household|houseful) of {_N}(?: {_K}|(?=[.,;:!”\"]| and ))",
         "sibling", _OTHERS),
        (rf"\bthere (?:were|are|was|had been|'d been) {_ONLY}{_N} of (?:us|them|those)\b[^?]{{0,60}}{_P}",
         "sibling", _OTHERS),
        (rf"\bof {_K} {_P} (?:had|has|have) {_ONLY}{_N}\b", "", _TOTAL),
        (rf"{_P}(?:,? (?:who|which))?(?: \w+){{0,2}} {_HAVE} (?:had )?{_ONLY}{_N} {_K}"
         r"(?! (?:left|in|at|from|under|on board|among|by|to (?:help|tea|dinner))\b)", "", _TOTAL),
        (rf"{_P} (?:\w+ ){{0,2}}(?:had|has|have)(?: got| had)? (?:only |just |but )?(?:a|one|the one) "
         r"(?:\w+ ){0,1}(?P<k>son|daughter|boy|girl|child|kid|brother|sister)\b[^.;?§]{0,30}\b(?:(?:and|but) "
         r"(?:nobody|no one|none) else|(?:and|but) no (?:other|more)\b|that was all|nobody (?:else )?besides|"
         r"nor (?:ever )?any other)(?P<n>)", "", _TOTAL),
        (rf"\b{_N} {_K} (?:had|has) {_P}\b(?!')", "", _TOTAL),
        (rf"{_P}'s {_K}, (?:all |and there were |there were )?{_N}(?: in all| of them| all "
         rf"told)?(?=[,.;!])", "",
         _TOTAL),
        (rf"{_P} (?:had )?(?:brought|borne|bore|given birth to|gave birth to|fathered) {_ONLY}{_N} {_K}", "",
         _TOTAL),
        (rf"\bonly one (?P<k>child|son|daughter)\b[^.;?§]{{0,20}}, (?:and )?(?:that|this|it) was {_P}\b(?!')",
         "", _SINGLE),
        (rf"{_P}[^.;?§]{{0,40}}\ball (?:that )?§\d (?:ever )?had (?:was|were) {_N} {_K}", "", _TOTAL),
        (rf"{_P}'s {_N} {_K}(?! (?:who|that|of|from|in|at) )", "", _TOTAL),
        (r"\b(?:father|mother|parent) of twin (?P<k>boys|girls|sons|daughters)\b(?P<n>)", "twins", _TOTAL),
        (rf"{_P}[^.;?§]{{0,20}}\b(?:father|mother|parent) of twins\b(?P<n>)", "child", _TOTAL),
        (rf"^\W*(?:burdened |blessed |left )?with {_ONLY}{_N} {_K}[^.;?§]{{0,60}}, {_P}\b(?!')", "", _TOTAL),
        (rf"^\W*{_N} {_K} (?:in|within) [^.;?§]{{0,25}} (?:had|has) [^.;?§]{{0,20}}{_P}\b(?!')", "", _TOTAL),
        (rf"{_P}[^.;?§]{{0,25}} (?:married man|widower|widow|wife) with {_N} {_K}", "", _TOTAL),
        (rf"{_P} (?:\w+ ){{0,2}}(?:had|has) an only (?P<k>son|daughter|child|brother|sister)\b(?P<n>)", "",
         _TOTAL),
        (rf"\ban only (?P<k>son|daughter|child) was all\b[^.;?§]{{0,20}}{_P}(?P<n>)", "", _TOTAL),
        (rf"\bthe (?P<n>second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) of {_P}'s {_SOME}", "",
         _NTH_OF),
        (rf"{_P}'s (?P<n>second|third|fourth|fifth|sixth|seventh|eighth) {_SOME}", "", _NTH_OF),
        (rf"(?P<n>two|three|four|five|six|seven|eight) of {_P}'s {_SOME}", "", _LEAST),
        (rf"{_P}'s (?:(?:elder|eldest|younger|youngest|little|big|twin|own|other|dear|poor|married|dead) )*"
         rf"{_SOME}", "", _SOMEBODY),
    )
)  # fmt: skip
_UNSURE = re.compile(
    r"\b(?:if|whether|wish\w*|hop(?:e|es|ed|ing)|dream\w*|dreamt|as though|as if|fanc(?:y|ied)|imagin\w*|"
    r"suppos\w*|pretend\w*|might|would|should|could|may|must|will|shall|lied|lie|perhaps|seem\w*|like an?|"
    r"step\w*|half-\w+|foster\w*|adopted|in-law|in arms|in law|in christ|reverend|order|convent|god|"
    r"pupils?|class|school|lost|grand\w+|orphan\w*|invited|expect\w*|as yet|so far|by then|in those days|"
    r"at (?:that|the|this) time|weaker|mercy|charity|sister of|brother of|brother to|sister to|"
    r"brother officer|brother officers|n't|called|calls|like a|nearly|almost|unlike)\b|"
    r"\bthen(?=[.,;!])|\?(?! (?:i|§))"
)
_KIN_WORD = re.compile(
    r"\b(?:child\w*|kids?|sons?|daughters?|brothers?|sisters?|boys?|girls?|little ones|siblings|of "
    r"(?:us|them)|"
    r"twins|family of|(?:one|eldest|youngest|last|first) of)\b"
)
_LEAST_SURE = 0.8
_MOST = 20


def totals(seen: Masked) -> Iterator[tuple[str, str, Reference]]:
    """(kind of kin, number, whose): ``"2+"`` where there may be more. What is wished, asked, or told of kin
    by marriage or courtesy is left out."""
    told = readings(seen.words) if seen.people else ()
    sure = [words for words in told if _KIN_WORD.search(words) and not _UNSURE.search(words)]
    taken: set[tuple[str, int]] = set()
    for words, (pattern, kind, how) in product(sure, _WORDINGS):
        found = pattern.search(words)
        count = _told(found, kind, how) if found is not None else None
        if found is None or count is None or found.groupdict().get("p") is None:
            continue
        number = int(found["p"])
        person = seen.people[number]
        if (count[0], number) not in taken and person.factor >= _LEAST_SURE:
            taken.add((count[0], number))
            yield *count, person


def _told(  # noqa: PLR0911 (a way of counting a line)
    found: re.Match[str], kind: str, how: int
) -> tuple[str, str] | None:
    """(kind of kin, number) of a match."""
    groups = found.groupdict()
    word = (groups.get("k") or "").strip()
    kin = KIN.get(word, kind) or kind
    if how == _NONE:
        return kin, "0"
    if how == _SINGLE:
        return _TO_KIN[kin], "0"
    if how == _SOMEBODY:
        return kin, "2+" if word.endswith("s") or word == "children" else "1+"
    number = _number(groups.get("n") or "", found.group(0))
    if number is None or not 1 <= number <= _MOST:
        return None
    if how in (_NTH_OF, _LEAST):
        return kin, f"{number}+"
    if how == _OTHERS:
        return (_TO_KIN.get(kin, kin), str(number - 1)) if number > 1 else None
    return kin, str(number)


def _number(word: str, text: str) -> int | None:
    if not word:
        return 2 if "twin" in text else 1
    fixed = {"a pair of": 2, "both": 2, "a dozen": 12, "half a dozen": 6}
    return fixed.get(word) or _NTH.get(word) or number_of(word)
