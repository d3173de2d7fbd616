"""The word tables behind query signatures, from ``words.toml``."""

from __future__ import annotations

from pathlib import Path

from ..files.toml import load_toml

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
RELATIONAL, QUANTIFIERS = map(_words, ("relational", "quantifiers"))
DATIVES, NOT_AGENTS = map(_words, ("datives", "not_agents"))
AGENTS: dict[str, str] = _TABLES["agents"]
INVERSES: dict[str, str] = _TABLES["inverses"]
IRREGULAR: dict[str, str] = {
    form: base
    for base, forms in (pair.split(":") for pair in _TABLES["irregular"].split())
    for form in forms.split(",")
}
VERBS = EVENTS | STATES | _words("verbs") | frozenset(IRREGULAR.values()) | UNCHANGED

SYNONYMS: dict[str, str] = {}
for _group in map(str.split, _TABLES["synonyms"].splitlines()):
    SYNONYMS.update(dict.fromkeys(_group, SYNONYMS.get(_group[0], _group[0])))

PHRASES: dict[tuple[str, ...], list[str]] = {
    tuple(left.split()): right.split()
    for left, right in (line.split(" = ") for line in _TABLES["phrases"].splitlines())
}
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
