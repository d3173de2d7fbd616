"""Which hand is the better one, and which is only used."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.traits import traits_of

HERE = Path(__file__).parent


def test_hands():
    assert_read(HERE / "hands.tsv", traits_of)
