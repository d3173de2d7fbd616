"""What a question asks, as a key: two questions with equal signatures ask for the same answer.

Cosine cannot tell "Who did Anna betray?" from "Who betrayed Anna?" (.98 with MiniLM, above most
paraphrases), so a cache must not trust it alone. A signature is the question rewritten to one form by a few
cautious rules: inflection undone, questions put in the order of statements, numerals as digits, true synonyms
as one word. Every other word stays, in its order; so negation, roles, names, numbers, antonyms, quantifiers
and prepositions all separate. What no rule covers differs: that costs a hit and never gives a wrong one.

Inflection is undone and numerals are read by the word tables of ``words.toml``: rules that would rather miss
than merge.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from ..chapters.numerals import number
from ..files.toml import load_toml

_VOWELS = frozenset("aeiou")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_SIZES = {"hundred": 100, "thousand": 1000}
_PARTS = frozenset(("chapter", "part", "book", "volume", "act", "scene", "section"))

_TABLES = load_toml(Path(__file__).with_name("words.toml"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLES[name].split())


AUXILIARIES: dict[str, tuple[str, str]] = {
    **{word: (kind, tense) for word, (kind, tense) in _TABLES["auxiliaries"].items()},
    **{modal: (modal, "") for modal in _TABLES["modals"].split()},
}
"""Kind and tense of each."""
ARTICLES = frozenset(("the", "a", "an"))
WH = frozenset("who whom whose what which where when why how".split())
PREPOSITIONS, SUBORDINATORS, DETERMINERS = map(_words, ("prepositions", "subordinators", "determiners"))
STOPS = ARTICLES | PREPOSITIONS | SUBORDINATORS | frozenset(AUXILIARIES) | {"and", "or", "not", "'s", ","}
UNCHANGED, EVENTS, STATES = map(_words, ("unchanged", "events", "states"))
QUANTIFIERS = _words("quantifiers")
IRREGULAR: dict[str, str] = {
    form: base
    for base, forms in (pair.split(":") for pair in _TABLES["irregular"].split())
    for form in forms.split(",")
}
VERBS = EVENTS | STATES | _words("verbs") | frozenset(IRREGULAR.values()) | UNCHANGED

SYNONYMS: dict[str, str] = {}
for _group in map(str.split, _TABLES["synonyms"].splitlines()):
    SYNONYMS.update(dict.fromkeys(_group, SYNONYMS.get(_group[0], _group[0])))

_ONES, _TENS = _TABLES["ones"].split(), _TABLES["tens"].split()
NUMBERS: dict[str, tuple[str, int]] = {
    **{word: ("", n) for n, word in enumerate(_ONES)},
    **{word: ("", 10 * n) for n, word in enumerate(_TENS, 2)},
    **{word: ("#", n) for n, word in enumerate(_TABLES["ordinals"].split(), 1)},
    **{f"{word[:-1]}ieth": ("#", 10 * n) for n, word in enumerate(_TENS, 2)},
}
"""The value of a number word, marked where it is an ordinal."""
REWRITES: list[tuple[str, str]] = [
    (
        pattern.replace("{aux}", "|".join(AUXILIARIES)).replace("{no_report}", _TABLES["no_report"]),
        replacement,
    )
    for pattern, replacement in _TABLES["rewrites"]
]
"""Patterns and what stands in their place, in this order."""


def base_form(word: str, before: str | None) -> tuple[str, str]:
    """The base and the form: ``past``, ``s``, ``ing``, ``base`` (a known verb as it is), or ``""`` (no verb).

    Names (``^``) and words after a determiner stay: there "rose", "left" and "fears" are no verbs."""
    if word.startswith("^") or before in DETERMINERS or word in AUXILIARIES or not word.isalpha():
        return word, ""
    if word in IRREGULAR:
        return IRREGULAR[word], "past"
    if word in VERBS:
        return word, "base"
    if word.endswith("ed") and len(word) > 4 and _VOWELS & set(word[:-2]):
        return _without(word[:-2]), "past"
    if word.endswith("ing") and len(word) > 4:
        base = word[:-4] + "ie" if word in ("dying", "lying", "tying") else _without(word[:-3])
        return (base, "ing") if base in VERBS else (word, "")
    endings = (("ies", word[:-3] + "y"), ("s", word[:-1]), ("es", word[:-2]))
    return next(((base, "s") for end, base in endings if word.endswith(end) and base in VERBS), (word, ""))


def _without(stem: str) -> str:
    """The base of a stem that lost "ed" or "ing": hop-p, hop-e, carri-y."""
    doubled = stem[-1:] == stem[-2:-1]
    for base in (stem, stem + "e", stem[:-1] if doubled else stem):
        if base in VERBS:
            return base
    vowels = sum(letter in _VOWELS for letter in stem)
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if doubled and (stem[-1] not in "lsfz" or (stem[-1] == "l" and vowels > 1)):
        return stem[:-1]
    if stem.endswith(("ll", "ss")):
        return stem
    short = len(stem) > 1 and stem[-1] not in _VOWELS | set("wxy") and stem[-2] in _VOWELS and vowels == 1
    return stem + "e" if short or stem[-1] in "cgsvzu" else stem


def numerals(words: list[str]) -> list[str]:
    """Number words as digits, ordinals as ``#n``; "chapter three", "Chapter III", "the 3rd chapter" as
    ``chapter 3``. A number stays one word, and "two hundred" is 200."""
    out: list[str] = []
    tens = spelt = False  # may what follows be added to the last number, or multiply it?
    for word in chain.from_iterable(map(_split, words)):
        if digits := _ORDINAL.match(word):
            out.append(f"#{digits[1]}")
        elif spelt and word in _SIZES:
            out[-1] = str(int(out[-1]) * _SIZES[word])
        elif word not in NUMBERS:
            out.append(_roman(word, out[-1] if out else ""))
        elif tens and 0 < NUMBERS[word][1] < 10:
            out[-1] = f"{NUMBERS[word][0]}{int(out[-1]) + NUMBERS[word][1]}"
        else:
            out.append("".join(map(str, NUMBERS[word])))
        tens = word in NUMBERS and NUMBERS[word][1] >= 20 and out[-1].isdigit()
        spelt = (word in NUMBERS or word in _SIZES) and out[-1].isdigit()
    for i, word in enumerate(out[:-1]):
        if word.startswith("#") and out[i + 1] in _PARTS:
            out[i], out[i + 1] = out[i + 1], word[1:]
            if i and out[i - 1] == "a":
                out[i - 1] = "the"
    return [word.removeprefix("^") if word.removeprefix("^") in _PARTS else word for word in out]


def _split(word: str) -> list[str]:
    parts = word.removeprefix("^").split("-")
    return parts if len(parts) == 2 and all(part in NUMBERS for part in parts) else [word]


def _roman(word: str, before: str) -> str:
    """Digits for a Roman numeral after "chapter" and its like; any other word as it is."""
    numeral = word.removeprefix("^")
    follows = before.removeprefix("^").removesuffix("s") in _PARTS
    found = number(numeral) if follows and numeral not in ("c", "l") else None
    is_roman = found is not None and found[1] == "lower" and found[2] == len(numeral)
    return f"{found[0]:g}" if found is not None and is_roman else word


_LONGEST = 400  # characters; a longer text is a passage rather than a question, and keeps its wording
_END = re.compile(r"[\s.?!]+\Z")
_QUOTES = str.maketrans("’‘`“”„–—\N{MODIFIER LETTER APOSTROPHE}", "'''\"\"\"--'")
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[^\W\d_]+(?:['-][^\W_]+)*|\S")
_REWRITES = [(p.startswith(r"\A"), re.compile(p, re.IGNORECASE), new) for p, new in REWRITES]


@dataclass(frozen=True, slots=True)
class QuerySignature:
    """``asks`` is the question word, ``"polar"`` (yes or no) or ``"tell"`` (no question at all); ``verb`` the
    auxiliary's kind and tense; ``words`` all else, in order."""

    asks: str
    verb: tuple[str, str]
    words: tuple[str, ...]


