"""A paragraph in which no sentence ends is read in bounded pieces; every other is read whole."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader
from fabula.story.prose.paragraphs import MAX_SENTENCE, paragraphs, scenes_of


def pieces(text: str) -> list[str]:
    return [one.text for one in paragraphs(text, scenes_of(text))]


@pytest.mark.parametrize("piece", ["the boat ", "boat-", "a\n"])
def test_pieces_are_bounded_and_lose_nothing(piece: str) -> None:
    text = piece * 8_000
    found = pieces(text)
    assert max(map(len, found)) <= MAX_SENTENCE
    assert "".join("".join(found).split()) == "".join(text.split())


def test_spans_lead_back_to_the_text() -> None:
    text = "Anna rowed. " + "the boat " * 3_000
    for one in paragraphs(text, scenes_of(text)):
        assert one.span(0, len(one.text)).of(text) == one.text


def test_long_paragraphs_of_sentences_stay_whole() -> None:
    text = "Anna rowed over the sound, and the boat came in. " * 500
    assert pieces(text) == [text.strip()]
    long = f"Anna saw {'a boat and ' * 400}the quay."
    assert pieces(long) == [long]


@pytest.mark.parametrize("piece", ["boat", "&", "“", "' ", "[", "— ", "x_" * 600 + "1"])
def test_what_is_no_word_is_left_out_and_the_rest_is_read(piece: str) -> None:
    text = f"Anna rowed {piece * 20_000} home."
    found = paragraphs(text, scenes_of(text))
    assert sum(len(one.text) for one in found) < 40
    assert [one.span(0, len(one.text)).of(text)[:4] for one in found][:1] == ["Anna"]
    assert found[-1].text.endswith("home.")


@pytest.mark.slow
def test_a_long_chapter_is_parsed_in_pieces_that_fit_the_memory() -> None:
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
