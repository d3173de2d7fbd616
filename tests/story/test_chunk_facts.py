"""What is known of chunks: kinds, tones, importance, events, who is there, and how it is kept."""

import dataclasses
import json
import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.chunks.chunking import chunk_document
from fabula.core.documents import document_from_text
from fabula.core.types import Evidence, Horizon, Span
from fabula.demo import gold, story_text
from fabula.errors import ProjectError
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading, Happening, Mention
from fabula.story.model.types import EntityKind, EntityMention, Modality, StoryLog
from fabula.story.passages.chunk_facts import ChunkFacts, chunk_facts, spoken_spans
from fabula.story.passages.facts_table import ChunkFactsTable
from fabula.story.passages.importance import importance
from fabula.story.passages.key_events import HAPPENS, KeyEvent, key_events
from fabula.story.passages.scene_kinds import SceneKind, Telling, scene_kind, scene_scores
from fabula.story.passages.tones import Tone, tone_of, tone_scores
from fabula.story.prose.paragraphs import scenes_of


@dataclasses.dataclass(frozen=True)
class Read:
    document: object
    chunks: list
    readings: list
    log: object

    @property
    def facts(self):
        return chunk_facts(self.document, self.chunks, self.readings, self.log)


def read(text, reader, *, size=450, overlap=90):
    document = document_from_text(text, id="the-bloom-line", title="The Bloom Line")
    readings, linker = [], Linker()
    for chapter in document.chapters:
        readings.append(reader.read(chapter.body.of(text)))
        linker.add(document, chapter, readings[-1])
    return Read(document, chunk_document(document, size=size, overlap=overlap), readings, linker.log)


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


@pytest.fixture(scope="module")
def demo(reader):
    return read(story_text(), reader)


@pytest.fixture(scope="module")
def facts(demo):
    return demo.facts


# --- scene types ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("narrated", "spoken", "kind"),
    [
        ("said Ada. He asked.", "“Is it far?” “Four miles, if the bridge is up.” “Then go.”", "dialogue"),
        ("She ran, leapt the ditch, fell, scrambled up and seized the rope as he hurled it.", "", "action"),
        (
            "The town stood on a hill above the river, with white walls and green roofs, "
            "and a narrow street ran between the houses to the church.",
            "",
            "description",
        ),
        (
            "Why had he come? He wondered whether he ought to be ashamed. Perhaps he was; he supposed so. "
            "He felt that he knew nothing of himself.",
            "",
            "introspection",
        ),
        (
            "Ten years before they had lived by the sea. They had owned a boat, and had sailed at dawn.",
            "",
            "flashback",
        ),
        (
            "Now she understood. It had been Carl all along, and so that was why he had lied.",
            "",
            "revelation",
        ),
        ("", "", "description"),
    ],
)
def test_each_kind_by_its_cues(narrated, spoken, kind):
    assert scene_kind(Telling(narrated, spoken, turns=spoken.count("“"))) == kind


def test_what_is_said_aloud_is_no_deed_of_the_narrators():
    deed = "He ran and leapt and seized the rope and hurled it at the wall with all his strength."
    assert scene_scores(Telling(deed))[SceneKind.ACTION] > 1
    assert scene_scores(Telling("", deed, 1))[SceneKind.ACTION] == 0


def test_what_the_reading_saw_counts():
    plain = Telling("They went on in the same way for some time and then it was evening at the farm.")
    for field, value, kind in (
        ("flashback", True, SceneKind.FLASHBACK),
        ("learnt", 2, SceneKind.REVELATION),
        ("deeds", 1, SceneKind.ACTION),
    ):
        more = dataclasses.replace(plain, **{field: value})
        assert scene_scores(more)[kind] > scene_scores(plain)[kind]


@given(st.text(max_size=300), st.text(max_size=300), st.integers(0, 9))
def test_any_text_has_a_kind_and_a_tone(narrated, spoken, turns):
    scores = scene_scores(Telling(narrated, spoken, turns))
    assert set(scores) == set(SceneKind)
    assert min(scores.values()) >= 0
    assert min(tone_scores(narrated).values()) >= 0
    assert tone_of(narrated) in Tone


# --- tones ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("He crept on, gun in hand, and held his breath. A scream. Something was in the dark.", "tense"),
        ("They buried him in the rain. She wept at the grave, alone, and grief made her old.", "sad"),
        ("Everyone laughed and cheered, the children danced for joy, and he grinned.", "happy"),
        ("“How dare you!” he roared, shaking his fist. “Liar! Thief!” He slammed the door.", "angry"),
        ("A strange shadow crossed the mist and vanished. Nobody knew whose ghost it was.", "mysterious"),
        ("He kissed her tenderly. “My darling,” he said, “I love you. Marry me.”", "romantic"),
        ("The office is on the second floor. It has three desks and a press for letters.", "neutral"),
        ("", "neutral"),
    ],
)
def test_each_tone_by_its_cues(text, tone):
    assert tone_of(text) == tone


