"""Which of two named happenings came first, by turns of phrase: "was over and done with before the flood",
"hardly was the sale over when the flood came", "at the time of the sale the flood was still a year off"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from ...lexicon.verbs_and_nouns import DEEDS
from ..parsing.words import Word

__all__ = ["order_of", "place_behind"]

_FORMER, _LATTER = "①", "②"
_TWO, _THREE, _MOST = 2, 3, 4
_PLACING = frozenset("at in on".split())
_OF_DEEDS = ("ing", "tion", "sion", "ment", "ance", "ence")
_HAPPENINGS = frozenset(
    """fire flood fever war wedding funeral storm strike trial murder death birth robbery quarrel election
    famine plague harvest fair ball battle siege wreck shipwreck accident christening lawsuit drought frost
    riot revolt fall collapse bankruptcy failure ruin duel visit journey voyage race match dance party feast
    loss scandal illness cholera smallpox panic crash earthquake landslip inquest auction raid mutiny comet
    eclipse gale hurricane blizzard snow jubilee coronation peace famine inquiry lockout hanging
    poisoning""".split()
)
_HOURS = frozenset("morning evening afternoon night day year spring summer autumn winter time end".split())
_W = r"(?:[\w’'-]+,? )"
_PAST = (
    r"(?:over|done|past|gone|finished|forgotten|old|ended|behind|history|ancient|memory|already|story|long)"
)
# the happening that is named first is the earlier one
_FORWARD = (
    r"\b(?:hard|close|hot|soon|directly|immediately|straight) (?:up)?on ①[^.;②]{0,40}\b(?:came|followed|"
    r"was)\b"
    r"[^.;②]{0,15}②",
    r"\b(?:up)?on the heels of ①[^.;②]{0,40}②",
    r"\bnot (?:un)?till? ①[^.;②]{0,40}\bdid ②",
    r"①[^.;②]{0,60}\b(?:and|,) ?(?:\w+ )?(?:years?|months?|weeks?|days?|springs?|summers?|winters?) "
    r"(?:later|after(?:wards)?|on)\b[^.;②]{0,40}②",
    r"\b(?:divided|separated|parted) ① from ②",
    r"\b(?:the (?:earlier|first|older|elder) of the two was|it was) ①[^.②]{0,40};[^.②]{0,20}②[^.]{0,30}"
    r"\b(?:after|next|later|following|second)\b",
    r"\bnot (?:un)?till? after ①[^.;②]{0,30}②",
    r"① first[,;][^.②]{0,20}②",
    rf"① {_W}{{0,6}}?{_PAST}\b[^.;②]{{0,40}}\b(?:when|before|by|ere|at|till|until)\b[^.;②]{{0,40}}②",
    r"①[^.;②]{0,60}\b(?:before|ere|earlier than|prior to|in advance of)\b[^.;②]{0,40}②",
    r"\b(?:after|since|following|from the (?:day|year|time) of) ①[^.;②]{0,60}②",
    r"\b(?:hardly|scarcely|no sooner|barely)\b[^.;①]{0,40}①[^.;②]{0,40}\b(?:when|than|"
    r"before)\b[^.;②]{0,30}②",
    rf"① {_W}{{0,5}}?(?:first|the older|the elder|the earlier|older|elder|earlier)\b[^.;②]{{0,70}}②",
    r"\bfirst\b[^.;①]{0,20}①[^.;②]{0,50}②",
    rf"① {_W}{{0,4}}?(?:preceded|antedated|led (?:up )?to|ushered in|made way for|gave way to|was "
    r"followed by|was succeeded by|heralded|"
    r"foreshadowed|opened the way (?:for|to)|brought on|brought about) ②",
    r"\b(?:talked|spoke|talking|speaking|sore|mourning|recovered|recovering|got over|forgotten|"
    r"forgot)\b(?: \w+){0,2} ①[^.;②]{0,30}\b(?:when|before|by)\b[^.;②]{0,30}②",
    r"\b(?:at|in|on|by) the (?:time|year|day|days|date|season) of ①[^.;②]{0,60}②[^.;]{0,40}\b(?:still|yet|"
    r"not|to come|ahead|undreamt|unborn|"
    r"future|nobody|off|away)\b",
    r"\bwhen ①[^.;②]{0,60}② (?:had|was|lay|did) (?:not|still|yet)\b",
    r"①[^.;②]{0,60}\b(?:while|when|at a time when) ② (?:was|lay|had) (?:still|yet|not)\b",
    r"①[^.;②]{0,60}\b(?:and|,) ?(?:then|only then|afterwards|next|later|presently)\b[^.;②]{0,20}②",
    r"①[^.;②]{0,60}②(?: \w+){0,3} (?:after(?:wards)?|later|the (?:spring|summer|autumn|winter|year) after|"
    r"next)(?= *[.,;!”\"]| than that)",
)  # fmt: skip
# the one that is named second
_BACKWARD = (
    r"①[^.;②]{0,20}\b(?:consequence|result|effect|fruit|outcome|offspring) of ②",
    r"① that (?:ended|finished|completed|undid|mended)\b[^.;②]{0,20}②",
    r"①[^.;②]{0,40}\b(?:later|younger|after)\b[^.;②]{0,15}\bthan ②",
    r"① (?:found|came upon|fell upon|took|surprised|overtook|caught)\b[^.;②]{0,50}\b(?:still|already|"
    r"scarcely|hardly)\b[^.;②]{0,40}② ?"
    r"(?=[.,;!”\"]|$)",
    r"① (?:put|made|set) an? (?:end|seal|finish) [^.;②]{0,20}②",
    r"①[^.;②]{0,60}\b(?:after|since|following|later than|younger than|(?:hard |close )?(?:up)?on the "
    r"heels of|subsequent to|in the wake of|within (?:an?|the) \w+ of|"
    r"followed|succeeded|followed (?:up)?on)(?: \w+){0,2} ②",
    r"\b(?:before|ere|prior to|earlier than) (?:ever )?①[^.;②]{0,60}②",
    rf"\bby (?:the (?:time|year|day) (?:of )?)?①[^.;②]{{0,40}}②[^.;]{{0,30}}\b{_PAST}\b",
    rf"①[^.;②]{{0,40}}\bwhen ② (?:was|were|had been|lay) {_W}{{0,2}}?{_PAST}\b",
    rf"\bwhen ①[^.;②]{{0,40}}② (?:was|had|lay)[^.;]{{0,30}}\b(?:{_PAST}|been|year|years|months?|weeks?)\b",
    r"① (?:had|was|did|has|were)(?: not|n[’']t| never)(?: yet| so much as| even)* (?:\w+ "
    r"){1,3}[^.;②]{0,20}\b(?:when|at the time of|till|until|for)\b[^.;②]{0,20}②",
    r"①[^.;②]{0,40}\b(?:did not|not to|never) come (?:un)?til?l\b[^.;②]{0,30}②",
    r"① (?:was|were|is) (?:the )?(?:younger|later|second|newer)\b[^.;②]{0,30}②(?! (?:the )?(?:younger|"
    r"later))",
)  # fmt: skip
_RULES = tuple((re.compile(words), True) for words in _FORWARD) + tuple(
    (re.compile(words), False) for words in _BACKWARD
)
_TURNED = re.compile(
    r"(?<!not until after )(?<!not till after )①[^.;]{0,60}\b(?:not|never|n[’']t)\b[^.;②]{0,12}\b(?:before|"
    r"after|first)\b|\bnot (?:before|after|since)\b"
)
_TRIGGER = frozenset(
    """before after since when following first hardly scarcely sooner barely preceded followed older elder
    earlier younger later then afterwards by until till ere prior while heels wake yet still led
    talked""".split()
)
_UNSURE = frozenset("if whether suppose perhaps might could would should unless like".split())


def order_of(tokens: Sequence[Any], events: Mapping[int, str]) -> tuple[str, str] | None:
    """(earlier, later) for a sentence that names two happenings, or up to four; None where it does not tell.
    ``events`` are their telling words by the noun's place."""
    if not _TWO <= len(events) <= _MOST:
        return None
    words = {token.lower_ for token in tokens}
    if not words & _TRIGGER or words & _UNSURE:
        return None
    pairs = list(combinations(sorted(events), _TWO))
    if len(events) > _TWO:  # what happens before what stands
        happening = {token.i for token in tokens if token.i in events and _happens(token)}
        pairs.sort(key=lambda pair: len(happening.intersection(pair)), reverse=True)
    for one, other in pairs:
        text = _masked(tokens, one, other)
        if _FORMER not in text or _LATTER not in text or _TURNED.search(text):
            continue
        for rule, forward in _RULES:
            if rule.search(text):
                return (events[one], events[other]) if forward else (events[other], events[one])
    return None


