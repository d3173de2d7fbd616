"""Words of kinship near a passing name."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import reading

from fabula.story.model.trait_values import KIN_HINT

HERE = Path(__file__).parent


def kin_hints(text):
    found = reading(text)
    for trait in found.traits:
        if trait.aspect == KIN_HINT:
            yield f"{found.mentions[trait.character].surface}: {trait.value}"


def test_kin_hints():
    assert_read(HERE / "kin_hints.tsv", kin_hints)
