"""What grammar asks of a word: which verb carries which predicate, and in which frame; verbs of saying,
thinking, doing; nouns of bonds, places and made things."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from ..model.predicates import PREDICATES
from .tables import gender, lists, one_of, read_table, share, text, yes


@dataclass(frozen=True, slots=True)
class VerbRule:
    """``slot`` is where the other participant stands: ``dobj``, ``dative``, ``prep:with``, ``poss`` (who owns
    ``noun``), ``clause`` (a clause stands there) or ``none``.

    ``target`` is what may stand there: ``person``, ``place`` or ``thing``. ``confidence`` is that of the
    bare pattern, before pronouns and the like lower it. ``particle`` ("up" of "give up") and ``noun`` (the
    head of the object, "friends" of "make friends with") must stand there too. ``unable``: only of "could
    not", which then is a fact.
    """

    predicate: str
    slot: str = "dobj"
    target: str = "person"
    confidence: float = 0.85
    particle: str = ""
    noun: str = ""
    unable: bool = False

    @property
    def plain(self) -> bool:
        """Just a verb and a person as its object?"""
        return (
            self.slot == "dobj"
            and self.target == "person"
            and not (self.particle or self.noun or self.unable)
        )


def _slot(cell: str) -> str:
    fixed = one_of("slot", ("dobj", "dative", "poss", "clause", "none", "prep:…"))
    return text(cell) if cell.startswith("prep:") else str(fixed(cell))


_TABLE = read_table(
    "verb_rules.tsv",
    key=6,
    verb=text,
    slot=_slot,
    target=one_of("target", ("person", "place", "thing")),
    particle=text,
    noun=text,
    unable=yes,
    predicate=one_of("predicate", PREDICATES),
    confidence=share,
)


def _verbs() -> dict[str, tuple[VerbRule, ...]]:
    found: dict[str, tuple[VerbRule, ...]] = {}
    for verb, slot, target, particle, noun, unable, predicate, confidence in _TABLE.rows:
        rule = VerbRule(predicate, slot, target, confidence, particle or "", noun or "", bool(unable))
        found[verb] = (*found.get(verb, ()), rule)
    return found


VERBS: MappingProxyType[str, tuple[VerbRule, ...]] = MappingProxyType(_verbs())


_PREDICATE = one_of("predicate", PREDICATES)

NEGATED_AS: MappingProxyType[str, str] = MappingProxyType({"TRUSTS": "DISTRUSTS"})
"""A negated bond that says the opposite one."""

_ADJECTIVES = read_table(
    "adjectives.tsv", key=2, word=text, preposition=text, predicate=_PREDICATE, confidence=share
)
ADJECTIVES: MappingProxyType[tuple[str, str], tuple[str, float]] = MappingProxyType(
    {(word, behind): (predicate, sure) for word, behind, predicate, sure in _ADJECTIVES.rows}
)
"""Predicative adjectives (and nouns) with their preposition: "afraid of", "in love with"."""

IN_NOUNS = frozenset("love league service".split())
"""Nouns of ``ADJECTIVES``, which stand behind "in": "in the service of"."""


@dataclass(frozen=True, slots=True)
class RelationalNoun:
    """``predicate`` holds from the noun's bearer to the other ("X, Y's brother": X SIBLING_OF Y), or, where
    ``turned``, from the other to the bearer; ``ended``: the noun itself says that it is over."""

    predicate: str
    turned: bool
    gender: str
    ended: bool


_BONDS = read_table(
    "relational_nouns.tsv",
    noun=text,
    predicate=_PREDICATE,
    direction=one_of("direction", ("forth", "back")),
    gender=gender,
    ended=yes,
)
RELATIONAL: MappingProxyType[str, RelationalNoun] = MappingProxyType(
    {
        noun: RelationalNoun(predicate, way == "back", sex, bool(over))
        for noun, predicate, way, sex, over in _BONDS.rows
    }
)
"""Nouns that say what somebody is to somebody."""

KIN: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {noun: (row.predicate, row.gender) for noun, row in RELATIONAL.items()}
)
"""Noun → predicate, gender of its bearer."""

_VERB_LISTS = (
    *("answers_a_deed", "believes", "directs", "done", "dreams", "gives_up", "human", "light"),
    *("looked_up", "reaches", "says", "speaks_on", "undone"),
)
_VERBS = read_table(
    "verbs.tsv",
    verb=text,
    goal=share,
    lists=lists(*_VERB_LISTS),
)
_THINGS = read_table("thing_verbs.tsv", verb=text, lists=lists("eats", "restores", "uses"))
USING, RESTORING, EATING = (_THINGS.listed(name) for name in ("uses", "restores", "eats"))
ANSWERS_A_DEED = _VERBS.listed("answers_a_deed")
SAY_VERBS = _VERBS.listed("says")
BELIEF_VERBS = _VERBS.listed("believes")
DREAM_WORDS = _VERBS.listed("dreams")
NEGATIVE_GOVERNORS = _VERBS.listed("undone")
FACT_GOVERNORS = _VERBS.listed("done")
OBJECT_CONTROL = _VERBS.listed("directs")
GIVE_UP = _VERBS.listed("gives_up")
REACHED = _VERBS.listed("reaches")
HUMAN_VERBS = _VERBS.listed("human")
LIGHT_VERBS = _VERBS.listed("light")
GOES_ON_SPEAKING = _VERBS.listed("speaks_on")
GOAL_VERBS: MappingProxyType[str, float] = _VERBS.column("goal")

OTHER_VERBS = (
    SAY_VERBS
    | BELIEF_VERBS
    | NEGATIVE_GOVERNORS
    | FACT_GOVERNORS
    | OBJECT_CONTROL
    | GIVE_UP
    | REACHED
    | HUMAN_VERBS
    | frozenset(GOAL_VERBS)
    | _VERBS.listed("looked_up")
)
"""Verbs that carry no predicate but that some rule asks for by their lemma."""

_NOUNS = read_table(
    "nouns.tsv",
    word=text,
    lists=lists("artefact", "distinct", "of_the_body", "place", "place_with_a_word"),
)
PLACE_NOUNS = _NOUNS.listed("place")
COMPOUND_PLACES = _NOUNS.listed("place_with_a_word")
ARTEFACTS = _NOUNS.listed("artefact")
BODILY = _NOUNS.listed("of_the_body")
DISTINCT = _NOUNS.listed("distinct")

LOCATIVE = frozenset("in at inside".split())
"""Prepositions that put somebody at a place when they hang on "be"."""