def _happens(noun: Word) -> bool:
    """Does the noun name what happens, by itself or by its ending: "the flood", "the building of the
    bridge"?"""
    lemma: str = noun.lemma_.lower()
    return lemma in _HAPPENINGS or lemma in DEEDS or lemma.endswith(_OF_DEEDS)


def _masked(tokens: Sequence[Any], one: int, other: int) -> str:
    """The sentence in lower case, the two noun phrases as signs."""
    spans = [
        (_first(token), _last(token), sign)
        for token in tokens
        for i, sign in ((one, _FORMER), (other, _LATTER))
        if token.i == i
    ]
    parts = []
    for token in tokens:
        sign = next((sign for low, high, sign in spans if low <= token.i <= high), None)
        if sign is None:
            parts.append(token.lower_ + (" " if token.whitespace_ or token.is_space else ""))
        elif any(token.i == high for _, high, _ in spans):
            parts.append(sign + (" " if token.whitespace_ else ""))
    return " ".join("".join(parts).split())


def _first(noun: Word) -> int:
    places = [
        child.left_edge.i
        for child in noun.children
        if child.i < noun.i and child.dep_ in ("det", "poss", "amod", "compound", "nmod", "nummod")
    ]
    first: int = min([noun.i, *places])
    return first


def place_behind(noun: Word) -> Word | None:
    """The mill of "the fire at the mill": a noun with "the" right behind it, whatever the parser takes it to
    go with."""
    doc, i = noun.doc, noun.i
    if i + _THREE >= len(doc) or doc[i + 1].lower_ not in _PLACING or doc[i + _TWO].lower_ != "the":
        return None
    place = doc[i + _THREE]
    while place.dep_ in ("amod", "compound") and place.i + 1 < len(doc):
        place = place.nbor(1)
    return place if place.pos_ in ("NOUN", "PROPN") and place.lower_ not in _HOURS else None


def _last(noun: Word) -> int:
    """With what "of" leads to, and a place: "the sale of the farm", "the fire at the mill"."""
    place = place_behind(noun)
    last: int = noun.i if place is None else place.i
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            last = max([last, *(thing.i for thing in child.children if thing.dep_ == "pobj")])
    return last
