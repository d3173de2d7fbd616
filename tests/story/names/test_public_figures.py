"""Figures of legend and history lend their names to nobody."""

from tests.stories.naming import Book, meant

from fabula.story.names.alias_book import AliasBook


def test_nobody_is_taken_for_jack_robinson():
    book = AliasBook()
    meant(book, "Jack Robinson")
    assert meant(book, "Dr. Robinson") == "Dr. Robinson"


def test_a_figure_of_legend_lends_its_name_to_nobody():
    book = Book("Tom Thumb")
    assert book.means("Tom") != book.means("Tom Thumb")
    hero = Book(*["Tom Thumb"] * 4)
    assert hero.means("Tom") == hero.means("Tom Thumb")
