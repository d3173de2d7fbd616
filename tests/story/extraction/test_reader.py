from __future__ import annotations

import pytest
from tests.stories.facts import SURE

from fabula.errors import ModelMissing
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.predicates import PREDICATES


def test_reading_is_deterministic_of_odd_texts_too(reader):
    text = f"{SURE}\n\nElena killed Marcus. He had loved her. Anna lived in London."
    reading = reader.read(text)
    assert reading == StoryReader().read(text)
    assert all(PREDICATES[s.predicate].lasting for s in reading.statements)
    assert all(not PREDICATES[h.predicate].lasting for h in reading.happenings)
    for text in ("", " \n\n ", "***", '"', "‘", "Mr.", "the", "A\x00B.", "😀 Élise!"):
        assert all(scene.span.end <= len(text) for scene in reader.read(text).scenes), text


def test_missing_model_names_the_way_out():
    reader = StoryReader("no_such_model")
    for ask in (lambda: reader.read("A text."), lambda: reader.version):
        with pytest.raises(ModelMissing, match="pip install"):
            ask()


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
    text = "\n\n".join(f"Anna rowed to island {n}. " + "It rained. " * 500 for n in range(20))
    reader.parse(text)
    assert max(batches) <= 60_000
    assert sum(batches) > 100_000
