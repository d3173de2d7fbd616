"""Words for things that last and can be told apart, and verbs for what is done with them."""

from __future__ import annotations

from types import MappingProxyType

from .tables import lists, one_of, read_table, share, text

__all__ = [
    "AT_HAND",
    "AWAY",
    "CLOTHING",
    "DESTROYED_IN",
    "FRESH",
    "GENERIC",
    "KEEPSAKES",
    "LOST_IN",
    "PARTICLES",
    "RUBBISH",
    "STREAMS",
    "THIEVES",
    "THINGS",
    "THROWING",
    "UNTOUCHED",
    "USED_WITH",
    "VERBS",
    "VESSELS",
    "WORN",
]

_ACT = one_of("act", ("breaks", "destroys", "gives", "lends", "loses", "regains", "sells", "steals", "uses"))
_LISTS = (
    *("clothing", "fire", "fresh", "generic", "keepsake", "rubbish", "stream", "thief", "thing", "vessel"),
    "water",
)
_WORDS = read_table("object_words.tsv", word=text, lists=lists(*_LISTS))
_VERBS = read_table(
    "object_verbs.tsv",
    verb=text,
    act=_ACT,
    confidence=share,
    lists=lists("at_hand", "throws", "untouched", "worn"),
)
_PARTICLES = read_table("object_particles.tsv", key=2, verb=text, particle=text, act=_ACT, confidence=share)
_PREPOSITIONS = read_table("object_prepositions.tsv", key=2, verb=text, preposition=text)

KEEPSAKES = _WORDS.listed("keepsake")
THINGS = KEEPSAKES | _WORDS.listed("thing")
VESSELS = _WORDS.listed("vessel")
GENERIC = _WORDS.listed("generic")
FRESH = _WORDS.listed("fresh")
DESTROYED_IN = _WORDS.listed("fire")
LOST_IN = _WORDS.listed("water")
STREAMS = _WORDS.listed("stream")
RUBBISH = _WORDS.listed("rubbish")
THIEVES = _WORDS.listed("thief")
CLOTHING = _WORDS.listed("clothing")
AWAY = frozenset("overboard away".split())

VERBS: MappingProxyType[str, tuple[str, float]] = MappingProxyType(
    {verb: (act, sure) for verb, act, sure, _ in _VERBS.rows if act}
)
"""Verb → what is done, and how surely it says so of a thing that is its object."""

AT_HAND = _VERBS.listed("at_hand")
UNTOUCHED = _VERBS.listed("untouched")
THROWING = _VERBS.listed("throws")
WORN = _VERBS.listed("worn")
PARTICLES: MappingProxyType[tuple[str, str], tuple[str, float]] = MappingProxyType(
    {(verb, particle): (act, sure) for verb, particle, act, sure in _PARTICLES.rows}
)
"""With these particles the verb says something else."""

USED_WITH = frozenset(_PREPOSITIONS.rows)
"""Verb and preposition behind which a thing is used: "looked at his watch"."""
