"""Classes of words for ``deeds``: what one grips, strikes and stabs with, where blows land, what is stolen.

After Levin (1993), 18.1 hit, 18.2 swat, 18.3 spank, 9.3 funnel, 9.7 spray, 10.5 steal, 10.6 cheat, 33
judgment; the nouns by hand.
"""

from __future__ import annotations

import re

__all__ = [
    "AGAINST",
    "BEARING",
    "BLACKEN",
    "BLADES",
    "BLOW",
    "BLOWS",
    "BODY",
    "BOXES",
    "BREAKING",
    "BURNT",
    "CELLS",
    "CHEATING",
    "CLOSING",
    "DEALING",
    "DOWN",
    "EVIDENCE",
    "FALLING",
    "FELLING",
    "FORCING",
    "GIFTS",
    "GIVEN_UP",
    "GRIP",
    "GRIPPED",
    "HANDS",
    "HOUNDS",
    "HURLED",
    "HURT",
    "INTO",
    "LAID",
    "LAUNCHED",
    "LAW",
    "LIGHT",
    "LURING",
    "MAKING_OFF",
    "NAME",
    "PENALTIES",
    "PIERCE",
    "POISONED",
    "POISONS",
    "POURED",
    "REACHING",
    "REFLEXIVE",
    "REPROACHES",
    "ROBBED",
    "ROUND",
    "SECRETS",
    "SELLING",
    "SENSELESS",
    "STEAL",
    "TENDER",
    "THROW",
    "TRAPS",
    "VALUABLES",
    "WATERS",
    "WEAPONS",
]

