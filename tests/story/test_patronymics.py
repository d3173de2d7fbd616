"""Russian names: given name and patronymic go together, and the surname is the last word."""

import pytest

from fabula.story.names.alias_book import AliasBook
from fabula.story.names.person_name import PersonName, same_given


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
