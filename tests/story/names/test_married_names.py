"""Wives, widows and brides: whose name a woman goes by."""

from tests.stories.naming import Book, meant, resolved
from tests.stories.reading import log_of, who, who_in

from fabula.story.names.alias_book import AliasBook
from fabula.story.names.person_name import PersonName


def test_the_name_that_a_wife_is_lent_is_her_husbands_in_every_form():
    book = AliasBook()
    wife, husband = meant(book, "Mrs. Lyman Cass", 3), meant(book, "Lyman Cass", 3)
    assert wife != husband
    assert meant(book, "Lym Cass") == husband
    assert meant(book, "Miss Cass") not in (husband, wife)


def test_where_no_son_is_told_of_mrs_john_is_mrs_hale():
    book = AliasBook()
    assert meant(book, "Mrs. John Hale") == meant(book, "Mrs. Hale") == "Mrs. John Hale"


def test_a_marriage_told_gives_her_his_name():
    one = "Miss Clara Dale smiled at Mr. Hobbs. Mr. Hobbs bowed. Clara Dale laughed."
    two = "Clara Dale was the wife of Mr. Hobbs. Clara Dale sang."
    three = "Mrs. Hobbs walked in. Mrs. Hobbs sat down."
    named = who_in(log_of(one, two, three))
    assert named["Mrs. Hobbs"] == named["Clara Dale"]
    control = who_in(log_of(one, three))
    assert control["Mrs. Hobbs"] != control["Clara Dale"]


def test_a_bride_is_still_called_by_her_maiden_name():
    book = AliasBook()
    meant(book, "Lydia Corwen", 5)
    book.roster.persons["Lydia Corwen"].marital = "mrs"
    assert meant(book, "Miss Lydia Corwen") == "Lydia Corwen"


def test_the_husbands_given_name_is_not_the_wifes():
    book = Book("Mrs. Orrin Vale", "Mrs. Vale", "Orrin Vale")
    assert book.means("Orrin Vale") != book.means("Mrs. Orrin Vale")
    assert book.means("Mrs. Vale") == book.means("Mrs. Orrin Vale")


def test_mrs_rachel_vale_is_rachel_vale():
    book = Book("Mrs. Rachel Vale")
    assert book.means("Rachel Vale") == book.means("Mrs. Rachel Vale")


def test_the_only_mrs_may_be_called_by_her_husbands_name():
    book = Book("Mr. John Vale", *["Mrs. Vale"] * 4)
    assert book.means("Mrs. John Vale") == book.means("Mrs. Vale")


def test_a_doctors_wife_is_a_mrs():
    assert PersonName.parse("Mrs. Dr. Vale").key == "mrs vale"
    book = Book("Dr. Vale", "Mrs. Vale")
    assert book.means("Mrs. Dr. Vale") == book.means("Mrs. Vale") != book.means("Dr. Vale")


def test_a_wife_who_signs_with_her_maiden_name_is_not_her_mother():
    book = Book(*["Mrs. Hale"] * 5, *["Lydia"] * 5, *["Mr. Wick"] * 5)
    book.book.roster.persons[book.means("Lydia")].marital = "mrs"
    assert book.means("Lydia Hale") == book.means("Lydia") != book.means("Mrs. Hale")


HOME = (
    "Mr. John Corwen was rich. Mrs. John Corwen was a pretty woman.\n\n"
    "John and Isabella came to the house. Later John and Isabella left it.\n\n"
    '"It is late, Isabella," said John Corwen. "We must go, Isabella," he said.\n\n'
    "Isabella smiled."
)


def test_nobody_is_who_is_named_beside_her():
    beside = "Isabella sat by Mrs. John Corwen. Mrs. John Corwen looked at Isabella.\n\n"
    found = who(beside + HOME)
    assert found["Isabella"] != found["Mrs. John Corwen"]


def test_a_sister_is_no_wife():
    found = who("Isabella was John's sister.\n\n" + HOME)
    assert found["Isabella"] != found["Mrs. John Corwen"]


def test_a_mrs_corwen_may_be_the_mother_of_whom_he_calls():
    found = who(HOME.replace("Mrs. John Corwen", "Mrs. Corwen"))
    assert found["Isabella"] != found["Mrs. Corwen"]


def test_a_widow_is_the_mrs_of_her_name():
    book = AliasBook()
    assert resolved(book, "Mrs. Bogart", 5).id == resolved(book, "Widow Bogart").id


def test_a_wife_does_not_hide_the_given_name_of_her_husband():
    book = AliasBook()
    champ = resolved(book, "Champ Perry").id
    resolved(book, "Mrs. Champ Perry", 3)
    for i in range(160):
        resolved(book, f"Mr. Vane{'abcdefgh'[i % 8]}")
    assert resolved(book, "Champ").id == champ
