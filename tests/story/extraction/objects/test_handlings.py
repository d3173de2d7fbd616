"""What is done with which thing."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import reading

HERE = Path(__file__).parent
SURE = "Elena Voss smiled. Marcus Hale nodded. Tobias Crane coughed. Anna laughed."


def handled(text):
    found = reading(f"{SURE}\n\n{text}")
    for each in found.handlings:
        owner = "" if each.owner is None else f" of {found.mentions[each.owner].surface}"
        by = "" if each.character is None else f" by {found.mentions[each.character].surface}"
        yield f"{each.act} {each.thing}{owner}{by}"


def test_what_is_done_with_a_thing():
    assert_read(HERE / "handlings.tsv", handled)
