import pytest
from tests.tables import rows

from fabula.core.text.tokenizing import Tokenizer


@pytest.mark.parametrize(("query", "text"), rows(__file__, "accents.tsv"))
def test_accents_of_latin_letters_make_no_other_word(query, text):
    assert Tokenizer().terms(query) == Tokenizer().terms(text)


@pytest.mark.parametrize(("one", "other"), [("мой", "мои"), ("が", "か"), ("한", "하")])
def test_letters_of_other_scripts_stay_as_they_are(one, other):
    assert Tokenizer().terms(one) != Tokenizer().terms(other)
