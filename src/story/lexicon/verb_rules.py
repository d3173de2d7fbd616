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


# predicate, slot, confidence, verbs; behind each group its classes in Levin (1993), "English Verb Classes
# and Alternations", from which the members that hold between people were chosen by hand
_PERSONS = (
    # 42 killing, 48.2 disappearance
    ("KILLS", "dobj", 0.9, "kill murder slay assassinate behead strangle slaughter"),
    ("KILLS", "dobj", 0.75, "drown poison execute smother throttle devour"),
    ("DIES", "none", 0.9, "die perish expire"),
    # 18 contact by impact, 19 poke, 43 violence of mouth and claw
    ("ATTACKS", "dobj", 0.9, "attack stab assault ambush wound assail maim"),
    (
        "ATTACKS",
        "dobj",
        0.75,
        "strike beat slap punch thrash shoot cudgel whip flog bludgeon club fell batter",
    ),
    ("ATTACKS", "dobj", 0.75, "horsewhip throttle floor lash cane scourge buffet"),
    ("ATTACKS", "prep:upon", 0.7, "set fall"),
    (
        "ATTACKS",
        "dobj",
        0.75,
        "clobber clout garrotte lacerate mangle pelt pistol pummel scald waylay wallop",
    ),
    ("ATTACKS", "dobj", 0.75, "bite maul claw gore butt"),
    ("ATTACKS", "dobj", 0.65, "fight kick hit cuff pummel scratch"),
    ("ATTACKS", "prep:at", 0.75, "fly spring rush snap"),
    ("ATTACKS", "prep:on", 0.75, "spring"),
    ("ATTACKS", "prep:upon", 0.75, "spring"),
    ("BETRAYS", "dobj", 0.9, "betray"),
    ("BETRAYS", "dobj", 0.75, "denounce"),
    ("BETRAYS", "prep:on", 0.75, "inform"),
    # 10.6 cheat, 29 deception
    ("DECEIVES", "dobj", 0.85, "deceive trick dupe hoodwink swindle cheat delude bamboozle mislead outwit"),
    ("DECEIVES", "prep:to", 0.75, "lie"),
    # 31.1 amuse (of harm), 33 judgment (of penalties), 10.5 banish
    ("HARMS", "dobj", 0.8, "persecute torment torture oppress harass ruin injure harm wrong bully punish"),
    ("HARMS", "dobj", 0.8, "imprison arrest capture banish expel enslave frame blackmail"),
    ("HARMS", "dobj", 0.65, "plague annoy provoke hurt tease terrify trap snare ensnare chase hunt"),
    # 72 help
    ("HELPS", "dobj", 0.75, "help aid assist protect defend nurse succour succor shelter comfort"),
    ("HELPS", "dobj", 0.7, "console soothe support encourage feed shield guard cure heal tend"),
    ("SAVES", "dobj", 0.85, "save rescue"),
    ("SAVES", "dobj", 0.75, "free release liberate ransom"),
    ("FORGIVES", "dobj", 0.85, "forgive pardon absolve"),
    # 36.2 marry
    ("MARRIES", "dobj", 0.9, "marry wed"),
    ("EMBRACES", "dobj", 0.8, "kiss embrace hug caress fondle"),
    # 51.2 leave
    ("LEAVES", "dobj", 0.85, "abandon desert forsake jilt"),
    ("LEAVES", "dobj", 0.5, "leave"),
    ("LEAVES", "prep:from", 0.6, "part flee"),
    ("REJECTS", "dobj", 0.75, "reject spurn repulse rebuff snub shun"),
    # 36.3 meet
    ("MEETS", "dobj", 0.85, "meet encounter"),
    ("MEETS", "dobj", 0.75, "visit greet"),
    ("MEETS", "prep:with", 0.8, "meet dine"),
    ("MEETS", "prep:on", 0.65, "call"),
    # 37 communication
    ("TELLS", "dobj", 0.75, "tell inform warn assure remind"),
    ("TELLS", "dative", 0.75, "tell"),
    ("TELLS", "prep:to", 0.7, "say speak explain whisper reply talk mention write remark announce report"),
    ("TELLS", "prep:to", 0.75, "confess admit reveal disclose"),
    ("LEARNS", "clause", 0.75, "learn discover"),
    ("THREATENS", "dobj", 0.85, "threaten menace"),
    # 33 judgment, 37.8 complain, 36.1 correspond
    ("PRAISES", "dobj", 0.8, "praise thank compliment congratulate applaud commend flatter"),
    ("PRAISES", "dobj", 0.65, "bless toast"),
    ("INSULTS", "dobj", 0.85, "insult scold rebuke reproach mock taunt ridicule upbraid chide berate revile"),
    ("INSULTS", "dobj", 0.7, "abuse curse censure deride slander accuse reprimand humiliate offend blame"),
    ("INSULTS", "prep:at", 0.65, "swear"),
    ("QUARRELS_WITH", "prep:with", 0.8, "quarrel argue squabble bicker wrangle"),
    # 13.1 give, 10.5 steal
    ("GIVES_TO", "dative", 0.85, "give hand lend bequeath"),
    ("GIVES_TO", "prep:to", 0.75, "give hand lend bequeath"),
    ("STEALS_FROM", "dobj", 0.85, "rob"),
    ("STEALS_FROM", "prep:from", 0.9, "steal"),
    ("STEALS_FROM", "prep:from", 0.6, "snatch"),
    # 31.2 admire
    ("LOVES", "dobj", 0.85, "love adore cherish idolize idolise"),
    ("LOVES", "dobj", 0.7, "worship"),
    ("LOVES", "prep:on", 0.7, "dote"),
    ("ADMIRES", "dobj", 0.8, "admire esteem respect revere venerate"),
    ("ADMIRES", "dobj", 0.65, "honour honor like"),
    ("HATES", "dobj", 0.9, "hate detest despise loathe abhor"),
    ("HATES", "dobj", 0.65, "dislike scorn disdain"),
    ("RESENTS", "dobj", 0.75, "resent envy"),
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
    ("LOVES", "prep:for", 0.75, "affection", "have feel"),
    ("LOVES", "prep:for", 0.75, "love", "have feel"),
    ("LOVES", "prep:for", 0.7, "passion", "have feel conceive"),
    ("ADMIRES", "prep:for", 0.75, "admiration", "have feel"),
    ("ADMIRES", "prep:for", 0.75, "respect", "have feel"),
    ("ADMIRES", "prep:for", 0.7, "regard", "have feel"),
    ("ADMIRES", "prep:to", 0.7, "fancy", "take"),
    ("ADMIRES", "prep:to", 0.7, "liking", "take"),
    ("HATES", "prep:to", 0.75, "dislike", "take"),
    ("HATES", "prep:for", 0.75, "dislike", "have feel"),
    ("HATES", "prep:for", 0.75, "hatred", "have feel"),
    ("HATES", "prep:for", 0.7, "contempt", "have feel"),
    ("RESENTS", "prep:against", 0.75, "grudge", "bear have"),
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
