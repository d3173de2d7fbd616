"""Who of the persons met so far a name could mean: titles, families, short forms, names of long ago."""

import pytest
from tests.stories.naming import Book, meant, resolved, told_apart

from fabula.story.names.alias_book import AliasBook
from fabula.story.names.person_name import PersonName
from fabula.story.names.roster import FORGOTTEN


def test_the_surname_behind_aunt_and_uncle():
    for names, same in (
        (("Mrs. Corwen", "Aunt Corwen"), True),
        (("Aunt Corwen", "Mrs. Corwen"), True),
        (("Mr. Pottle", "Uncle Pottle"), True),
        (("Uncle Pottle", "Mr. Pottle"), True),
        (("Mr. Corwen", "Aunt Corwen"), False),
        (("Mrs. Corwen", "Uncle Corwen"), False),
        (("Mrs. Corwen", "Aunt Ellen"), False),
    ):
        book = AliasBook()
        first, second = (meant(book, name, 4) for name in names)
        assert (first == second) is same, (names, same)


def test_a_bare_surname_is_no_baronets_where_there_is_another_man():
    book = AliasBook()
    meant(book, "Sir Giles Corwen", 5)
    meant(book, "Edgar Corwen", 5)
    assert meant(book, "Corwen") == "Edgar Corwen"
    alone = AliasBook()
    meant(alone, "Sir Giles Corwen", 5)
    assert meant(alone, "Corwen") == "Sir Giles Corwen"


@pytest.mark.parametrize("calling", ["Shepherd", "Farmer", "Miller", "Neighbour"])
def test_a_calling_before_the_surname(calling):
    book = AliasBook()
    assert meant(book, "Mr. Holt", 3) == meant(book, f"{calling} Holt")


def test_the_captain_is_nobody_whom_only_speakers_call_so():
    book = AliasBook()
    squire = book.resolve("Cap'n Trelaw", "", fresh_id="squire").id
    book.narrate(squire, spoken=True)
    assert meant(book, "the captain") == "the captain"


def test_who_was_once_called_captain_gives_way_to_who_always_is():
    book = AliasBook()
    assert meant(book, "Captain Hale") == meant(book, "the captain") == "Captain Hale"
    meant(book, "Mr. Hale", 5)
    meant(book, "Captain Voss", 4)
    assert meant(book, "the captain") == "Captain Voss"


def test_long_john_is_john_and_john_is_who_is_mostly_called_so():
    book = AliasBook()
    assert PersonName.parse("Long John").given == PersonName.parse("Long John Tarrant").given == "john"
    assert meant(book, "Long John Tarrant") == meant(book, "Long John", 9) == "Long John Tarrant"
    meant(book, "Mr. John Voss")
    assert meant(book, "John") == "Long John Tarrant"


def test_earl_before_a_surname_is_a_given_name():
    book = AliasBook()
    assert meant(book, "Harry Haydock", 4) != meant(book, "Earl Haydock")
    assert PersonName.parse("Earl of Vane").title == "earl"


def test_aunt_polly_is_no_mary():
    book = AliasBook()
    assert meant(book, "Aunt Polly", 5) == meant(book, "Polly")
    assert meant(book, "Mary") != meant(book, "Aunt Polly")


def test_mars_tom_is_tom():
    book = AliasBook()
    assert meant(book, "Tom Tarrant", 3) == meant(book, "Mars Tom") == meant(book, "Master Tom")


def test_a_surname_that_was_only_told_keeps_nobody_apart():
    book = AliasBook()
    meant(book, "Tarrant")
    meant(book, "Miss Tarrant", 5)
    meant(book, "Jordan")
    assert meant(book, "Jordan Tarrant") == "Miss Tarrant"


def test_a_man_called_mr_from_the_start_stays_one():
    book = AliasBook()
    assert (
        meant(book, "Mr. Vane", 2) == meant(book, "Stephen Vane") == meant(book, "Stephen", 12) == "Mr. Vane"
    )
    assert meant(book, "Mr. Vane") == "Mr. Vane"


def test_nobody_is_called_mary_after_a_lady_mary_named_once():
    book = AliasBook()
    meant(book, "Lady Mary Grey")
    assert meant(book, "Mary") == "Mary"
    other = AliasBook()
    meant(other, "Lady Mary Grey", 5)
    assert meant(other, "Mary") == "Lady Mary Grey"


def test_the_captain_is_who_bears_the_title_and_is_about():
    book = AliasBook()
    assert book.resolve("Captain Voss", "", fresh_id="voss").id == "voss"
    assert book.find("the captain", "") == "voss"
    assert book.find("the colonel", "") is None
    for number in range(200):
        book.resolve(f"Zed{number}", "", fresh_id=f"z{number}")
    assert book.find("the captain", "") is None


def test_a_younger_brother_is_told_apart():
    said = [("Mr. Hale", "m")] * 3 + [("Mr. John Hale", "m"), ("Mr. Hale", "m"), ("John Hale", "m")]
    wife = [("Mrs. John Hale", "f")]
    assert told_apart(*wife, *said) == ["0", "1", "1", "1", "4", "1", "4"]
    assert told_apart(*said) == ["0"] * 6, "nothing tells of another Mr. Hale"
    assert told_apart(("Mr. John Hale", "m"), ("Mr. Hale", "m")) == ["0", "0"]


