from copy import deepcopy
from pathlib import Path

import pytest
from tests.stories.examples import rows
from tests.stories.naming import Book, met

from fabula.story.names.alias_book import AliasBook


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
