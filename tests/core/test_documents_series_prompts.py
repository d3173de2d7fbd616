import codecs
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.tables import rows, values

from fabula.core.documents import document_from_text, read_document
from fabula.core.prompting import load_template, read_answer, schema_of
from fabula.core.series import (
    added,
    chapters_moved,
    horizons_moved,
    joined,
    moved,
    parted,
    removed,
    with_last,
)
from fabula.core.store.tables import digest_document
from fabula.errors import DocumentError, HorizonError, UsageError

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


def told_book(name, chapters):
    text = "".join(f"# Chapter {n}\n\n{said} in {name}.\n\n" for n, said in enumerate(chapters, 1))
    return document_from_text(text, id=name, title=f"The {name}")


def series(*books):
    return joined(books, id="series", title="Series")


WORDS = st.text(alphabet="abc xyzäß'—", min_size=1, max_size=30).filter(str.strip)
BOOKS = st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=5)


@given(BOOKS)
def test_each_book_can_be_had_back_to_the_byte(told):
    books = tuple(told_book(f"book{n}", chapters) for n, chapters in enumerate(told))
    whole = series(*books)
    assert parted(whole) == books
    assert [one.number for one in whole.chapters] == list(range(1, len(whole.chapters) + 1))
    for part, one in zip(whole.books, books, strict=True):
        assert [whole.chapters[n - 1].body.of(whole.text) for n in part.chapters] == [
            chapter.body.of(one.text) for chapter in one.chapters
        ]


@given(BOOKS, BOOKS)
def test_later_books_move_nothing_of_earlier_ones(told, later):
    first = [told_book(f"book{n}", chapters) for n, chapters in enumerate(told)]
    more = [told_book(f"more{n}", chapters) for n, chapters in enumerate(later)]
    short, long = series(*first), series(*first, *more)
    assert long.text.startswith(short.text)
    assert long.chapters[: len(short.chapters)] == short.chapters
    assert long.books[: len(short.books)] == short.books


ONE, TWO, THREE = told_book("one", ["a", "b"]), told_book("two", ["c"]), told_book("three", ["d", "e", "f"])


def names(document):
    return [one.id for one in document.books]


def test_books_are_put_in_replaced_moved_and_taken_out():
    whole = series(ONE, TWO)
    assert added(whole, THREE) == series(ONE, TWO, THREE)
    assert added(whole, THREE, at=1) == series(THREE, ONE, TWO)
    newer = told_book("one", ["a", "changed"])
    assert added(whole, newer) == series(newer, TWO)
    assert removed(added(whole, THREE), 2) == series(ONE, THREE)
    assert names(moved(series(ONE, TWO, THREE), 3, 1)) == ["three", "one", "two"]
    assert names(moved(series(ONE, TWO, THREE), 1, 3)) == ["two", "three", "one"]
    assert with_last(whole, THREE) == series(ONE, THREE)
    assert with_last(ONE, TWO) == TWO
    assert added(ONE, TWO).id == "one"


def test_horizons_and_chapters_not_yet_written_go_as_far_as_what_they_admit():
    first, second = told_book("first", "ab"), told_book("second", "cde")
    both = series(first, second)
    assert horizons_moved(first, both) == horizons_moved(both, both) == horizons_moved(both, first) == {}
    assert horizons_moved(both, moved(both, 2, 1)) == {1: 4, 2: 5, 3: 5, 4: 5}
    assert horizons_moved(both, removed(both, 1)) == {}
    assert horizons_moved(first, added(first, second, at=1)) == {1: 4, 2: 5}
    place = chapters_moved(first, added(first, second, at=1))
    assert place is not None and [place(n) for n in range(5)] == [0, 4, 5, 6, 7]
    place = chapters_moved(both, moved(both, 2, 1))
    assert place is not None and [place(n) for n in range(8)] == [0, 4, 5, 5, 5, 5, 6, 7]
    assert chapters_moved(first, both) is chapters_moved(both, removed(both, 1)) is None


def test_a_chapter_is_named_by_its_book():
    whole = series(ONE, TWO, THREE)
    assert [whole.chapter_of(3, n) for n in (1, 2, 3)] == [4, 5, 6]
    assert whole.chapter(4).title == "The three: Chapter 1"


@pytest.mark.parametrize(
    ("done", "error", "said"),
    [
        (lambda: series(ONE, ONE), DocumentError, "two books are named one"),
        (series, DocumentError, "1 to 500 books, not 0"),
        (lambda: added(series(ONE, TWO), THREE, at=4), UsageError, "at 1 to 3, not 4"),
        (lambda: removed(series(ONE), 1), UsageError, "holds one book"),
        (
            lambda: moved(ONE, 1, 1),
            UsageError,
            "holds one book: add another before one of them is moved",
        ),
        (lambda: removed(series(ONE, TWO), 3), HorizonError, "not 3"),
        (lambda: series(ONE, TWO).chapter_of(3, 1), HorizonError, "books 1 to 2, not 3"),
        (lambda: series(ONE, TWO).chapter_of(0, 1), HorizonError, "not 0"),
        (lambda: series(ONE, TWO).chapter_of(2, 2), HorizonError, "chapters 1 to 1"),
        (lambda: ONE.chapter_of(1, 1), HorizonError, "is one book, no series"),
    ],
)
def test_what_cannot_be_is_refused(done, error, said):
    with pytest.raises(error, match=said):
        done()


def test_the_books_are_under_the_checksum_of_the_text():
    whole = series(ONE, TWO)
    other = replace(whole, books=(replace(whole.books[0], title="Another"), whole.books[1]))
    assert len({digest_document(one) for one in (whole, other, replace(whole, books=()))}) == 3


class Item(BaseModel):
    name: str
    kind: Literal["x", "y"]
    quote: str


class Answer(BaseModel):
    items: list[Item] = []
    sure: bool = False


ITEM = '{"items": [{"name": "it\'s", "kind": "x", "quote": "q"}], "sure": true}'


@pytest.mark.parametrize(("said", "names", "sure", "odd"), values(__file__, "answers_read.tsv"))
def test_an_answer_is_read_whatever_stands_around_it(said, names, sure, odd):
    read = read_answer(said.replace("ONE", ITEM), Answer)
    assert [item.name for item in read.value.items] == names
    assert (read.value.sure, read.odd) == (sure, odd)


def test_a_schema_is_strict_and_has_no_references() -> None:
    assert schema_of(Answer) == (
        '{"properties": {"items": {"items": {"properties": {"name": {"type": "string"}, "kind": {"enum": '
        '["x", "y"], "type": "string"}, "quote": {"type": "string"}}, "required": ["name", "kind", "quote"], '
        '"type": "object", "additionalProperties": false}, "type": "array"}, "sure": {"type": "boolean"}}, '
        '"type": "object", "additionalProperties": false, "required": ["items", "sure"]}'
    )


def test_a_prompt_file_is_filled_in_and_known_by_its_digest(tmp_path) -> None:
    (tmp_path / "ask.md").write_text("# System\nBe brief.\n\n# User\nWho is {{name}}? {{name}}!\n")
    template = load_template(tmp_path / "ask.md", mark="guard/1")
    prompt = template.fill(Answer, name="{{other}}")
    assert (prompt.system, prompt.user) == ("Be brief.", "Who is {{other}}? {{other}}!")
    assert prompt.version == template.version and prompt.schema == schema_of(Answer)
    assert template.version.startswith("ask/") and template.version.endswith(" guard/1")
    (tmp_path / "again.md").write_text("# User\nWho?\n")
    with pytest.raises(ValueError, match=r"again\.md needs the parts"):
        load_template(tmp_path / "again.md")
