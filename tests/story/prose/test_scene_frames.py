from pathlib import Path

from tests.stories.examples import assert_read
from tests.story.extraction.events.test_frames import told

HERE = Path(__file__).parent


def dances(opening):
    scene = told(f"Anna wept.\n\n***\n\n{opening} Marcus danced.")
    yield from (how.value for clause, how in scene if clause.split()[1] == "dance")


def test_a_scene_is_told_as_it_opens():
    assert_read(HERE / "openings.tsv", dances, parsed=False)
