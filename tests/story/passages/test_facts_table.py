"""The table of facts: every row comes back, appending is rebuilding, damage is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.described import described

from fabula.core.documents import document_from_text
from fabula.core.types import Evidence, Span
from fabula.demo import story_text
from fabula.errors import ProjectError
from fabula.story.passages.chunk_facts import ChunkFacts
from fabula.story.passages.facts_table import ChunkFactsTable
from fabula.story.passages.key_events import KeyEvent
from fabula.story.passages.scene_kinds import SceneKind
from fabula.story.passages.tones import Tone


@pytest.fixture(scope="module")
def demo():
    """Two chapters of it."""
    text = story_text()
    return described(text[: text.index("## Chapter 3")])


@pytest.fixture(scope="module")
def facts(demo):
    return demo.facts


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