_Clause = tuple[
    str, list[str], str, str
]  # what it asks, its words with "|" where the auxiliary stood, its verb


def normalised(query: str) -> str:
    """The query but for what never matters: case, spaces, kinds of quotes, the mark at its end."""
    return _plain(query).casefold()


def signature(query: str) -> QuerySignature:
    """Equal signatures: the same answer, whatever the story. Costs 0.1 to 0.4 ms."""
    text = _plain(query)
    if len(text) > _LONGEST:
        return QuerySignature("tell", ("", ""), (text,))
    asks, unfolded, kind, tense = _unfold(numerals(_tokens(_rewritten(text))))
    pairs = pairwise((*_negated(unfolded), ""))
    said = tuple(_synonym(word) for word, after in pairs if word not in ARTICLES or after in QUANTIFIERS)
    words = set(said)
    if kind == "do" and words & EVENTS and not words & (STATES | SUBORDINATORS):
        tense = ""  # a happening is told in the present too: "why does she leave", "why did she leave"
    return QuerySignature(asks, (kind, tense), said)


def _plain(query: str) -> str:
    text = unicodedata.normalize("NFKC", query).translate(_QUOTES)
    return _END.sub("", " ".join(text.split()))


def _rewritten(text: str) -> str:
    """A plain query in the wording that stands for all of its kind."""
    if text.isupper():
        text = text.lower()
    text = text[:1].lower() + text[1:]  # the first word may move inwards
    for starts, pattern, replacement in _REWRITES:
        if not starts or pattern.match(text):  # a search for a start would try every place
            text = pattern.sub(replacement, text, count=starts)
    return text


