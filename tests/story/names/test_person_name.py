import pytest
from tests.tables import rows

from fabula.story.lexicon.words import SHORT_FORMS, full_forms
from fabula.story.names.lexicon import GIVEN
from fabula.story.names.person_record import PersonName, same_given


@pytest.mark.parametrize(("surface", "title", "given", "surname", "gender"), rows(__file__, "parsed.tsv"))
def test_a_name_is_taken_apart(surface, title, given, surname, gender):
    name = PersonName.parse(surface)
    assert (name.title, name.given, name.surname, name.gender) == (title, given, surname, gender)


def test_a_name_of_one_word_an_earldom_and_no_name():
    assert PersonName.parse("Gatsby").bare == "gatsby"
    assert PersonName.parse("Earl of Vane").title == "earl"
    assert PersonName.parse("").key == ""


@pytest.mark.parametrize(("one", "other", "same"), [*rows(__file__, "same_given.tsv"), ("", "", "no")])
def test_given_names_that_could_be_one(one, other, same):
    assert same_given(one, other) is same_given(other, one) is (same == "yes")


def test_full_forms_and_the_tables_they_come_from():
    assert full_forms("jack") == {"jack", "jackson", "john"}
    assert not full_forms("natasha").isdisjoint({"natalya", "natalia"})
    assert not {"paris", "london", "florence nightingale", "monday"} & set(GIVEN)
    assert all(short not in fulls for short, fulls in SHORT_FORMS.items())
