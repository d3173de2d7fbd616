"""Phrases in small letters by which a text leads back to the past, or unveils something.

Made by hand; matched against text in small letters. None of them can take more than linear time.
"""

from __future__ import annotations

import re

__all__ = ["LED_BACK", "PAST_PERFECT", "REMEMBERED", "UNVEILED"]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})")


_PARTICIPLE = "|".join(
    """
    [a-z]+ed been had gone come become done made said told seen known taken given found lost left kept
    held heard felt thought brought bought caught taught sold sent spent lent built put set let cut hit
    shut hurt read run begun sung drunk swum won worn torn bor[ne]e? sworn shown grown flown thrown
    drawn blown fallen eaten beaten written ridden hidden risen driven chosen frozen spoken broken woken
    stolen forgotten got gotten met led fed fled lain laid paid stood understood sat slept swept wept
    crept meant dreamt lit hung dug stuck struck shot fought sought shaken forsaken mistaken spat knelt
    burnt learnt
    """.split()
)
_BETWEEN = (
    r"(?:\s+(?:not|never|ever|always|often|once|only|just|also|then|all|both|already|long|[a-z]+ly)){0,2}"
)
PAST_PERFECT = re.compile(rf"\b(?:had|hadn['’]t|(?<=[a-z])['’]d){_BETWEEN}\s+(?:{_PARTICIPLE})\b")
"""A verb told from before: "had never spoken"."""

_MANY = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty"
    r"|forty|fifty|many|some|all those)"
)
_YOUNG = (
    r"(?:a (?:little |small |young |mere )?(?:boy|girl|child|lad)|(?:very )?(?:little|small|young)"
    r"|children|boys|girls)"
)
LED_BACK = _any(
    rf"{_MANY}(?:-\w+)? (?:years|winters|summers|months|days|weeks) (?:earlier|before|ago|previously)\b",
    r"all those years ago\b",
    r"long ago\b",
    r"(?:in|of) th[oe]se days\b",
    r"in those years\b",
    r"back then\b",
    r"in (?:his|her|my|their) (?:youth|childhood|boyhood|girlhood)\b",
    r"in (?:his|her|my|their) (?:great-){0,3}(?:grand)?(?:father|mother)['’]s (?:day|time)\b",
    rf"when (?:he|she|i|we|they) (?:was|were|had been) (?:{_MANY}|{_YOUNG})\b",
    r"as a (?:boy|girl|child)\b",
    r"used to\b",
    r"there was a time when\b",
    r"once upon a time\b",
)
REMEMBERED = _any(
    r"(?:remember|recall|recollect|reminisc)ed\b",
    r"thought back to\b",
    r"cast (?:his|her|my) mind back\b",
)

_KIN = "father|mother|brother|sister|son|daughter|child|wife|husband|twin|heir"
_FELON = "murderer|thief|traitor|spy|killer|culprit"
_KNEW = "(?:understood|knew|reali[sz]ed|recogni[sz]ed)"
UNVEILED: tuple[tuple[float, re.Pattern[str]], ...] = (
    (
        1.5,
        _any(
            r"(?:it|that)(?: was| is| had been| has been|['’]s been) (?:you|him|her|he|she|i|me|they|them)\b",
            r"(?:had|has|have) been \w+(?: \w+)? all (?:along|the time|the while)\b",
            r"all along\b",
            r"turn(?:s|ed) out (?:to be|that)\b",
            r"proved to be\b",
            r"so (?:that|this|it) was (?:why|where|how|what|who|the|he|she|they|i)\b",
        ),
    ),
    (
        1.0,
        _any(
            r"(?:his|her|your|my|their) (?:real|true) name\b",
            r"none other than\b",
            r"in disguise\b",
            rf"(?:i am|i['’]m|he is|he['’]s|she is|she['’]s) (?:your|my|his|her|our) (?:\w+ )?(?:{_KIN})\b",
            rf"you(?: are|['’]re) (?:my|his|her|our) (?:\w+ )?(?:{_KIN})\b",
            rf"(?:his|her|my|your) (?:lawful|long-lost|lost|real|true|natural|half-?) ?(?:{_KIN})\b",
        ),
    ),
    (
        1.0,
        _any(
            r"confess(?:ed (?:that|it|everything)|ion)\b",
            r"(?:revealed|revelation|unmask(?:ed)?|exposed|impostor|imposture)\b",
            r"the truth (?:was|is|came|at last|about)\b",
            r"(?:the whole|told (?:him|her|them|me) the|know the) truth\b",
        ),
    ),
    (
        1.0,
        _any(
            rf"(?:now|then|at last|suddenly|all at once|in a flash) (?:he|she|i|they|we) {_KNEW}\b",
            rf"(?:he|she|i|they) (?:suddenly|now|at last) {_KNEW}\b",
        ),
    ),
    (
        0.8,
        _any(
            r"(?:reali[sz]ed|discovered|learned|learnt|found out) (?:that|the truth|who|what|why|how)\b",
            r"(?:was|been|were) discovered\b",
            r"the (?:discovery|explanation)\b",
            r"had been explained\b",
        ),
    ),
    (
        0.8,
        _any(
            r"there had (?:been no|never been)\b",
            r"had never really\b",
            r"(?:he|she|they|i|you) (?:had )?never (?:knew|known|guessed|suspected|told)\b",
            r"kept (?:it )?(?:a )?secret\b",
        ),
    ),
    (
        0.7,
        _any(
            r"from the (?:first|start|very first|beginning)\b",
            r"the (?:very )?same (?:man|woman|hand|person)\b",
            r"(?:forged|forgery|birthmark|the handwriting)\b",
            r"in (?:his|her|my) own hand(?:writing)?\b",
            rf"the (?:{_FELON}) (?:was|is)\b",
            rf"was the (?:{_FELON})\b",
        ),
    ),
    (
        0.6,
        _any(
            r"(?:secret|hidden|unopened|disguised|bigamist|alias|incognito)\b",
            r"it was (?:true|not true|a lie|the truth)\b",
            r"there was no (?:mistake|doubt)\b",
            r"no (?:doubt|mistake) (?:of|about) it\b",
        ),
    ),
)
"""Cues that something comes to light, with their weights."""
