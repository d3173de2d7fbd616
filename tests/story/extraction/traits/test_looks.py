"""Eyes and hair: what tells them, of whom, and what only seems to."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.traits import traits_of

HERE = Path(__file__).parent


def test_eyes():
    assert_read(HERE / "eyes.tsv", traits_of)


def test_hair():
    assert_read(HERE / "hair.tsv", traits_of)
