"""Secrets that the text keeps, and who speaks of them all the same."""

from __future__ import annotations

import pytest
from tests.story.continuity.told_story import FILLER, story

from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak

KEPT = "Tobias told nobody that he had sold the mill at Thornbury."


LEAK = "“Tobias sold the mill at Thornbury,” said Elena."


def found(*bodies: str):
    return list(KnowledgeLeak().find(story(*bodies)))


@pytest.mark.parametrize(
    "text",
    [
        "Marcus told Elena that he had sold the mill.",
        "If Elena did not know that he had sold it, she would soon hear.",
        "Did Elena know nothing of the mill?",
        "Elena did not know what to do.",
        "Marcus kept the letter from Paris in a drawer.",
        "Marcus kept Elena from the fire.",
    ],
)
def test_what_is_no_secret(text):
    assert not [item for item in story(text).knowledge() if item.kept]


@pytest.mark.parametrize(
    "between",
    [
        "Tobias told Elena that he had sold the mill.",
        "“I sold the mill,” said Tobias to Elena.",
        "Elena learned that the mill at Thornbury was sold.",
        "Tobias told Elena everything.",
        "A letter from Tobias let Elena into the secret of the sale of the mill.",
        "The sale of the mill came to Elena's ears.",
        "“You had better know of the mill, Elena,” said Tobias. “I sold it, and Thornbury with it.”",
    ],
)
def test_what_is_told_in_between_is_no_leak(between):
    assert not found(f"{FILLER} {KEPT}", between, LEAK)


@pytest.mark.parametrize(
    "leak",
    [
        "“Has Tobias sold the mill at Thornbury?” asked Elena.",
        "“I heard that Tobias sold the mill at Thornbury,” said Elena.",
        "“Perhaps Tobias sold the mill at Thornbury,” said Elena.",
        "“Tobias never sold the mill at Thornbury,” said Elena.",
        "“I sold the mill at Thornbury,” said Tobias.",
        "“The weather at Thornbury is foul,” said Elena.",
    ],
)
def test_asking_doubting_hearsay_and_the_keeper_are_let_be(leak):
    assert not found(f"{FILLER} {KEPT}", leak)


def test_who_is_there_when_it_is_told_knows():
    assert not found(f"{KEPT} Elena laughed. “How cold it is,” said Elena.", LEAK)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Elena wished to speak of the forged will.", []),
        ("Elena did not remember the forged will.", []),
        ("Did Elena remember the forged will?", []),
        ("“Elena remembered the forged will,” said Marcus.", []),
    ],
)
def test_who_is_shown_to_know(text, shown):
    assert [(item.entity, item.content) for item in story(text).knowledge() if item.shown] == shown
