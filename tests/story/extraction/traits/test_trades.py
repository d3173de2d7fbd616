"""What somebody is by trade, and tradesmen who are others."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.traits import traits_of

HERE = Path(__file__).parent


def test_trades():
    assert_read(HERE / "trades.tsv", traits_of)
