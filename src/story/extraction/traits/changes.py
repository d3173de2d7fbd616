"""Words of a paragraph that say how a trait came to be so, or that what is said of it is not meant."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["called_a_lie", "denied_behind", "turned"]


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


_LIES = _words(
    r"lie[sd]?|lying|liar|pretend\w*|false\w*|untrue|not true|wrong(?:ly)?|mistaken(?:ly)?|rumou?rs?|"
    r"had it that|no truth|fib\w*|invent\w*|deceiv\w*|jok\w+|jest\w*|boast\w*"
)
_DENIED = _words(
    r"which (?:was|is) (?:false|"
    r"untrue|not true|a lie|wrong|nonsense)|(?:was|is) (?:quite |wholly )?(?:false|untrue)|"
    r"falsely|wrongly|mistakenly|erroneously|had it that|no truth in|gave (?:him|her)self out|lied|lyingly"
)
_MIRRORS = _words(r"mirror\w*|looking-glass|reflection")
_KIN = _words(
    r"bore|born|births?|lost|loss|los[et]|drown\w*|buried|bury|die[sd]?|dying|dead|deaths?|killed|"
    r"fell (?:in|at) [A-Z]\w+|fallen in|adopt\w*|found out|discover\w*|newborn|baby|"
    r"(?:the|his|her|my|your|their) late"
)
_TURNS: Mapping[str, re.Pattern[str]] = {
    "hair": _words(r"wigs?|perukes?|dye[sd]?|dyeing|bleach\w*|henna\w*|disguis\w*|peroxide|false hair"),
    "profession": _words(
        r"becom\w+|became|given up|gave up|giv\w+ up|promot\w*|ordain\w*|retir\w*|apprentic\w*|appoint\w*|"
        r"no longer|used to be|left off|sold the|took up|taken up|studied|trained|turned"
    ),
    "build": _words(r"grown|grew|lost|illness|fever|starv\w*|thinner|stouter|fatter|gained"),
    "height": _words(r"grown|grew|taller|shot up"),
    "eyes": _words(r"disguis\w*|enchant\w*|spell|magic"),
}


def turned(aspect: str, value: str, text: str) -> bool:
    """Does the paragraph ``text`` tell a change of that aspect, so that the value may differ from before? For
    numbers of kin a birth or a loss, for left and right a mirror."""
    if aspect.startswith("count:"):
        return _KIN.search(text) is not None
    if value in ("left", "right"):
        return _MIRRORS.search(text) is not None
    pattern = _TURNS.get(aspect)
    return pattern is not None and pattern.search(text) is not None


def called_a_lie(text: str) -> bool:
    """Does the paragraph speak of a lie, a pretence or a jest?"""
    return _LIES.search(text) is not None


def denied_behind(text: str) -> bool:
    """Does the sentence ``text`` of the narration itself say that what it reports is false, or a rumour?"""
    return _DENIED.search(text) is not None