def _tokens(text: str) -> list[str]:
    """Tokens in small letters; names (a capital that no start of a sentence explains) marked with ``^``."""
    out: list[str] = []
    for token in _TOKEN.findall(text):
        stem, has = (token[:-2], True) if token[-2:].lower() == "'s" else (token, False)
        if token.endswith("'") and len(token) > 1:
            stem, has = token[:-1], True
        name = bool(out) and stem[:1].isupper() and out[-1] not in ".?!"
        if stem not in ('"', "'", "."):
            out.append(f"^{stem.casefold()}" if name and stem != "I" else stem.casefold())
        elif stem == "'" and out and out[-1].endswith("s"):  # Tobias' mother
            has = True
        if has:
            out.append("'s")
    return out


def _unfold(words: list[str]) -> _Clause:
    """Question word, auxiliary (removed, remembered) and the rest in the order of a statement."""
    asks, rest = (words[0], words[1:]) if words else ("", [])
    if asks in AUXILIARIES:
        return "polar", _inflected(rest), *AUXILIARIES[asks]
    if asks not in WH:
        return "tell", _inflected(words), "", ""
    at = _auxiliary(rest)
    if at is None:
        return asks, *_finite(rest, noun=asks in ("what", "which", "whose"))
    kind, tense = AUXILIARIES[rest[at]]
    before, after = rest[:at], _inflected(rest[at + 1 :])
    if kind == "have" and not any(word.endswith("~") or word == "been" for word in after):
        return asks, [*before, "have", *after], "do", tense  # "who had a key": the verb itself
    # "which ship" needs its end marked; "who the captain is" is asked within another question
    phrase = before and after and asks not in ("where", "when", "why")
    return asks, [*before, "|", *after] if phrase else [*before, *after], kind, tense


def _auxiliary(rest: list[str]) -> int | None:
    """Where the main clause's auxiliary is: the first, if no finite verb or new clause comes before."""
    for at, word in enumerate(rest):
        if word in AUXILIARIES:
            return at
        if word in SUBORDINATORS or (at == 0 and base_form(word, None)[1] in ("past", "s")):
            return None
    return None


def _inflected(words: list[str], before: str | None = None) -> list[str]:
    """Base forms, those of pasts marked ``~``; words in -s stay, since they may be plurals."""
    out = []
    for word in words:
        base, form = base_form(word, before)
        out.append(f"{base}~" if form == "past" else word if form in ("ing", "s") else base)
        before = word
    return out


def _finite(words: list[str], *, noun: bool) -> tuple[list[str], str, str]:
    """A clause without an auxiliary: its words, the first finite verb as its base, then "do" and that verb's
    tense. ``noun``: the first word may be one ("which guards died"), and is where a finite verb follows."""
    start = int(noun and any(base_form(word, "")[1] in ("past", "s") for word in words[1:3]))
    for at in range(start, len(words)):
        base, form = base_form(words[at], words[at - 1] if at > start else None)
        if form in ("past", "s", "base"):
            past = form == "past" or (form == "base" and base in UNCHANGED)
            head = [*words[:start], *_inflected(words[start:at])]
            return [*head, base, *_inflected(words[at + 1 :], words[at])], "do", "past" if past else "present"
    return [*words[:start], *_inflected(words[start:])], "do", ""


def _negated(words: list[str]) -> list[str]:
    """Makes "why did not X" and "why did X not" one; among several clauses "not" keeps its place."""
    at = words.index("not") if words.count("not") == 1 else len(words)
    moves = (
        at == 0 or words[at - 1] == "|" or VERBS & {word.removesuffix("~") for word in words[at + 1 : at + 2]}
    )
    several = (SUBORDINATORS | QUANTIFIERS) & set(words)
    return ["not", *words[:at], *words[at + 1 :]] if at < len(words) and moves and not several else words


def _synonym(word: str) -> str:
    base, mark = (word[:-1], "~") if word.endswith("~") else (word, "")
    if base.endswith("s") and base not in SYNONYMS and base[:-1] in SYNONYMS:
        return f"{SYNONYMS[base[:-1]]}s{mark}"
    return SYNONYMS.get(base, base) + mark
