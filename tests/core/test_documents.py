import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows, values

from fabula.core.documents import document_from_text, read_document
from fabula.errors import DocumentError

STORY = "CHAPTER I\n\nAnna went to sea.\n\nCHAPTER II\n\nShe came home.\n"


def write(folder, data, name="the-ferry.txt"):
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_reads_text_and_chapters_and_keeps_newlines(tmp_path, newline):
    text = STORY.replace("\n", newline)
    document = read_document(write(tmp_path, text.encode()))
    assert (document.id, document.title, document.text) == ("the-ferry", "The Ferry", text)
    assert [chapter.title for chapter in document.chapters] == ["CHAPTER I", "CHAPTER II"]
    assert document.chapter(2).body.of(document.text) == "She came home."


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_read_and_left_out(tmp_path, encoding):
    assert read_document(write(tmp_path, STORY.encode(encoding))).text == STORY
    big = codecs.BOM_UTF16_BE + STORY.encode("utf-16-be")
    assert read_document(write(tmp_path, big)).text == STORY


@pytest.mark.parametrize(("encoding", "mark"), values(__file__, "encodings_named.tsv"))
def test_an_encoding_may_be_named(tmp_path, encoding, mark):
    said = "Anna \u00e9tait l\u00e0."
    assert read_document(write(tmp_path, mark + said.encode(encoding)), encoding=encoding).text == said


@pytest.mark.parametrize(("name", "data", "said"), values(__file__, "refusals.tsv"))
def test_refusals_are_a_line_that_says_what_to_do(tmp_path, name, data, said):
    if data is not None:
        write(tmp_path, data, name)
    with pytest.raises(DocumentError, match=said) as caught:
        read_document(tmp_path / name)
    assert "\n" not in str(caught.value) and (tmp_path / name).name in str(caught.value)


@pytest.mark.parametrize("name", ["nonsense", "hex", "rot13", "undefined", "a\0b"])
def test_an_unknown_encoding_is_refused(tmp_path, name):
    with pytest.raises(DocumentError, match="text encoding"):
        read_document(write(tmp_path, STORY.encode()), encoding=name)


@pytest.mark.parametrize(("name", "slug"), rows(__file__, "document_ids.tsv"))
def test_the_id_comes_from_the_name(tmp_path, name, slug):
    assert read_document(write(tmp_path, b"Anna went to sea.", name)).id == slug


def test_the_title_comes_from_the_name_or_from_markdown(tmp_path):
    for name, title in (
        ("the-turn-of-the-screw", "The Turn of the Screw"),
        ("Night_and_Day", "Night and Day"),
    ):
        assert read_document(write(tmp_path, b"Anna went to sea.", f"{name}.txt")).title == title
    path = write(
        tmp_path, b"# The Crossing #\n\n## Chapter 1: Out\n\nAnna.\n\n## Chapter 2: Back\n\nBo.\n", "a.md"
    )
    document = read_document(path)
    assert document.title == "The Crossing"
    assert [chapter.title for chapter in document.chapters] == ["Chapter 1: Out", "Chapter 2: Back"]
    assert read_document(path, title="Mine").title == "Mine"


@pytest.mark.parametrize(("text", "id"), [("", "a"), (" \n\t", "a"), ("a\0b", "a"), ("Anna.", "")])
def test_a_text_that_is_no_story_is_refused(text, id):
    with pytest.raises(DocumentError):
        document_from_text(text, id=id, title="Book")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_any_text_is_kept_as_it_is(text):
    if not text.strip():
        return
    document = document_from_text(text, id="a", title="Book")
    assert document.text == text
    assert document.chapters
