"""What kind of situation a verb tells of."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import READER

from fabula.story.extraction.clauses.aspect import aspect_of

HERE = Path(__file__).parent


def aspect(text, word):
    doc = READER.parse(text).paragraphs[0].doc
    yield aspect_of(next(token for token in doc if token.text == word)).name.lower()


def test_aspect():
    assert_read(HERE / "aspects.tsv", aspect)
