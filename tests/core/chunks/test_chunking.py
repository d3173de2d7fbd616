import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.store_contract import document_of
from tests.tables import rows, values

from fabula.core.chunks.chunking import chunk_document, scenes
from fabula.core.text.sentences import is_scene_break
from fabula.core.types import Chunk
from fabula.errors import ConfigError


def book(*bodies):
    """A document whose chapters have exactly these bodies."""
    return document_of(bodies, id="book")


def texts(body, *, size=1000, overlap=200):
    return [chunk.text for chunk in chunk_document(book(body), size=size, overlap=overlap)]


@pytest.mark.parametrize("mark", ["***", "###", "          #", "\u2014\u2014\u2014"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_scene_breaks(mark, newline):
    document = book(f"Anna went.\n\n{mark}\n\nBo came.".replace("\n", newline))
    assert [span.of(document.text) for span in scenes(document, document.chapters[0])] == [
        "Anna went.",
        "Bo came.",
    ]
    assert [chunk.text for chunk in chunk_document(document)] == ["Anna went.", "Bo came."]


def test_scenes_keep_their_heading_and_need_more_than_breaks():
    document = book("Anna went.\n\n\n\nBo -- came.\n\n?!\n\nXXX\n\n#bo\n\n| - |\n\noxo xo")
    assert len(scenes(document, document.chapters[0])) == 1
    document = book("Anna went.\n\n## The Mill\n\nBo came.\n## The Sea\nBo swam.")
    found = [scene.of(document.text) for scene in scenes(document, document.chapters[0])]
    assert found == ["Anna went.", "## The Mill\n\nBo came.", "## The Sea\nBo swam."]
    document = book("***\n\n* * *", "")
    assert [scenes(document, chapter) for chapter in document.chapters] == [[], []]
    assert chunk_document(document) == []


A, B, C = "a" * 30 + ".", "b" * 30 + ".", "c" * 30 + "."


@pytest.mark.parametrize(("size", "overlap", "packed"), values(__file__, "packed_paragraphs.tsv"))
def test_paragraphs_are_packed_and_overlap_is_whole_paragraphs(size, overlap, packed):
    assert texts(f"{A}\n\n{B}\n\n{C}", size=size, overlap=overlap) == packed


def test_overlap_is_else_whole_sentences_and_never_across_a_scene_break():
    long = "One two three four. Five six seven. Eight nine."
    assert texts(f"{long}\n\n{A}", size=50, overlap=15) == [long, f"Eight nine.\n\n{A}"]
    assert texts(f"{long}\n\n{A}", size=50, overlap=10) == [long, A]
    assert texts(f"{A}\n\n***\n\n{B}", size=64, overlap=40) == [A, B]


def test_what_is_long_is_cut_at_sentences_at_white_space_or_anywhere():
    body = "Mr. Marsh came to the landing. He sat down there. Nobody knew why he did."
    assert texts(body, size=55, overlap=0) == [
        "Mr. Marsh came to the landing. He sat down there.",
        "Nobody knew why he did.",
    ]
    assert texts("word " * 19 + "word", size=50, overlap=0) == ["word " * 9 + "word", "word " * 9 + "word"]
    assert texts("x" * 120, size=50, overlap=0) == ["x" * 50, "x" * 50, "x" * 20]


@pytest.mark.parametrize(("size", "overlap"), [(49, 0), (0, 0), (-5, 0), (100, 100), (100, -1), (100, 200)])
def test_sizes_that_make_no_sense_are_refused(size, overlap):
    with pytest.raises(ConfigError):
        chunk_document(book("Anna."), size=size, overlap=overlap)


WORD = st.sampled_from(
    ["Anna", "went.", "Mr.", '"No!"', "said", "x" * 70, "and", "home?", "\u2026", "\u00e9t\u00e9."]
)
LINE = st.one_of(
    st.lists(WORD, min_size=1, max_size=25).map(" ".join),
    st.sampled_from(["***", "", "# ", "---", " * * * "]),
)
BODY = st.text(max_size=200).map(str.strip) | st.builds(
    lambda lines, newline, gap: (newline * gap).join(lines).strip(),
    st.lists(LINE, max_size=12),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.integers(1, 3),
)
SIZES = st.integers(50, 300).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


@given(st.lists(BODY, min_size=1, max_size=4), SIZES)
def test_chunks_hold_what_they_promise(bodies, sizes):
    size, overlap = sizes
    document = book(*bodies)
    chunks = chunk_document(document, size=size, overlap=overlap)
    assert chunks == chunk_document(document, size=size, overlap=overlap)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert chunk.text == chunk.span.of(document.text) == chunk.text.strip()
        assert 0 < len(chunk.text) <= size
        assert chunk.id == Chunk.make_id("book", chunk.span, chunk.text)
        inside = scenes(document, document.chapter(chunk.chapter))
        assert [scene.contains(chunk.span) for scene in inside].count(True) == 1
    for chapter in document.chapters:
        own = [chunk.span for chunk in chunks if chunk.chapter == chapter.number]
        alone = chunk_document(replace(document, chapters=(chapter,)), size=size, overlap=overlap)
        assert own == [chunk.span for chunk in alone]
    for one, two in pairwise(chunks):
        assert one.span.start < two.span.start
        assert one.span.end < two.span.end
        assert one.span.end - two.span.start <= overlap
    covered = {at for chunk in chunks for at in range(chunk.span.start, chunk.span.end)}
    for chapter in document.chapters:
        at = chapter.body.start
        for line in re.split(r"(\r\n|\r|\n)", chapter.body.of(document.text)):
            if not is_scene_break(line):
                assert all(at + n in covered for n, letter in enumerate(line) if not letter.isspace())
            at += len(line)


@given(BODY, BODY, BODY, SIZES)
def test_a_chapters_chunks_depend_on_it_alone(one, two, three, sizes):
    size, overlap = sizes
    first = chunk_document(book(one, two), size=size, overlap=overlap)
    second = chunk_document(book(one, three), size=size, overlap=overlap)
    assert [c for c in first if c.chapter == 1] == [c for c in second if c.chapter == 1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "piece", "times"), rows(__file__, "hostile.tsv"))
def test_hostile_text_is_chunked_in_linear_time(name, piece, times):
    document = book(piece * int(times) + "a")
    chunk_document(document)  # where the time grows with the square, this never ends
