"""How old somebody is told to be, and numbers that are no ages."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.traits import traits_of

HERE = Path(__file__).parent


def test_ages():
    assert_read(HERE / "ages.tsv", traits_of)
