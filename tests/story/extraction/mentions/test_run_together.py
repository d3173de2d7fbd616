"""Runs of capitalised words that are more than a name."""

import pytest
from tests.stories.reading import who


@pytest.mark.parametrize(
    ("sentence", "wrong", "right"),
    [
        ("Remembering Voss, she smiled.", "Remembering Voss", "Voss"),
        ("Whereupon Voss laughed aloud.", "Whereupon Voss", "Voss"),
        ("Whispering Voss leaned over the bed.", "Whispering Voss", "Voss"),
        ("On the last Sunday Elena wrote to him.", "Sunday Elena", "Elena"),
    ],
)
def test_a_word_that_opens_a_sentence_is_no_part_of_the_name(sentence, wrong, right):
    plain = "Voss rose and took his hat. She thanked Voss for it. Elena sat down. He looked at Elena again. "
    found = who(plain + sentence)
    assert wrong not in found
    assert right in found


def test_two_names_that_only_stand_side_by_side_are_two():
    text = (
        "Mrs. Allan came to tea. Mrs. Allan smiled at Anne. Anne laughed, and they sat by Anne for an hour. "
        "Beside Mrs. Allan Anne felt small and shy."
    )
    found = who(text)
    assert "Mrs. Allan Anne" not in found
    assert found["Mrs. Allan"] != found["Anne"]
