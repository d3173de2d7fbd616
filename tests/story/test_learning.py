"""Who learns what, from whom, and what is no learning."""

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.model.types import Modality

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed coughed. Anna laughed.\n\n"


@pytest.fixture(scope="session")
def reader():
    return StoryReader()


def learnt(reader, text):
    reading = reader.read(SURE + text)

    def name(index):
        return None if index is None else reading.mentions[index].surface

    return [(name(each.character), each.content, name(each.source)) for each in reading.learnings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena learned that Marcus had fled.", ("Elena", "Marcus had fled", None)),
        ("Elena learned from Anna that Marcus had fled.", ("Elena", "Marcus had fled", "Anna")),
        ("Elena found out that Marcus lied.", ("Elena", "Marcus lied", None)),
        ("Elena discovered where Marcus had hidden it.", ("Elena", "where Marcus had hidden it", None)),
        ("Marcus told Elena that Anna had wept.", ("Elena", "Anna had wept", "Marcus")),
        ("Elena was told that Anna had wept.", ("Elena", "Anna had wept", None)),
        ("Elena was informed by Marcus that Anna wept.", ("Elena", "Anna wept", "Marcus")),
        ("Marcus confessed to Elena that he was poor.", ("Elena", "he was poor", "Marcus")),
        ("Elena heard of the wedding.", ("Elena", "the wedding", None)),
        ("Marcus informed Elena of his sister's death.", ("Elena", "his sister's death", "Marcus")),
    ],
)
def test_somebody_comes_to_know(reader, text, expected):
    assert learnt(reader, text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Elena learned to sing.",
        "Elena heard a noise.",
        "Marcus told Elena to sing.",
        "Elena saw Marcus fall.",
        "Elena believed that Marcus lied.",
        "“Elena learned that Marcus lied,” said Anna.",
        "“He is dead,” Marcus told Elena.",
        "The dog found that it rained.",
    ],
)
def test_what_is_no_learning(reader, text):
    assert learnt(reader, text) == []


def test_what_is_known_is_an_event_where_the_clause_tells_one(reader):
    reading = reader.read(SURE + "Elena did not learn that Marcus had killed Anna.")
    (learning,) = reading.learnings
    assert learning.modality is Modality.NEGATED
    assert learning.happening is not None
    assert reading.happenings[learning.happening].predicate == "KILLS"


def test_the_log_tells_knowledge(reader):
    body = SURE + "Marcus told Elena that Anna had kissed Mr. Reed."
    document = Document("tale", "tale", body, (Chapter(1, "1", Span(0, 0), Span(0, len(body))),))
    linker = Linker()
    linker.add(document, document.chapters[0], reader.read(body))
    (known,) = linker.log.knowledge
    assert (known.entity, known.source, known.content) == (
        "elena-voss",
        "marcus-hale",
        "Anna had kissed Mr. Reed",
    )
    assert known.event is not None
    assert {event.id: event.verb for event in linker.log.events}[known.event] == "kiss"
    assert all(quote.quote == quote.span.of(body) for quote in known.evidence)
