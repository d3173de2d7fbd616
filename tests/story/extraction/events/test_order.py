"""How two events of a text lie in time."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import READER

from fabula.story.extraction.events.order import lies

HERE = Path(__file__).parent


def order(text, one, other):
    doc = READER.parse(text).paragraphs[0].doc
    first, second = (next(token for token in doc if token.text == word) for word in (one, other))
    yield lies(first, second).lies.name.lower()


def test_how_two_events_lie():
    assert_read(HERE / "order.tsv", order)
