"""Names that are more than one, that are lent, inherited or married into: who is meant, on texts written for
it."""

import pytest

from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_name import PersonName

from .named import who


class Book:
    """An alias book that is asked name after name, as the narration uses them."""

    def __init__(self, *names):
        self.book, self.into, self.number = AliasBook(), {}, 0
        self.tell(*names)

    def tell(self, *names, narrated=True):
        """Whom the last of the names means."""
        found = None
        for name in names:
            parsed = PersonName.parse(name)
            gender = TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
            self.number += 1
            found = self.book.resolve(name, gender, fresh_id=f"p{self.number}", narrated=narrated)
            if found.merged:
                self.into[found.merged] = found.id
        return found.id if found else None

    def means(self, name):
        root = self.tell(name)
        while root in self.into:
            root = self.into[root]
        return root


@pytest.mark.parametrize(
    ("sentence", "wrong", "right"),
    [
        ("Remembering Voss, she smiled.", "Remembering Voss", "Voss"),
        ("Whereupon Voss laughed aloud.", "Whereupon Voss", "Voss"),
        ("Whispering Voss leaned over the bed.", "Whispering Voss", "Voss"),
        ("On the last Sunday Elena wrote to him.", "Sunday Elena", "Elena"),
    ],
)
def test_a_word_that_opens_a_sentence_is_no_part_of_the_name(reader, sentence, wrong, right):
    plain = "Voss rose and took his hat. She thanked Voss for it. Elena sat down. He looked at Elena again. "
    found = who(reader, plain + sentence)
    assert wrong not in found
    assert right in found


def test_two_names_that_only_stand_side_by_side_are_two(reader):
    text = (
        "Mrs. Allan came to tea. Mrs. Allan smiled at Anne. Anne laughed, and they sat by Anne for an hour. "
        "Beside Mrs. Allan Anne felt small and shy."
    )
    found = who(reader, text)
    assert "Mrs. Allan Anne" not in found
    assert found["Mrs. Allan"] != found["Anne"]


def test_a_surname_that_is_a_given_name_stays(reader):
    found = who(reader, "Mr. Ross came in. Orrin Ross sat down by the fire. Mr. Ross slept. Orrin snored.")
    assert "Orrin Ross" in found


def test_a_known_name_in_capitals_is_read(reader):
    text = "Elena Voss wrote to her sister that night, and Voss slept. The letter was signed ELENA VOSS."
    assert {name for name in who(reader, text) if isinstance(name, str)} == {"Elena Voss", "Voss"}
    assert "ELENA" not in who(reader, "ELENA sat down. Elena sang. They thanked Elena.")


def test_a_place_that_turns_out_to_be_somebody_is_one_with_her(reader):
    first = "They rode from Thorvald to the sea. They came to Thorvald at night. He lived in Thorvald."
    later = "Thorvald Hurd laughed. Thorvald said nothing. Thorvald smiled, and Thorvald ran out. " * 3
    found = who(reader, first, later, later)
    assert found["Thorvald"] == found["Thorvald Hurd"]


def test_the_husbands_given_name_is_not_the_wifes():
    book = Book("Mrs. Orrin Vale", "Mrs. Vale", "Orrin Vale")
    assert book.means("Orrin Vale") != book.means("Mrs. Orrin Vale")
    assert book.means("Mrs. Vale") == book.means("Mrs. Orrin Vale")


def test_mrs_rachel_vale_is_rachel_vale():
    book = Book("Mrs. Rachel Vale")
    assert book.means("Rachel Vale") == book.means("Mrs. Rachel Vale")


def test_the_sons_wife_is_not_the_mother():
    book = Book("Mr. Vale", *["Mrs. Vale"] * 4, "Mr. John Vale", "Mr. Giles Vale")
    assert book.means("Mrs. John Vale") != book.means("Mrs. Vale")


def test_the_only_mrs_may_be_called_by_her_husbands_name():
    book = Book("Mr. John Vale", *["Mrs. Vale"] * 4)
    assert book.means("Mrs. John Vale") == book.means("Mrs. Vale")


def test_a_doctors_wife_is_a_mrs():
    assert PersonName.parse("Mrs. Dr. Vale").key == "mrs vale"
    book = Book("Dr. Vale", "Mrs. Vale")
    assert book.means("Mrs. Dr. Vale") == book.means("Mrs. Vale") != book.means("Dr. Vale")


def test_a_first_mrs_of_his_name_is_who_took_it():
    book = Book(*["Mr. Wick"] * 12, *["Lydia"] * 40, "Lydia Wick")
    assert book.means("Mrs. Wick") == book.means("Lydia")
    sister = Book(*["Mr. Wick"] * 12, *["Lydia"] * 40, "Miss Wick", "Lydia Wick")
    assert sister.means("Mrs. Wick") != sister.means("Lydia")


def test_a_wife_who_signs_with_her_maiden_name_is_not_her_mother():
    book = Book(*["Mrs. Hale"] * 5, *["Lydia"] * 5, *["Mr. Wick"] * 5)
    book.book.roster.persons[book.means("Lydia")].marital = "mrs"
    assert book.means("Lydia Hale") == book.means("Lydia") != book.means("Mrs. Hale")


def test_a_title_that_sons_inherit_goes_to_who_is_about():
    book = Book(*["Voronin"] * 6, "Count Pavel Ivanovitch Voronin")
    assert book.book.roster.persons[book.means("Count Voronin")].id == book.means("Voronin")


def test_whom_all_call_mary_is_not_lady_mary_smith():
    book = Book(*["Mary"] * 12)
    assert book.means("Lady Mary Smith") != book.means("Mary")
    assert Book(*["Mary"] * 12).means("Miss Mary Smith") == "p1"
    seldom = Book("Mary", "Mary")
    assert seldom.means("Lady Mary Smith") == seldom.means("Mary")


def test_a_figure_of_legend_lends_its_name_to_nobody():
    book = Book("Tom Thumb")
    assert book.means("Tom") != book.means("Tom Thumb")
    hero = Book(*["Tom Thumb"] * 4)
    assert hero.means("Tom") == hero.means("Tom Thumb")


def test_a_full_name_beside_its_own_part_is_one_persons(reader):
    text = "Jane Voss sang. Jane Voss rose. Jane smiled. Jane laughed. Jane wept. Who but Jane Voss, Jane?"
    found = who(reader, text + " Jane Voss went out.")
    assert found["Jane"] == found["Jane Voss"]


@pytest.mark.parametrize(
    ("names", "same"),
    [
        (("the dodger", "the artful dodger"), True),
        (("the dodger", "Dodger"), True),
        (("the soldier", "the old soldier"), False),
        (("the president", "the french president"), False),
        (("the nihilist professor", "the nihil"), False),
    ],
)
def test_an_epithet_and_a_longer_one(names, same):
    first, second = names
    book = Book(first)
    assert (book.means(second) == book.means(first)) is same


@pytest.mark.parametrize(
    "text",
    [
        '"Go to Mr. Grubb, the beadle," said Ann. ',  # said, not told
        "There came Mr. Grubb, the beadle, and the cook. ",  # a list
        "From the tone of the beadle, Mr. Grubb saw that he was wrong. ",
    ],
)
def test_a_calling_beside_a_name_may_be_another(reader, text):
    acts = "The Beadle sat down. The Beadle laughed. The Beadle took his hat. The Beadle bowed."
    found = who(reader, text + acts)
    assert found["the beadle"] != found["Mr. Grubb"]
