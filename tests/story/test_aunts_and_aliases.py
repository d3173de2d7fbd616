"""Names that kinship tells of ("aunt Vane"), other names that a text gives ("otherwise Vane"), callings
before a name, roles, brothers: who is meant, on texts written for it."""

import pytest

from fabula.story.extraction.quotations.vocatives import answers_who
from fabula.story.extraction.reader import StoryReader
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_name import PersonName, same_given

from .named import who


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


def meant(book, name, times=1, gender=""):
    parsed = PersonName.parse(name)
    gender = gender or TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
    found = ""
    for _ in range(times):
        found = book.resolve(name, gender, fresh_id=name, narrated=True).id
    return found


# --- aunts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kin", ["aunt", "sister"])
def test_aunt_corwen_is_the_wife_and_not_the_husband(reader, kin):
    text = (
        "Mr. Corwen sat by the fire, and Mr. Corwen slept. Mrs. Corwen took her work and Mrs. Corwen sighed. "
        f'"I shall go and live with my {kin} Corwen," said Ellen. '
    )
    found = who(reader, text)
    assert found["Corwen"] == found["Mrs. Corwen"] != found["Mr. Corwen"]


def test_a_surname_that_is_a_mans_given_name_as_well(reader):
    text = (
        "Sir Giles Bertram rode out, and Sir Giles was pleased. Lady Bertram sat on the sofa. Lady Bertram "
        'yawned. Miss Bertram sang. "It is my aunt Bertram who told me," said Ellen.'
    )
    found = who(reader, text)
    assert found[text.index("Bertram who")] == found["Lady Bertram"]


def test_a_brother_of_that_name_is_no_wife(reader):
    text = (
        "Mr. Corwen sat by the fire, and Mr. Corwen slept. Mrs. Corwen took her work and Mrs. Corwen sighed. "
        '"I shall go and live with my brother Corwen," said Ellen. '
    )
    found = who(reader, text)
    assert found["Corwen"] == found["Mr. Corwen"]


@pytest.mark.parametrize(
    ("names", "same"),
    [
        (("Mrs. Corwen", "Aunt Corwen"), True),
        (("Aunt Corwen", "Mrs. Corwen"), True),
        (("Mr. Pottle", "Uncle Pottle"), True),
        (("Uncle Pottle", "Mr. Pottle"), True),
        (("Mr. Corwen", "Aunt Corwen"), False),
        (("Mrs. Corwen", "Uncle Corwen"), False),
        (("Mrs. Corwen", "Aunt Ellen"), False),
    ],
)
def test_the_surname_behind_aunt_and_uncle(names, same):
    book = AliasBook()
    first, second = (meant(book, name, 4) for name in names)
    assert (first == second) is same


def test_a_bare_surname_is_no_baronets_where_there_is_another_man():
    book = AliasBook()
    meant(book, "Sir Giles Corwen", 5)
    meant(book, "Edgar Corwen", 5)
    assert meant(book, "Corwen") == "Edgar Corwen"
    alone = AliasBook()
    meant(alone, "Sir Giles Corwen", 5)
    assert meant(alone, "Corwen") == "Sir Giles Corwen"


# --- callings, sisters ----------------------------------------------------------------------------


@pytest.mark.parametrize("calling", ["Shepherd", "Farmer", "Miller", "Neighbour"])
def test_a_calling_before_the_surname(calling):
    book = AliasBook()
    assert meant(book, "Mr. Holt", 3) == meant(book, f"{calling} Holt")


def test_another_speaker_may_call_her_by_her_name(reader):
    text = '"I like Miss Corwen," said Mrs. Hale.\n\n"So do I. Ellen Corwen is a dear," said Jane.'
    found = who(reader, text)
    assert found["Miss Corwen"] == found["Ellen Corwen"]


