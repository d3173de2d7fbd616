"""Nouns for people and the gender that each tells: who "the old gentleman" or "his aunt" may be."""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["ANIMALS", "CALLINGS", "PERSON_NOUNS"]

_MALE = """man gentleman boy lad fellow chap youth father papa dad son brother uncle nephew grandfather
    grandson husband widower bridegroom bachelor king prince duke earl count baron lord knight squire monk
    friar abbot priest parson vicar rector curate clergyman minister bishop cardinal sultan emperor master
    schoolmaster butler footman valet coachman groom gardener landlord waiter steward fisherman huntsman
    woodcutter sailor soldier officer captain lieutenant major colonel general admiral sergeant constable
    policeman inspector detective blacksmith shepherd farmer carpenter workman postman beadle sheriff judge
    magistrate lawyer attorney solicitor surgeon giant wizard sorcerer hunchback jew frenchman englishman
    irishman scotchman scotsman welshman dutchman spaniard turk
    italian greek american russian german highwayman burglar robber nobleman countryman tradesman
    porter sexton clerk miller jailer gaoler hangman""".split()
_FEMALE = """woman lady girl lass maid maiden mother mamma mama daughter sister aunt niece grandmother
    granddaughter wife widow bride spinster queen princess duchess countess baroness nun abbess empress
    mistress schoolmistress governess housekeeper housemaid nurse landlady waitress witch fairy stepmother
    stepsister matron midwife laundress milkmaid heroine actress hostess""".split()
_EITHER = """child baby infant person stranger visitor guest servant doctor physician teacher professor
    cousin friend companion speaker patient prisoner messenger thief beggar orphan traveller traveler
    neighbour neighbor scholar pupil student lodger narrator author poet artist driver""".split()

# noun, lower case and singular → "m", "f", or "" where it tells none
PERSON_NOUNS: MappingProxyType[str, str] = MappingProxyType(
    dict.fromkeys(_EITHER, "") | dict.fromkeys(_MALE, "m") | dict.fromkeys(_FEMALE, "f")
)
ANIMALS = frozenset(
    """ant ape ass badger bat bear beast beaver bee beetle bird boar buck buffalo bull bullock butterfly
    calf camel cat cock cow crab crane cricket crocodile crow cub cuckoo deer doe dog dolphin donkey
    dove dragon drake duck duckling eagle eel elephant ewe falcon fawn ferret fish flea fly fowl fox
    frog gander gnat goat goldfinch goose grasshopper gull hare hart hawk hedgehog hen heron hornet
    horse hound jackal jackdaw jay kid kite kitten lamb lark leopard lion lioness lizard locust
    louse magpie mare mastiff mole monkey moth mouse mule nightingale octopus otter owl ox oyster
    panther parrot partridge peacock peahen pelican pig pigeon pike pony porcupine puppy quail
    rabbit ram rat raven robin rook rooster salmon scorpion seal serpent shark sheep snail snake sow
    sparrow spider squirrel stag stallion starling stork swallow swan thrush tiger toad tortoise
    trout turkey turtle viper vulture wasp weasel whale wolf worm wren""".split()
)
CALLINGS = frozenset(
    """angler archer astronomer athlete baker barber beggar bishop blacksmith boatman boy butcher carpenter
    carter child cobbler cook countryman cowherd dairymaid devil fairy farmer father ferryman fisher
    fisherman fowler friend gardener genie ghost giant girl goatherd goblin god goddess goldsmith
    herdsman hermit hunter huntsman innkeeper jester judge king knight labourer lad lady locksmith
    magician maid maiden man master merchant mermaid messenger miller miner minister minstrel miser
    monk mother musician nurse nymph ogre oracle page painter peasant pedlar physician pilgrim
    pirate ploughman poet porter potter priest prince princess prophet queen robber sailor satyr
    scholar sculptor sentinel servant shepherd shepherdess shoemaker slave smith soldier sorcerer
    spirit statesman stepmother stranger swineherd tailor tanner thief tinker traveler traveller
    troll tyrant waggoner wagoner watchman weaver widow wife witch wizard woman woodcutter woodman
    woodsman youth""".split()
)
