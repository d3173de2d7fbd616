"""Where and when somebody was born."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.traits import traits_of

HERE = Path(__file__).parent


def test_births():
    assert_read(HERE / "births.tsv", traits_of)
