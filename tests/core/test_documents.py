import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows

from fabula.core.documents import document_from_text, read_document
from fabula.errors import DocumentError

STORY = "CHAPTER I\n\nAnna went to sea.\n\nCHAPTER II\n\nShe came home.\n"


def write(folder, data, name="the-ferry.txt"):
    path = folder / name
    path.write_bytes(data)
    return path


def refusal(path, **options):
    with pytest.raises(DocumentError) as caught:
        read_document(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert path.name in message
    return message


def test_reads_text_and_chapters(tmp_path):
    document = read_document(write(tmp_path, STORY.encode()))
    assert document.id == "the-ferry"
    assert document.title == "The Ferry"
    assert document.text == STORY
    assert [chapter.title for chapter in document.chapters] == ["CHAPTER I", "CHAPTER II"]
    assert document.chapter(2).body.of(document.text) == "She came home."


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines_are_kept(tmp_path, newline):
    text = STORY.replace("\n", newline)
    document = read_document(write(tmp_path, text.encode()))
    assert document.text == text
    assert document.chapter(1).body.of(document.text) == "Anna went to sea."


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + STORY.encode(),
        codecs.BOM_UTF16_LE + STORY.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + STORY.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + STORY.encode("utf-32-le"),
    ],
)
def test_a_byte_order_mark_is_read_and_left_out(tmp_path, data):
    assert read_document(write(tmp_path, data)).text == STORY


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("cp1252", "Anna said \u201cno\u201d.".encode("cp1252")),
        ("latin-1", "Anna \u00e9tait l\u00e0.".encode("latin-1")),
        ("utf-16", "Anna said \u201cno\u201d.".encode("utf-16")),
        ("utf-16-be", "Anna said no.".encode("utf-16-be")),
        ("utf-16-le", codecs.BOM_UTF16_LE + "Anna said no.".encode("utf-16-le")),
        ("UTF8", codecs.BOM_UTF8 + b"Anna said no."),
        ("utf-8-sig", codecs.BOM_UTF8 + b"Anna said no."),
    ],
)
def test_an_encoding_may_be_named(tmp_path, encoding, data):
    text = read_document(write(tmp_path, data), encoding=encoding).text
    assert text == data.decode(encoding).lstrip("\ufeff")
    assert text.startswith("Anna")


def test_another_encoding_is_refused_with_the_way_out(tmp_path):
    path = write(tmp_path, "Anna \u00e9tait l\u00e0.".encode("latin-1"))
    message = refusal(path)
    assert "utf-8" in message
    assert "byte 5" in message
    assert "--encoding" in message


def test_refusals_say_what_to_do(tmp_path):
    assert "check the path" in refusal(tmp_path / "missing.txt")
    assert "no Markdown files and no Scrivener project" in refusal(tmp_path)
    assert "binary" in refusal(write(tmp_path, b"PK\0\1binary")) or "NUL" in refusal(
        tmp_path / "the-ferry.txt"
    )
    assert "blank" in refusal(write(tmp_path, b"", "empty.txt")).replace("Empty", "empty.txt")
    message = refusal(write(tmp_path, STORY.encode(), "ferry.odt"))
    assert ".odt" in message
    assert ".txt, .md, .epub" in message
    assert "suffix" in refusal(write(tmp_path, STORY.encode(), "ferry"))


def test_an_unknown_encoding_and_half_a_character_are_refused(tmp_path):
    path = write(tmp_path, STORY.encode())
    for name in ("nonsense", "hex", "rot13", "undefined", "a\0b"):
        with pytest.raises(DocumentError, match="text encoding"):
            read_document(path, encoding=name)
    assert "utf-16-le" in refusal(write(tmp_path, codecs.BOM_UTF16_LE + b"A\0B"))


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
