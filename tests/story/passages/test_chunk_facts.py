import re
import time

import pytest
from tests.stories.described import described

from experiments.common.demo_notes import gold
from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.demo import story_text
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.chapter_reading import ChapterReading, Happening, Mention
from fabula.story.model.types import EntityKind, EntityMention, Modality, StoryLog
from fabula.story.passages.chunk_facts import chunk_facts
from fabula.story.passages.scenes_and_tones import SceneKind
from fabula.story.prose import scenes_of


@pytest.fixture(scope="module")
def demo():
    return described(story_text())


@pytest.fixture(scope="module")
def facts(demo):
    return demo.facts


def test_one_row_a_chunk(demo, facts):
    assert len(facts) == len(demo.chunks)
    for chunk, row in zip(demo.chunks, facts, strict=True):
        assert row.chapter == chunk.chapter
        assert 1 <= row.importance <= 10


def test_people_named_in_a_chunk_are_in_it(demo, facts):
    view = StoryKnowledgeGraph.from_log(demo.log).as_of(Horizon())
    for name in ("Harriet", "Barnaby", "Wilf"):
        who = view.find(name).id
        named = [name in re.findall(r"\w+", chunk.text) for chunk in demo.chunks]
        found = [who in map(view.resolve, row.characters) for row in facts]
        missed = sum(n and not f for n, f in zip(named, found, strict=True))
        assert sum(named) > 5
        assert missed <= 0.05 * sum(named)


def test_gold_flashbacks_are_seen(demo, facts):
    text = demo.document.text
    notes = gold()
    for flashback in notes.flashbacks:
        start, end = text.index(flashback.start_quote), text.index(flashback.end_quote)
        inside = [
            row.scene_type
            for chunk, row in zip(demo.chunks, facts, strict=True)
            if start <= chunk.span.start and chunk.span.end <= end + len(flashback.end_quote)
        ]
        assert SceneKind.FLASHBACK in inside


def test_later_chapters_change_no_row(demo, facts):
    text = story_text()
    cut = demo.document.chapters[5].heading.start
    murder = "Quillon Varga murdered Harriet Pellow. Lowmead wept. Lowmead said so. Lowmead kissed Barnaby."
    other = described(f"{text[:cut]}## Chapter 6: Otherwise\n\n{murder}\n")
    before = sum(chunk.chapter <= 5 for chunk in demo.chunks)
    assert other.facts[:before] == facts[:before]
    assert other.facts[before:] != facts[before : len(other.facts)]


def test_who_turns_out_later_to_be_a_place_was_a_person_when_told():
    text = "## Chapter 1\n\nAsh came in.\n\n## Chapter 2\n\nAsh, Ash, Ash lay by the river.\n"
    document = document_from_text(text, id="b", title="B")
    kinds = [(1, EntityKind.CHARACTER), *[(2, EntityKind.LOCATION)] * 3]
    places = [match.start() for match in re.finditer("Ash", text)]
    mentions = tuple(
        EntityMention("ash", kind, "Ash", told, Evidence.of(document, told, Span(at, at + 3)))
        for (told, kind), at in zip(kinds, places, strict=True)
    )
    readings = [ChapterReading(scenes=scenes_of(c.body.of(text))) for c in document.chapters]
    chunks = chunk_document(document, size=100, overlap=0)
    found = chunk_facts(document, chunks, readings, StoryLog(mentions=mentions))
    assert [row.characters for row in found] == [("ash",), ()]
    assert found[:1] == chunk_facts(document, chunks[:1], readings[:1], StoryLog(mentions=mentions[:1]))


def test_facts_of_some_chapters_are_those_of_all(demo, facts):
    first = next(chunk.ordinal for chunk in demo.chunks if chunk.chapter == 7)
    later = chunk_facts(demo.document, demo.chunks[first:], demo.readings, demo.log)
    assert later == facts[first:]


def test_chunks_of_one_long_chapter_cost_as_much_as_they_hold():
    def seconds(sentences):
        told = "Anna struck Bela. The mill burned down. "
        text = told * sentences
        whole = Chapter(1, "1", Span(0, 0), Span(0, len(text)))
        document = Document("a", "A", text, (whole,))
        spans = [Span(at, at + 17) for at in range(0, len(text), len(told))]
        mentions = tuple(
            Mention(Span(s.start, s.start + 4), "Anna", EntityKind.CHARACTER, "f", 0, s, True) for s in spans
        )
        happenings = tuple(
            Happening("ATTACKS", i, i, None, (s,), Modality.FACT, 0.9) for i, s in enumerate(spans)
        )
        reading = ChapterReading(mentions, happenings=happenings, scenes=scenes_of(text))
        log = StoryLog(
            mentions=tuple(
                EntityMention("anna", m.kind, m.surface, 1, Evidence.of(document, 1, m.span))
                for m in mentions
            )
        )
        chunks = chunk_document(document, size=100, overlap=0)
        started = time.process_time()
        facts = chunk_facts(document, chunks, [reading], log)
        assert all(fact.importance >= 3 for fact in facts)
        return time.process_time() - started

    def least(sentences):  # of several, since other work on the machine and collections only add to it
        return min(seconds(sentences) for _ in range(4))

    seconds(100)
    assert least(4_000) < 20 * least(500)
