"""What is done with which thing; who is told to be dead, and where somebody is told to be."""

from __future__ import annotations

import pytest

from fabula.story.extraction.objects.handlings import ACTS
from fabula.story.lexicon.object_words import PARTICLES, VERBS
from fabula.story.model.trait_values import LIFE, WHEREABOUTS

from .continuity.told_story import reading

SURE = "Elena Voss smiled. Marcus Hale nodded. Tobias Crane coughed. Anna laughed.\n\n"


def handled(text):
    found = reading(SURE + text)

    def name(index):
        return None if index is None else found.mentions[index].surface

    return [(each.thing, name(each.owner), each.act, name(each.character)) for each in found.handlings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marcus lost his watch.", ("watch", "Marcus", "loses", "Marcus")),
        ("Marcus lost his father's watch.", ("father's watch", "Marcus", "loses", "Marcus")),
        ("Elena opened the silver locket.", ("silver locket", None, "uses", "Elena")),
        ("Elena wore Anna's old pearl necklace.", ("pearl necklace", "Anna", "uses", "Elena")),
        ("Elena gave the ring to Marcus.", ("ring", None, "gives", "Elena")),
        ("Marcus pawned his violin.", ("violin", "Marcus", "sells", "Marcus")),
        ("The green vase shattered.", ("green vase", None, "destroys", None)),
        ("Marcus bought a new violin.", ("violin", None, "regains", "Marcus")),
        ("Marcus glanced at his watch.", ("watch", "Marcus", "uses", "Marcus")),
        ("Anna took Marcus's watch.", ("watch", "Marcus", "steals", "Anna")),
        ("Marcus tore up the map.", ("map", None, "destroys", "Marcus")),
        ("The sword was broken in two.", ("sword", None, "destroys", None)),
        ("Marcus threw the key away.", ("key", None, "loses", "Marcus")),
        ("Elena gave Marcus's ring back to him.", ("ring", "Marcus", "regains", "Elena")),
        ("The locket was found in pieces.", ("locket", None, "destroys", None)),
    ],
)
def test_what_is_done_with_a_thing(text, expected):
    assert handled(text) == [expected]


@pytest.mark.parametrize(
    "text",
    ["Marcus lost a letter.", "Marcus thought of his watch.", "Marcus saw the ring.", "Marcus lost hope."],
)
def test_what_is_not_read(text):
    assert handled(text) == []


def test_it_is_the_thing_last_spoken_of():
    acts = handled("Elena took the silver locket and threw it into the sea.")
    assert acts == [
        ("silver locket", None, "uses", "Elena"),
        ("silver locket", None, "loses", "Elena"),
    ]


def test_the_tables_name_acts():
    assert {act for act, _ in (*VERBS.values(), *PARTICLES.values())} <= ACTS
    assert all(0 < sure <= 1 for _, sure in (*VERBS.values(), *PARTICLES.values()))


def traits(text, aspect):
    found = reading(SURE + text)
    return [
        (found.mentions[each.character].surface, each.value, each.modality.value)
        for each in found.traits
        if each.aspect == aspect
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marcus died at noon.", ("Marcus", "dead", "fact")),
        ("Marcus had died at noon.", ("Marcus", "dead", "flashback")),
        ("“Marcus is dead,” said Elena.", ("Marcus", "dead", "reported")),
        ("Marcus was not dead.", ("Marcus", "alive", "fact")),
        ("Marcus was alive.", ("Marcus", "alive", "fact")),
        ("Elena found Marcus dead.", ("Marcus", "dead", "fact")),
        ("The late Marcus Hale owed her money.", ("Marcus Hale", "dead", "fact")),
        ("Elena wept at Marcus's grave.", ("Marcus", "dead", "fact")),
        ("Anna hanged herself.", ("Anna", "dead", "fact")),
        ("It was said that Marcus was dead.", ("Marcus", "dead", "reported")),
        ("Marcus went down with his ship.", ("Marcus", "dead", "fact")),
        ("They lowered Marcus into the earth beside the wall.", ("Marcus", "dead", "fact")),
        ("The earth had closed over Marcus.", ("Marcus", "dead", "fact")),
        ("Marcus fell at Waterloo.", ("Marcus", "dead", "fact")),
    ],
)
def test_who_is_told_to_be_dead(text, expected):
    assert traits(text, LIFE) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Marcus died of laughter.",
        "Marcus was dead to the world.",
        "Marcus was half dead with cold.",
        "Marcus passed the time away.",
        "Marcus feared Anna's death.",
        "Marcus buried himself in his book.",
        "Marcus was buried in thought.",
        "Marcus closed his eyes.",
        "Marcus fell at Anna's feet.",
        "Marcus fell at last asleep.",
    ],
)
def test_what_only_sounds_like_death(text):
    assert traits(text, LIFE) == []


def test_where_somebody_is_told_to_be():
    told = (
        "Marcus sat in the kitchen. Elena was at Paris. Anna went to London. Tobias had been in the garden."
    )
    assert traits(told, WHEREABOUTS) == [
        ("Marcus", "the kitchen", "fact"),
        ("Elena", "paris", "fact"),
    ]
