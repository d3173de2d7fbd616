import textwrap
from dataclasses import replace

from fabula.core.types import Chapter, Document, Span
from fabula.story.calibration.planting import manner_of, paragraphs


def _book(text):
    return Document("b", "B", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))


RAIN = (
    "The rain fell upon the house and the farm, and the road was empty as far as the hill, where a cart had\n"
    "stood since the morning with nobody near it, and so the day went."
)
TALK = '"It will rain," said Mr. Hale. "It always does at the farm, Robert\'s or another\'s."'
TYPED = manner_of(_book("\n\n".join([textwrap.fill(RAIN, 68), textwrap.fill(TALK, 68)] * 20)))


def test_books_in_each_kind_of_quotes():
    manner = TYPED
    assert (manner.opening, manner.closing, manner.apostrophe, manner.newline) == ('"', '"', "'", "\n")
    assert manner.dotted and 60 <= manner.width <= 70
    line = "“Gray, is it?” said Mr Hale—and he was gone. It’s gray, he thought; it had been gray. " * 3
    manner = manner_of(_book("\r\n\r\n".join([line] * 4)))
    assert (manner.opening, manner.closing, manner.apostrophe, manner.dash) == ("“", "”", "’", "—")
    assert manner.newline == "\r\n" and manner.width is None and manner.gray and not manner.dotted
    assert manner.dress("“Mr. Hale’s grey hat,” said she.") == "“Mr Hale’s gray hat,” said she."
    text = (
        "'Come,' says Anna. 'It is late.' She goes to the door and is gone. 'No,' says he. He sees her.\n" * 5
    )
    manner = manner_of(_book(text))
    assert (manner.opening, manner.closing) == ("'", "'")
    assert manner.dress("“No,” says he—“not yet.”") == "'No,' says he--'not yet.'" or "—" in manner.dash


def test_narrative_paragraphs_hold_no_speech_verse_or_letters():
    prose = (
        "Anna went to the window and looked out over the garden, and she was glad that nobody had come. " * 2
    )
    letter = f"My dear Anna, {prose}"
    verse = "\n".join(["The rain it was raining,"] * 12) + "."
    text = "\n\n".join([prose.strip(), f'"No," said she. {prose}'.strip(), letter.strip(), verse, "THE END"])
    told = [p.narrative for p in paragraphs(_book(text), TYPED)]
    assert told == [True, False, False, False, False]


def test_lines_are_broken_within_the_width_and_hold_the_words():
    words = ["a" * (1 + 7 * n % 12) for n in range(60)] + ["b" * 80, "well-known"]
    told = replace(TYPED, width=70).broken(" ".join(words))
    assert told.split() == words
    assert all(len(line) <= 70 or " " not in line for line in told.split("\n"))
    assert "\n" not in replace(TYPED, width=None).broken(" ".join(words))
