import io

import docx
import pytest

from fabula.core.documents import document_from_text, read_document
from fabula.core.formats.word.comments import Comment, docx_of, with_comments
from fabula.core.types import Evidence, Span
from fabula.errors import DocumentError, UsageError
from fabula.story.continuity.reporting.comments import commented
from fabula.story.model.findings import Severity, Violation

EYES = "Marta had grey eyes, and everybody said so."
BROWN = "Marta\u2019s brown eyes followed the boats."


@pytest.fixture
def book(tmp_path):
    made = docx.Document()
    made.add_heading("Chapter 1", 1)
    first = made.add_paragraph("Nobody looked. Marta had grey eyes, and ")
    first.add_run("everybody").bold = True
    first.add_run(" said so. She kept the ledger.")
    made.add_heading("Chapter 2", 1)
    made.add_paragraph(f"{BROWN} It rained. {BROWN}")
    made.save(tmp_path / "book.docx")
    return tmp_path / "book.docx"


def finding(document, *places):
    quotes = tuple(Evidence.of(document, chapter, span) for chapter, span in places)
    told = ("eyes", Severity.WARNING, "Marta: grey, then brown.", ("marta",), quotes)
    return Violation(*told, "Choose.", "it is dyed")


def span_of(text, words, nth=0):
    at = -1
    for _ in range(nth + 1):
        at = text.index(words, at + 1)
    return Span(at, at + len(words))


def marked(data):
    """The words between the marks of each comment, and what it says."""
    made = docx.Document(io.BytesIO(data))
    said = {str(one.comment_id): one.text for one in made.comments}
    found, open_ones = [], {}
    for element in made.element.body.iter():
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        key = next((value for name, value in element.attrib.items() if name.endswith("}id")), "")
        if tag == "commentRangeStart":
            open_ones[key] = ""
        elif tag == "commentRangeEnd":
            found.append((open_ones.pop(key), said[key]))
        elif tag == "t":
            open_ones = {one: words + element.text for one, words in open_ones.items()}
    return found


def start_of_mark(data):
    """How many runs of the last paragraph stand before its first mark."""
    tags = [child.tag.rpartition("}")[2] for child in docx.Document(io.BytesIO(data)).paragraphs[3]._p]
    return tags[: tags.index("commentRangeStart")].count("r")


def paragraphs(data):
    return [one.text for one in docx.Document(io.BytesIO(data)).paragraphs]


def test_each_side_is_marked_word_for_word_and_the_text_stays(book):
    document = read_document(book)
    one = finding(document, (1, span_of(document.text, EYES)), (2, span_of(document.text, BROWN, 1)))
    data, count = commented([one], document, file=book)
    assert count == 2
    assert paragraphs(data) == paragraphs(book.read_bytes())
    (earlier, said), (later, also) = marked(data)
    assert (earlier, later) == (EYES, BROWN)
    assert said.startswith("Marta: grey, then brown.\nChapter 2: \u201cMarta") and "Choose." in also
    assert "Chapter 1: \u201cMarta had grey" in also and "How sure: sure" in also
    runs = docx.Document(io.BytesIO(data)).paragraphs[1].runs
    assert [run.text for run in runs if run.bold] == ["everybody"]
    assert start_of_mark(data) > 0, "the second time is meant"


def test_the_time_that_is_meant_is_marked_and_words_that_are_not_there_are_left_out(book):
    wanted = [(BROWN, 1, "here"), ("rained", 0, "wet"), ("no such words", 0, "x"), ("", 0, "y")]
    data, count = with_comments(book.read_bytes(), [Comment(*one) for one in wanted], author="x")
    assert count == 2
    assert start_of_mark(data) > 0, "the first time is not marked"
    assert sorted(marked(data)) == sorted([(BROWN, "here"), ("rained", "wet")])


def test_a_book_of_another_kind_becomes_a_document(tmp_path):
    document = document_from_text(f"# Chapter 1\n\n{EYES}\n\nA bell: \x07.\n", id="b", title="Salt")
    data, count = commented([finding(document, (1, span_of(document.text, EYES)))], document, file=None)
    assert count == 1 and paragraphs(data)[0] == "Salt" and EYES in paragraphs(data)
    assert marked(data)[0][0] == EYES
    assert paragraphs(docx_of(document)) == paragraphs(data)


def test_another_text_by_now_is_refused(book):
    document = read_document(book)
    changed = docx.Document(book)
    changed.add_paragraph("And more.")
    changed.save(book)
    with pytest.raises(UsageError, match="index it again"):
        commented([], document, file=book)


def test_what_is_no_word_document_is_said():
    with pytest.raises(DocumentError, match="cannot be opened"):
        with_comments(b"PK no", [], author="x")
