"""Kin, told by nouns and names: "Elena's brother was Marcus"."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import facts_of

HERE = Path(__file__).parent


def test_kinship():
    assert_read(HERE / "kinship.tsv", facts_of, whole=False)
