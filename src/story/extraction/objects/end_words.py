"""Classes of words that put an end to the use of a thing, for ``objects.end_frames``.

They follow Levin (1993): 10.5 steal, 10.6 cheat (rob, relieve of), 13 change of possession, 44 destroy, 45
break and bend, 48.2 disappearance; the nouns are those of FrameNet's Destroying, Losing, Theft and
Commerce_sell.
Chosen by hand.
"""

from __future__ import annotations

from types import MappingProxyType

from ...lexicon.object_words import DESTROYED_IN, LOST_IN, THIEVES

__all__ = [
    "APART",
    "BELOW",
    "BREAKING",
    "BUYERS",
    "BY_ITSELF",
    "CASTING",
    "COMMON_GROUND",
    "CONVEYANCES",
    "DESTROYED",
    "DOWN",
    "DREADED",
    "EDGES",
    "ENDS",
    "FRAGILE",
    "GIVEN",
    "GOING",
    "GRAVES",
    "HEAPS",
    "HELPERS",
    "LAYING",
    "LIGHT",
    "LOST",
    "MAKING_OFF",
    "OTHERS",
    "OWNERS",
    "PASSIVE",
    "PATIENT",
    "POSTURES",
    "PRICES",
    "PRIVATION",
    "REMAINS",
    "RESULTS",
    "SEEING",
    "SINKING",
    "SOLD",
    "STATES",
    "STOLEN",
    "TAKERS",
    "TAKING",
    "TOMBS",
]

DESTROYED, LOST, SOLD, GIVEN, STOLEN = "destroys", "loses", "sells", "gives", "steals"


def _table(*rows: tuple[str, str]) -> MappingProxyType[str, str]:
    return MappingProxyType({word: act for act, words in rows for word in words.split()})