def test_a_denied_cue_does_not_count():
    assert tone_scores("He wept.")[Tone.SAD] > 0
    assert tone_scores("He had never wept.")[Tone.SAD] == 0


# --- importance ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "points"),
    [
        ({"characters": 0}, 1),
        ({"characters": 1}, 1 + 1),
        ({"characters": 3}, 1 + 1 + 1),
        ({"characters": 2, "dialogue": True}, 1 + 1 + 1),
        ({"characters": 1, "revelation": True, "action": True}, 1 + 1 + 2 + 1),
        ({"characters": 1, "events": 2}, 1 + 1 + 1),
        ({"characters": 1, "events": 2, "grave": True}, 1 + 1 + 3),
        (
            {
                "characters": 9,
                "revelation": True,
                "dialogue": True,
                "action": True,
                "events": 5,
                "grave": True,
            },
            1 + 1 + 1 + 2 + 1 + 1 + 3,
        ),
    ],
)
def test_importance_is_a_sum(given, points):
    assert importance(**given) == points


# --- key events ----------------------------------------------------------------------------------

TOLD = (
    "Mara killed Tom. The old bridge collapsed. “The barn burned down,” he said. "
    "If the mill exploded, what then?"
)


def events_of(happenings, text=TOLD):
    document = document_from_text(f"## Chapter 1\n\n{text}\n", id="b", title="B")
    (chapter,) = document.chapters
    body = chapter.body.of(document.text)

    def mention(name):
        at = body.index(name)
        return Mention(Span(at, at + len(name)), name, EntityKind.CHARACTER, "", 0, Span(0, len(body)), True)

    reading = ChapterReading(
        mentions=(mention("Mara"), mention("Tom")), happenings=tuple(happenings), scenes=scenes_of(body)
    )
    found = key_events(document, chapter, reading, spoken_spans(body, reading))
    for event in found:
        event.evidence.verify(document.text)
    return found


def happening(predicate, agent=0, patient=1, modality=Modality.FACT, confidence=0.9):
    at = TOLD.index("Mara")
    return Happening(predicate, agent, patient, None, (Span(at + 1, at + 17),), modality, confidence)


def test_what_befalls_things_is_read_from_the_narration_alone():
    (event,) = events_of([])
    assert (event.wording, event.predicate) == ("The old bridge collapsed", HAPPENS)
    assert event.evidence.quote == "The old bridge collapsed."


@pytest.mark.parametrize(
    ("told", "wording"),
    [
        (happening("KILLS"), "Mara killed Tom"),
        (happening("KILLS", agent=None), "Tom was killed"),
        (happening("DIES", agent=None), "Tom died"),
        (happening("DIES", agent=None, modality=Modality.FLASHBACK), "Tom had died"),
        (happening("FORGIVES", modality=Modality.FLASHBACK), "Mara had forgiven Tom"),
        (happening("KILLS", agent=None, modality=Modality.FLASHBACK), "Tom had been killed"),
    ],
)
def test_the_wording_of_what_befalls_people(told, wording):
    assert wording in [event.wording for event in events_of([told])]


@pytest.mark.parametrize(
    "told",
    [
        happening("KILLS", modality=Modality.PLANNED),
        happening("KILLS", modality=Modality.REPORTED),
        happening("KILLS", confidence=0.4),
        happening("MARRIES", patient=None),
        happening("MEETS"),
    ],
)
def test_what_is_unsure_or_small_is_no_key_event(told):
    assert [event.predicate for event in events_of([told])] == [HAPPENS]


# --- the demo story ------------------------------------------------------------------------------


def test_one_row_a_chunk_and_all_quotes_stand(demo, facts):
    assert len(facts) == len(demo.chunks)
    for chunk, row in zip(demo.chunks, facts, strict=True):
        assert (row.document_id, row.chapter) == (chunk.document_id, chunk.chapter)
        assert 1 <= row.importance <= 10
        for event in row.key_events:
            event.evidence.verify(demo.document.text)
            middle = sum((event.evidence.span.start, event.evidence.span.end)) // 2
            assert chunk.span.start <= middle < chunk.span.end


def test_people_named_in_a_chunk_are_in_it(demo, facts):
    view = StoryKnowledgeGraph.from_log(demo.log).as_of(Horizon())
    for name in ("Harriet", "Barnaby", "Wilf"):
        who = view.find(name).id
        named = [name in re.findall(r"\w+", chunk.text) for chunk in demo.chunks]
        found = [who in map(view.resolve, row.characters) for row in facts]
        missed = sum(n and not f for n, f in zip(named, found, strict=True))
        assert sum(named) > 5
        assert missed <= 0.05 * sum(named)


