"""Which of two named happenings came first, by turns of phrase: "was over and done with before the flood",
"hardly was the sale over when the flood came", "at the time of the sale the flood was still a year off"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

__all__ = ["order_of"]

_FORMER, _LATTER = "①", "②"
_TWO, _MOST = 2, 4
_W = r"(?:[\w’'-]+,? )"
_PAST = (
    r"(?:over|done|past|gone|finished|forgotten|old|ended|behind|history|ancient|memory|already|story|long)"
)
# the happening that is named first is the earlier one
_FORWARD = (
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
    r"①[^.;]{0,60}\b(?:not|never|n[’']t)\b[^.;②]{0,12}\b(?:before|after|first)\b|\bnot (?:before|after|"
    r"since)\b"
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
    for one, other in combinations(sorted(events), _TWO):
        text = _masked(tokens, one, other)
        if _FORMER not in text or _LATTER not in text or _TURNED.search(text):
            continue
        for rule, forward in _RULES:
            if rule.search(text):
                return (events[one], events[other]) if forward else (events[other], events[one])
    return None


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


def _first(noun: Any) -> int:
    places = [
        child.left_edge.i
        for child in noun.children
        if child.i < noun.i and child.dep_ in ("det", "poss", "amod", "compound", "nmod", "nummod")
    ]
    first: int = min([noun.i, *places])
    return first


def _last(noun: Any) -> int:
    """With what "of" leads to: "the sale of the farm"."""
    last: int = noun.i
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            last = max([last, *(thing.i for thing in child.children if thing.dep_ == "pobj")])
    return last
