"""The words that readers go by, each set with the table in ``data`` that it comes from: deaths, frames of
facts, nouns for persons, short forms of names, the stage, looks and trades."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ..model.aspects import ASPECTS
from ..model.types import gathered
from ..tables import gender, lists, one_of, read_table, several, text

_DEATH = read_table("death_words.tsv", word=text, lists=lists("nearly", "not_quite", "only_like"))

NOT_QUITE = _DEATH.listed("not_quite")
ALMOST = _DEATH.listed("nearly")
ONLY_LIKE = _DEATH.listed("only_like")


_FRAME_NAMES = (
    *("allergic", "body", "coloured", "counted", "died", "does", "hand", "homed"),
    *("housed", "is", "late", "list", "mark", "meat", "placed", "skill", "there", "thing"),
)
_FRAME = read_table(
    "fact_frames.tsv",
    key=2,
    word=text,
    frame=one_of("frame", _FRAME_NAMES),
    aspect=one_of("aspect", ASPECTS),
    value=text,
)
Row = tuple[str, str, str, str]
_ROWS: list[Row] = [(word, frame, aspect or "-", value or "-") for word, frame, aspect, value in _FRAME.rows]
_BY_WORD = gathered((row[0], row) for row in _ROWS if row[1] != "list")

FRAMES: Mapping[str, tuple[Row, ...]] = MappingProxyType({word: tuple(of) for word, of in _BY_WORD.items()})
"""Word or lemma → its rows: word, frame, aspect, value."""


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a list that a frame asks for: rows of the frame ``list``, or of the frame of that name."""
    return frozenset(
        row[0] for row in _ROWS if name == row[1] or (row[1] == "list" and name in row[3].split())
    )


_PERSON = read_table(
    "person_nouns.tsv", noun=text, person=gender, role=gender, lists=lists("animal", "calling")
)

PERSON_NOUNS: MappingProxyType[str, str] = _PERSON.column("person")
"""Noun, lower case and singular → ``"m"``, ``"f"``, or ``""`` where it tells none."""

ROLE_NOUNS: MappingProxyType[str, str] = _PERSON.column("role")
"""The same of nouns that stand for somebody by themselves: "the king", "the wolf"."""

ANIMALS = _PERSON.listed("animal")
CALLINGS = _PERSON.listed("calling")


_SHORT = read_table(
    "short_forms.tsv", key=2, short=text, language=one_of("language", ("en", "ru")), full_names=several(text)
)


_FULL = gathered((short, full) for short, _, fulls in _SHORT.rows for full in fulls)
SHORT_FORMS: MappingProxyType[str, frozenset[str]] = MappingProxyType(
    {short: frozenset(full) for short, full in _FULL.items()}
)
"""Short form → the full names it may stand for, lower case."""


def full_forms(name: str) -> frozenset[str]:
    """The full names that ``name`` (lower case) may stand for, itself always among them."""
    return SHORT_FORMS.get(name, frozenset()) | {name}


_STAGE_LISTS = (*("body", "distant", "near", "speaks", "tags", "thinks"),)
_STAGE = read_table("stage_words.tsv", word=text, lists=lists(*_STAGE_LISTS))

SPEAKING = _STAGE.listed("speaks")
SAYING = _STAGE.listed("tags")
THINKING = _STAGE.listed("thinks")
DISTANT = _STAGE.listed("distant")
NEAR = _STAGE.listed("near")
BODY = _STAGE.listed("body")

# said, looked, given, gone to somebody
FACING = frozenset("to at upon on towards toward into against".split())
TOGETHER = frozenset("with along".split())


_COLOURS = read_table("colours.tsv", word=text, eyes=text, hair=text, thing=text)
EYE_COLOURS: MappingProxyType[str, str] = _COLOURS.column("eyes")
"""Word → family. ``dark`` and ``light`` tell less than a colour and agree with much."""

HAIR_COLOURS: MappingProxyType[str, str] = _COLOURS.column("hair")

_TRAIT = read_table("trait_words.tsv", word=text, aspect=text, value=text, lists=lists("build"))
BUILDS: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {word: (aspect, value) for word, aspect, value, listed in _TRAIT.rows if "build" in listed}
)
"""Word → aspect (height, build) and value."""

HANDS: MappingProxyType[str, str] = MappingProxyType({"left": "left", "right": "right"})
TRADES: MappingProxyType[str, str] = read_table("trades.tsv", trade=text, field=text).column("field")
"""Trade → field. Within a field words vary for the same trade."""

CLAUSE_WORDS = read_table(
    "clause_words.tsv",
    word=text,
    lists=lists(
        *("aimed", "dangling", "fact_noun", "factive", "fiction", "honorific", "implicative", "no_role"),
        *(
            "not_given",
            "often",
            "opens_phrase",
            "opens_sentence",
            "opinion_noun",
            "own_act",
            "own_part",
            "pronoun",
        ),
        *("reaction", "report_noun", "stative", "stirred", "stirs", "taught", "towards", "willing"),
    ),
)
"""What a word makes of its clause: lists of verbs, nouns and adjectives, named in the file."""
