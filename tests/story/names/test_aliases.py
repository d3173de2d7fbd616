from pathlib import Path

import pytest
from tests.stories.examples import rows
from tests.stories.naming import Book, met
from tests.stories.reading import who

from fabula.story.names.alias_book import AliasBook


@pytest.mark.parametrize(("names", "people"), rows(Path(__file__).with_name("met.tsv")))
def test_who_is_meant_in_the_order_in_which_a_reader_meets_the_names(names, people):
    assert met(names) == people


def test_the_captain_is_nobody_whom_only_speakers_call_so():
    book = Book()
    squire = book.means("Cap'n Trelaw")
    book.book.narrate(squire, spoken=True)
    assert book.means("the captain") != squire


def test_join_and_copy():
    book = AliasBook()
    for name, gender in (("Strider", ""), ("Aragorn", ""), ("Alex", "f"), ("Alex", "m")):
        book.resolve(name, gender, fresh_id=name.lower() + gender)
    assert not book.join("alexf", "alexm")  # gender never merges
    other = book.copy()
    assert other.join("aragorn", "strider")
    assert other.find("Aragorn", "") == "strider"
    assert book.find("Aragorn", "") == "aragorn"
    assert not other.join("aragorn", "strider")


def test_a_full_name_is_one_persons_with_a_title_and_without():
    book = Book()
    noah, giles = book.means("Noah Corwen*5"), book.means("Mr. Giles Vane")
    book.book.join(giles, noah)
    assert book.means("Giles Vane", beside={noah: "Noah Corwen"}) == noah


@pytest.mark.parametrize(
    ("told", "before", "after"),
    [
        (("Lydia Corwen*5",), "Lydia Corwen", "Miss Lydia Corwen"),  # still called by her maiden name
        (("Mrs. Hale*5", "Lydia*5", "Mr. Wick*5"), "Lydia", "Lydia Hale"),  # and not her mother
    ],
)
def test_a_bride_signs_with_her_maiden_name(told, before, after):
    book = Book(*told)
    bride = book.means(before)
    book.book.roster.persons[bride].marital = "mrs"
    assert book.means(after) == bride


@pytest.mark.parametrize("told", [True, False])
def test_a_marriage_told_gives_her_his_name(told):
    one = "Miss Clara Dale smiled at Mr. Hobbs. Mr. Hobbs bowed. Clara Dale laughed."
    two = "Clara Dale was the wife of Mr. Hobbs. Clara Dale sang."
    three = "Mrs. Hobbs walked in. Mrs. Hobbs sat down."
    named = who(one, *[two] * told, three)
    assert (named["Mrs. Hobbs"] == named["Clara Dale"]) is told


def test_a_wife_bears_her_husbands_surname_in_her_own_form():
    one = "Anna Arkadyevna smiled. Alexey Karenin was the husband of Anna Arkadyevna."
    named = who(one, "Madame Karenina slept. Madame Karenina woke. Anna Arkadyevna Karenina wept.")
    assert named["Madame Karenina"] == named["Anna Arkadyevna"] != named["Alexey Karenin"]


HOME = (
    "Mr. John Corwen was rich. Mrs. John Corwen was a pretty woman.\n\n"
    "John and Isabella came to the house. Later John and Isabella left it.\n\n"
    '"It is late, Isabella," said John Corwen. "We must go, Isabella," he said.\n\n'
    "Isabella smiled."
)
BESIDE = "Isabella sat by Mrs. John Corwen. Mrs. John Corwen looked at Isabella.\n\n"


@pytest.mark.parametrize(
    ("text", "wife"),
    [
        (BESIDE + HOME, "Mrs. John Corwen"),  # nobody is who is named beside her
        ("Isabella was John's sister.\n\n" + HOME, "Mrs. John Corwen"),
        (HOME.replace("Mrs. John Corwen", "Mrs. Corwen"), "Mrs. Corwen"),  # who may be the mother
    ],
)
def test_whom_a_husband_calls_may_be_another_than_his_wife(text, wife):
    found = who(text)
    assert found["Isabella"] != found[wife]
