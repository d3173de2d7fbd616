"""Who says it, by the words beside the speech."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import document, linked

HERE = Path(__file__).parent
CAST = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna Reed laughed.\n\n"


def spoken(body):
    log = linked(document(CAST + body))
    yield ", ".join(f"{quotation.speaker} {quotation.kind}" for quotation in log.quotations)


def test_who_says_it():
    assert_read(HERE / "speakers.tsv", spoken)
