from __future__ import annotations

import importlib.util

import pytest

from fabula.errors import ModelMissing
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.predicates import PREDICATES

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


def test_reading_is_deterministic_of_odd_texts_too(reader):
    text = SURE + "Elena killed Marcus. He had loved her. Anna lived in London."
    reading = reader.read(text)
    assert reading == StoryReader().read(text)
    assert all(PREDICATES[s.predicate].lasting for s in reading.statements)
    assert all(not PREDICATES[h.predicate].lasting for h in reading.happenings)
    for text in ("", " \n\n ", "***", '"', "‘", "Mr.", "the", "A\x00B.", "😀 Élise!"):
        assert all(scene.span.end <= len(text) for scene in reader.read(text).scenes), text


def test_missing_model_names_the_way_out():
    assert importlib.util.find_spec("no_such_model") is None
    with pytest.raises(ModelMissing, match="pip install"):
        StoryReader("no_such_model").read("A text.")
    with pytest.raises(ModelMissing):
        _ = StoryReader("no_such_model").version


@pytest.mark.slow
@pytest.mark.thorough
def test_a_long_chapter_is_parsed_in_pieces_that_fit_the_memory():
    reader, batches = StoryReader(), []
    reader.load()
    nlp = reader._nlp

    class Recorded:
        def pipe(self, texts):
            batches.append(sum(map(len, texts)))
            return nlp.pipe(texts)

    reader._nlp = Recorded()
    text = "\n\n".join(f"Anna rowed to island {n}. " + "It rained. " * 500 for n in range(40))
    reader.parse(text)
    assert max(batches) <= 60_000
    assert sum(batches) > 200_000
