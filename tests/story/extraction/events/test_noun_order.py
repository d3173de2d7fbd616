"""Which of two happenings that are nouns came first: "the fire came a year after the sale"."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import reading

HERE = Path(__file__).parent


def noun_order(text):
    yield from (time.value for time in reading(text).times if time.kind == "order")


def test_which_happening_came_first():
    assert_read(HERE / "noun_order.tsv", noun_order)
