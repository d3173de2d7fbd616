import json
import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.reading import linked, reading
from tests.tables import rows, values

from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.demo import story_text
from fabula.errors import ProjectError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.chapter_reading import ChapterReading, Happening, Mention
from fabula.story.model.types import EntityKind, EntityMention, Modality, StoryLog
from fabula.story.passages.chunk_facts import ChunkFacts, ChunkFactsTable, chunk_facts, importance, key_events
from fabula.story.passages.scenes_and_tones import SceneKind, Tone, tone_of, tone_scores
from fabula.story.prose import scenes_of

ROWS = st.lists(
    st.builds(
        ChunkFacts,
        st.integers(1, 3),
        st.lists(st.sampled_from("abcdef"), unique=True, max_size=4).map(tuple),
        st.sampled_from(SceneKind),
        st.sampled_from(Tone),
        st.integers(1, 10),
    ),
    max_size=12,
)
FACTS = [
    ChunkFacts(1, ("a", "b"), SceneKind.ACTION, Tone.SAD, 3),
    ChunkFacts(2, ("c",), SceneKind.DIALOGUE, Tone.HAPPY, 9),
]


def saved(table, folder):
    table.save(folder)
    return [(folder / name).read_bytes() for name in ("facts.npy", "facts.json")]


@given(ROWS, st.integers(0, 14))
def test_appending_is_rebuilding_to_the_byte(tmp_path_factory, rows, cut):
    whole = ChunkFactsTable.from_facts(rows)
    folder = tmp_path_factory.mktemp("table")
    parts = whole.first(cut).appended(rows[cut:])
    assert whole.first(cut) == ChunkFactsTable.from_facts(rows[:cut])
    assert parts == whole
    assert saved(parts, folder) == saved(whole, folder)
    again = ChunkFactsTable.load(folder)
    assert again == whole
    assert not again.chapters.flags.writeable  # the file itself, by mmap


DAMAGES = [{"rules": "facts-0"}, {"characters": []}, *({"rows": rows} for rows in (1, 3, -1, None)), "cut"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_refused(tmp_path, damage):
    with pytest.raises(ProjectError, match="index the book again"):
        ChunkFactsTable.load(tmp_path)
    ChunkFactsTable.from_facts(FACTS).save(tmp_path)
    if damage == "cut":
        np.save(tmp_path / "facts.npy", np.load(tmp_path / "facts.npy")[:-1])
    else:
        about = json.loads((tmp_path / "facts.json").read_text()) | damage
        kept = {key: value for key, value in about.items() if value is not None}
        (tmp_path / "facts.json").write_text(json.dumps(kept))
    with pytest.raises(ProjectError, match="index the book again"):
        ChunkFactsTable.load(tmp_path)


TOLD = "Mara killed Tom. Mara nearly killed Tom."
KILLED, NEARLY = Span(0, 16), Span(17, len(TOLD))


@pytest.mark.parametrize(("predicate", "told", "grave"), values(__file__, "key_events.tsv"))
def test_key_events_are_what_surely_befalls_somebody(predicate, told, grave):
    given = {"agent": 0, "patient": 1, "modality": "fact", "confidence": 0.9, "nearly": False, **told}
    given["evidence"] = (NEARLY if given.pop("nearly") else KILLED,)
    happening = Happening(predicate, place=None, **given | {"modality": Modality(given["modality"])})
    found = key_events(TOLD, ChapterReading(happenings=(happening,)))
    assert found == ([] if grave is None else [(KILLED, grave)])


@pytest.mark.parametrize(("traits", "points"), values(__file__, "importance_is_a_sum.tsv"))
def test_importance_is_a_sum(traits, points):
    assert importance(**traits) == points


def test_each_tone_by_its_cues_unless_they_are_denied():
    for text, tone in rows(__file__, "each_tone_by_its_cues.tsv"):
        assert tone_of(text) == tone, (text, tone)
    assert tone_scores("He wept.")[Tone.SAD] > 0
    assert tone_scores("He had never wept.")[Tone.SAD] == 0


class Described:
    """A story read, linked and cut into chunks, with what is known of each."""

    def __init__(self, text):
        self.document = document_from_text(text, id="the-bloom-line", title="The Bloom Line")
        self.chunks = chunk_document(self.document, size=450, overlap=90)
        self.readings = [reading(chapter.body.of(text)) for chapter in self.document.chapters]
        self.log = linked(self.document)
        self.facts = chunk_facts(self.document, self.chunks, self.readings, self.log)


@pytest.fixture(scope="module")
def demo():
    return Described(story_text())


@pytest.fixture(scope="module")
def facts(demo):
    return demo.facts


def test_one_row_a_chunk_with_the_people_who_are_named_in_it(demo, facts):
    for chunk, row in zip(demo.chunks, facts, strict=True):
        assert row.chapter == chunk.chapter
        assert 1 <= row.importance <= 10
    view = StoryKnowledgeGraph.from_log(demo.log).as_of(Horizon())
    for name in ("Harriet", "Barnaby", "Wilf"):
        who = view.find(name).id
        named = [name in re.findall(r"\w+", chunk.text) for chunk in demo.chunks]
        found = [who in map(view.resolve, row.characters) for row in facts]
        missed = sum(n and not f for n, f in zip(named, found, strict=True))
        assert sum(named) > 5
        assert missed <= 0.05 * sum(named)


def test_a_flashback_is_seen(demo, facts):
    start = demo.document.text.index("Eleven years earlier, on the last night of April")
    end = demo.document.text.index("and most of those were figures.")
    rows = zip(demo.chunks, facts, strict=True)
    inside = [row.scene_type for chunk, row in rows if Span(start, end).contains(chunk.span)]
    assert SceneKind.FLASHBACK in inside


def test_later_chapters_change_no_row(demo, facts):
    cut = demo.document.chapters[5].heading.start
    murder = "Quillon Varga murdered Harriet Pellow. Lowmead wept. Lowmead said so. Lowmead kissed Barnaby."
    other = Described(f"{story_text()[:cut]}## Chapter 6: Otherwise\n\n{murder}\n")
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
        document = Document("a", "A", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))
        spans = [Span(at, at + 17) for at in range(0, len(text), len(told))]
        person = ("Anna", EntityKind.CHARACTER)
        mentions = tuple(Mention(Span(s.start, s.start + 4), *person, "f", 0, s, True) for s in spans)
        blows = [Happening("ATTACKS", i, i, None, (s,), Modality.FACT, 0.9) for i, s in enumerate(spans)]
        quotes = [Evidence.of(document, 1, m.span) for m in mentions]
        log = StoryLog(mentions=tuple(EntityMention("anna", person[1], "Anna", 1, q) for q in quotes))
        reading = ChapterReading(mentions, happenings=tuple(blows), scenes=scenes_of(text))
        chunks = chunk_document(document, size=100, overlap=0)
        started = time.process_time()
        facts = chunk_facts(document, chunks, [reading], log)
        assert all(fact.importance >= 3 for fact in facts)
        return time.process_time() - started

    def least(sentences):  # of several, since other work on the machine and collections only add to it
        return min(seconds(sentences) for _ in range(4))

    seconds(100)
    assert least(4_000) < 20 * least(500)
