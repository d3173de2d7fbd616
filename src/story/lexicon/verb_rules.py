"""The verbs that carry a predicate: which verb says what, and in which frame."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from ..model.predicates import PREDICATES
from .tables import one_of, read_table, share, text, yes


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
