"""Which hand is the better one, told by habit, by the use of the other; what is not meant; bare names."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader

PEOPLE = (
    "Marcus Hale bowed. Elena Voss smiled at him. “Good morning,” said Elena. Tobias Crane nodded to Marcus. "
    "Mr. Reed coughed, and Mrs. Reed poured the tea."
)
RAIN = "The rain went on, the lamps were lit, and the town was quiet afterwards."

TOLD = {
    "Marcus was a left-hander.": "left",
    "With Marcus the left hand was the master.": "left",
    "Marcus could do nothing with his right hand.": "left",
    "Marcus had never learned to write with his right hand.": "left",
    "The right hand was useless to Marcus for any fine work.": "left",
    "Marcus lifted the hammer in his left hand, for his right was never any good to him.": "left",
    "Marcus was clumsy with his right hand.": "left",
    "Marcus's writing had the backward slope of a left-handed man.": "left",
    "Marcus stirred his tea with his left hand, the only one he ever used.": "left",
    "Marcus lifted the cup with his left hand, as he did everything.": "left",
    "Marcus could hear nothing with his left ear.": "",
    "Marcus had wounded his left hand.": "",
    "Marcus wrote with his left hand while his right was in the sling.": "",
    "Marcus held the candle in his left hand.": "",
    "Marcus raised his right hand and swore.": "",
    "If Marcus were left-handed, he would have struck from the other side.": "",
    "Marcus was not left-handed.": "",
}


READER = StoryReader()


@pytest.fixture(scope="module")
def hands():
    text = "\n\n".join((PEOPLE, *(f"{RAIN}\n\n{sentence}" for sentence in TOLD)))
    found: dict[str, set[str]] = {sentence: set() for sentence in TOLD}
    for trait in READER.read(text).traits:
        said = trait.evidence[0].of(text)
        if trait.aspect == "hand" and trait.confidence >= 0.62:
            found[said].add(trait.value)
    return found


@pytest.mark.parametrize("sentence", TOLD)
def test_the_better_hand(hands, sentence) -> None:
    assert hands[sentence] == ({TOLD[sentence]} if TOLD[sentence] else set())


@pytest.mark.parametrize(
    ("sentence", "known"),
    [
        ("It was Harriet who broke the silence.", True),
        ("The door was opened by Harriet.", True),
        ("A man whose wife's name was Harriet signed the paper.", False),
        ("He read a poem by Harriet and slept.", False),
    ],
)
def test_who_is_named_as_known(sentence, known) -> None:
    reading = READER.read(f"{PEOPLE}\n\n{RAIN}\n\n{sentence}\n\n{RAIN}")
    named = [each for each in reading.traits if each.aspect == "as known"]
    assert any(reading.mentions[each.character].surface == "Harriet" for each in named) is known
