"""The words that carry a predicate, as data: which verb or noun says what, and in which frame."""

from __future__ import annotations

from types import MappingProxyType

__all__ = [
    "ADJECTIVES",
    "ARTEFACTS",
    "BELIEF_VERBS",
    "BODILY",
    "COMPOUND_PLACES",
    "DISTINCT",
    "DREAM_WORDS",
    "FACT_GOVERNORS",
    "GIVE_UP",
    "GOAL_VERBS",
    "HUMAN_VERBS",
    "IN_NOUNS",
    "KIN",
    "LOCATIVE",
    "NEGATED_AS",
    "NEGATIVE_GOVERNORS",
    "OBJECT_CONTROL",
    "OTHER_VERBS",
    "PLACE_NOUNS",
    "PLURAL_BONDS",
    "REACHED",
    "ROLE_NOUNS",
    "SAY_VERBS",
]


# a negated bond that says the opposite one
NEGATED_AS: MappingProxyType[str, str] = MappingProxyType({"TRUSTS": "DISTRUSTS"})

# predicative adjectives (and nouns) with their preposition: "afraid of", "in love with"
ADJECTIVES: MappingProxyType[tuple[str, str], tuple[str, float]] = MappingProxyType(
    {
        ("love", "with"): ("LOVES", 0.9), ("fond", "of"): ("LOVES", 0.65),
        ("fonder", "of"): ("LOVES", 0.65), ("fondest", "of"): ("LOVES", 0.65),
        ("besotted", "with"): ("LOVES", 0.75), ("smitten", "with"): ("LOVES", 0.75),
        ("bitter", "against"): ("HATES", 0.7), ("mistrustful", "of"): ("DISTRUSTS", 0.85),
        ("inimical", "to"): ("ENEMY_OF", 0.7), ("devoted", "to"): ("LOVES", 0.7),
        ("enamoured", "of"): ("LOVES", 0.8), ("enamored", "of"): ("LOVES", 0.8),
        ("infatuated", "with"): ("LOVES", 0.8), ("attached", "to"): ("LOVES", 0.6),
        ("afraid", "of"): ("FEARS", 0.85), ("terrified", "of"): ("FEARS", 0.85),
        ("frightened", "of"): ("FEARS", 0.8), ("scared", "of"): ("FEARS", 0.8),
        ("suspicious", "of"): ("DISTRUSTS", 0.8), ("distrustful", "of"): ("DISTRUSTS", 0.85),
        ("loyal", "to"): ("SERVES", 0.7), ("faithful", "to"): ("SERVES", 0.6),
        ("acquainted", "with"): ("KNOWS", 0.85), ("married", "to"): ("MARRIED_TO", 0.9),
        ("engaged", "to"): ("LOVES", 0.6), ("betrothed", "to"): ("LOVES", 0.6),
        ("allied", "with"): ("ALLIES_WITH", 0.9), ("league", "with"): ("ALLIES_WITH", 0.85),
        ("introduced", "to"): ("MEETS", 0.85), ("hostile", "to"): ("ENEMY_OF", 0.7),
        ("friends", "with"): ("FRIEND_OF", 0.85),
        ("proud", "of"): ("ADMIRES", 0.65), ("grateful", "to"): ("ADMIRES", 0.65),
        ("jealous", "of"): ("RESENTS", 0.8), ("envious", "of"): ("RESENTS", 0.8),
        ("angry", "with"): ("RESENTS", 0.75), ("angry", "at"): ("RESENTS", 0.75),
        ("furious", "with"): ("RESENTS", 0.75), ("furious", "at"): ("RESENTS", 0.75),
        ("annoyed", "with"): ("RESENTS", 0.7), ("annoyed", "at"): ("RESENTS", 0.65),
        ("vexed", "with"): ("RESENTS", 0.7), ("enraged", "at"): ("RESENTS", 0.75),
        ("enraged", "with"): ("RESENTS", 0.75), ("disgusted", "with"): ("HATES", 0.65),
        ("related", "to"): ("KIN_OF", 0.85), ("service", "of"): ("SERVES", 0.8),
    }
)  # fmt: skip

# "in love with", "in league with", "in the service of": nouns of ADJECTIVES that stand behind "in"
IN_NOUNS = frozenset("love league service".split())

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
    | dict.fromkeys("wife widow bride".split(), ("MARRIED_TO", "f"))
    | dict.fromkeys("fiancé fiancée fiancee lover sweetheart betrothed suitor admirer".split(), ("LOVES", ""))
    | dict.fromkeys("master employer".split(), ("SERVED_BY", ""))
    | dict.fromkeys(
        "uncle nephew grandfather grandson stepfather stepbrother stepson".split(), ("KIN_OF", "m")
    )
    | dict.fromkeys("aunt niece grandmother granddaughter stepmother stepsister".split(), ("KIN_OF", "f"))
    | dict.fromkeys("cousin kinsman relative relation".split(), ("KIN_OF", ""))
    | dict.fromkeys(
        "friend companion confidant confidante comrade chum playmate playfellow schoolfellow pal".split(),
        ("FRIEND_OF", ""),
    )
    | dict.fromkeys(
        "enemy foe nemesis rival adversary persecutor tormentor antagonist".split(), ("ENEMY_OF", "")
    )
    | dict.fromkeys("ally accomplice confederate".split(), ("ALLIES_WITH", ""))
    | dict.fromkeys("neighbour neighbor acquaintance colleague pupil".split(), ("KNOWS", ""))
    | dict.fromkeys(
        "servant valet butler footman squire lackey maid housekeeper coachman manservant apprentice henchman "
        "retainer steward maidservant secretary attendant disciple".split(),
        ("SERVES", ""),
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
    | dict.fromkeys("want wish hope long seek aim yearn endeavour endeavor strive".split(), 0.7)
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
    | dict.fromkeys(
        "king prince monk emperor duke count baron sultan huntsman fisherman marquis viscount chevalier "
        "abbé".split(),
        "m",
    )
    | dict.fromkeys(
        "queen princess witch countess duchess empress stepmother hen baroness marquise widow".split(), "f"
    )
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

# of those, what without a further word is a part of the body, a stick or a spell of waking
BODILY = frozenset("chest staff watch".split())

# places only with a word before them: "the post office", "the station yard"
COMPOUND_PLACES = frozenset("office yard house works room shop hall gate".split())

# what tells one such thing from another: "the silver locket" is a thing to remember, "his sword" is not
DISTINCT = frozenset(
    """silver golden gold iron bronze brass copper jade ivory emerald ruby diamond sapphire
    pearl amber crystal glass wooden leather velvet black white red blue green crimson
    scarlet purple yellow enchanted magic magical cursed ancient jewelled jeweled carved
    engraved poisoned royal""".split()
)

# prepositions that put somebody at a place when they hang on "be"
LOCATIVE = frozenset("in at inside".split())

# verbs that carry no predicate but that some rule asks for by their lemma
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
    | frozenset(
        "be have do become remain fall grow look seem appear sound get turn dream wish pretend".split()
    )
    | frozenset("fill overcome seize overwhelm consume grip take put make".split())
)
