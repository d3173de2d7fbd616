import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Chapter, Document, Span
from fabula.story.calibration.prose import Manner, manner_of, paragraphs


def _book(text):
    return Document("b", "B", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))


TOLD = (
    "Mr. Hale came back from the farm before it was dark, and he hung his coat behind the door.",
    '"It will rain," said Anna. "It always does at the farm, Robert\'s or another\'s."',
    "The rain fell upon the house and the farm, and the road was empty as far as the hill all that day.",
)
MINE = "I saw them go, and I had nothing to say; I was far from home, and it was I who had come to be told."


def novel(*more):
    """In lines of 68 letters, as a file of Project Gutenberg is."""
    return _book("\n\n".join(textwrap.fill(block, 68) for block in (*TOLD, *more) * 48))


def test_a_book_in_typewriter_quotes():
    manner = manner_of(novel())
    assert (manner.opening, manner.closing, manner.apostrophe, manner.newline) == ('"', '"', "'", "\n")
    assert manner.past and not manner.first_person and manner.dotted and not manner.dashes
    assert 60 <= manner.width <= 70
    assert manner_of(novel(MINE)).first_person


def test_a_book_in_typographic_quotes_and_long_lines():
    line = "“Gray, is it?” said Mr Hale—and he was gone. It’s gray, he thought; it had been gray. " * 3
    manner = manner_of(_book("\r\n\r\n".join([line] * 4)))
    assert (manner.opening, manner.closing, manner.apostrophe, manner.dash) == ("“", "”", "’", "—")
    assert manner.newline == "\r\n" and manner.width is None and manner.gray and not manner.dotted
    assert manner.dress("“Mr. Hale’s grey hat,” said she.") == "“Mr Hale’s gray hat,” said she."


def test_single_quotes_and_the_present_tense():
    text = (
        "'Come,' says Anna. 'It is late.' She goes to the door and is gone. 'No,' says he. He sees her.\n" * 5
    )
    manner = manner_of(_book(text))
    assert (manner.opening, manner.closing) == ("'", "'")
    assert not manner.past
    assert manner.dress("“No,” says he—“not yet.”") == "'No,' says he--'not yet.'" or "—" in manner.dash


def test_narrative_paragraphs_hold_no_speech_verse_or_letters():
    prose = (
        "Anna went to the window and looked out over the garden, and she was glad that nobody had come. " * 2
    )
    letter = f"My dear Anna, {prose}"
    verse = "\n".join(["The rain it was raining,"] * 12) + "."
    text = "\n\n".join([prose.strip(), f'"No," said she. {prose}'.strip(), letter.strip(), verse, "THE END"])
    told = [p.narrative for p in paragraphs(_book(text), manner_of(novel()))]
    assert told == [True, False, False, False, False]


def test_in_a_third_person_book_i_is_somebody_writing():
    mine = (
        "I went to the window and I looked out over the garden, and I was glad that nobody had come "
        "to me there; for I had nothing to say."
    )
    book = _book(f"{mine}\n\n{mine}")
    assert [p.narrative for p in paragraphs(book, manner_of(novel()))] == [False, False]
    assert all(p.narrative for p in paragraphs(book, manner_of(novel(MINE))))


@given(st.lists(st.text("abcdef", min_size=1, max_size=12), min_size=1, max_size=60), st.integers(0, 69))
def test_lines_are_broken_within_the_width_and_hold_the_words(words, column):
    manner = Manner('"', '"', "'", "--", "\n", 70, True, False, True, False, False)
    told = manner.broken(" ".join(words), column=column)
    assert told.split() == words
    first, *rest = told.split("\n")
    assert all(len(line) <= 70 for line in rest)
    assert column + len(first) <= 70 or " " not in first


@pytest.mark.parametrize("column", [0, 40])
def test_unbroken_books_get_unbroken_lines(column):
    manner = Manner("“", "”", "’", "—", "\n", None, True, False, True, False, False)
    assert "\n" not in manner.broken("word " * 60, column=column)