GRIP = frozenset(
    "take seize catch grab grip clutch hold have get drag haul pull lug jerk yank pin shake hoist".split()
)
GRIPPED = frozenset("throat neck hair windpipe scruff beard gullet".split())
BODY = frozenset(
    """head face shoulder shoulders back skull cheek chest breast throat arm hand neck side jaw mouth ear
    temple ears""".split()
)
BLOWS = frozenset(
    """blow blows cut kick cuff stroke thrashing beating clout stab punch buffet drubbing hiding flogging
    whipping slap box shove thrust lash wound""".split()
)
DEALING = frozenset("deal fetch hit land strike aim catch plant give administer inflict".split())
GIFTS = frozenset(
    "blow blows kick cuff thrashing beating clout stab punch drubbing hiding flogging whipping".split()
)
HOUNDS = frozenset("dog dogs hound hounds mastiff".split())
HANDS = frozenset("hand hands finger fingers".split())
CLOSING = frozenset("close clasp fasten lock tighten put lay fix twine knot".split())
SENSELESS = frozenset("senseless unconscious insensible flat".split())
FELLING = frozenset("knock beat strike lay".split())
CELLS = frozenset(
    "attic garret cage outhouse shed cellar vault dungeon cupboard loft tower coal-hole closet pit".split()
)
VALUABLES = frozenset(
    """purse money savings jewels wallet pocket-book pocketbook pearls diamonds necklace gold silver
    sovereigns banknotes notes hoard fortune cash wages inheritance plate jewellery cash-box
    cashbox""".split()
)
MAKING_OFF = frozenset(
    "make run go get bolt abscond decamp walk ride slip disappear vanish sneak steal".split()
)
CHEATING = frozenset("cheat swindle defraud fleece bilk rook trick chouse diddle".split())
ROBBED = frozenset("contents all money".split())
TRAPS = frozenset("trap ambush snare net ambuscade pitfall hands clutches jaws".split())
LURING = frozenset("lead lure decoy entice draw betray deliver tempt".split())
EVIDENCE = frozenset("evidence witness information testimony oath perjury".split())
BEARING = frozenset("give bear lay turn furnish commit swear take".split())
SECRETS = frozenset("secret secrets confidence confidences trust hiding-place plans letters".split())
SELLING = frozenset("sell betray divulge publish expose reveal blab".split())
WEAPONS = frozenset(
    """stick whip cane club cudgel fist fists boot heel hoof poker riding-whip horsewhip crop belt stone
    bottle hammer elbow foot""".split()
)
REACHING = frozenset(
    """lay knock send stretch strike catch hit take go enter pierce find land fell descend come fall cut lay
    crash smash stun throw tumble floor slash rip tear open split lift bury plunge sink pass""".split()
)
LIGHT = frozenset(
    """glance glances look looks smile smiles kiss kisses flower flowers rose roses petals snowball word words
    question""".split()
)  # thrown, and nobody is hurt
TENDER = frozenset(
    (verb, noun)
    for verb in ("wring", "squeeze", "break", "press")
    for noun in ("hand", "hands", "heart", "fingers")
)
LAID = frozenset("hands".split())
REPROACHES = re.compile(
    r"(?:it|that|this|them|these|\w{3,}(?:ship|ness|ment|[ts]ion|[a-z]ity|[ae]nce|hood|acy|ery)|past|name|"
    r"birth|crimes?|sins?|lies?|truth|words?|charge|story|secret|answer|shame|insult|promise|poverty|"
    r"origins?|folly|fault|failure|age|guilt|deeds?|debts?|favou?rs?|marriage|wedding|theft|murder|prison|"
    r"years?|love|trade|descent|(?!pudding|stocking|washing|string)\w{4,}ing)"
)  # thrown in nobody's face but in a manner of speaking
LAUNCHED = frozenset("throw fling hurl launch cast".split())
REFLEXIVE = frozenset("himself herself myself themselves".split())
BLOW = frozenset("bring lay break smash crash swing send aim".split())
PIERCE = frozenset("drive plunge stick thrust run bury put send jab fire".split())
BLADES = frozenset(
    """knife dagger sword blade bullet ball bayonet spear penknife paper-knife scissors sabre rapier cutlass
    fork lance stiletto arrow shot hatchet axe needle""".split()
)
HURT = frozenset(
    """strike hit slap punch smack box cuff cane cut slash stab wound scratch bite kick beat break
    lash batter bash bruise burn brand claw clout club crack crush cudgel dislocate flog gash gouge hammer
    knife
    lacerate maim mangle maul pierce pound pummel scald scourge sear shatter smash spear sprain squeeze strap
    tear thump thrash trample wallop whip wring twist hack slit""".split()
)
THROW = frozenset(
    "push throw fling hurl shove pitch thrust tip heave hustle knock kick send toss trip".split()
)
DOWN = frozenset(
    """stairs staircase steps river window cliff water well pond fire ditch sea lake wall canal bank
    balcony edge brink parapet rail railing bannisters banisters precipice quay pier bridge ravine hatch roof
    tower
    scaffold rocks weir pool torrent pit abyss chasm gallery flames hearth horse saddle boat ship deck ladder
    overboard cart train""".split()
)
ROUND = ("round", "around", "about", "on", "upon")
INTO = ("in", "into", "through")
FALLING = ("down", "into", "in", "off", "over", "from", "of", "out", "through")
BREAKING = frozenset("break force rifle ransack empty".split())
HURLED = frozenset("throw fling hurl shy swing toss level pitch heave sling dash discharge".split())
POURED = frozenset("put pour drop slip mix stir sprinkle empty shake tip".split())
POISONS = frozenset(
    """poison arsenic strychnine laudanum prussic antimony cyanide belladonna nightshade hemlock aconite opium
    vitriol henbane""".split()
)
GIVEN_UP = frozenset("give hand deliver sell turn surrender".split())
LAW = frozenset(
    """police constable constables magistrate magistrates sheriff bailiffs soldiers enemy enemies
    gendarmes guard guards warder warders jailer gaoler hangman authorities""".split()
)
BOXES = frozenset(
    "desk drawer box strong-box strongbox safe trunk chest till purse bureau writing-desk".split()
)
STEAL = frozenset("steal pilfer filch purloin pocket embezzle thieve swipe pinch nab loot".split())
NAME = frozenset("name character reputation honour honor".split())
BLACKEN = frozenset("swear blacken take ruin slander destroy forge sign besmirch".split())
AGAINST = frozenset("inform witness testify swear depose plot conspire".split())
POISONED = frozenset("tea coffee wine cup glass food dog horse well soup drink milk cattle".split())
BURNT = frozenset("house barn stack ricks rick cottage home mill shop bed stable hayrick warehouse".split())
FORCING = THROW | frozenset("hold keep force press plunge duck".split())
WATERS = frozenset("water basin trough sea river pond bath butt well pump".split())
PENALTIES = frozenset("whip flog beat thrash hang arrest imprison drown murder shoot horsewhip stone".split())
