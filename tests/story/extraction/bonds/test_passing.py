"""Feelings of an hour, or over, or denied, are no bonds."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader
from fabula.story.model.types import Modality

BONDS = frozenset("LOVES HATES FRIEND_OF ENEMY_OF TRUSTS DISTRUSTS ALLIES_WITH".split())


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


def bonds(reader, text):
    told = reader.read(f"Marcus Hale bowed. Elena Voss smiled at him.\n\n{text}").statements
    return [each for each in told if each.predicate in BONDS and each.modality is Modality.FACT]


@pytest.mark.parametrize(
    "text",
    [
        "Elena had once been fond of Marcus, but she had got over it.",
        "For the length of one waltz Elena believed herself in love with Marcus.",
        "They had been friends once, Marcus and Elena, before the business with the ship.",
        "Long ago, at school, Elena had been the sworn enemy of Marcus.",
        "Marcus was afraid that Elena despised him.",
        "People took Marcus for an enemy of Elena, because they shouted so at chess.",
    ],
)
def test_no_bond(reader, text):
    assert bonds(reader, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Elena was fond of Marcus, and said so at once.",
        "There was nobody whom Elena so thoroughly detested as Marcus.",
        "Marcus and Elena were friends, and had been so for once and for all.",
    ],
)
def test_a_bond(reader, text):
    assert bonds(reader, text)
