"""Bonds that are told by a noun or an adjective: "her love for Marcus", "jealous of Anna"."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import facts_of

HERE = Path(__file__).parent


def test_noun_bonds():
    assert_read(HERE / "noun_bonds.tsv", facts_of, whole=False)
