import pytest
from tests.tables import values

from fabula.core.documents import document_from_text
from fabula.errors import UsageError
from fabula.project.accepting import with_next_chapter

PROSE = "It rained on the hill, and the men went home to their fires and sat there late. " * 12
START = "*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n"
END = "\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\nlicence\n"
DRAFT = "The fox sat down by the gate.\n\nIt slept there until the morning came over the hill."


def book(*headings, before="", behind=""):
    text = before + "\n\n".join(f"{heading}\n\n{PROSE.strip()}" for heading in headings) + behind
    return document_from_text(text, id="book", title="The Book")


PLAIN = book("## Chapter 1", "## Chapter 2", before="# The Book\n\n")
BOOKS = {
    "Markdown": (book("## Chapter 1: A", "## Chapter 2: B", before="# The Book\n\n"), "Chapter 3"),
    "names": (book("## The Lamp", "## The Road", before="# The Book\n\n"), "Chapter 3"),
    "Roman": (book("CHAPTER VIII", "CHAPTER IX"), "CHAPTER X"),
    "titles below": (book("CHAPTER I.\nThe Lamp", "CHAPTER II.\nThe Road"), "CHAPTER III"),
    "volumes": (book("VOLUME I\n\nCHAPTER I", "VOLUME II\n\nCHAPTER I"), "VOLUME II, CHAPTER II"),
    "words": (book("Chapter One", "Chapter Two", "Chapter Three"), "Chapter 4"),
    "numerals": (book("I", "II", "III"), "IV"),
    "the end": (book("CHAPTER I", "CHAPTER II", behind="\n\nTHE END\n"), "CHAPTER III"),
    "Gutenberg": (book("CHAPTER I", "CHAPTER II", before=START, behind=END), "CHAPTER III"),
    "no heading": (document_from_text(PROSE * 3, id="book", title="The Book"), "Chapter 2"),
}


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("title", ["", "The Bell"])
def test_a_chapter_is_added_and_nothing_moves(name, title):
    old, label = BOOKS[name]
    grown = with_next_chapter(old, DRAFT, title=title)
    *others, last = grown.document.chapters
    assert [one.body for one in others] == [one.body for one in old.chapters]
    assert last.number == len(old.chapters) + 1
    assert last.title == (f"{label}: {title}" if title else label)
    assert last.body.of(grown.document.text) == DRAFT
    text, added = grown.document.text, grown.added
    assert text[: added.start] + text[added.end :] == old.text


@pytest.mark.parametrize(("draft", "title", "label"), values(__file__, "headings_of_drafts.tsv"))
def test_a_heading_of_the_drafts_own(draft, title, label):
    grown = with_next_chapter(PLAIN, draft.replace("DRAFT", DRAFT), title=title).document
    last = grown.chapters[-1]
    assert (last.number, last.title, last.body.of(grown.text)) == (3, label, DRAFT)


def test_line_ends_are_those_of_the_book():
    text = book("CHAPTER I", "CHAPTER II").text.replace("\n", "\r\n")
    grown = with_next_chapter(document_from_text(text, id="b", title="B"), DRAFT)
    assert "\n" not in grown.document.text.replace("\r\n", "")
    assert grown.document.chapters[-1].body.of(grown.document.text) == DRAFT.replace("\n", "\r\n")


@pytest.mark.parametrize(("draft", "title", "said"), values(__file__, "drafts_refused.tsv"))
def test_what_is_refused(draft, title, said):
    with pytest.raises(UsageError, match=said):
        with_next_chapter(PLAIN, draft.replace("DRAFT", DRAFT).replace("PROSE", PROSE), title=title)


def test_a_short_text_without_headings_has_no_place_for_a_chapter():
    old = document_from_text("Once upon a time there was a fox.", id="b", title="The Fox")
    with pytest.raises(UsageError, match="put a line such as CHAPTER 1"):
        with_next_chapter(old, DRAFT)
