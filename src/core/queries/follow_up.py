"""A question that leans on those before it, as one that can be searched for by itself.

It leans on them by a pronoun, or by what it leaves out; one with a name of its own and neither is as it is,
however short. A pronoun stands for whoever of its gender was named last, in a question rather than in its
answer, since the asker's "he" is most often whom the asker named. "And when?" and "And Ann?" ask the question
before with other words in it; one with "it" or "there" is asked together with the one before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Named = Callable[[str], Sequence[tuple[str, str]]]
"""The people whom a text names, in order, each by the story's name and gender ("" where it is not known); of
"Ann's husband" the husband, where he is known, else nobody."""

LOOKED_BACK = 3
"""So many turns before a question may say whom its pronouns mean."""

_FORMS = (("m", r"\b(?:he|him|his)\b"), ("f", r"\b(?:she|hers?)\b"))
_LEANS = re.compile(
    r"\b(?:he|him|his|she|hers?|they|them|theirs?|its?|that|this|these|those|then|(?<!is )(?<!are )there)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\b(?:was|were)\b.*\b(?:with|there|present|near|beside)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\W*(?:and|but|so|or)\b\W*", re.IGNORECASE)
_QUESTION_WORD = re.compile(
    r"(?:(?:to|with|from|by|for|at|in|on)\s+)?\b(?:who|whom|whose|what|which|when|where|why|"
    r"how(?:\s+(?:old|many|much|long|far|often))?)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\W*(?:(?:and|but)\W+)?(?:(?:what|how)\s+about\s+)?", re.IGNORECASE)
_CAPITALS = r"(?!I\b)[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*"
_NAME = re.compile(rf"(?<=[\w,] ){_CAPITALS}")
_WHO_IS = re.compile(r"(?:who|what)(?:['’]s|\s+(?:is|was))\b", re.IGNORECASE)
_OF_SOMEBODY = re.compile(
    rf"(?!(?:Is|Was|Did|Does|Had|Has)\b){_CAPITALS}['’]s?(?:\s+(?!(?:is|has|was)\b)[\w-]+){{1,3}}"
)
_AFTER_OWNER = re.compile(r"\s+[^\W\d_]")
_NOT_OWNED = re.compile(
    r"\s+(?:and|at|before|after|by|for|from|in|into|of|on|or|out|then|to|when|where|while|why|with)\b",
    re.IGNORECASE,
)


def standalone(question: str, history: Sequence[tuple[str, str]], named: Named) -> str:
    """The question with its pronouns named and what it leaves out put in, or with the question before in
    front of it, or as it is.

    ``history`` holds earlier questions and their answers, latest last; the last :data:`LOOKED_BACK` count."""
    if not history:
        return question
    recent = history[-LOOKED_BACK:]
    own = {gender for _, gender in named(question)}
    found = question
    for gender, forms in _FORMS:
        pronoun = re.search(forms, found, re.IGNORECASE)
        if pronoun and gender not in own:
            name = _last(recent, named, gender)
            if name:
                found = _put(found, pronoun, name)
    before = standalone(recent[-1][0], recent[:-1], named).rpartition("? ")[2]
    went_on = _GOES_ON.match(found)
    rest = found[went_on.end() :] if went_on else found
    somebody = _ABOUT.sub("", found, count=1).rstrip("?!. ")  # "And Ann’s husband?"
    if _OF_SOMEBODY.fullmatch(somebody) and not _QUESTION_WORD.match(somebody):
        theirs = [] if _WHO_IS.match(before) else named(somebody)
        return (_with_name(before, theirs[-1][0]) if theirs else "") or f"Who is {somebody}?"
    if found == question and (asked := _with_other_words(question, rest, before, named)):
        return asked
    if went_on and found != question and _BESIDE.search(rest):
        then = _QUESTION_WORD.sub("", before, count=1).strip()
        return f"{rest[:1].upper()}{rest[1:].rstrip('?. ')} when {then}"
    if found != question or _NAME.search(question) or named(question):
        return found
    return f"{before} {question}" if went_on or _LEANS.search(question) else question


def leans(question: str) -> bool:
    """May it ask for something that only the questions before it say?"""
    return bool(_GOES_ON.match(question) or _LEANS.search(question) or not _NAME.search(question))


def _with_other_words(question: str, rest: str, before: str, named: Named) -> str:
    """The question before with the other question word ("when exactly?") or name ("what about Ann?"), where
    there is nothing else in this one; else empty."""
    asks = _QUESTION_WORD.match(rest)
    if asks and re.fullmatch(r"(?:\s+(?:else|exactly|then|not|though))*\W*", rest[asks.end() :]):
        instead = _QUESTION_WORD.sub(lambda _: rest.rstrip("?!. "), before, count=1)
        return f"{instead[:1].upper()}{instead[1:]}"
    name = _ABOUT.sub("", question, count=1).rstrip("?!. ")
    if re.fullmatch(_CAPITALS, name) and (name != question.rstrip("?!. ") or named(name)):
        return _with_name(before, name)
    return ""


def _with_name(before: str, name: str) -> str:
    """The question before with another name in place of its last; empty where it has none."""
    last = [*_NAME.finditer(before)][-1:]
    if not last:
        return ""
    owner = "’s" if last[0][0].endswith(("'s", "’s")) else ""
    return f"{before[: last[0].start()]}{name}{owner}{before[last[0].end() :]}"


def _last(history: Sequence[tuple[str, str]], named: Named, gender: str) -> str:
    """Who of that gender was named last; else who was of a gender that is not known."""
    unknown = ""
    for asked, answer in reversed(history):
        for text in (asked, answer):
            for name, of in named(text):
                if of == gender:
                    return name
                unknown = unknown or (name if not of else "")
    return unknown


def _put(question: str, pronoun: re.Match[str], name: str) -> str:
    """The name in the pronoun's place; those that follow then mean the same as before."""
    said, rest = pronoun[0].casefold(), question[pronoun.end() :]
    owns = said == "his" or (said == "her" and _AFTER_OWNER.match(rest) and not _NOT_OWNED.match(rest))
    return f"{question[: pronoun.start()]}{name}{'’s' if owns else ''}{rest}"
