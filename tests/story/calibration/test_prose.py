from dataclasses import replace

from tests.stories.novel import novel

from fabula.core.types import Chapter, Document, Span
from fabula.story.calibration.prose import manner_of, paragraphs


def _book(text):
    return Document("b", "B", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))


def test_a_book_in_typewriter_quotes():
    manner = manner_of(novel())
    assert (manner.opening, manner.closing, manner.apostrophe, manner.newline) == ('"', '"', "'", "\n")
    assert manner.past and not manner.first_person and manner.dotted and not manner.dashes
    assert 60 <= manner.width <= 70
    assert manner_of(novel(first_person=True)).first_person


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
    assert all(p.narrative for p in paragraphs(book, manner_of(novel(first_person=True))))


def test_lines_are_broken_within_the_width_and_hold_the_words():
    words = ["a" * (1 + 7 * n % 12) for n in range(60)] + ["b" * 80, "well-known"]
    told = replace(manner_of(novel()), width=70).broken(" ".join(words))
    assert told.split() == words
    assert all(len(line) <= 70 or " " not in line for line in told.split("\n"))
    assert "\n" not in replace(manner_of(novel()), width=None).broken(" ".join(words))
