"""Wives who have a given name at home, widows, and other names that were two people's."""

import pytest

from fabula.story.extraction.reader import StoryReader
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_name import PersonName

from .named import who


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


def tell(book, name, times=1, *, narrated=True):
    """Whom the name means, the last time."""
    parsed = PersonName.parse(name)
    gender = TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
    for _ in range(times):
        found = book.resolve(name, gender, fresh_id=f"{name}#{book.roster.clock}", narrated=narrated)
    return found


HOME = (
    "Mr. John Corwen was rich. Mrs. John Corwen was a pretty woman.\n\n"
    "John and Isabella came to the house. Later John and Isabella left it.\n\n"
    '"It is late, Isabella," said John Corwen. "We must go, Isabella," he said.\n\n'
    "Isabella smiled."
)


def test_nobody_is_who_is_named_beside_her(reader):
    beside = "Isabella sat by Mrs. John Corwen. Mrs. John Corwen looked at Isabella.\n\n"
    found = who(reader, beside + HOME)
    assert found["Isabella"] != found["Mrs. John Corwen"]


def test_a_sister_is_no_wife(reader):
    found = who(reader, "Isabella was John's sister.\n\n" + HOME)
    assert found["Isabella"] != found["Mrs. John Corwen"]


def test_a_mrs_corwen_may_be_the_mother_of_whom_he_calls(reader):
    found = who(reader, HOME.replace("Mrs. John Corwen", "Mrs. Corwen"))
    assert found["Isabella"] != found["Mrs. Corwen"]


def test_a_widow_is_the_mrs_of_her_name():
    book = AliasBook()
    assert tell(book, "Mrs. Bogart", 5).id == tell(book, "Widow Bogart").id


def test_long_john_silver_is_john_silver_though_there_is_another_john():
    book = AliasBook()
    silver = tell(book, "John Silver", 3).id
    tell(book, "John Trelawney", 3)
    long_john = tell(book, "Long John", 5).id
    assert long_john != silver
    joined = tell(book, "Long John Silver")
    assert {joined.id, joined.merged} == {silver, long_john}
    assert tell(book, "Long John").id == joined.id


def test_who_is_named_in_passing_does_not_stand_in_the_way_of_who_is_well_known():
    book = AliasBook()
    tell(book, "Silas Ward")
    known = tell(book, "Silas Phelps").id
    tell(book, "Phelps", 5)
    assert tell(book, "Silas").id == known
    assert tell(book, "Uncle Silas").id == known


def test_an_initial_is_no_role():
    book = AliasBook()
    butler = tell(book, "the butler", 4).id
    assert tell(book, "Doctor T. J. Eckle").id != butler


def test_a_wife_does_not_hide_the_given_name_of_her_husband():
    book = AliasBook()
    champ = tell(book, "Champ Perry").id
    tell(book, "Mrs. Champ Perry", 3)
    for i in range(160):
        tell(book, f"Mr. Vane{'abcdefgh'[i % 8]}")
    assert tell(book, "Champ").id == champ


def test_whom_only_speakers_have_called_vane_is_not_the_first_mrs_vane():
    book = AliasBook()
    vane = tell(book, "Vane", narrated=False).id
    assert tell(book, "Mrs. Vane").id != vane


def test_nobody_is_sworn_by(reader):
    found = who(reader, '"By George!" cried Mr. Hale. "It was done by George Vane."')
    assert "George" not in found
    assert "George Vane" in found


def test_whom_the_narration_goes_on_with_is_not_who_speaks_around_the_call(reader):
    text = (
        '"Nonsense," said Mrs. Corwen.\n\n"That is no nonsense," said Mr. Corwen. "What say you, Mary?"\n\n'
        'Mary wished to say something.\n\n"While Mary thinks," he continued, "let us go."\n\n'
        '"I am sick of it," cried Mrs. Corwen.'
    )
    found = who(reader, text)
    assert found["Mary"] != found["Mrs. Corwen"]


def test_mr_vane_is_not_whoever_of_the_family_is_named_most():
    book = AliasBook()
    tell(book, "Wilfred Vane")
    tell(book, "Wilfred", 8)
    other = tell(book, "Barnaby Vane").id
    found = tell(book, "Mr. Vane", narrated=False)
    assert found.id not in (tell(book, "Wilfred Vane").id, other)
