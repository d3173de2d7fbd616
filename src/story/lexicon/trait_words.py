"""The words of traits: colours of eyes and hair, build, lasting conditions, trades, and which of them agree.

Written by hand from the plain meaning of the words. Colours stand on a line on which neighbours pass into
each other, since one author writes "blue", "grey" and "blue-grey" of the same eyes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = [
    "BARE_HEADS", "BUILDS", "CONDITIONS", "EYE_COLOURS", "EYE_NOUNS", "FIELDS", "HAIR_COLOURS", "HAIR_NOUNS",
    "HANDS", "MARKS", "OF_THE_COLOUR_OF", "PARTS",
]  # fmt: skip


def _table(rows: str) -> Mapping[str, str]:
    pairs = (row.split(":") for row in rows.strip().splitlines())
    return MappingProxyType({word: name.strip() for name, words in pairs for word in words.split()})


EYE_COLOURS = _table(
    """blue: blue azure sapphire violet cornflower cobalt turquoise cerulean indigo
    blue: forget-me-not bluish ultramarine
    grey: grey gray slate steel silver flint smoky leaden pewter greyish grayish
    green: green emerald jade greenish
    hazel: hazel
    brown: brown amber chestnut chocolate tawny topaz sherry mahogany umber brownish
    black: black jet ebony onyx sable inky coal sloe
    dark: dark
    light: light pale"""
)
"""Word → family. ``dark`` and ``light`` tell less than a colour and agree with much."""

HAIR_COLOURS = _table(
    """black: black raven jet ebony sable inky coal
    dark: dark
    brown: brown mousy brownish
    auburn: auburn chestnut russet
    red: red ginger carroty copper coppery titian rufous foxy fiery flaming reddish carrot carrots
    sandy: sandy
    fair: fair blond blonde golden flaxen yellow tow straw gold honey platinum yellowish
    light: light pale
    grey: grey gray white silver silvery grizzled hoary iron snowy greying graying silvered frosty ashen"""
)

EYE_NOUNS = frozenset("eye eyes gaze irises".split())
HAIR_NOUNS = frozenset(
    """hair curl curls lock locks tress tresses ringlet ringlets plait plaits braid
    braids pigtail mane mop thatch fringe bun chignon forelock topknot plaited coiffure""".split()
)
BARE_HEADS = _table("fair: blonde blond\nred: redhead\ndark: brunette")

OF_THE_COLOUR_OF = _table(
    """grey: slate ash ashes steel iron smoke pewter lead
    blue: sky cornflowers forget-me-nots sapphires
    green: emeralds moss
    brown: chestnuts chocolate coffee walnut
    black: coal jet ink pitch soot
    red: copper fire rust carrots
    fair: straw corn wheat flax honey gold butter tow"""
)
"""A thing → the colour that "the colour of straw" names; what both tables of colours know counts."""

# aspect, value
BUILDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    dict.fromkeys("tall towering lofty lanky".split(), ("height", "tall"))
    | dict.fromkeys("short diminutive undersized dwarfish stumpy".split(), ("height", "short"))
    | dict.fromkeys("stout fat portly corpulent obese rotund plump".split(), ("build", "stout"))
    | dict.fromkeys("thin slender slim lean gaunt skinny scrawny bony".split(), ("build", "thin"))
)
CONDITIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "blind": ("sight", "blind"),
        "sightless": ("sight", "blind"),
        "deaf": ("hearing", "deaf"),
        "mute": ("speech", "mute"),
        "lame": ("gait", "lame"),
        "crippled": ("gait", "lame"),
        "hunchbacked": ("back", "hunchbacked"),
        "bald": ("hair", "bald"),
    }
)
HANDS: Mapping[str, str] = MappingProxyType({"left": "left", "right": "right"})
PARTS = frozenset("eye ear arm hand leg foot knee hip shoulder cheek temple brow wrist thumb ankle".split())
"""Parts of the body of which there are two, so that it matters which."""
MARKS = frozenset("scar birthmark mole tattoo limp".split())

FIELDS = _table(
    """medicine: doctor physician surgeon apothecary sawbones midwife
    law: lawyer solicitor attorney barrister notary conveyancer advocate
    church: clergyman curate vicar rector parson priest pastor chaplain
    teaching: schoolmaster teacher governess tutor professor schoolmistress schoolteacher headmaster
    smith: blacksmith smith farrier ironfounder
    wood: carpenter joiner cabinetmaker wheelwright woodcutter woodman sawyer turner
    bread: baker confectioner pastrycook
    meat: butcher
    mill: miller
    cloth: tailor dressmaker seamstress milliner draper haberdasher mercer hosier
    shoes: shoemaker cobbler bootmaker
    stone: mason bricklayer stonemason quarryman
    land: farmer ploughman
    sheep: shepherd
    sea: sailor fisherman mariner boatswain
    money: banker stockbroker
    trade: merchant grocer ironmonger fishmonger cheesemonger vintner tobacconist stationer greengrocer
    trade: chandler pedlar
    cloth: hatter glover weaver
    leather: tanner saddler currier furrier
    casks: cooper
    beer: brewer
    metal: jeweller goldsmith silversmith locksmith gunsmith tinsmith
    roofs: thatcher slater plumber glazier
    teeth: dentist
    burials: undertaker
    sales: auctioneer
    pawns: pawnbroker moneylender
    inn: innkeeper publican landlord
    garden: gardener
    clocks: watchmaker clockmaker
    print: printer bookbinder bookseller
    press: journalist newspaperman
    stage: actor actress
    painting: painter sculptor engraver
    music: musician violinist pianist organist fiddler
    building: architect
    machines: engineer mechanic
    barber: barber hairdresser
    chemist: chemist pharmacist druggist
    coal: collier miner pitman
    ferry: ferryman bargeman waterman lighterman
    ships: shipwright shipbuilder
    pots: potter
    glass: glassblower optician
    nursing: nurse
    law: judge
    teaching: headmistress
    laundry: laundress washerwoman
    post: postman postmaster postmistress
    writing: novelist
    office: typist stenographer
    books: librarian
    kitchen: cook chef
    beasts: vet veterinarian
    fires: firefighter fireman
    driving: cabman cabby coachman
    racing: jockey
    press: reporter
    cloth: needlewoman
    police: policeman policewoman constable detective"""
)
"""Trade → field. Two fields exclude each other for one person at one time; within a field words vary."""
