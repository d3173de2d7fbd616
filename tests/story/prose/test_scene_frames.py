from pathlib import Path

from tests.stories.examples import assert_read
from tests.story.extraction.test_examples import events

HERE = Path(__file__).parent


def dances(opening):
    scene = events(f"Anna wept.\n\n***\n\n{opening} Marcus danced.")
    yield from (event.rpartition(" ")[2] for event in scene if " dance " in event)


def test_a_scene_is_told_as_it_opens():
    assert_read(HERE / "openings.tsv", dances, parsed=False)
