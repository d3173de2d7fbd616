"""What a novel itself says of somebody: nothing that contradicts it is put in, for such a slip would be set
against the author's own words, and not against those that were put in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .cast import Actor

__all__ = ["tells"]

_BEFORE, _BEHIND = 200, 320  # characters around a name in which it may be said of its bearer
_SHADE = (
    r"(?:blue|grey|gray|brown|black|green|hazel|dark|light|pale|red|golden|fair|yellow|white|auburn|violet)"
)
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_TEENS = r"(?:eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_TELLING: Mapping[str, re.Pattern[str]] = {
    "age": re.compile(
        rf"\b(?:years? old|years of age|the age of|aged|birthday|in (?:his|her) \w+ year|"
        rf"(?:is|was|am|I[’']m|be|been|turned|at|of) (?:\w+ )?(?:{_TENS}|{_TEENS}|\d\d))\b",
        re.IGNORECASE,
    ),
    "eyes": re.compile(rf"\b{_SHADE}\b[^.]{{0,40}}\beye|\beyes?\b[^.]{{0,40}}\b{_SHADE}\b", re.IGNORECASE),
    "hair": re.compile(
        rf"\b{_SHADE}\b[^.]{{0,40}}\b(?:hair|curl|head|lock|tress|haired)|"
        rf"\b(?:hair|curls?|head|locks?|tresses)\b[^.]{{0,40}}\b{_SHADE}\b",
        re.IGNORECASE,
    ),
    "birthplace": re.compile(r"\b(?:born|birthplace|native|came from|comes from|by birth)\b", re.IGNORECASE),
}


def tells(text: str, actor: Actor, aspect: str) -> bool:
    """Does the novel's ``text`` seem to say something of that aspect near a name of the person? Errs on the
    side of yes. For the narrator, who has no name, and for aspects that are not in question, no."""
    telling = _TELLING.get(aspect)
    return telling is not None and any(
        telling.search(text[max(0, place.start - _BEFORE) : place.end + _BEHIND]) is not None
        for place in actor.places
    )
