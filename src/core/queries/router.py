"""What a query asks for, read off its words: no model, no state, the same answer every time.

Two questions are answered apart. *Which engine*: a question of fact, or a wish to continue, write or
explain character and plot. *Which words*: exact ones (identifiers, quotations, names, rare terms), which a
lexical index finds, or abstract ones, which it misses. Each answer carries the reasons it stands on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..types import TermStatistics

Kind = Literal["factual", "narrative"]
QueryClass = Literal["keyword", "conceptual", "mixed"]
CLASSES: tuple[QueryClass, ...] = ("keyword", "conceptual", "mixed")

_READ = 2000  # characters of a query that are looked at: bounds the cost of a pasted page
_DECIDED = 2  # points by which one side must lead
_RARE = 0.01  # a term in at most this share of the chunks is rare
_LONG = 14  # words
_FEW_CHUNKS = 100  # below this "rare" says little: one chunk is already a per cent

_IDENTIFIER = re.compile(
    r"\b(?:\w+_\w+|[a-z]+[A-Z]\w*|\w+(?=\(\))|\w+::\w+|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z\d]+(?:-[A-Za-z\d]+)*)"
)
_MAYBE_IDENTIFIER = re.compile(r"[\d_]|\(\)|::|[a-z][A-Z]")  # quick to look for
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s)\Z", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]{2,}\"|“[^”]{2,}”|«[^»]{2,}»|(?<!\w)['‘][^'’]{2,}['’](?!\w)")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NUMBER = re.compile(r"\b\d+\b")

_FUNCTION = frozenset(
    "a an and are as at be but by can could did do does for from had has have he her him his how i in into "
    "is it its me my of on or our she should so than that the their them then there these they this to "
    "was we were what when where which who whom whose why will with would you your".split()
)
_FUNCTION_STEMS = _FUNCTION | {"doe", "whi"}  # the tokenizer keeps question words, as their stems
_ABSTRACT = frozenset(
    "affect ambiguity ambition atmosphere attitude betrayal change character characterisation "
    "characterization complex conflict contrast courage despair development dynamic emotion emotional evolve "
    "evolution fear feel feeling feelings freedom grief guilt identity impact influence isolation jealousy "
    "justice loneliness loss love loyalty mean meaning metaphor mood moral morality motivation motivations "
    "motive mystery nature notion overcome personality perspective portray power pride reaction reconcile "
    "redemption reflect relationship relationships represent resilience revenge reveal role sense "
    "significance similar suffering symbol symbolise symbolize symbolism tension theme themes tone "
    "transformation trust view".split()
)
_NOT_NAMES = _FUNCTION | frozenset(
    "i'm i'd i'll i've mr mrs ms miss dr sir lady chapter volume book part".split()
)

_WRITE = re.compile(
    r"^\W*(?:(?:please|now|then|can you|could you|would you|i want you to|i'd like you to|let's|help me(?: "
    r"to)?)\W+)*(?:continue|write|rewrite|retell|narrate|compose|draft|imagine|invent|extend|finish|add|"
    r"describe|develop|create|improvise|brainstorm|suggest|outline|"
    r"tell me (?:a|the|another) (?:story|tale))\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\bwhat (?:happens|should happen|could happen|might happen|comes) next\b|\bnext (?:scene|chapter)\b|"
    r"\bin the (?:style|voice) of\b|\b(?:alternative|different|alternate) ending\b|\bgo on with the story\b",
    re.IGNORECASE,
)
# "Describe how Ann felt", "Outline the plot": asks to be told what is, in words that ask to write too.
_OF_WHAT_IS = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you)\W+)*(?:describe|outline)\b"
    r"(?!.{0,80}\b(?:next|new|scene|future)\b)",
    re.IGNORECASE,
)
_EXPLAIN = re.compile(
    r"\b(?:explain|analy[sz]e|discuss|explore|interpret|compare)\b.{0,200}\b(?:character|motivations?|motives?|"
    r"plot|arc|relationship|feelings?|theme|change|conflict|personality|decision|story)\b|"
    r"\b(?:character|story|plot|narrative|emotional)(?:['’]s)? (?:arc|development|growth|structure)\b|"
    r"\bhow (?:do|does|did|has|have)\b.{0,100}\b(?:evolve|develop|grow|transform|change)s?d?\b.{0,100}"
    r"\b(?:over|through|throughout|during|across|as|in) (?:the )?(?:story|novel|book|course|plot|chapters)\b",
    re.IGNORECASE,
)

_WIDELY = re.compile(
    r"\b(?:why|how(?! (?:old|many|much|long|far|often|tall|big)\b)|compare|explain|describe|discuss|reasons?|"
    r"motiv\w+|differ\w*|in common|alike|relationship|what (?:drives|drove|makes|made))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QueryStatistics:
    """The query's terms as they stand in the index at the horizon, and how many chunks there are."""

    terms: Sequence[TermStatistics]
    chunks: int


