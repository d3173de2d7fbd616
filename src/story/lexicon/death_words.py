"""Words that tell a death, and words beside which they do not: data for ``deaths``.

Numbers are how surely a word says so, 0 to 1.
"""

from __future__ import annotations

from types import MappingProxyType

from .tables import lists, read_table, share, text

__all__ = [
    "AFTER",
    "ALMOST",
    "BODY",
    "BURIED_IN",
    "CARRYING_OFF",
    "DEAD_AS",
    "DONE_TO_BODIES",
    "DYING",
    "ENDING",
    "END_NOUNS",
    "FATAL",
    "FATAL_WOUNDS",
    "FEELINGS",
    "FIGURES",
    "GRAVES",
    "KILLING",
    "LEFT",
    "LIVING",
    "NAMED",
    "NOT_QUITE",
    "ONLY_LIKE",
    "OWN",
    "SEEN",
    "SO",
    "TO_DEATH",
    "VOUCHED",
]

_LISTS = (
    *("body", "buried_in", "carries_off", "dead_as", "done_to_a_body", "done_to_oneself", "fatal"),
    *("fatal_wound", "feeling", "figure", "grave", "nearly", "not_quite", "only_like", "seen", "so"),
    *("to_death", "vouched"),
)
_TABLE = read_table(
    "death_words.tsv",
    word=text,
    dies=share,
    kills=share,
    leaves=share,
    lists=lists(*_LISTS),
)
_PHRASES = read_table("death_phrases.tsv", key=2, verb=text, noun=text, confidence=share)

DYING: MappingProxyType[str, float] = _TABLE.column("dies")
KILLING: MappingProxyType[str, float] = _TABLE.column("kills")
LEFT: MappingProxyType[str, float] = _TABLE.column("leaves")
END_NOUNS: MappingProxyType[tuple[str, str], float] = MappingProxyType(
    {(verb, noun): sure for verb, noun, sure in _PHRASES.rows}
)
NAMED: MappingProxyType[str, float] = MappingProxyType({"late": 0.75})
ENDING = _TABLE.listed("done_to_oneself")
TO_DEATH = _TABLE.listed("to_death")
DEAD_AS = _TABLE.listed("dead_as")
NOT_QUITE = _TABLE.listed("not_quite")
ALMOST = _TABLE.listed("nearly")
ONLY_LIKE = _TABLE.listed("only_like")
FIGURES = _TABLE.listed("figure")
FEELINGS = _TABLE.listed("feeling")
BODY = _TABLE.listed("body")
DONE_TO_BODIES = _TABLE.listed("done_to_a_body")
SEEN = _TABLE.listed("seen")
SO = _TABLE.listed("so")
VOUCHED = _TABLE.listed("vouched")
GRAVES = _TABLE.listed("grave")
BURIED_IN = _TABLE.listed("buried_in")
FATAL = _TABLE.listed("fatal")
FATAL_WOUNDS = _TABLE.listed("fatal_wound")
CARRYING_OFF = _TABLE.listed("carries_off")
AFTER = frozenset("after since following".split())
OWN = frozenset("his her their its own my".split())
LIVING = frozenset({"alive"})
