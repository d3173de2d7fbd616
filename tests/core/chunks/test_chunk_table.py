import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows, values

from fabula.config import load_config
from fabula.core.chunks.chunking import WHOLE, chunk_document, fences, list_items, scenes
from fabula.core.chunks.table import ChunkTable, Selection
from fabula.core.documents import document_from_text
from fabula.core.types import Span
from fabula.errors import ConfigError, ProjectError

CODE = """```python
# not a chapter
x = 1

***

y = 2
```"""


def document_of(text):
    return document_from_text(text, id="d", title="T")


def words(text):
    return [found.start() for found in re.finditer(r"\S+", text)]


def test_a_fence_is_whole_and_ends_no_scene():
    text = f"Before it. {'So it went on. ' * 6}\n\n{CODE}\n\nAfter it. {'It ended so. ' * 6}\n"
    document = document_of(text)
    [chapter] = document.chapters
    assert len(scenes(document, chapter)) == 1
    chunks = chunk_document(document, size=60, overlap=0)
    assert [CODE in chunk.text for chunk in chunks].count(True) == 1
    assert all(chunk.text.count("```") in (0, 2) for chunk in chunks)


def test_a_fence_that_is_too_long_is_cut_and_one_that_stays_open_is_none():
    long = "```\n" + "value = 1\n" * 60 + "```"
    chunks = chunk_document(document_of(f"Before.\n\n{long}\n"), size=100, overlap=0)
    assert all(len(chunk.text) <= 100 for chunk in chunks)
    assert len(long) > WHOLE * 100
    text = "~~~\nThe sea.\n\n***\n\nThe shore.\n"
    assert fences(text, Span(0, len(text))).spans == ()


@pytest.mark.parametrize(("text", "count"), rows(__file__, "fences.tsv"))
def test_fences_are_those_of_commonmark(text, count):
    assert len(fences(text, Span(0, len(text))).spans) == int(count)


def test_items_of_a_list_stay_whole():
    items = [f"{number}. {'An item of some words that goes on. ' * 2}".strip() for number in range(1, 9)]
    chunks = chunk_document(document_of("\n".join(items) + "\n"), size=100, overlap=0)
    assert [chunk.text for chunk in chunks] == items
    assert list(list_items("No list.\n- one", Span(0, 14))) == []
    assert len(list(list_items("- one\n  more\n- two", Span(0, 18)))) == 2


@given(st.text(alphabet="ab \n,", max_size=400), st.integers(50, 90), st.integers(0, 49))
def test_chunks_of_tokens_hold_every_word_and_no_more_than_they_may(text, size, overlap):
    document = document_of("x " + text)
    chunks = chunk_document(document, size=size, overlap=overlap, offsets=words)
    held = set()
    for chunk in chunks:
        assert chunk.span.of(document.text) == chunk.text
        assert len(words(chunk.text)) <= size + 1
        held |= set(range(chunk.span.start, chunk.span.end))
    body = document.chapters[0].body
    for place in range(body.start, body.end):
        assert document.text[place].isspace() or place in held


@pytest.mark.parametrize(("told", "expected"), values(__file__, "presets.tsv"))
def test_a_preset_gives_what_is_not_said(told, expected):
    found = load_config(assignments=told).chunking
    assert (found.unit, found.size, found.overlap) == expected
    with pytest.raises(ConfigError, match="preset"):
        load_config(assignments=["chunking.preset=novel"])


def test_the_command_cuts_by_the_tokens_of_the_model(run_cli, tmp_path):
    from fabula.engine import Project

    book = tmp_path / "tale.md"
    book.write_text("# One\n\n" + "Wilf met Ada in the old mill by the river. " * 200, encoding="utf-8")
    assert run_cli("index", book, "-o", tmp_path / "p", "--chunking", "tokens").code == 0
    with Project.open(tmp_path / "p") as project:
        lengths = [len(project.embedder.token_starts(chunk.text)) for chunk in project.chunks]
    assert max(lengths) <= 512 and sorted(lengths)[-2] > 400 and len(lengths) >= 4
    assert run_cli("search", tmp_path / "p", "the old mill").code == 0


def mask(*bits):
    return np.array(bits, np.bool_)


def test_a_mask_selects_within_the_horizon_and_one_that_lets_all_through_is_none():
    assert [n in Selection(3) for n in (-1, 0, 2, 3)] == [False, True, True, False]
    assert Selection(2, mask(1, 1, 0)).mask is Selection(0, mask()).mask is None
    theirs = mask(0, 1, 1, 0, 1, 1, 1)
    chosen = Selection(5, theirs)
    theirs[:] = False  # the mask is a copy that cannot be written to
    with pytest.raises(ValueError, match="read-only"):
        chosen.mask[0] = False
    assert chosen.mask.tolist() == [False, True, True, False, True]
    assert [n for n in range(7) if n in chosen] == [1, 2, 4]


@pytest.mark.parametrize(
    ("limit", "bad"), [(-1, None), (3, mask(1, 0)), (1, np.ones(1, np.int8)), (1, np.ones((1, 1), np.bool_))]
)
def test_what_is_no_selection_is_refused(limit, bad):
    with pytest.raises(ConfigError):
        Selection(limit, bad)


TEXT = "Chapter 1\n\n" + "One fish swam.\n\nTwo fish — and a naïve one — did not.\r\n" * 9
BOOK = document_of(TEXT)
CHUNKS = chunk_document(BOOK, size=60, overlap=20)


@pytest.mark.parametrize("chunks", [CHUNKS, []])
def test_holds_the_chunks_it_was_made_of(tmp_path, chunks):
    table = ChunkTable.of(BOOK, chunks)
    assert list(table) == chunks and table[1:4] == chunks[1:4] and table[-1:] == chunks[-1:]
    assert table.chapters.tolist() == [c.chapter for c in chunks]
    with pytest.raises(IndexError):
        table[len(chunks)]
    table.save(tmp_path)
    assert list(ChunkTable.load(tmp_path, BOOK)) == chunks


def test_damaged_or_foreign_files_are_one_clear_error(tmp_path):
    with pytest.raises(ProjectError, match="cannot be read"):
        ChunkTable.load(tmp_path, BOOK)
    ChunkTable.of(BOOK, CHUNKS).save(tmp_path)
    with pytest.raises(ProjectError, match="do not fit the text"):
        ChunkTable.load(tmp_path, document_of(TEXT[:80]))
    np.save(tmp_path / "chunks.npy", np.zeros(4, dtype=np.int64))
    with pytest.raises(ProjectError, match="do not fit the text"):
        ChunkTable.load(tmp_path, BOOK)
