"""One person under several names, and two under one: sons, titles, names of long ago."""

import pytest

from fabula.story.graph_rag.aliases import AliasBook
from fabula.story.graph_rag.entity_extractor import StoryReader
from fabula.story.graph_rag.name_lexicon import GIVEN, TITLES
from fabula.story.graph_rag.person_names import PersonName
from fabula.story.graph_rag.roster import FORGOTTEN

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


def test_the_word_is_read_off_the_text(reader):
    text = (
        "Mr. Corwen shut the door. Mr. Corwen sat down, and Mr. Corwen wrote to the bank. Thomas Corwen was "
        "a man of means. At the window stood young Thomas, who was nine. The little boy waited."
    )
    found = who(reader, text)
    assert found[text.index("Thomas,")] != found["Mr. Corwen"] == found["Thomas Corwen"]
