"""Who a name means, asked in the order in which a reader meets the names."""

from tests.stories.naming import meant, merged, resolved

from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_name import PersonName


def met(*names):
    """Who each name means: the place of the first name of that person, merges applied."""
    book, ids, into = AliasBook(), [], {}
    for number, name in enumerate(names):
        parsed = PersonName.parse(name)
        gender = TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
        found = book.resolve(name, gender, fresh_id=str(number))
        ids.append(found.id)
        if found.merged:
            into[found.merged] = found.id
    return [int(into.get(one, one)) for one in ids]


def test_met():
    for names, expected in (
        (["Mr. Bennet", "Bennet"], [0, 0]),
        (["Mr. Bennet", "Mrs. Bennet"], [0, 1]),
        (["Mr. Bennet", "Mrs. Bennet", "Bennet"], [0, 1, 0]),
        (["Mrs. Bennet", "Miss Bennet"], [0, 1]),
        (["Elena", "Elena Voss"], [0, 0]),
        (["Elena Voss", *["Mr. Hale", "Tobias"] * 100, "Elena"], [0, *[1, 2] * 100, 0]),
        (["Elena Voss", "Elena"], [0, 0]),
        (["Elena", "Elena Voss", "Elena Hale"], [0, 0, 2]),
        (["Elena Voss", "Elena Hale", "Elena"], [0, 1, 2]),
        (["Elena", "Voss", "Elena Voss"], [0, 0, 0]),
        (["Tom Voss", "Elena", "Voss", "Elena Voss"], [0, 1, 0, 1]),
        (["Lizzy", "Elizabeth", "Miss Elizabeth Bennet"], [0, 0, 0]),
        (["Kitty", "Lady Catherine", "Catherine"], [0, 1, 0]),
        (["Sir William", "Sir William Lucas", "Lady Lucas", "Miss Lucas"], [0, 0, 2, 3]),
        (["Mr. Darcy", "Georgiana Darcy", "Darcy"], [0, 1, 0]),
        (["Mr. Darcy", "Fitzwilliam Darcy"], [0, 0]),
        (["Miss Baker", "Jordan", "Jordan Baker"], [0, 0, 0]),
        (["Captain Smollett", "Mr. Smollett"], [0, 0]),
        (["the king", "the king", "the queen"], [0, 0, 2]),
        (["Wilfred Pellow", "Wilf", "Nat", "Nathaniel Crewe"], [0, 0, 2, 2]),
        (["Leonard Bray", "Leonard Hale", "Len"], [0, 1, 2]),
        (["Ambrose Keating", "Agnes Keating", "Keating"], [0, 1, 0]),
        (["Dr. Ostler", "the doctor", "Mr. Hale"], [0, 0, 2]),
        (["Dr. Ostler", "Dr. Hale", "the doctor"], [0, 1, 2]),
        (["Mrs. Wilson", "Myrtle", "Myrtle Wilson"], [0, 1, 1]),
    ):
        assert met(*names) == expected, (names, expected)


def test_gender_never_merges():
    book = AliasBook()
    book.resolve("Alex", "f", fresh_id="a")
    assert book.resolve("Alex", "m", fresh_id="b").id == "b"
    assert not book.join("a", "b")


def test_join_and_copy():
    book = AliasBook()
    book.resolve("Strider", "", fresh_id="strider")
    book.resolve("Aragorn", "", fresh_id="aragorn")
    other = book.copy()
    assert other.join("aragorn", "strider")
    assert other.find("Aragorn", "") == "strider"
    assert book.find("Aragorn", "") == "aragorn"
    assert not other.join("aragorn", "strider")


def test_an_elsie_is_no_bessie_but_a_betsy_may_be_called_bet():
    book = AliasBook()
    assert meant(book, "Elsie", 3) != meant(book, "Aunt Bessie", 3)
    book = AliasBook()
    assert meant(book, "Betsy", 3) == meant(book, "Bet")
    book = AliasBook()
    assert meant(book, "Elizabeth", 3) == meant(book, "Lizzy", 3) == meant(book, "Eliza")


def test_the_president_gets_a_name():
    assert merged(("the president", ""), ("President Hale", "")) == [("0", "1")]
    assert merged(("President Voss", ""), ("the president", ""), ("President Hale", "")) == []
    assert merged(("the president", ""), *[("Lydia", "f")] * 151, ("President Hale", "")) == [], "long ago"


def test_long_john_silver_is_john_silver_though_there_is_another_john():
    book = AliasBook()
    silver = resolved(book, "John Silver", 3).id
    resolved(book, "John Trelawney", 3)
    long_john = resolved(book, "Long John", 5).id
    assert long_john != silver
    joined = resolved(book, "Long John Silver")
    assert {joined.id, joined.merged} == {silver, long_john}
    assert resolved(book, "Long John").id == joined.id
