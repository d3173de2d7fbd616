"""Nouns of a sentence."""

import pytest

from fabula.story.extraction.reader import StoryReader


@pytest.fixture(scope="module")
def reader():
    return StoryReader(kept_chars=1000)


def test_nouns_are_heads_and_last_names(reader):
    found = reader.nouns("Old Mr. Dove tied the ferry boats. He left.")
    assert found == (frozenset({"dove", "boat"}), frozenset())
