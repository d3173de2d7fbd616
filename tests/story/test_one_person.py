"""One person under several names, and two under one: sons, titles, names of long ago."""

import pytest

from fabula.story.extraction.reader import StoryReader
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_name import PersonName, same_given
from fabula.story.names.roster import FORGOTTEN

from .named import who


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


def meant(book, name, times=1, beside=()):
    parsed = PersonName.parse(name)
    gender = TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
    found = ""
    for _ in range(times):
        found = book.resolve(name, gender, fresh_id=name, beside=dict(beside), narrated=True).id
    return found


# --- long ago -------------------------------------------------------------------------------------


def test_a_full_name_of_long_ago_is_kept_where_nobody_else_bears_the_given_name():
    book = AliasBook()
    meant(book, "Maria Corwen")
    meant(book, "Mr. Hale", FORGOTTEN + 10)
    assert meant(book, "Maria") == "Maria Corwen"


def test_it_is_forgotten_where_another_bears_the_given_name():
    book = AliasBook()
    meant(book, "Maria Corwen")
    meant(book, "Maria Hale")
    meant(book, "Mr. Hale", FORGOTTEN + 10)
    assert meant(book, "Maria") == "Maria"


# --- with a title and without ---------------------------------------------------------------------


def test_a_full_name_is_one_persons_with_a_title_and_without():
    book = AliasBook()
    meant(book, "Noah Corwen", 5)
    meant(book, "Mr. Giles Vane")
    book.join("Mr. Giles Vane", "Noah Corwen")
    assert meant(book, "Giles Vane", beside={"Noah Corwen": "Noah Corwen"}) == "Noah Corwen"


def test_a_bride_is_still_called_by_her_maiden_name():
    book = AliasBook()
    meant(book, "Lydia Corwen", 5)
    book.roster.persons["Lydia Corwen"].marital = "mrs"
    assert meant(book, "Miss Lydia Corwen") == "Lydia Corwen"


def test_a_wife_who_bears_her_husbands_name_is_not_her_husband():
    book = AliasBook()
    meant(book, "Mrs. Orrin Vale")
    assert meant(book, "Orrin Vale") == "Orrin Vale"


@pytest.mark.parametrize(("named", "same"), [(3, True), (8, False)])
def test_a_mrs_who_is_named_often_herself_is_no_bride_of_long_known(named, same):
    book = AliasBook()
    meant(book, "Lydia", 100)
    wife = meant(book, "Mrs. Corwen", named)
    assert (meant(book, "Lydia Corwen") == meant(book, "Mrs. Corwen")) is same
    assert wife == "Mrs. Corwen"


# --- the younger ----------------------------------------------------------------------------------


def test_young_thomas_is_not_who_is_called_mr():
    book = AliasBook()
    meant(book, "Mr. Corwen", 5)
    meant(book, "Thomas Corwen", 2)
    assert meant(book, "young Thomas") == "young Thomas"


def test_young_thomas_is_the_son_who_is_called_tom():
    book = AliasBook()
    meant(book, "Mr. Corwen", 5)
    meant(book, "Thomas Corwen", 2)
    meant(book, "Tom", 4)
    assert meant(book, "young Thomas") == "Tom"


def test_young_oliver_is_the_only_oliver():
    book = AliasBook()
    meant(book, "Oliver Hale", 5)
    assert meant(book, "young Oliver") == "Oliver Hale"


# --- two spellings, two relations -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("rachael", "rachel", True),
        ("nicholas", "nicolas", True),
        ("elisabeth", "elizabeth", True),
        ("frances", "francis", False),
        ("alisha", "alissa", False),
        ("anna", "hanna", False),
    ],
)
def test_spellings_of_a_given_name(one, other, same):
    assert same_given(one, other) is same


def test_a_given_name_in_another_spelling():
    book = AliasBook()
    meant(book, "Rachael Corwen", 5)
    assert meant(book, "Rachel") == "Rachael Corwen"
    assert meant(book, "Rachel Hale") == "Rachel Hale"


def test_an_aunt_in_a_list_is_somebody_else(reader):
    text = "Mrs. Corwen came in. Aunt Celia smiled. Mrs. Corwen, his Aunt Celia, and Tom Hale went to bed."
    found = who(reader, text)
    assert found["Mrs. Corwen"] != found["Aunt Celia"]


def test_a_surname_with_a_particle_stands_alone(reader):
    text = (
        "Professor de Worms came in. Professor de Worms sat down. He was called de Worms by his pupils. "
        '"Never," said de Worms.'
    )
    found = who(reader, text)
    assert found["Worms"] == found["Professor de Worms"]
