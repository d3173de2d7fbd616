"""How many brothers, sisters and children somebody has."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.traits import traits_of

HERE = Path(__file__).parent


def test_counts():
    assert_read(HERE / "counts.tsv", traits_of)
