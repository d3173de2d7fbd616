"""Bonds told by a turn of phrase."""

from __future__ import annotations

import pytest
from tests.stories.reading import story

MARCUS, ELENA, TOBIAS = "marcus-hale", "elena-voss", "tobias-crane"


def bonds(text: str) -> set[tuple[str, str, str]]:
    told = {"HATES", "LOVES", "ENEMY_OF", "FRIEND_OF"}
    return {(r.subject, r.predicate, r.object) for r in story(text).relations() if r.predicate in told}


@pytest.mark.parametrize(
    ("text", "bond"),
    [
        ("Marcus had no enemy like Tobias.", (MARCUS, "ENEMY_OF", TOBIAS)),
        ("Marcus had no better friend than Tobias.", (MARCUS, "FRIEND_OF", TOBIAS)),
        ("An old enmity lay between Marcus and Tobias.", (MARCUS, "ENEMY_OF", TOBIAS)),
        ("There was a long friendship between Marcus and Tobias.", (MARCUS, "FRIEND_OF", TOBIAS)),
        ("Elena had never felt anything but dislike for Tobias.", (ELENA, "HATES", TOBIAS)),
        ("There was nobody whom Elena so thoroughly detested as Tobias.", (ELENA, "HATES", TOBIAS)),
        ("There was no one whom Elena loved as she loved Tobias.", (ELENA, "LOVES", TOBIAS)),
        ("Elena had never liked Tobias.", (ELENA, "HATES", TOBIAS)),
    ],
)
def test_bonds_by_a_turn_of_phrase(text, bond):
    assert bonds(text) == {bond}


@pytest.mark.parametrize(
    "text",
    [
        "There was no enmity between Marcus and Tobias.",
        "Marcus had an enemy like a tiger, and Tobias knew it.",
        "Elena felt nothing but the cold for an hour.",
        "Elena did not like Tobias.",
        "“Marcus had no enemy like Tobias,” said Elena.",
    ],
)
def test_what_tells_no_bond(text):
    assert not bonds(text)