def test_gold_flashbacks_and_deaths_are_seen(demo, facts):
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
    worded = {event.wording for row in facts for event in row.key_events}
    assert any("died" in line or "killed" in line for line in worded)


def test_the_demo_has_every_kind_but_one_at_most(facts):
    assert len({row.scene_type for row in facts}) >= 5
    assert len({row.tone for row in facts}) >= 6


def test_later_chapters_change_no_row(demo, facts, reader):
    text = story_text()
    cut = demo.document.chapters[5].heading.start
    murder = "Quillon Varga murdered Harriet Pellow. Lowmead wept. Lowmead said so. Lowmead kissed Barnaby."
    other = read(f"{text[:cut]}## Chapter 6: Otherwise\n\n{murder}\n", reader)
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


# --- the table -----------------------------------------------------------------------------------


def test_the_table_gives_every_row_back(demo, facts, tmp_path):
    table = ChunkFactsTable.from_facts(facts)
    table.save(tmp_path)
    for kept in (table, ChunkFactsTable.load(tmp_path)):
        assert kept == table
        assert [kept.facts(n, demo.document) for n in range(len(kept))] == facts
    assert isinstance(ChunkFactsTable.load(tmp_path).chapters.base, np.memmap)


TEXT = "x" * 60
DOCUMENT = document_from_text(TEXT, id="d", title="D")
EVENTS = st.builds(
    lambda wording, predicate, at: KeyEvent(
        wording, predicate, Evidence("d", 1, Span(at, at + 5), TEXT[at : at + 5])
    ),
    st.sampled_from(["a", "b\n", "c"]),
    st.sampled_from(["DIES", "KILLS"]),
    st.integers(0, 50),
)
ROWS = st.lists(
    st.builds(
        ChunkFacts,
        st.just("d"),
        st.just(1),
        st.lists(st.sampled_from("abcdef"), unique=True, max_size=4).map(tuple),
        st.sampled_from(SceneKind),
        st.sampled_from(Tone),
        st.integers(1, 10),
        st.lists(EVENTS, max_size=3).map(tuple),
    ),
    max_size=12,
)


def _bytes(table, folder):
    folder.mkdir(exist_ok=True)
    table.save(folder)
    return [(folder / name).read_bytes() for name in ("facts.npy", "facts.json")]


@given(ROWS, st.integers(0, 14))
def test_appending_is_rebuilding_to_the_byte(tmp_path_factory, rows, cut):
    whole = ChunkFactsTable.from_facts(rows)
    folder = tmp_path_factory.mktemp("table")
    parts = whole.first(cut).appended(rows[cut:])
    assert whole.first(cut) == ChunkFactsTable.from_facts(rows[:cut])
    assert parts == whole
    assert _bytes(parts, folder) == _bytes(whole, folder)
    again = ChunkFactsTable.load(folder)
    assert [again.facts(n, DOCUMENT) for n in range(len(again))] == rows


def test_damaged_files_are_refused(facts, tmp_path):
    table = ChunkFactsTable.from_facts(facts)
    with pytest.raises(ProjectError, match="index the book again"):
        ChunkFactsTable.load(tmp_path)
    table.save(tmp_path)
    names = (tmp_path / "facts.json").read_text()
    for damage in (
        lambda about: about.update(rules="facts-0"),
        lambda about: about["names"].update(characters=[]),
        lambda about: about["lengths"].update(who=1),
        lambda about: about["lengths"].update(chapter=-1),
        lambda about: about.pop("names"),
    ):
        about = json.loads(names)
        damage(about)
        (tmp_path / "facts.json").write_text(json.dumps(about))
        with pytest.raises(ProjectError, match="index the book again"):
            ChunkFactsTable.load(tmp_path)
    (tmp_path / "facts.json").write_text(names)
    body = np.load(tmp_path / "facts.npy")
    np.save(tmp_path / "facts.npy", body[:-1])
    with pytest.raises(ProjectError, match="damaged"):
        ChunkFactsTable.load(tmp_path)


def test_chunks_of_one_long_chapter_cost_as_much_as_they_hold():
    def seconds(sentences):
        told = "Anna struck Bela. The mill burned down. "
        text = told * sentences
        document = document_from_text(text, id="a", title="A")
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
        assert sum(len(fact.key_events) for fact in facts) == 2 * sentences
        return time.process_time() - started

    seconds(100)
    assert seconds(8_000) < 20 * seconds(1_000)
