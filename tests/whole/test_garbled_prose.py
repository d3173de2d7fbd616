import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.text.sentences import sentences
from fabula.demo import story_text
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.passages.chunk_facts import chunk_facts

READER = StoryReader()
SENTENCES = [span.of(story_text()) for span in sentences(story_text())]
MARKS = [*"()[]{}“”\"'‘’«»—–-…!?.,;:*_#~|", "--", "...", "\n\n", "\n", "\t", "\u200b", "\r\n\r\n"]


def read_whole(text):
    """Read, linked, described, and kept; nothing may be passed over."""
    document = document_from_text(text, id="garbled", title="Garbled")
    linker, readings = Linker(), []
    for chapter in document.chapters:
        reading = READER.read(chapter.body.of(text))
        assert not reading.failures
        assert ChapterReading.from_json(reading.to_json()) == reading
        linker.add(document, chapter, reading)
        readings.append(reading)
    chunks = chunk_document(document, size=450, overlap=90)
    assert len(chunk_facts(document, chunks, readings, linker.log)) == len(chunks)
    for mention in linker.log.mentions:
        mention.evidence.verify(text)
    return readings


@st.composite
def shuffled(draw):
    """Some sentences of the demo story, the words of each in any order, marks among them."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    told = []
    for sentence in chance.sample(SENTENCES, 8):
        words = sentence.split()
        chance.shuffle(words)
        for _ in range(chance.choice((0, 0, 1, 3))):
            words.insert(chance.randrange(len(words) + 1), chance.choice(MARKS))
        told.append(" ".join(words))
    return chance.choice((" ", "\n\n")).join(told)


def marked(between):
    parts = st.sampled_from([*MARKS, "Anna", "she", "said", "was", "her", "eyes", "blue", "killed"])
    return st.lists(parts).map(lambda parts: "Anna. " + between.join(parts))


@settings(derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(shuffled() | marked(" ") | marked(""))
def test_garbled_prose_is_read(text):
    read_whole(text)


TOKENS = ["Anna", "Anna ", "[", "(", "— ", "“", '" ', "' ", "‘a", "“a ", "eyes ", "\n—", "no. "]
LARGE = pytest.param(200_000, marks=[pytest.mark.slow, pytest.mark.thorough])


@pytest.mark.parametrize("size", [20_000, LARGE])
@pytest.mark.parametrize("token", TOKENS)
def test_one_token_over_and_over_is_read(token, size):
    read_whole((token * 200_000)[:size] + " Anna went home.")
