"""The words that carry a predicate, as data: which verb or noun says what, and in which frame."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

__all__ = [
    "ADJECTIVES",
    "ARTEFACTS",
    "BELIEF_VERBS",
    "DISTINCT",
    "DREAM_WORDS",
    "FACT_GOVERNORS",
    "GIVE_UP",
    "GOAL_VERBS",
    "HUMAN_VERBS",
    "KIN",
    "LOCATIVE",
    "NEGATED_AS",
    "NEGATIVE_GOVERNORS",
    "OBJECT_CONTROL",
    "PLACE_NOUNS",
    "PLURAL_BONDS",
    "REACHED",
    "ROLE_NOUNS",
    "SAY_VERBS",
    "VERBS",
    "VerbRule",
]


@dataclass(frozen=True, slots=True)
class VerbRule:
    """``slot`` is where the other participant stands: ``dobj``, ``dative``, ``none`` or ``prep:with``.

    ``target`` is what may stand there: ``person``, ``place`` or ``thing``. ``confidence`` is that of the
    bare pattern, before pronouns and the like lower it.
    """

    predicate: str
    slot: str = "dobj"
    target: str = "person"
    confidence: float = 0.85


def _verbs() -> dict[str, tuple[VerbRule, ...]]:  # noqa: PLR0915 (a row a line)
    table: dict[str, tuple[VerbRule, ...]] = {}

    def add(lemmas: str, *rules: VerbRule) -> None:
        for lemma in lemmas.split():
            table[lemma] = table.get(lemma, ()) + rules

    add("kill murder slay assassinate behead strangle slaughter", VerbRule("KILLS", confidence=0.9))
    add("die perish", VerbRule("DIES", "none", confidence=0.9))
    add("attack stab assault ambush wound", VerbRule("ATTACKS", confidence=0.9))
    add("strike beat slap punch thrash shoot", VerbRule("ATTACKS", confidence=0.75))
    add("betray", VerbRule("BETRAYS", confidence=0.9))
    add("deceive trick dupe hoodwink swindle", VerbRule("DECEIVES", confidence=0.85))
    add("lie", VerbRule("DECEIVES", "prep:to", confidence=0.75))
    add("help aid assist", VerbRule("HELPS", confidence=0.8))
    add("save rescue", VerbRule("SAVES", confidence=0.85))
    add("forgive pardon", VerbRule("FORGIVES", confidence=0.85))
    add("marry wed", VerbRule("MARRIES", confidence=0.9))
    add("abandon desert forsake jilt", VerbRule("LEAVES", confidence=0.85))
    add("leave", VerbRule("LEAVES", confidence=0.5))
    add("fight", VerbRule("ATTACKS", confidence=0.7))
    add("drown poison execute", VerbRule("KILLS", confidence=0.75))
    add("protect defend", VerbRule("HELPS", confidence=0.75))
    add("dislike", VerbRule("HATES", confidence=0.6))
    add("obey", VerbRule("SERVES", confidence=0.6))
    add("visit", VerbRule("MEETS", confidence=0.75), VerbRule("LOCATED_AT", "dobj", "place", 0.75))
    add("meet encounter", VerbRule("MEETS", confidence=0.85))
    add("meet", VerbRule("MEETS", "prep:with", confidence=0.8))
    add("tell inform", VerbRule("TELLS", confidence=0.75), VerbRule("TELLS", "dative", confidence=0.75))
    add("say speak explain whisper reply talk mention write", VerbRule("TELLS", "prep:to", confidence=0.7))
    add("confess", VerbRule("TELLS", "prep:to", confidence=0.75))
    add("learn discover", VerbRule("LEARNS", "clause", confidence=0.75))
    add(
        "give hand lend bequeath",
        VerbRule("GIVES_TO", "dative"),
        VerbRule("GIVES_TO", "prep:to", confidence=0.75),
    )
    add("rob", VerbRule("STEALS_FROM"))
    add("steal", VerbRule("STEALS_FROM", "prep:from", confidence=0.9))
    add("love adore cherish", VerbRule("LOVES"))
    add("hate detest despise loathe abhor", VerbRule("HATES", confidence=0.9))
    add("trust", VerbRule("TRUSTS", confidence=0.9), VerbRule("TRUSTS", "prep:in"))
    add("confide", VerbRule("TRUSTS", "prep:in", confidence=0.75))
    add("distrust mistrust", VerbRule("DISTRUSTS", confidence=0.9))
    add("suspect", VerbRule("DISTRUSTS", confidence=0.6))
    add("fear dread", VerbRule("FEARS", confidence=0.8))
    add("serve", VerbRule("SERVES", confidence=0.7))
    add("work", VerbRule("SERVES", "prep:for", confidence=0.6))
    add("know", VerbRule("KNOWS", confidence=0.6))
    add("befriend", VerbRule("FRIEND_OF", confidence=0.9))
    add("ally side", VerbRule("ALLIES_WITH", "prep:with", confidence=0.85))
    add("own possess", VerbRule("OWNS", target="thing", confidence=0.85))
    add("live dwell reside", *(VerbRule("LIVES_IN", f"prep:{p}", "place", 0.85) for p in ("in", "at")))
    add("hail", VerbRule("COMES_FROM", "prep:from", "place", 0.9))
    add("come", VerbRule("COMES_FROM", "prep:from", "place", 0.5))
    to = tuple(VerbRule("LOCATED_AT", f"prep:{p}", "place", 0.85) for p in ("to", "into", "at", "in"))
    add("go come return travel ride walk run drive hurry sail journey hasten march flee", *to[:2])
    add("arrive stay remain stand sit wait lie land halt settle", *to[2:])
    add("reach enter", VerbRule("LOCATED_AT", "dobj", "place", 0.85))
    return table


VERBS: MappingProxyType[str, tuple[VerbRule, ...]] = MappingProxyType(_verbs())

# a negated bond that says the opposite one
NEGATED_AS: MappingProxyType[str, str] = MappingProxyType({"TRUSTS": "DISTRUSTS"})

# predicative adjectives (and nouns) with their preposition: "afraid of", "in love with"
ADJECTIVES: MappingProxyType[tuple[str, str], tuple[str, float]] = MappingProxyType(
    {
        ("love", "with"): ("LOVES", 0.9), ("fond", "of"): ("LOVES", 0.65), ("devoted", "to"): ("LOVES", 0.7),
        ("afraid", "of"): ("FEARS", 0.85), ("terrified", "of"): ("FEARS", 0.85),
        ("frightened", "of"): ("FEARS", 0.8),
        ("suspicious", "of"): ("DISTRUSTS", 0.8), ("loyal", "to"): ("SERVES", 0.7),
        ("acquainted", "with"): ("KNOWS", 0.85), ("married", "to"): ("MARRIED_TO", 0.9),
        ("allied", "with"): ("ALLIES_WITH", 0.9), ("introduced", "to"): ("MEETS", 0.85),
    }
)  # fmt: skip

# noun → predicate from its bearer to the other ("X, Y's brother": X SIBLING_OF Y)
KIN: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    dict.fromkeys("brother".split(), ("SIBLING_OF", "m"))
    | dict.fromkeys("sister".split(), ("SIBLING_OF", "f"))
    | dict.fromkeys("sibling twin".split(), ("SIBLING_OF", ""))
    | dict.fromkeys("father".split(), ("PARENT_OF", "m"))
    | dict.fromkeys("mother".split(), ("PARENT_OF", "f"))
    | dict.fromkeys("son".split(), ("CHILD_OF", "m"))
    | dict.fromkeys("daughter".split(), ("CHILD_OF", "f"))
    | dict.fromkeys("husband".split(), ("MARRIED_TO", "m"))
    | dict.fromkeys("wife".split(), ("MARRIED_TO", "f"))
    | dict.fromkeys(
        "uncle nephew grandfather grandson stepfather stepbrother stepson".split(), ("KIN_OF", "m")
    )
    | dict.fromkeys("aunt niece grandmother granddaughter stepmother stepsister".split(), ("KIN_OF", "f"))
    | dict.fromkeys("cousin kinsman relative relation".split(), ("KIN_OF", ""))
    | dict.fromkeys("friend companion confidant confidante".split(), ("FRIEND_OF", ""))
    | dict.fromkeys("enemy foe nemesis rival".split(), ("ENEMY_OF", ""))
    | dict.fromkeys("ally".split(), ("ALLIES_WITH", ""))
    | dict.fromkeys(
        "servant valet butler footman squire lackey maid housekeeper coachman".split(), ("SERVES", "")
    )
)

# "X and Y were brothers / friends / enemies"
PLURAL_BONDS: MappingProxyType[str, str] = MappingProxyType(
    {
        "brother": "SIBLING_OF", "sister": "SIBLING_OF", "sibling": "SIBLING_OF", "twin": "SIBLING_OF",
        "friend": "FRIEND_OF", "companion": "FRIEND_OF", "enemy": "ENEMY_OF", "foe": "ENEMY_OF",
        "rival": "ENEMY_OF", "ally": "ALLIES_WITH", "cousin": "KIN_OF", "relative": "KIN_OF",
    }
)  # fmt: skip

SAY_VERBS = frozenset(
    """say tell claim declare announce report assert swear insist maintain allege mention state
    write hear understand answer reply cry exclaim whisper ask wonder repeat add observe
    remark assure inform admit confess explain warn promise hint suggest propose imply""".split()
)
BELIEF_VERBS = frozenset(
    "think believe suppose suspect fear hope expect guess imagine doubt fancy conclude feel".split()
)
DREAM_WORDS = frozenset("dream imagine fancy pretend picture wish nightmare fantasy vision suppose".split())
NEGATIVE_GOVERNORS = frozenset(
    "fail refuse decline neglect forget avoid cease stop prevent forbear deny scorn".split()
)
FACT_GOVERNORS = frozenset(
    """begin start continue manage come go proceed help make let see watch hear feel keep know
    learn discover realize realise notice find remember regret recall remain sit stand
    run live dare happen get""".split()
)
OBJECT_CONTROL = frozenset(
    """ask order tell persuade force help let make see watch hear command beg urge invite allow
    permit advise entreat induce cause compel enable teach send leave find convince bid
    want feel notice""".split()
)
GOAL_VERBS: MappingProxyType[str, float] = MappingProxyType(
    dict.fromkeys("resolve decide determine vow swear plan intend undertake".split(), 0.85)
    | dict.fromkeys("want wish hope long seek aim yearn try endeavour endeavor strive".split(), 0.7)
)
GIVE_UP = frozenset("fail".split())
REACHED = frozenset("manage succeed contrive".split())

# only people do these (a vote that their subject is a character)
HUMAN_VERBS = frozenset(
    """say reply answer cry exclaim whisper ask think smile laugh nod sigh shrug frown wonder
    believe know tell speak talk murmur mutter shout remark observe add continue declare
    blush weep sob hesitate decide want wish hope remember forget admit agree insist
    promise return begin grin stare glance listen read write marry love hate walk sit
    rise bow feel look turn call""".split()
)

ROLE_NOUNS: MappingProxyType[str, str] = MappingProxyType(
    dict.fromkeys(
        "king prince wizard knight priest monk butler footman abbot emperor duke count baron sultan miller "
        "fisherman woodcutter huntsman landlord wolf lion fox bear stag cock crow ass".split(),
        "",
    )
    | dict.fromkeys("king prince monk emperor duke count baron sultan huntsman fisherman".split(), "m")
    | dict.fromkeys("queen princess witch countess duchess empress stepmother hen".split(), "f")
    | dict.fromkeys(
        "captain doctor general colonel inspector lawyer judge tailor shepherd farmer giant dragon dwarf "
        "stranger sorcerer cat dog mouse frog tortoise hare rabbit goose eagle raven sparrow spider ant "
        "grasshopper horse donkey monkey jackal tiger elephant magistrate merchant sailor thief "
        "thief robber beggar hermit minister governor professor stationmaster innkeeper blacksmith "
        "gardener".split(),
        "",
    )
)

PLACE_NOUNS = frozenset(
    """castle tower palace tavern inn village town city church chapel library kitchen garden
    forest cellar dungeon prison ship island harbour harbor cottage farm mill stable
    barn market school station hospital bridge cave abbey monastery temple fortress
    attic churchyard graveyard parlour parlor drawing-room courtyard throne-room
    ballroom lighthouse""".split()
)

ARTEFACTS = frozenset(
    """sword ring locket necklace key map dagger crown amulet watch pistol revolver rifle knife
    diary brooch bracelet lantern shield spear staff wand cloak chest chalice goblet
    mirror lamp harp flute violin compass medallion pendant sceptre scepter helmet axe
    musket""".split()
)

# what tells one such thing from another: "the silver locket" is a thing to remember, "his sword" is not
DISTINCT = frozenset(
    """silver golden gold iron bronze brass copper jade ivory emerald ruby diamond sapphire
    pearl amber crystal glass wooden leather velvet black white red blue green crimson
    scarlet purple yellow enchanted magic magical cursed ancient jewelled jeweled carved
    engraved poisoned royal""".split()
)

# prepositions that put somebody at a place when they hang on "be"
LOCATIVE = frozenset("in at inside".split())