def test_a_son_goes_by_the_short_form_of_his_fathers_name():
    father = [("Thomas Hale", "m"), ("Mr. Hale", "m"), ("Mr. Hale", "m"), ("Mr. Hale", "m")]
    assert told_apart(*father, ("Tom", "m"), ("Tom", "m")) == ["0", "0", "0", "0", "4", "4"]
    assert told_apart(*father[:2], ("Tom", "m")) == ["0", "0", "0"], "no such Mr. so far"
    assert told_apart(*father, ("Tom", "m"), ("Tom Hale", "m")) == ["0", "0", "0", "0", "4", "0"]


def test_a_name_goes_to_who_is_called_so_before_who_may_be():
    said = [("William Hale", "m"), ("Bill", "m"), ("Mr. Hale", "m")]
    assert told_apart(("Bill Voss", "m"), ("William Hale", "m"), ("William", "m")) == ["0", "1", "1"]
    assert told_apart(*said, ("William", "m")) == ["0", "0", "0", "0"]


def test_a_name_with_one_more_word_is_the_same_name():
    assert told_apart(("Moody Hale", "m"), ("Moody Hale Pellow", "m")) == ["0", "0"]
    assert told_apart(("Moody Hale Pellow", "m"), ("Moody Hale", "m")) == ["0", "0"]
    assert told_apart(("Moody Hale", "m"), ("Moody Pellow", "m")) == ["0", "1"]


def test_a_clergyman_is_called_mr_and_a_wife_by_her_husbands_given_name():
    assert told_apart(*[("Mr. Hale", "m")] * 3, ("Rev. Hale", "")) == ["0", "0", "0", "0"]
    assert told_apart(("Mrs. Peter Hale", "f"), ("Mrs. Peter", "f")) == ["0", "0"]
    assert told_apart(("Peter", "m"), ("Mrs. Peter", "f")) == ["0", "1"]


def test_a_general_is_no_captain_of_his_name():
    assert told_apart(("General Hale", ""), ("Captain Hale", "")) == ["0", "1"]
    assert told_apart(("Captain Hale", ""), ("Mr. Hale", "m")) == ["0", "0"]


def test_the_eldest_is_who_is_never_called_miss_with_her_given_name():
    said = [
        ("Eliza Hale", "f"),
        ("Miss Hale", "f"),
        ("Miss Eliza", "f"),
        ("Jane Hale", "f"),
        ("Miss Hale", "f"),
    ]
    assert told_apart(*said) == ["0", "0", "0", "3", "3"]


def test_a_knight_and_his_son():
    assert told_apart(("Sir Thomas Hale", "m"), ("Tom Hale", "m"), ("Mr. Hale", "m")) == ["0", "1", "1"]


def test_a_name_far_more_used_wins():
    said = [("Tom Hale", "m")] * 6 + [("Ned Hale", "m"), ("Hale", "")]
    assert told_apart(*said)[-1] == "0"


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


def test_a_full_name_is_one_persons_with_a_title_and_without():
    book = AliasBook()
    meant(book, "Noah Corwen", 5)
    meant(book, "Mr. Giles Vane")
    book.join("Mr. Giles Vane", "Noah Corwen")
    assert meant(book, "Giles Vane", beside={"Noah Corwen": "Noah Corwen"}) == "Noah Corwen"


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


def test_a_given_name_in_another_spelling():
    book = AliasBook()
    meant(book, "Rachael Corwen", 5)
    assert meant(book, "Rachel") == "Rachael Corwen"
    assert meant(book, "Rachel Hale") == "Rachel Hale"


def test_a_title_that_sons_inherit_goes_to_who_is_about():
    book = Book(*["Voronin"] * 6, "Count Pavel Ivanovitch Voronin")
    assert book.book.roster.persons[book.means("Count Voronin")].id == book.means("Voronin")


def test_an_epithet_and_a_longer_one():
    for names, same in (
        (("the dodger", "the artful dodger"), True),
        (("the dodger", "Dodger"), True),
        (("the soldier", "the old soldier"), False),
        (("the president", "the french president"), False),
        (("the nihilist professor", "the nihil"), False),
    ):
        first, second = names
        book = Book(first)
        assert (book.means(second) == book.means(first)) is same, (names, same)


def test_who_is_named_in_passing_does_not_stand_in_the_way_of_who_is_well_known():
    book = AliasBook()
    resolved(book, "Silas Ward")
    known = resolved(book, "Silas Phelps").id
    resolved(book, "Phelps", 5)
    assert resolved(book, "Silas").id == known
    assert resolved(book, "Uncle Silas").id == known


def test_an_initial_is_no_role():
    book = AliasBook()
    butler = resolved(book, "the butler", 4).id
    assert resolved(book, "Doctor T. J. Eckle").id != butler


def test_whom_only_speakers_have_called_vane_is_not_the_first_mrs_vane():
    book = AliasBook()
    vane = resolved(book, "Vane", narrated=False).id
    assert resolved(book, "Mrs. Vane").id != vane


def test_mr_vane_is_not_whoever_of_the_family_is_named_most():
    book = AliasBook()
    resolved(book, "Wilfred Vane")
    resolved(book, "Wilfred", 8)
    other = resolved(book, "Barnaby Vane").id
    found = resolved(book, "Mr. Vane", narrated=False)
    assert found.id not in (resolved(book, "Wilfred Vane").id, other)
