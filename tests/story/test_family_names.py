"""Who is who inside families: fathers and sons, sisters, wives; names that only those who speak use."""

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_name import PersonName


def tell(book, name, times=1, *, narrated=True):
    """The name, used so often; gives whom it means, by the surface of who was first so called."""
    parsed = PersonName.parse(name)
    gender = TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
    found = ""
    for _ in range(times):
        found = book.resolve(name, gender, fresh_id=name, narrated=narrated).id
    return found


def test_the_narration_calls_a_boy_by_his_name_and_his_father_mr():
    book = AliasBook()
    assert tell(book, "Stephen Vane") == tell(book, "Stephen", 12) == "Stephen Vane"
    assert tell(book, "Mr. Vane", narrated=False) == "Stephen Vane"
    assert tell(book, "Mr. Vane") == "Mr. Vane"
    assert tell(book, "Mr. Vane") == "Mr. Vane"
    assert tell(book, "Stephen Vane") == "Stephen Vane"


def test_a_man_called_mr_from_the_start_stays_one():
    book = AliasBook()
    assert tell(book, "Mr. Vane", 2) == tell(book, "Stephen Vane") == tell(book, "Stephen", 12) == "Mr. Vane"
    assert tell(book, "Mr. Vane") == "Mr. Vane"


def test_a_niece_takes_the_name_of_an_aunt_long_married():
    book = AliasBook()
    assert tell(book, "Miss Maria Ward") == tell(book, "Maria", 5) == "Miss Maria Ward"
    tell(book, "Sir Thomas Vane", 2)
    assert tell(book, "Maria Vane") == tell(book, "Maria") == "Maria Vane"


def test_a_passing_namesake_takes_nothing():
    book = AliasBook()
    tell(book, "Maria Ward", 3)
    assert tell(book, "Maria", 5) == "Maria Ward"
    tell(book, "Maria Vane")
    assert tell(book, "Maria") == "Maria Ward"


def test_names_set_side_by_side_again_and_again_are_two_peoples():
    book = AliasBook()
    tell(book, "Julia Vane")
    assert tell(book, "Miss Vane", 3) == "Julia Vane"
    tell(book, "Maria Vane")
    for count in range(3):
        assert tell(book, "Miss Vane") == "Julia Vane", count
        book.side_by_side(("Julia Vane", "Julia"), ("Julia Vane", "Miss Vane"), joined=False)
    assert tell(book, "Miss Vane") == "Maria Vane"


def test_one_sentence_with_two_names_of_one_person_is_nothing():
    book = AliasBook()
    tell(book, "Julia Vane")
    tell(book, "Julia", 40)
    tell(book, "Miss Vane", 40)
    for _ in range(4):
        book.side_by_side(("Julia Vane", "Julia"), ("Julia Vane", "Miss Vane"), joined=False)
    assert tell(book, "Miss Vane") == "Julia Vane"


def test_of_two_sisters_the_one_named_first_is_miss_vane():
    book = AliasBook()
    tell(book, "Julia Vane")
    assert tell(book, "Miss Vane") == "Julia Vane"
    tell(book, "Maria Vane")
    for _ in range(2):
        book.side_by_side(("Maria Vane", "Maria"), ("Julia Vane", "Julia"), joined=True)
    assert tell(book, "Miss Vane") == "Maria Vane"


def test_a_sons_wife_is_not_the_mother():
    book = AliasBook()
    for name in ("Mr. Henry Hale", "Mr. John Hale", "Mrs. John Hale"):
        assert tell(book, name, 3) == name
    assert tell(book, "Mrs. Hale") == "Mrs. Hale"
    assert tell(book, "Mrs. John Hale") == "Mrs. John Hale"


def test_where_no_son_is_told_of_mrs_john_is_mrs_hale():
    book = AliasBook()
    assert tell(book, "Mrs. John Hale") == tell(book, "Mrs. Hale") == "Mrs. John Hale"


def test_nobody_is_called_mary_after_a_lady_mary_named_once():
    book = AliasBook()
    tell(book, "Lady Mary Grey")
    assert tell(book, "Mary") == "Mary"
    other = AliasBook()
    tell(other, "Lady Mary Grey", 5)
    assert tell(other, "Mary") == "Lady Mary Grey"


def test_a_heroine_keeps_her_self_when_she_takes_a_husbands_name():
    book = AliasBook()
    tell(book, "Carol Milford")
    tell(book, "Mr. Kennicott", 12)
    assert tell(book, "Carol", 40) == tell(book, "Carol Kennicott") == "Carol Milford"
    assert tell(book, "Mrs. Kennicott") == "Carol Milford"


def test_somebody_new_of_her_name_is_no_bride():
    book = AliasBook()
    tell(book, "Carol Milford")
    tell(book, "Carol", 40)
    assert tell(book, "Carol Stone") == "Carol Stone"


@pytest.mark.parametrize(
    ("surface", "title", "given", "surname"),
    [
        ("Farmer Oak", "farmer", "", "oak"),
        ("Doc Kennicott", "dr", "", "kennicott"),
        ("Old Sally", "", "sally", ""),
        ("Poor Miss Taylor", "miss", "", "taylor"),
        ("Old", "", "", ""),
    ],
)
def test_callings_and_fond_words(surface, title, given, surname):
    name = PersonName.parse(surface)
    assert (name.title, name.given, name.surname) == (title, given, surname)


# --- as told in a text ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


def document_of(*bodies):
    text, chapters = "", []
    for number, body in enumerate(bodies, 1):
        start = len(text)
        span = Span(start, start + len(body))
        chapters.append(Chapter(number, f"{number}", Span(start, start), span))
        text += body + "\n\n"
    return Document("tale", "tale", text, tuple(chapters))


def linked(reader, *bodies):
    document = document_of(*bodies)
    linker = Linker()
    for chapter in document.chapters:
        linker.add(document, chapter, reader.read(chapter.body.of(document.text)))
    return linker.log


def roots(log, surface):
    into = {merge.entity: merge.into for merge in log.merges}
    found = set()
    for mention in log.mentions:
        if mention.surface == surface:
            entity = mention.entity
            while entity in into:
                entity = into[entity]
            found.add(entity)
    return found


CALLED = """Mrs. Milvain came into the room and Mr. Hale rose.

"You are late, Celia," said Mr. Hale.

"I am never late," said Mrs. Milvain.

"Everybody knows that Celia is late. Celia never had a watch," said Mr. Hale.
"""


AT_HOME = """Jane Vane and Elizabeth Vane sat at home. Miss Vane smiled. Jane spoke to Elizabeth of the ball,
and Miss Vane was pleased. Miss Jane Vane rose, and Elizabeth rose as well.
"""
AWAY = """Elizabeth walked in the park. The old lady met Elizabeth there.

"You are very quiet, Miss Vane," said the old lady.

Elizabeth said nothing.
"""


def test_she_is_miss_vane_where_her_sister_is_away(reader):
    log = linked(reader, AT_HOME, AWAY)
    called = [mention for mention in log.mentions if mention.surface == "Miss Vane" and mention.told == 2]
    assert [mention.entity for mention in called] == ["elizabeth-vane"]
    both = AWAY.replace("The old lady", "Jane", 1)
    called = [m for m in linked(reader, AT_HOME, both).mentions if m.surface == "Miss Vane" and m.told == 2]
    assert [mention.entity for mention in called] == ["jane-vane"]
