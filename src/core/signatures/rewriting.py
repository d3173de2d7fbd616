"""Wordings of a question brought to one, on its text: contractions, courtesies, roundabout question words."""

from __future__ import annotations

import re
import unicodedata

from .words import AUXILIARIES

__all__ = ["plain", "rewritten"]

_END = re.compile(r"[\s.?!]+\Z")
_QUOTES = str.maketrans("’‘`“”„–—\N{MODIFIER LETTER APOSTROPHE}", "'''\"\"\"--'")
_AUX = "|".join(AUXILIARIES)
# "To whom did Ann say Tom lied?" is not "Who did Ann say Tom lied to?": nothing moves past these.
_NO_REPORT = (
    r"(?!.*\b(?:sa(?:y|ys|id|ying)|tell|tells|told|thinks?|thought|claim\w*|believ\w*|know\w*|knew|swear\w*|"
    r"swore|promis\w*|suspect\w*|hear|heard|hope\w*|want\w*|order\w*|ask\w*)\b)"
)

# In this order; each leaves the question asking the same. Letters keep their case, since it marks names.
_REWRITES = tuple(
    (pattern.startswith(r"\A"), re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\b(?:cannot|can't)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"n't\b", " not"),
        (r"\b(who|what|where|when|why|how|it|he|she|that|there|here)'s\b", r"\1 is"),
        # courtesies
        (r"\A(?:so|and|ok|okay|well)\b,? ", ""),
        (r"\Aplease\b,? ", ""),
        (r",? please\Z", ""),
        (r"\Ain (?:the|this) (?:story|novel)\b,? ", ""),
        (r",? in (?:the|this) (?:story|novel)\Z", ""),
        (
            r"\A(?:(?:can|could|will|would) you (?:please )?)?(?:tell|remind|explain to) me (?=wh\w+|how\b)",
            "",
        ),
        (r"\A(?:do you know|i (?:would|'d) like to know|i want to know|i wonder),? (?=wh\w+|how\b)", ""),
        (r"\Adescribe the relationship\b", "what is the relationship"),
        # "After the trial, where did ..." is "where did ... after the trial"
        (
            rf"\A{_NO_REPORT}((?:in|on|at|after|before|during|when|while|by|until|since) [^,?]+), "
            rf"((?:who|whom|whose|what|which|where|when|why|how|{_AUX})\b[^,]*)\Z",
            r"\2 \1",
        ),
        # question words
        (r"\Ain (?:what|which) place\b|\Aat (?:what|which) (?:place|location)\b", "where"),
        (r"\Aat (?:what|which) time\b", "when"),
        (r"\Ain (?:what|which) (?:way|manner)\b", "how"),
        (r"\Afor (?:what|which) reason\b|\Ahow come\b", "why"),
        (r"\Awhat (?:is|was) the reason (?:that|why)\b", "why"),
        (r"\Awhat (?:made|makes|caused|causes) (?=.* )", "why "),
        (r"\A(?:what|which) (?:person|character)\b", "who"),
        (r"\Awhat number of\b", "how many"),
        (r"\A(?:what|which) age (is|was)\b", r"how old \1"),
        (r"\A(who|what|where|when|why|how) (?:is|was) it that\b", r"\1"),
        (r"\A(?:how|what) (is|was) (.+) (?:called|named)\Z", r"what \1 the name of \2"),
        (r"\Afor how (long|much|many)\b", r"how \1"),
        # "by whom was ..." is "who was ... by"
        (
            rf"\A{_NO_REPORT}(by|to|from|with|for|about|of|in|at|on|into|against) "
            r"((?:who|what|which)\w*\b.*)\Z",
            r"\2 \1",
        ),
        (r"\Awhom\b", "who"),
        (rf"\Awhich (?!of\b|(?:{_AUX})\b)", "what "),
        (r"\b(where|when|who|what|how|why) exactly\b", r"\1"),
    )
)


def plain(query: str) -> str:
    """The query without what never matters: outer and double spaces, kinds of quotes, the mark at its end."""
    text = unicodedata.normalize("NFKC", query).translate(_QUOTES)
    return _END.sub("", " ".join(text.split()))


def rewritten(text: str) -> str:
    """A plain query in the wording that stands for all of its kind."""
    if text.isupper():
        text = text.lower()
    text = text[:1].lower() + text[1:]  # the first word may move inwards
    for starts, pattern, replacement in _REWRITES:
        if not starts or pattern.match(text):  # a search for a start would try every place
            text = pattern.sub(replacement, text, count=starts)
    return text
