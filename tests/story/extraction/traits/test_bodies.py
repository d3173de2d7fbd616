"""Height, build, senses, limbs and scars."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.traits import traits_of

HERE = Path(__file__).parent


def test_bodies():
    assert_read(HERE / "bodies.tsv", traits_of)
