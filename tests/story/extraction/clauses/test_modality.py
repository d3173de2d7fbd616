"""How a text vouches for what it tells: denied, planned, imagined, reported, told from before."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import facts_of

HERE = Path(__file__).parent


def test_modality():
    assert_read(HERE / "modality.tsv", facts_of, whole=False)
