from copy import deepcopy
from pathlib import Path

import pytest
from tests.stories.examples import rows
from tests.stories.naming import Book, met
from tests.tables import rows as cells

from fabula.story.lexicon.words import SHORT_FORMS, full_forms
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN
from fabula.story.names.person_record import PersonName, same_given


@pytest.mark.parametrize(("names", "people"), rows(Path(__file__).with_name("met.tsv")))
def test_who_is_meant_in_the_order_in_which_a_reader_meets_the_names(names, people):
    assert met(names) == people


def test_join_and_copy():
    book = AliasBook()
    for name, gender in (("Strider", ""), ("Aragorn", ""), ("Alex", "f"), ("Alex", "m")):
        book.resolve(name, gender, fresh_id=name.lower() + gender)
    assert not book.join("alexf", "alexm")  # gender never merges
    other = deepcopy(book)
    assert other.join("aragorn", "strider")
    assert other.find("Aragorn", "") == "strider"
    assert book.find("Aragorn", "") == "aragorn"
    assert not other.join("aragorn", "strider")


def test_a_bride_signs_with_her_maiden_name():
    book = Book("Mrs. Hale*5", "Lydia*5", "Mr. Wick*5")
    bride = book.means("Lydia")
    book.book.roster.persons[bride].marital = "mrs"
    assert book.means("Lydia Hale") == bride  # and not her mother


@pytest.mark.parametrize(("surface", "title", "given", "surname", "gender"), cells(__file__, "parsed.tsv"))
def test_a_name_is_taken_apart(surface, title, given, surname, gender):
    name = PersonName.parse(surface)
    assert (name.title, name.given, name.surname, name.gender) == (title, given, surname, gender)


def test_a_name_of_one_word_an_earldom_and_no_name():
    assert PersonName.parse("Gatsby").bare == "gatsby"
    assert PersonName.parse("Earl of Vane").title == "earl"
    assert PersonName.parse("").key == ""


@pytest.mark.parametrize(("one", "other", "same"), [*cells(__file__, "same_given.tsv"), ("", "", "no")])
def test_given_names_that_could_be_one(one, other, same):
    assert same_given(one, other) is same_given(other, one) is (same == "yes")


def test_full_forms_and_the_tables_they_come_from():
    assert full_forms("jack") == {"jack", "jackson", "john"}
    assert not full_forms("natasha").isdisjoint({"natalya", "natalia"})
    assert not {"paris", "london", "florence nightingale", "monday"} & set(GIVEN)
    assert all(short not in fulls for short, fulls in SHORT_FORMS.items())
