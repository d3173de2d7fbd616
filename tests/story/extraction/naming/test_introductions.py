"""Words that introduce somebody, and those that do not."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import reading

from fabula.story.model.trait_values import INTRODUCTION

HERE = Path(__file__).parent


def introductions(text):
    found = reading(text)
    for trait in found.traits:
        if trait.aspect == INTRODUCTION:
            yield f"{found.mentions[trait.character].surface}: {trait.value}"


def test_introductions():
    assert_read(HERE / "introductions.tsv", introductions)
