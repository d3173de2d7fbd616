"""Speakers without a name."""

from tests.stories.speech import who


def test_a_nameless_speaker_is_somebody_where_he_speaks_twice():
    body = '"Halt," said the policeman.\n\n"Why?" said Elena.\n\n"Because," replied the policeman.'
    assert who(body) == ["the-policeman", "elena-voss", "the-policeman"]
