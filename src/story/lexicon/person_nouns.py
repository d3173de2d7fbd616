"""Nouns for people and the gender that each tells: who "the old gentleman" or "his aunt" may be."""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["PERSON_NOUNS"]

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
