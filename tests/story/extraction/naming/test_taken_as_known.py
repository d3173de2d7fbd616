"""Bare names that are used as if everybody knew who is meant."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import reading

from fabula.story.model.trait_values import AS_KNOWN

HERE = Path(__file__).parent


def taken_as_known(text):
    found = reading(text)
    for trait in found.traits:
        if trait.aspect == AS_KNOWN:
            yield f"{found.mentions[trait.character].surface} {trait.value}"


def test_a_bare_name_and_how_it_is_used():
    assert_read(HERE / "as_known.tsv", taken_as_known, whole=False)
