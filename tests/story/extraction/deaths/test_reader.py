"""Who is told to be dead or alive, and what only sounds like a death."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import SURE
from tests.stories.reading import reading

from fabula.story.model.trait_values import LIFE

HERE = Path(__file__).parent


def lives(text):
    found = reading(f"{SURE} Tobias Crane coughed.\n\n{text}")
    for each in found.traits:
        if each.aspect == LIFE:
            yield f"{found.mentions[each.character].surface} {each.value} {each.modality.value}"


def test_deaths():
    assert_read(HERE / "deaths.tsv", lives)