@dataclass(frozen=True, slots=True)
class QueryAnalysis:
    """``kind`` says which engine answers, ``query_class`` what the wording favours; ``reasons`` are short
    sentences, those for the kind first."""

    query: str
    kind: Kind
    query_class: QueryClass
    reasons: tuple[str, ...]


def route(query: str, *, statistics: QueryStatistics | None = None) -> QueryAnalysis:
    """Rules with points: each sign of exact wording speaks for *keyword*, each of abstract wording for
    *conceptual*; a lead of two decides, anything less is *mixed*. Takes under 100 µs for a question of
    ordinary length; only the first 2,000 characters are read."""
    text = query[:_READ]
    kind, why = _kind(text)
    words = _WORD.findall(text.lower())
    exact, abstract = _exact(text, words), _abstract(words)
    if statistics is not None:
        rare, unknown = _by_statistics(statistics)
        exact, abstract = exact + rare, abstract + unknown
    lead = sum(points for points, _ in exact) - sum(points for points, _ in abstract)
    chosen: QueryClass = "mixed"
    if abs(lead) >= _DECIDED:
        chosen = "keyword" if lead > 0 else "conceptual"
    signs = tuple(reason for _, reason in exact + abstract) or ("no sign of exact or abstract wording",)
    return QueryAnalysis(query, kind, chosen, (why, *signs))


def asks_to_write(query: str) -> bool:
    """Does it ask to write or go on, rather than to be told something?"""
    return bool(_WRITE.search(query[:_READ]) and not _OF_WHAT_IS.search(query[:_READ]))


def asks_widely(query: str) -> bool:
    """Does it ask for reasons, a course or a comparison, which a story tells in many places?"""
    read = query[:_READ]
    return bool(_WIDELY.search(read) or _EXPLAIN.search(read))


Sign = tuple[int, str]


def _kind(text: str) -> tuple[Kind, str]:
    for pattern, reason in (
        (_WRITE, "it asks to write or go on"),
        (_NEXT, "it asks what the story might bring"),
        (_EXPLAIN, "it asks about character or plot as a whole"),
    ):
        found = pattern.search(text)
        if found:
            return "narrative", f"{reason} ({_shown(found.group().strip())})"
    return "factual", "nothing in it asks to write on or to explain character or plot"


def _exact(text: str, words: list[str]) -> list[Sign]:
    signs: list[Sign] = []
    identifiers = _IDENTIFIER.findall(text) if _MAYBE_IDENTIFIER.search(text) else []
    identifiers = [name for name in identifiers if not _ORDINAL.match(name)]
    if identifiers:
        signs.append((3, f"identifier {_shown(identifiers[0])}"))
    quoted = _QUOTED.search(text)
    if quoted:
        signs.append((2, f"quotation {_shown(quoted.group())}"))
    names = _names(text)
    if names:
        signs.append((min(len(names), 2), f"name {_shown(', '.join(names[:3]))}"))
    if _NUMBER.search(text):
        signs.append((1, "a number"))
    if 0 < len(words) <= 4 and not any(word in _FUNCTION for word in words):
        signs.append((2, "a few bare words"))
    return signs


def _abstract(words: list[str]) -> list[Sign]:
    signs: list[Sign] = []
    found = list(dict.fromkeys(word for word in words if word in _ABSTRACT))
    if found:
        signs.append((min(2 * len(found), 4), f"abstract wording {_shown(', '.join(found[:3]))}"))
    if words[:1] == ["why"]:
        signs.append((1, "asks for a reason"))
    if words[:2] in (["how", "does"], ["how", "do"], ["how", "did"]):
        signs.append((1, "asks for a manner"))
    if len(words) > _LONG:
        signs.append((1, f"long ({len(words)} words)"))
    return signs


def _names(text: str) -> list[str]:
    """Capitalised words that do not open a sentence; in a text all in capitals none counts."""
    if text.isupper():
        return []
    found = []
    for match in _WORD.finditer(text):
        word = match.group()
        if not word[0].isupper() or word.lower() in _NOT_NAMES:
            continue
        before = text[max(0, match.start() - 4) : match.start()].rstrip(" \"'“‘(")
        if before and before[-1] not in ".!?:;\n":
            found.append(word)
    return list(dict.fromkeys(found))


def _by_statistics(statistics: QueryStatistics) -> tuple[list[Sign], list[Sign]]:
    n, terms = statistics.chunks, [s for s in statistics.terms if s.term not in _FUNCTION_STEMS]
    if not n or not terms:
        return [], []
    rare = [s.term for s in terms if 0 < s.df <= _RARE * n] if n >= _FEW_CHUNKS else []
    unknown = [s.term for s in terms if s.df == 0]
    exact = [(1, f"rare in the text: {_shown(', '.join(rare[:3]))}")] if rare else []
    abstract = []
    if 2 * len(unknown) >= len(terms):
        abstract.append((2, f"{len(unknown)} of {len(terms)} terms stand nowhere in the text"))
    return exact, abstract


def _shown(words: str) -> str:
    return repr(words if len(words) <= 40 else words[:39] + "…")
