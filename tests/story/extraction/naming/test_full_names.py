"""Given name and surname of somebody who is named in passing."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import reading

from fabula.story.model.trait_values import FULL_NAME

HERE = Path(__file__).parent


def full_names(text):
    yield from (trait.value for trait in reading(text).traits if trait.aspect == FULL_NAME)


def test_full_names():
    assert_read(HERE / "full_names.tsv", full_names)