# verbs of which the thing is the object, or the subject of the passive
PATIENT = _table(
    (DESTROYED, """annihilate blast char consume cremate decimate demolish destroy devour disintegrate
        dismember dissolve explode flatten gut incinerate mangle mash obliterate pulp pulverise pulverize
raze ruin
        scrap
        scuttle shatter shred smash splinter vaporise vaporize wreck"""),
    (LOST, "forfeit lose mislay misplace jettison maroon"),
    (SOLD, "auction barter hock pawn pledge sell vend swap swop distrain mortgage"),
    (GIVEN, "bequeath bestow cede donate grant relinquish renounce"),
    (STOLEN, """abstract commandeer confiscate embezzle filch impound loot nab nick pilfer pinch poach purloin
        requisition sequester snaffle steal swipe"""),
)  # fmt: skip
# verbs of which it is the subject
BY_ITSELF = _table(
    (DESTROYED, """burst char collapse crumble decay disintegrate dissolve explode melt moulder perish rot
        shatter splinter"""),
    (LOST, "disappear founder sink vanish evaporate drown"),
)  # fmt: skip
# verbs of breaking: only with one of the words below is the thing beyond use
BREAKING = frozenset(
    """bend break burn chip chop crack crumple crush cut dash fracture grind hack hew knock pound pull rend
    rip
    saw shiver slash slice slit smash snap split stamp tear trample tread twist""".split()
)
APART = frozenset("across apart asunder atwain clean up through lengthwise".split())
RESULTS = frozenset(
    """ash ashes atom atoms bit bits chip chips cinder cinders crumb crumbs dust embers flinders fragment
    fragments
    half halves matchwood mush pieces piece powder pulp rag rags ribbon ribbons ruin ruins scrap scraps shard
    shards shred shreds sliver slivers smithereens smoke splinter splinters stump tatter tatters two three
    remains remnant remnants wreck wreckage debris rubble slag""".split()
)
REMAINS = RESULTS - {"two", "three", "half", "halves", "bit", "piece", "stump", "smoke", "chip", "chips"}
HEAPS = frozenset("heap pile mass litter mess handful little shower cloud tangle puddle lump".split())
# nouns of an end, before "of" or behind the thing's possessive
ENDS = _table(
    (DESTROYED, """breakage breaking burning demolition destruction end melting ruin ruination shattering
        smash smashing         wreck wrecking"""),
    (LOST, "disappearance loss losing sinking"),
    (SOLD, "auction auctioning pawning sale selling"),
    (GIVEN, "gift present sacrifice surrender"),
    (STOLEN, "robbery stealing theft confiscation seizure"),
)  # fmt: skip
LIGHT = frozenset("make suffer mourn lament bewail discover report remember grieve regret".split())
# verbs that take a person's thing from him "of"
PRIVATION = frozenset(
    """bilk burgle cheat cozen defraud denude deplete deprive despoil dispossess divest ease fleece lighten
    pillage plunder relieve rifle rob rook shear strip swindle""".split()
)
STATES = _table(
    (DESTROYED, """destroyed ruined shattered smashed wrecked unmendable irreparable unrecognisable
        unrecognizable spoiled spoilt burnt"""),
    (LOST, "gone lost irrecoverable irretrievable missing astray vanished overboard"),
    (SOLD, "sold pawned"),
    (STOLEN, "stolen"),
)  # fmt: skip
POSTURES = frozenset("be lie rest repose stay remain rust rot sleep moulder".split())
GRAVES = LOST_IN | frozenset(
    """bed bog coffin deep depth drain drift earth fathom floor fen foot grave grating gulf gutter ice loch
    mere mire
    mud ooze pit quagmire quicksands sands sewer shaft snow snowdrift vault tomb""".split()
)
EDGES = frozenset(
    """bridge bulwark bulwarks cliff deck gunwale parapet pier precipice quay rail raft ship side steamer
    taffrail
    wharf""".split()
)
CONVEYANCES = frozenset("train cab omnibus hansom tram tramcar coach diligence bus taxi fly".split())
FRAGILE = frozenset(
    """beads bowl cup decanter ewer figurine flagon goblet hourglass jug lens looking-glass mirror
    monocle pearls
    pipe pitcher saucer statuette teapot thermometer tumbler tureen vase violin fiddle spectacles""".split()
)
"""Things of no use once they are broken."""
MAKING_OFF = frozenset("make run go get walk ride decamp bolt slip march sail steal sneak".split())
TOMBS = frozenset("coffin grave tomb vault".split())
LAYING = frozenset("lay put place bury set leave".split())
HELPERS = frozenset(
    """had has have was were is are been being got long since already at last now then all finally soon
    afterwards quite""".split()
)
PASSIVE = frozenset("was were been being got is are".split())
COMMON_GROUND = frozenset({"bed", "floor", "foot", "earth"})
DREADED = frozenset(
    "fear dread risk prevent avert avoid escape expect threaten prophesy imagine foresee".split()
)
DOWN = frozenset("at beneath below down in into over through to under beyond off".split())
BELOW = frozenset("beneath under below".split())
SINKING = frozenset(
    """drop fall plunge roll slide slip tumble drift float go topple spin sink whirl pass vanish
    disappear""".split()
)
CASTING = frozenset(
    """bury carry cast chuck dash drop fling heave hurl knock let lose pitch push send shake shove sling sweep
    throw tip toss wash jerk roll slide spill kick""".split()
)
BUYERS = frozenset(
    """auction auctioneer bailiff bailiffs bidder broker brokers buyer collector creditor creditors customer
    dealer
    dealers hammer jeweller jeweler market moneylender money-lender pawnbroker pawnbrokers pawnshop pawn-shop
    purchaser sale shop tradesman uncle""".split()
)
PRICES = frozenset(
    """crown crowns dollar dollars farthing franc francs guinea guineas penny pence pound pounds sum sixpence
    shilling shillings sovereign sovereigns song price rent debt debts bread money drink rum gin""".split()
)
GOING = frozenset("go pass come find fall".split())
OWNERS = frozenset("owner master mistress buyer purchaser hands possession home".split())
OTHERS = frozenset("another new other different stranger else somebody someone".split())
TAKERS: MappingProxyType[str, str] = MappingProxyType(
    dict.fromkeys(
        DESTROYED_IN | {"rust", "moth", "moths", "rats", "mice", "worms", "explosion", "shell"}, DESTROYED
    )
    | dict.fromkeys(LOST_IN | {"wave", "wind", "gale", "storm", "current", "undertow"}, LOST)
    | dict.fromkeys(THIEVES | {"looter", "raiders", "pirates", "customs"}, STOLEN)
    | dict.fromkeys("bailiffs bailiff creditors creditor brokers broker".split(), SOLD)
)
TAKING = frozenset(
    """bear capture carry claim consume destroy devour drag draw eat engulf finish get have lick make reach
    receive
    remove seize snatch suck swallow sweep take tear wash whirl""".split()
)
SEEING = frozenset("let see watch hear have feel leave find".split())
