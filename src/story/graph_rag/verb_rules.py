"""The verbs that carry a predicate, as data: which verb says what, and in which frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["VERBS", "VerbRule"]


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


# predicate, slot, confidence, verbs
_PERSONS = (
    ("KILLS", "dobj", 0.9, "kill murder slay assassinate behead strangle slaughter"),
    ("KILLS", "dobj", 0.75, "drown poison execute smother throttle"),
    ("DIES", "none", 0.9, "die perish expire"),
    ("ATTACKS", "dobj", 0.9, "attack stab assault ambush wound assail maim"),
    ("ATTACKS", "dobj", 0.75, "strike beat slap punch thrash shoot cudgel whip flog bludgeon club"),
    ("ATTACKS", "dobj", 0.65, "fight kick hit cuff pummel"),
    ("ATTACKS", "prep:at", 0.75, "fly spring rush"),
    ("BETRAYS", "dobj", 0.9, "betray"),
    ("BETRAYS", "dobj", 0.75, "denounce"),
    ("BETRAYS", "prep:on", 0.75, "inform"),
    ("DECEIVES", "dobj", 0.85, "deceive trick dupe hoodwink swindle cheat delude bamboozle mislead"),
    ("DECEIVES", "prep:to", 0.75, "lie"),
    ("HELPS", "dobj", 0.75, "help aid assist protect defend nurse succour succor shelter comfort"),
    ("SAVES", "dobj", 0.85, "save rescue"),
    ("FORGIVES", "dobj", 0.85, "forgive pardon absolve"),
    ("MARRIES", "dobj", 0.9, "marry wed"),
    ("LEAVES", "dobj", 0.85, "abandon desert forsake jilt"),
    ("LEAVES", "dobj", 0.5, "leave"),
    ("LEAVES", "prep:from", 0.6, "part flee"),
    ("MEETS", "dobj", 0.85, "meet encounter"),
    ("MEETS", "dobj", 0.75, "visit greet"),
    ("MEETS", "prep:with", 0.8, "meet dine"),
    ("MEETS", "prep:on", 0.65, "call"),
    ("TELLS", "dobj", 0.75, "tell inform warn assure remind"),
    ("TELLS", "dative", 0.75, "tell"),
    ("TELLS", "prep:to", 0.7, "say speak explain whisper reply talk mention write remark announce report"),
    ("TELLS", "prep:to", 0.75, "confess admit reveal disclose"),
    ("LEARNS", "clause", 0.75, "learn discover"),
    ("GIVES_TO", "dative", 0.85, "give hand lend bequeath"),
    ("GIVES_TO", "prep:to", 0.75, "give hand lend bequeath"),
    ("STEALS_FROM", "dobj", 0.85, "rob"),
    ("STEALS_FROM", "prep:from", 0.9, "steal"),
    ("STEALS_FROM", "prep:from", 0.6, "snatch"),
    ("LOVES", "dobj", 0.85, "love adore cherish idolize idolise"),
    ("LOVES", "dobj", 0.7, "worship"),
    ("LOVES", "prep:on", 0.7, "dote"),
    ("HATES", "dobj", 0.9, "hate detest despise loathe abhor"),
    ("HATES", "dobj", 0.65, "dislike resent scorn"),
    ("TRUSTS", "dobj", 0.9, "trust"),
    ("TRUSTS", "prep:in", 0.8, "trust confide believe"),
    ("TRUSTS", "prep:on", 0.6, "rely"),
    ("TRUSTS", "prep:upon", 0.6, "rely"),
    ("DISTRUSTS", "dobj", 0.9, "distrust mistrust"),
    ("DISTRUSTS", "dobj", 0.6, "suspect"),
    ("FEARS", "dobj", 0.8, "fear dread"),
    ("SERVES", "dobj", 0.7, "serve"),
    ("SERVES", "dobj", 0.6, "obey"),
    ("SERVES", "prep:for", 0.6, "work"),
    ("SERVES", "prep:under", 0.7, "serve"),
    ("KNOWS", "dobj", 0.6, "know"),
    ("FRIEND_OF", "dobj", 0.8, "befriend"),
    ("ALLIES_WITH", "prep:with", 0.85, "ally side conspire"),
)

# predicate, slot, confidence, particle, verbs
_PHRASAL = (
    ("DIES", "none", 0.85, "away", "pass"),
    ("BETRAYS", "dobj", 0.8, "down", "let"),
    ("BETRAYS", "dobj", 0.8, "out", "sell"),
    ("BETRAYS", "dobj", 0.7, "in", "turn"),
    ("ATTACKS", "dobj", 0.85, "down", "strike knock"),
    ("GIVES_TO", "prep:to", 0.75, "over", "hand give"),
    ("GIVES_TO", "prep:to", 0.75, "back", "hand give"),
    ("HELPS", "dobj", 0.7, "out", "help"),
    ("MEETS", "prep:with", 0.75, "up", "meet"),
    ("LEARNS", "clause", 0.75, "out", "find"),
)

# predicate, slot, confidence, noun, verbs
_NOUNS = (
    ("DIES", "none", 0.8, "breath", "breathe draw"),
    ("DIES", "none", 0.8, "last", "breathe"),
    ("DIES", "none", 0.8, "life", "lose"),
    ("DIES", "none", 0.75, "death", "fall meet find"),
    ("SAVES", "poss", 0.9, "life", "save"),
    ("KILLS", "poss", 0.8, "life", "take"),
    ("HELPS", "prep:of", 0.75, "care", "take"),
    ("HELPS", "poss", 0.65, "wound", "dress bind tend"),
    ("FRIEND_OF", "prep:with", 0.8, "friend", "make become"),
    ("FORGIVES", "prep:with", 0.7, "peace", "make"),
    ("LOVES", "prep:with", 0.85, "love", "fall"),
    ("TRUSTS", "prep:in", 0.75, "faith", "have put"),
    ("TRUSTS", "prep:in", 0.75, "trust", "put place"),
    ("TRUSTS", "prep:in", 0.75, "confidence", "have place"),
    ("ATTACKS", "prep:to", 0.7, "violence", "do"),
    ("ALLIES_WITH", "prep:with", 0.75, "side", "take"),
    ("ALLIES_WITH", "prep:with", 0.75, "force", "join"),
    ("ALLIES_WITH", "prep:with", 0.75, "alliance", "make form"),
    ("SERVES", "prep:for", 0.7, "house", "keep"),
    ("MEETS", "poss", 0.6, "acquaintance", "make"),
)

_GOING = (
    "go come return travel ride walk run drive hurry sail journey hasten march flee rush stride climb creep "
    "wander escape move row fly stroll hobble gallop trudge limp"
)
_STAYING = (
    "arrive stay remain stand sit wait lie land halt settle lodge linger sleep alight camp kneel breakfast "
    "dine sup"
)


def _placed() -> Iterator[tuple[str, VerbRule]]:
    """Verbs of being, coming and living somewhere, and of having something."""
    for lemma in _GOING.split():
        for preposition in ("to", "into"):
            yield lemma, VerbRule("LOCATED_AT", f"prep:{preposition}", "place", 0.85)
    for lemma in _STAYING.split():
        for preposition in ("at", "in"):
            yield lemma, VerbRule("LOCATED_AT", f"prep:{preposition}", "place", 0.85)
    for lemma in ("reach", "enter"):
        yield lemma, VerbRule("LOCATED_AT", "dobj", "place", 0.85)
    yield "visit", VerbRule("LOCATED_AT", "dobj", "place", 0.75)
    for lemma in ("live", "dwell", "reside"):
        for preposition in ("in", "at", "above", "near"):
            yield lemma, VerbRule("LIVES_IN", f"prep:{preposition}", "place", 0.85)
    yield "inhabit", VerbRule("LIVES_IN", "dobj", "place", 0.8)
    yield "hail", VerbRule("COMES_FROM", "prep:from", "place", 0.9)
    yield "come", VerbRule("COMES_FROM", "prep:from", "place", 0.5)
    for lemma in ("own", "possess"):
        yield lemma, VerbRule("OWNS", target="thing", confidence=0.85)


def _verbs() -> dict[str, tuple[VerbRule, ...]]:
    table: dict[str, tuple[VerbRule, ...]] = {}

    def add(lemma: str, rule: VerbRule) -> None:
        table[lemma] = (*table.get(lemma, ()), rule)

    for predicate, slot, sure, lemmas in _PERSONS:
        for lemma in lemmas.split():
            add(lemma, VerbRule(predicate, slot, confidence=sure))
    for lemma, rule in _placed():
        add(lemma, rule)
    for predicate, slot, sure, particle, lemmas in _PHRASAL:
        for lemma in lemmas.split():
            add(lemma, VerbRule(predicate, slot, confidence=sure, particle=particle))
    for predicate, slot, sure, noun, lemmas in _NOUNS:
        for lemma in lemmas.split():
            add(lemma, VerbRule(predicate, slot, confidence=sure, noun=noun))
    for lemma in ("stand", "bear", "abide", "endure"):
        add(lemma, VerbRule("HATES", confidence=0.75, unable=True))
    return table


VERBS: MappingProxyType[str, tuple[VerbRule, ...]] = MappingProxyType(_verbs())
