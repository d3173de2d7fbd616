"""The aim of a vow: the longest clause of purpose in a sentence."""

from __future__ import annotations

from typing import Any

from ..parsing.chapter import ParsedParagraph, Sentence

__all__ = ["aim_of"]

_COMMITTING = frozenset(
    "vow swear pledge promise resolve determine undertake decide intend mean plan purpose engage".split()
)
_TILL = frozenset({"until", "till"})
_WILL = frozenset("will would shall should 'll ’ll 'd ’d".split())
_LINE = 6  # words of an aim, behind which a broken line ends it
_MOST = 20  # words of an aim


def aim_of(paragraph: ParsedParagraph, sentence: Sentence) -> str:
    """What a sentence that is known to tell a vow aims at: the longest of its "to find", "that he would find"
    and "until he had found", each to the end of its clause; empty where it has none."""
    aims = []
    for token in paragraph.tokens(sentence):
        if token.pos_ not in ("VERB", "AUX"):
            continue
        helped = any(c.tag_ == "TO" or c.lower_ in _WILL for c in token.children)
        until = any(c.lower_ in _TILL for c in token.children)
        if (token.tag_ == "VB" and helped and token.lemma_.lower() not in _COMMITTING) or until:
            aims.append(_wording(token))
    return max((each for each in aims if each), key=len, default="")


def _wording(verb: Any) -> str:
    doc, end = verb.doc, min(verb.sent.end, verb.i + _MOST)
    last = verb.i
    for token in doc[verb.i : end]:
        if (
            token.is_quote
            or token.lower_ in (",", ";", ":", "--", "—", ".")
            or (token.is_space and last > verb.i + _LINE)
        ):
            break
        last = token.i
    words = " ".join(doc[verb.i : last + 1].text.split())
    return words if last > verb.i else ""
