"""Fathers' names: what two people with one given name are told apart by."""

import pytest

from fabula.story.names.alias_book import AliasBook


def test_a_full_name_joins_surname_and_patronymic_and_two_fathers_stay_apart():
    book = AliasBook()

    def meant(surface, gender=""):
        return book.resolve(surface, gender, fresh_id=surface.casefold()).id

    prince = meant("Prince Pavel Ivanovitch Torlov", "m")
    assert meant("Torlov") == meant("Pavel Ivanovitch") == meant("Pavel") == prince
    assert meant("Pavel Sergeyevitch") != prince
    wife = meant("Darya Petrovna")
    assert book.gender(wife) == "f"
    assert meant("Princess Torlov", "f") != prince


@pytest.fixture
def meant():
    """Resolves a name in a book of its own, merges followed."""
    book, into = AliasBook(), {}

    def resolve(surface, gender=""):
        found = book.resolve(surface, gender, fresh_id=f"{surface} {len(into)}")
        if found.merged:
            into[found.merged] = found.id
        return found.id

    return resolve


def test_a_father_s_name_is_not_forgotten(meant):
    first = meant("Pavel Sergeyevitch Torlov")
    for number in range(200):
        meant(f"Mr. Hale{chr(97 + number % 26)}")
    assert meant("Pavel Sergeyevitch") == first
    assert meant("Pavel Andreyevitch") != first


def test_a_short_form_learns_the_father_s_name_once(meant):
    masha = meant("Masha", "f")
    assert meant("Marya Pavlovna") == masha
    assert meant("Marya Sergeyevna") != masha
    assert meant("Masha") == masha


def test_a_short_form_with_a_surname_is_not_whoever_has_the_full_name(meant):
    dancer = meant("Liza Orlova", "f")
    assert meant("Lizaveta Petrovna") != dancer


def test_a_prince_may_go_by_a_short_form(meant):
    assert meant("Prince Konstantin Pavlovitch Torlov") == meant("Kostya", "m")


def test_who_is_always_called_formally_is_not_meant_by_the_bare_name(meant):
    formal = [meant("Alexey Pavlovitch") for _ in range(12)]
    other = meant("Alexey Ivanovitch")
    assert other != formal[0]
    assert meant("Alexey") != formal[0]


def test_a_formal_name_alone_may_be_shortened(meant):
    formal = [meant("Alexey Pavlovitch") for _ in range(12)]
    assert meant("Alexey") == formal[0]


def test_the_princess_is_who_is_called_so(meant):
    daughter = [meant("Lenka", "f") for _ in range(6)]
    assert meant("Princess Lenka") == daughter[0]
    mother = [meant("Princess Torlova") for _ in range(3)]
    assert meant("the princess") == mother[0] != daughter[0]


def test_a_particle_is_no_given_name(meant):
    count = meant("Comte de Brissac", "m")
    assert meant("Armand de Brissac") == count
    assert meant("Madame de Brissac", "f") != count
    assert meant("M. de Varenne", "m") != count