# --- other names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sentence",
    [
        "Then came Noah Tarrant, and Bolder, with his hat on.",
        "Then came Noah Tarrant, late with Bolder, as ever.",
        "Noah Tarrant sat down, now Bolder laughed.",
    ],
)
def test_two_names_side_by_side_are_two(reader, sentence):
    text = "Noah Tarrant laughed. He thanked Noah Tarrant. Mr. Bolder smiled, and Mr. Bolder bowed. "
    found = who(reader, text + sentence)
    assert found["Noah Tarrant"] != found["Mr. Bolder"]


# --- answers that are names -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "said", "answer"),
    [
        ('"Your name?"', '"Tarrant,"', True),
        ('"Who is the best of them?"', '"Shepherd Holt,"', True),
        ('"Whose hat is that?"', '"Mrs. Hale."', True),
        ('"What do you want?"', '"Tarrant,"', False),
        ('"Who is there?"', '"Tarrant!"', False),
        ('"My name is Hale. Do you hear?"', '"Tarrant,"', False),
        ('"Who is there?"', '"Tarrant, come here, and be quick about it."', False),
    ],
)
def test_a_name_that_answers_who_is_no_call(asked, said, answer):
    assert answers_who(asked, said) is answer


def test_who_gives_his_own_name_calls_nobody(reader):
    text = '"Your name?" said the officer.\n\n"Tarrant," said the stranger.\n\nTarrant bowed. Tarrant rose.'
    assert [quote.hearers for quote in reader.read(text).quotations] == [(), ()]


# --- roles, epithets ------------------------------------------------------------------------------


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


# --- brothers -------------------------------------------------------------------------------------


# --- forms of a name ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("lym", "lyman", True),
        ("raymie", "raymond", True),
        ("jane", "janet", False),  # a name of its own
        ("mary", "maryland", False),
        ("li", "lionel", False),
        ("rosie", "rosencrantz", False),
    ],
)
def test_a_clipped_name(one, other, same):
    assert same_given(one, other) is same_given(other, one) is same


def test_an_elsie_is_no_bessie_but_a_betsy_may_be_called_bet():
    book = AliasBook()
    assert meant(book, "Elsie", 3) != meant(book, "Aunt Bessie", 3)
    book = AliasBook()
    assert meant(book, "Betsy", 3) == meant(book, "Bet")
    book = AliasBook()
    assert meant(book, "Elizabeth", 3) == meant(book, "Lizzy", 3) == meant(book, "Eliza")


def test_the_name_that_a_wife_is_lent_is_her_husbands_in_every_form():
    book = AliasBook()
    wife, husband = meant(book, "Mrs. Lyman Cass", 3), meant(book, "Lyman Cass", 3)
    assert wife != husband
    assert meant(book, "Lym Cass") == husband
    assert book.gender(husband) == "m"
    assert meant(book, "Miss Cass") not in (husband, wife)


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


def test_nobody_is_taken_for_jack_robinson():
    book = AliasBook()
    meant(book, "Jack Robinson")
    assert meant(book, "Dr. Robinson") == "Dr. Robinson"


def test_a_name_given_at_the_door_may_be_followed_by_more(reader):
    text = (
        '"Hullo, who\'s that?" said Hale.\n\n"William Tarrant," said a dim figure. "Dark, is it not?"\n\n'
        "Tarrant sat down. Hale nodded to Tarrant."
    )
    assert reader.read(text).quotations[1].hearers == ()


def test_a_call_that_goes_on_is_a_call(reader):
    text = (
        '"Who is there?" said Hale.\n\n"Tarrant," said Voss, "come here and see for yourself."\n\n'
        "Tarrant sat down. Hale nodded to Tarrant. Voss laughed."
    )
    assert len(reader.read(text).quotations[1].hearers) == 1


def test_a_surname_that_was_only_told_keeps_nobody_apart():
    book = AliasBook()
    meant(book, "Tarrant")
    meant(book, "Miss Tarrant", 5)
    meant(book, "Jordan")
    assert meant(book, "Jordan Tarrant") == "Miss Tarrant"
