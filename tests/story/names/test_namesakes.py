"""Two names side by side, again and again, are two people's; of sisters the elder is named first."""

from tests.stories.naming import meant

from fabula.story.names.alias_book import AliasBook


def test_names_set_side_by_side_again_and_again_are_two_peoples():
    book = AliasBook()
    meant(book, "Julia Vane")
    assert meant(book, "Miss Vane", 3) == "Julia Vane"
    meant(book, "Maria Vane")
    for count in range(3):
        assert meant(book, "Miss Vane") == "Julia Vane", count
        book.side_by_side(("Julia Vane", "Julia"), ("Julia Vane", "Miss Vane"), joined=False)
    assert meant(book, "Miss Vane") == "Maria Vane"


def test_one_sentence_with_two_names_of_one_person_is_nothing():
    book = AliasBook()
    meant(book, "Julia Vane")
    meant(book, "Julia", 40)
    meant(book, "Miss Vane", 40)
    for _ in range(4):
        book.side_by_side(("Julia Vane", "Julia"), ("Julia Vane", "Miss Vane"), joined=False)
    assert meant(book, "Miss Vane") == "Julia Vane"


def test_of_two_sisters_the_one_named_first_is_miss_vane():
    book = AliasBook()
    meant(book, "Julia Vane")
    assert meant(book, "Miss Vane") == "Julia Vane"
    meant(book, "Maria Vane")
    for _ in range(2):
        book.side_by_side(("Maria Vane", "Maria"), ("Julia Vane", "Julia"), joined=True)
    assert meant(book, "Miss Vane") == "Maria Vane"
