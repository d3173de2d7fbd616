"""Index terms: what a query finds."""

import pytest

from fabula.core.text.tokenizing import Tokenizer


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Jose Alvarez", "José Álvarez"),
        ("José", "JOSE"),
        ("Nguyen Thi Mai", "Nguyễn Thị Mai"),
        ("Zoe Bronte-Smith", "Zoë Brontë-Smith"),
        ("Sian", "Sia\u0302n"),
        ("Soren Lodz", "Søren Łódź"),
        ("Aeneas in Strasse", "Æneas in Straße"),
        ("Dang Ozgur", "Đặng Özgür"),
        ("naive", "naïve"),
        ("Renees fiance", "Renées fiancé"),
    ],
)
def test_accents_of_latin_letters_make_no_other_word(query, text):
    assert Tokenizer().terms(query) == Tokenizer().terms(text)


@pytest.mark.parametrize(("one", "other"), [("мой", "мои"), ("が", "か"), ("한", "하")])
def test_letters_of_other_scripts_stay_as_they_are(one, other):
    assert Tokenizer().terms(one) != Tokenizer().terms(other)
