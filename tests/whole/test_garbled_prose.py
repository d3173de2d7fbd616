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
BRIEF = settings(max_examples=40, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
LONG = settings(BRIEF, max_examples=120)


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


marked = st.lists(st.sampled_from([*MARKS, "Anna", "she", "said", "was", "her", "eyes", "blue", "killed"]))


GARBLED = shuffled() | marked.map(lambda parts: "Anna. " + " ".join(parts))


@BRIEF
@given(GARBLED)
def test_garbled_prose_is_read(text):
    read_whole(text)


@pytest.mark.slow
@LONG
@given(GARBLED | marked.map(lambda parts: "Anna. " + "".join(parts)))
def test_much_garbled_prose_is_read(text):
    read_whole(text)


@pytest.mark.parametrize("token", ["Anna", "Anna ", "[", "(", "—", "“", '" ', "' ", "‘a", "eyes ", "\n—"])
def test_one_token_over_and_over_is_read(token):
    read_whole((token * 200_000)[:20_000] + " Anna went home.")


@pytest.mark.slow
@pytest.mark.parametrize("token", ["Anna", "Anna ", "[", "(", "— ", "“", '" ', "“a ", "eyes ", "\n—", "no. "])
@pytest.mark.thorough
def test_200_kilobytes_of_one_token_are_read(token):
    read_whole((token * 200_000)[:200_000] + " Anna went home.")
