"""A name taken apart: titles, given names, surnames, fathers' names; which given names could be one."""

import pytest
from tests.stories.naming import told_apart

from fabula.story.lexicon.short_forms import full_forms
from fabula.story.names.person_name import PersonName, same_given


def test_parse():
    name = PersonName.parse("Lady Catherine de Bourgh")
    assert (name.title, name.given, name.surname) == ("lady", "catherine", "bourgh")
    assert PersonName.parse("Mr. Bennet").surname == "bennet"
    assert PersonName.parse("Aunt Polly").given == "polly"
    assert PersonName.parse("Gatsby").bare == "gatsby"
    assert PersonName.parse("").key == ""


def test_short_forms():
    assert same_given("lizzy", "elizabeth")
    assert same_given("lizzy", "eliza")
    assert not same_given("jane", "elizabeth")
    assert not same_given("", "")


def test_callings_and_fond_words():
    for surface, title, given, surname in (
        ("Farmer Oak", "farmer", "", "oak"),
        ("Doc Kennicott", "dr", "", "kennicott"),
        ("Old Sally", "", "sally", ""),
        ("Poor Miss Taylor", "miss", "", "taylor"),
        ("Old", "", "", ""),
    ):
        name = PersonName.parse(surface)
        assert (name.title, name.given, name.surname) == (title, given, surname), (
            surface,
            title,
            given,
            surname,
        )


def test_initials_places_and_esquires():
    for surface, given, surname in (
        ("J. Hale", "j", "hale"),
        ("Josiah Hale of Coketown", "josiah", "hale"),
        ("Mr. Robert Hale, Esq.", "robert", "hale"),
        ("Miss Lucas", "", "lucas"),
        ("Reverend Wyndham Hale", "wyndham", "hale"),
    ):
        name = PersonName.parse(surface)
        assert (name.given, name.surname) == (given, surname), (surface, given, surname)


def test_initials_and_short_forms():
    assert told_apart(("Jay Hale", "m"), ("J. Hale", "")) == ["0", "0"]
    assert told_apart(("Jay Hale", "m"), ("R. Hale", "")) == ["0", "1"]
    assert same_given("sissy", "cecilia")
    assert not same_given("john", "james")
    assert full_forms("jack") == {"jack", "jackson", "john"}


def test_a_clipped_name():
    for one, other, same in (
        ("lym", "lyman", True),
        ("raymie", "raymond", True),
        ("jane", "janet", False),  # a name of its own
        ("mary", "maryland", False),
        ("li", "lionel", False),
        ("rosie", "rosencrantz", False),
    ):
        assert same_given(one, other) is same_given(other, one) is same, (one, other, same)


def test_spellings_of_a_given_name():
    for one, other, same in (
        ("rachael", "rachel", True),
        ("nicholas", "nicolas", True),
        ("elisabeth", "elizabeth", True),
        ("frances", "francis", False),
        ("alisha", "alissa", False),
        ("anna", "hanna", False),
    ):
        assert same_given(one, other) is same, (one, other, same)


def test_a_patronymic_is_no_surname():
    name = PersonName.parse("Prince Pavel Ivanovitch Torlov")
    assert (name.title, name.given, name.surname, name.gender) == (
        "prince",
        "pavel ivanovitch",
        "torlov",
        "m",
    )
    name = PersonName.parse("Marya Petrovna")
    assert (name.given, name.surname, name.gender) == ("marya petrovna", "", "f")
    assert PersonName.parse("Elena Voss").surname == "voss"
    assert PersonName.parse("Prince Torlov").surname == "torlov"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("sergey ivanovitch", "sergey ivanitch", True),
        ("sergey", "sergey ivanovitch", True),
        ("sergey petrovitch", "sergey ivanovitch", False),
        ("pavel ivanovitch", "sergey ivanovitch", False),
    ],
)
def test_two_fathers_are_two_men(one, other, same):
    assert same_given(one, other) is same


def test_foreign_titles():
    for surface, title, given, surname in (
        ("Fräulein Amalie Brandt", "fraulein", "amalie", "brandt"),
        ("Comtesse de Brissac", "countess", "", "brissac"),
        ("M. de la Varenne", "monsieur", "", "varenne"),
        ("Van Hoorn", "", "", "hoorn"),
        ("Donna Lucia", "donna", "lucia", ""),
        ("Widow Marlow", "widow", "", "marlow"),
    ):
        name = PersonName.parse(surface)
        assert (name.title, name.given, name.surname) == (title, given, surname), (
            surface,
            title,
            given,
            surname,
        )


def test_short_forms_in_every_spelling():
    assert same_given("kostya", "konstantin petrovitch")
    assert not full_forms("natasha").isdisjoint({"natalya", "natalia"})
    assert not same_given("kostya", "pavel petrovitch")
    assert not same_given("masha", "sofya")
