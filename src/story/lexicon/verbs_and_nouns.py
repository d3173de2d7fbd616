"""What grammar asks of a word: which verb carries which predicate, and in which frame; verbs of saying,
thinking, doing; nouns of bonds, places and made things.

The parser's small model takes "hated" for "hat" and "lied" for "ly"; a verb so misread would never be looked
up. The forms of a closed list of verbs are few enough to be written out: regular ones by rule, the others by
table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from ..model.predicates import PREDICATES
from ..model.types import gathered
from ..tables import gender, lists, one_of, read_table, several, share, text, yes


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


_RULES = gathered(
    (verb, VerbRule(predicate, slot, target, confidence, particle or "", noun or "", bool(unable)))
    for verb, slot, target, particle, noun, unable, predicate, confidence in _TABLE.rows
)
VERBS: MappingProxyType[str, tuple[VerbRule, ...]] = MappingProxyType(
    {verb: tuple(rules) for verb, rules in _RULES.items()}
)


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

_KIN_OF_KIN = read_table(
    "kin_of_kin.tsv", key=2, first=_PREDICATE, second=_PREDICATE, predicate=_PREDICATE, direction=text
)
KIN_OF_KIN = {(one, two): (told, way == "back") for one, two, told, way in _KIN_OF_KIN.rows}

_VERB_LISTS = (
    *("believes", "directs", "done", "dreams", "gives_up", "human", "light"),
    *("looked_up", "reaches", "says", "speaks_on", "undone"),
)
_VERBS = read_table("verbs.tsv", verb=text, goal=share, lists=lists(*_VERB_LISTS))
_THINGS = read_table("thing_verbs.tsv", verb=text, lists=lists("eats", "restores", "uses"))
USING, RESTORING, EATING = (_THINGS.listed(name) for name in ("uses", "restores", "eats"))
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

OTHER_VERBS = frozenset(row[0] for row in _VERBS.rows)
"""Verbs that carry no predicate but that some rule asks for by their lemma."""

_NOUNS = read_table(
    "nouns.tsv", word=text, lists=lists("artefact", "distinct", "of_the_body", "place", "place_with_a_word")
)
PLACE_NOUNS = _NOUNS.listed("place")
COMPOUND_PLACES = _NOUNS.listed("place_with_a_word")
ARTEFACTS = _NOUNS.listed("artefact")
BODILY = _NOUNS.listed("of_the_body")
DISTINCT = _NOUNS.listed("distinct")

LOCATIVE = frozenset("in at inside".split())
"""Prepositions that put somebody at a place when they hang on "be"."""


_IRREGULAR: MappingProxyType[str, tuple[str, ...]] = read_table(
    "irregular_verbs.tsv", verb=text, forms=several(text)
).column("forms")
_VOWELS = "aeiou"
_STRESSED_END = frozenset(
    """admit permit abhor regret prefer refer forget begin compel rebel propel commit befit submit
    outwit""".split()
)


def forms_of(lemma: str) -> frozenset[str]:
    """Every inflected form of a verb, the lemma among them; British and American spellings both."""
    return frozenset({lemma, *_third(lemma), *_participles(lemma), *_pasts(lemma)})


def base_form(form: str) -> str:
    """The verb of an irregular form in lower case ("hid" is "hide"), whatever part of speech it stands for;
    the form itself where it is none. Where two verbs share it ("lay") the first of the alphabet."""
    return _bases().get(form, form)


@lru_cache(maxsize=1)
def _bases() -> dict[str, str]:
    return {form: lemma for lemma in sorted(_IRREGULAR, reverse=True) for form in _IRREGULAR[lemma]}


def verb_lemma(form: str, guess: str) -> str:
    """The lexicon's verb that ``form`` (lower case) belongs to; ``guess`` where it belongs to none, or to
    more than one of which ``guess`` is one. Costs a look-up."""
    verbs = _table().get(form)
    if verbs is None or guess in verbs:
        return guess
    return verbs[0]


def _third(lemma: str) -> Iterable[str]:
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return (lemma[:-1] + "ies",)
    return (lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s"),)


def _participles(lemma: str) -> Iterable[str]:
    if lemma.endswith("ie"):
        return (lemma[:-2] + "ying",)
    return (stem + "ing" for stem in _stems(lemma))


def _pasts(lemma: str) -> Iterable[str]:
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma]
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return (lemma[:-1] + "ied",)
    if lemma.endswith(("ie", "ee", "ye", "oe")):
        return (lemma + "d",)
    return (stem + "ed" for stem in _stems(lemma))


def _stems(lemma: str) -> tuple[str, ...]:
    """What "ed" and "ing" are put to: without a mute e, the last consonant doubled where it is stressed."""
    if lemma.endswith("e") and not lemma.endswith(("ee", "ye", "oe")):
        return (lemma[:-1],)
    closed = (
        len(lemma) > 2
        and lemma[-1] not in _VOWELS + "wxy"
        and lemma[-2] in _VOWELS
        and (lemma[-3] not in _VOWELS or (lemma[-3:-1] == "ui" and lemma[-4:-3] == "q"))
    )
    if not closed:
        return (lemma,)
    if sum(letter in _VOWELS for letter in lemma) == 1 or lemma in _STRESSED_END:
        return (lemma + lemma[-1],)
    return (lemma, lemma + lemma[-1]) if lemma[-1] in "lp" else (lemma,)


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, ...]]:
    """form → the lexicon's verbs that have it, sorted; verbs that carry a predicate before the others."""
    carrying = set(VERBS)
    verbs = sorted(carrying | OTHER_VERBS, key=lambda verb: (verb not in carrying, verb))
    table = gathered((form, verb) for verb in verbs for form in forms_of(verb))
    return {form: tuple(verbs) for form, verbs in table.items()}
