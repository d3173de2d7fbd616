"""Words for things that last and can be told apart, and verbs for what is done with them.

Chosen by hand; the groups of verbs follow Levin (1993): 13 change of possession, 17 throwing, 44 destroying,
45.1 breaking, 10.5 stealing, 9.5 and 20 handling, 41.3 wearing.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = [
    "AT_HAND",
    "AWAY",
    "CLOTHING",
    "DESTROYED_IN",
    "FRESH",
    "GENERIC",
    "KEEPSAKES",
    "LOST_IN",
    "PARTICLES",
    "RUBBISH",
    "STREAMS",
    "THIEVES",
    "THINGS",
    "THROWING",
    "UNTOUCHED",
    "USED_WITH",
    "VERBS",
    "VESSELS",
    "WORN",
]

# of these somebody has one and knows it from others
KEEPSAKES = frozenset(
    """amulet armband bracelet brooch cameo chain compass crown crucifix diadem diary dagger earring ledger
    locket lute lyre manuscript medal medallion miniature musket necklace notebook pendant photograph pistol
    pocketwatch pocket-watch portrait revolver rifle ring rosary sabre saber sceptre scepter scimitar
    shotgun signet sword talisman telescope tiara trumpet violin viola cello fiddle flute guitar harp bugle
    watch wristwatch timepiece heirloom journal sketchbook passport rapier cutlass crossbow longbow
    hourglass snuffbox snuff-box spyglass spy-glass opal ruby emerald sapphire diamond figurine statuette
    goblet chalice harmonica accordion motorcycle bicycle automobile camera typewriter goldpiece horseshoe
    blunderbuss tomahawk binoculars sextant astrolabe monocle
    anklet bangle charm choker clavichord coronet derringer dirk dulcimer garnet halberd harpsichord
    jewel-case lorgnette lyre mandolin oboe piccolo pike pince-nez poniard prayer-book prayerbook psalter
    scabbard scapular  spinet statue stiletto tie-pin tiepin scarf-pin truncheon trombone cornet zither
    ear-trumpet chessboard phonograph gramophone bible breviary missal""".split()
)
_OTHERS = frozenset(
    """axe bag basket belt blade bonnet book boots bow box briefcase bucket cap cape car carriage cane case
    casket chest cloak clock coat cup deed doll fan glasses gloves gun hammer handkerchief hat helmet horse
    jacket jewel jewels jug key keys kettle knife lamp lantern letter map mask mirror mug oar painting
    parasol pearls pen pencil pipe pouch purse sack saddle satchel scarf scissors scroll shawl shield shovel
    spade spear spectacles staff stick suitcase tankard teapot telegram testament torch trunk umbrella vase
    veil opera-glass opera-glasses eye-glass eyeglass eyeglasses field-glass field-glasses looking-glass
    hand-glass magnifying-glass candlestick decanter flask thimble inkstand inkwell comb pin seal spurs quill
    barometer microscope banjo concertina clarinet drum cufflinks quilt mantilla kerchief sash penknife
    walking-stick wallet wand whip whistle wig boat canoe rowboat yacht sloop schooner skiff dinghy
    raft papers certificate contract ticket candlestick pitcher flag banner drum thimble comb hairpin brush
    flask canteen bottle bowl globe rope anchor hatchet machete lighter laptop phone telephone tablet
    recorder radio badge gauntlet armour armor ribbon cross icon token gem seal crystal orb puppet kite toy
    mitten mittens spurs saw chisel pickaxe crowbar parcel banknote coin pebble feather tapestry blanket
    quilt rug apron dress gown ballgown uniform wagon cart sledge sled piano
    album almanac anvil atlas bagpipes balalaika bandbox bandolier barge barouche basin bayonet beads beaker
    bellows
    beret bible boa bodkin bonnet-box bracer breastplate breviary bust caftan candelabra candelabrum canteen
    caravan
    card-case carpet-bag carpetbag carving cash-box cashbox cassock censer chaise charter chatelaine checkbook
    chequebook chessmen cigar-case cigarette-case claymore clogs coffee-pot coffeepot compasses coverlet
    cradle
    creel crook crutch crutches despatch-box dispatch-box dice distaff doublet draught-board easel
    engraving etching ewer fez fife fishing-rod flagon fowling-piece garter gig gramophone hamper
    hatbox hatpin haversack horsewhip hymn-book hymnbook jar jerkin kaleidoscope ketch kimono knapsack lance
    landau lectern  lodestone loom lorry lugger magnet mallet mantle  matchbox metronome
    moccasins muff mouth-organ music-box musical-box needle-case needlework nosegay overcoat paintbox palette
    panama parchment pelisse pennant phaeton pitchfork plaid plough pocket-book pocketbook
    portfolio portmanteau powder-flask powder-horn prism punt quiver reticule riding-crop rucksack
    sailcloth salver samovar sandals saucepan scrapbook scythe sickle sketch skates skis sleigh slippers
    sling snowshoes spinning-wheel statue stethoscope stole strongbox strong-box surplice
    tambourine tea-caddy tea-set thermometer tinder-box tinderbox tippet toasting-fork tricycle trinket
    trinkets trophy trowel tunic turban tureen typewriter valise waistcoat warming-pan
    watch-chain watering-can weathercock wheelbarrow wheelchair work-basket workbox wreath""".split()
)
THINGS = KEEPSAKES | _OTHERS

# adjectives that tell no thing from another
GENERIC = frozenset(
    """own old little big large small great good poor dear beautiful pretty precious beloved fine handsome
    same very mere only whole open empty full broken lost stolen ruined battered worn shabby cheap costly
    expensive valuable rare strange splendid magnificent long short heavy light thin thick dirty clean wet
    dry burning smoking loaded trusty faithful famous unfortunate wretched damned cursed blessed missing
    favourite favorite usual familiar ordinary plain said other first last next left right""".split()
)
# these say that it is not the one told of before
FRESH = frozenset("new another second spare replacement fresh different similar identical extra copy".split())

# verb → what is done, and how surely it says so of a thing that is its object
VERBS: MappingProxyType[str, tuple[str, float]] = MappingProxyType(
    dict.fromkeys("lose mislay misplace forfeit".split(), ("loses", 0.9))
    | dict.fromkeys(
        "destroy shatter incinerate obliterate demolish annihilate shred melt mangle".split(),
        ("destroys", 0.9),
    )
    | dict.fromkeys("smash burn sink wreck pulverise pulverize".split(), ("destroys", 0.8))
    | dict.fromkeys("break snap crush tear".split(), ("breaks", 0.7))
    | dict.fromkeys("bequeath donate bestow relinquish".split(), ("gives", 0.85))
    | dict.fromkeys("give present surrender".split(), ("gives", 0.75))
    | dict.fromkeys("sell pawn auction trade barter hock".split(), ("sells", 0.9))
    | dict.fromkeys("steal pilfer filch purloin confiscate pocket".split(), ("steals", 0.9))
    | dict.fromkeys(
        """find recover regain retrieve redeem reclaim restore mend repair replace buy purchase inherit
        receive borrow rescue salvage return get obtain acquire win discover rebuild reforge rescue save fetch
        hire keep procure collect bring send""".split(),
        ("regains", 0.8),
    )
    | {"lend": ("lends", 0.8)}
    | dict.fromkeys(
        """wear hold carry draw produce open close wind consult fire aim raise read ride drive light play
        clutch grip grasp finger polish wield brandish unsheathe sheathe cock load show use point lift touch
        shake unfold fold clean sharpen swing twirl adjust fasten unfasten don doff clasp tune strum study
        sling buckle unbuckle lower lay set slip put take pull pick turn hang press snatch
        seize grab""".split(),
        ("uses", 0.8),
    )
)
# what one does with a thing of one's own that is where it should be
AT_HAND = frozenset("fetch bring get keep collect send save".split())
# done without having the thing in hand: perceiving, thinking, speaking, wanting, making
UNTOUCHED = frozenset(
    """see notice spot recognise recognize remember recall forget miss want need desire covet imagine think
    believe know describe mention discuss praise admire like love hate envy resemble recollect picture
    dream ask demand request promise expect seek search hunt pursue chase track lack recommend order
    require cost be become have make build forge fashion design invent paint sketch hear smell watch
    consider prefer choose say tell speak talk wonder refuse deny doubt suspect fear mourn lament regret
    avoid ignore leave await name call concern contain hide conceal bury include live stand remain stay
    dress clothe believe trust depend insist agree interest delight end begin""".split()
)
# with these particles the verb says something else
PARTICLES: MappingProxyType[tuple[str, str], tuple[str, float]] = MappingProxyType(
    {
        ("carry", "off"): ("steals", 0.7), ("carry", "away"): ("loses", 0.7),
        ("gamble", "away"): ("sells", 0.85),
        ("give", "away"): ("gives", 0.9), ("give", "up"): ("gives", 0.6), ("give", "back"): ("gives", 0.8),
        ("hand", "back"): ("gives", 0.8), ("hand", "over"): ("gives", 0.75),
        ("sign", "over"): ("gives", 0.8), ("leave", "behind"): ("loses", 0.6),
        ("throw", "away"): ("loses", 0.85), ("fling", "away"): ("loses", 0.8),
        ("toss", "away"): ("loses", 0.8), ("cast", "away"): ("loses", 0.8),
        ("throw", "overboard"): ("loses", 0.9), ("toss", "overboard"): ("loses", 0.9),
        ("drop", "overboard"): ("loses", 0.9), ("fling", "overboard"): ("loses", 0.9),
        ("hurl", "overboard"): ("loses", 0.9), ("burn", "up"): ("destroys", 0.85),
        ("tear", "up"): ("destroys", 0.85), ("break", "up"): ("destroys", 0.8),
        ("smash", "up"): ("destroys", 0.85), ("get", "back"): ("regains", 0.9),
        ("take", "back"): ("regains", 0.9), ("buy", "back"): ("regains", 0.9),
        ("bring", "back"): ("regains", 0.9), ("win", "back"): ("regains", 0.9),
        ("bring", "down"): ("uses", 0.7), ("bring", "round"): ("uses", 0.7),
        ("bring", "out"): ("uses", 0.8), ("get", "out"): ("uses", 0.8), ("fetch", "out"): ("uses", 0.8),
        ("pick", "up"): ("regains", 0.7), ("fish", "out"): ("regains", 0.8),
        ("dig", "up"): ("regains", 0.8), ("put", "together"): ("regains", 0.8),
    }
)  # fmt: skip
# behind these a thing is used: "looked at his watch", "cut it with the silver knife"
USED_WITH = frozenset(
    {
        ("look", "at"), ("glance", "at"), ("lean", "on"), ("lean", "upon"), ("play", "on"),
        ("drink", "from"), ("fight", "with"), ("gaze", "through"), ("peer", "through"),
        ("look", "through"), ("write", "in"), ("read", "from"), ("gaze", "at"), ("reach", "for"),
        ("speak", "into"), ("ride", "on"), ("play", "with"), ("fiddle", "with"), ("toy", "with"),
        ("take", "from"), ("sip", "from"), ("pour", "from"), ("drink", "out"), ("steer", "by"), ("set", "by"),
    }
)  # fmt: skip
THROWING = frozenset("throw fling hurl toss cast pitch drop heave chuck sling consign commit let".split())
DESTROYED_IN = frozenset(
    "fire flame flames furnace stove grate fireplace bonfire hearth blaze forge oven".split()
)
LOST_IN = frozenset(
    """sea river lake water waters ocean bay harbour harbor canal well chasm gorge ravine abyss pond waves
    surf tide swamp bottom marsh stream moat crevasse volcano lagoon sewer quicksand depths""".split()
)
STREAMS = frozenset("river stream canal lake bay tide water waters".split())
# onto these goes what is done with
RUBBISH = frozenset(
    """dust-heap dustheap dust-bin dustbin rubbish-heap rubbish scrap-heap scrapheap scrap dunghill dung-heap
    midden ash-heap ash-pit ashpit refuse dump cesspool sewer gutter""".split()
)
THIEVES = frozenset(
    """thief thieves burglar burglars robber robbers pickpocket pickpockets housebreaker housebreakers
    highwayman highwaymen footpad footpads bandit bandits brigand brigands looter looters""".split()
)
# where somebody keeps what he has upon him
CLOTHING = frozenset(
    """pocket pockets bosom waistcoat purse bag belt reticule handbag satchel sleeve breast girdle sash coat
    jacket apron drawer desk""".split()
)
# what a thing does that somebody has upon him (Levin 47.6 spatial configuration, 43.1 light, 47.3 motion)
WORN = frozenset("lie hang swing dangle gleam glitter shine sparkle rest tick be flash glint shimmer".split())
VESSELS = frozenset("boat canoe rowboat yacht sloop schooner skiff dinghy raft".split())
AWAY = frozenset("overboard away".split())
