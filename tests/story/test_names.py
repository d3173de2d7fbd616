"""Names in a chapter and who they mean in the story: on little texts written for it."""

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.lexicon.given_names import GIVEN_NAMES
from fabula.story.lexicon.short_forms import SHORT_FORMS, full_forms
from fabula.story.linking.linker import Linker
from fabula.story.model.types import EntityKind
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.person_name import PersonName, same_given


@pytest.fixture(scope="session")
def reader():
    return StoryReader()


def linked(reader, *bodies):
    text, chapters = "", []
    for number, body in enumerate(bodies, 1):
        start = len(text)
        chapters.append(Chapter(number, "", Span(start, start), Span(start, start + len(body))))
        text += body + "\n\n"
    story, linker = Document("tale", "tale", text, tuple(chapters)), Linker()
    for chapter in chapters:
        linker.add(story, chapter, reader.read(chapter.body.of(text)))
    return linker.log


def who(log):
    """Surface → the entity last meant by it, merges applied."""
    into = {merge.entity: merge.into for merge in log.merges}
    found = {}
    for mention in log.mentions:
        root = mention.entity
        while root in into:
            root = into[root]
        found[mention.surface] = root
    return found


def test_three_things_of_one_surname(reader):
    log = linked(reader, "Mr. Garland nodded. Mrs. Garland sighed. Garland laughed. The Garlands went home.")
    meant = who(log)
    assert meant["Mr. Garland"] == meant["Garland"]
    assert len({meant["Mr. Garland"], meant["Mrs. Garland"], meant["Garlands"]}) == 3
    assert {m.kind for m in log.mentions if m.surface == "Garlands"} == {EntityKind.GROUP}


def test_several_misses_are_a_group(reader):
    log = linked(
        reader, "Miss Tarrant smiled. Anna Tarrant wept. The two Miss Tarrants sang. Both Miss Tarrants left."
    )
    assert {m.kind for m in log.mentions if m.surface == "Miss Tarrants"} == {EntityKind.GROUP}
    assert len({m.entity for m in log.mentions if m.surface == "Miss Tarrants"}) == 1


def test_a_marriage_told_gives_her_his_name(reader):
    one = "Miss Clara Dale smiled at Mr. Hobbs. Mr. Hobbs bowed. Clara Dale laughed."
    two = "Clara Dale was the wife of Mr. Hobbs. Clara Dale sang."
    three = "Mrs. Hobbs walked in. Mrs. Hobbs sat down."
    meant = who(linked(reader, one, two, three))
    assert meant["Mrs. Hobbs"] == meant["Clara Dale"]
    control = who(linked(reader, one, three))
    assert control["Mrs. Hobbs"] != control["Clara Dale"]


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("She spoke to Mr. Weekes.--It was late. Mr. Weekes nodded.", "Mr. Weekes"),
        ("Professor de Brie laughed. Everybody liked Professor de Brie.", "Professor de Brie"),
        ("Miss King said nothing. Miss King left.", "Miss King"),
        ("Does Mr. Tully know? Mr. Tully did not.", "Mr. Tully"),
    ],
)
def test_surfaces(reader, text, surface):
    mentions = [m for m in reader.read(text).mentions if m.kind is EntityKind.CHARACTER]
    assert {m.surface for m in mentions} == {surface}
    assert all(m.span.of(text) == surface for m in mentions)


def test_a_day_is_a_person_only_where_it_acts_like_one(reader):
    acting = "Mr. Tully stared, and Friday laughed. " * 3
    assert "Friday" in {m.surface for m in reader.read(acting).mentions}
    control = "He came on Friday. Friday was wet. On Friday Mr. Tully left."
    assert "Friday" not in {m.surface for m in reader.read(control).mentions}


def test_a_pronoun_bound_by_grammar_hints_at_the_gender(reader):
    text = (
        "Sorrel bowed her head. Sorrel asked herself why. Sorrel dropped her eyes. Mr. Flint shook his head."
    )
    hints = {(m.surface, m.hint) for m in reader.read(text).mentions}
    assert ("Sorrel", "f") in hints
    assert ("Mr. Flint", "m") in hints
    control = "Sorrel took her hand. Sorrel saw her coat."
    assert {m.hint for m in reader.read(control).mentions} == {""}


def test_the_narrator_gets_the_name_that_is_told(reader):
    one = "I went home. I was tired, and my feet hurt me. I slept. I dreamt that I flew. I woke."
    two = one + " My name is Ambrose Pell. I rose. I ate my bread."
    meant = who(linked(reader, one, two))
    assert meant["I"] == meant["Ambrose Pell"] == "the-narrator"


def test_the_narrator_gets_the_name_that_others_call(reader):
    told = "I went home. I was tired, and my feet hurt me. Mr. Tully came. I asked what he wanted.\n\n"
    calls = '"Well, Jasper, here you are."\n\n"Sit down, Jasper, and eat."\n\n"Go, Jasper, go!"\n\nI went.'
    assert who(linked(reader, told + calls))["Jasper"] == "the-narrator"
    control = who(linked(reader, told + calls + " Jasper laughed at me."))
    assert control["Jasper"] != "the-narrator"


def test_an_honourable_has_a_name(reader):
    log = linked(reader, "The Honourable John Yates came. Mr. Yates bowed. Mr. Yates laughed at Anna.")
    meant = who(log)
    assert meant["Honourable John Yates"] == meant["Mr. Yates"]


def test_a_letter_makes_no_narrator(reader):
    plain = "Mr. Tully came. Mr. Tully went. Anna Hurd laughed. The rain fell all day upon the town."
    letter = "I am well. I hope that you are. I saw my sister. I told her of my plans, and she kissed me."
    log = linked(reader, plain, plain, letter)
    assert "I" not in who(log)


def test_the_captain_is_who_bears_the_title_and_is_about():
    book = AliasBook()
    assert book.resolve("Captain Voss", "", fresh_id="voss").id == "voss"
    assert book.find("the captain", "") == "voss"
    assert book.find("the colonel", "") is None
    for number in range(200):
        book.resolve(f"Zed{number}", "", fresh_id=f"z{number}")
    assert book.find("the captain", "") is None


def names(*surfaces):
    book, ids = AliasBook(), []
    for number, (surface, gender) in enumerate(surfaces):
        ids.append(book.resolve(surface, gender, fresh_id=str(number)).id)
    return ids


def test_a_younger_brother_is_told_apart():
    said = [("Mr. Hale", "m")] * 3 + [("Mr. John Hale", "m"), ("Mr. Hale", "m"), ("John Hale", "m")]
    wife = [("Mrs. John Hale", "f")]
    assert names(*wife, *said) == ["0", "1", "1", "1", "4", "1", "4"]
    assert names(*said) == ["0"] * 6, "nothing tells of another Mr. Hale"
    assert names(("Mr. John Hale", "m"), ("Mr. Hale", "m")) == ["0", "0"]


def test_a_son_goes_by_the_short_form_of_his_fathers_name():
    father = [("Thomas Hale", "m"), ("Mr. Hale", "m"), ("Mr. Hale", "m"), ("Mr. Hale", "m")]
    assert names(*father, ("Tom", "m"), ("Tom", "m")) == ["0", "0", "0", "0", "4", "4"]
    assert names(*father[:2], ("Tom", "m")) == ["0", "0", "0"], "no such Mr. so far"
    assert names(*father, ("Tom", "m"), ("Tom Hale", "m")) == ["0", "0", "0", "0", "4", "0"]


def test_a_name_goes_to_who_is_called_so_before_who_may_be():
    said = [("William Hale", "m"), ("Bill", "m"), ("Mr. Hale", "m")]
    assert names(("Bill Voss", "m"), ("William Hale", "m"), ("William", "m")) == ["0", "1", "1"]
    assert names(*said, ("William", "m")) == ["0", "0", "0", "0"]


def test_the_only_bearer_of_a_surname_goes_by_it_bare_even_if_a_woman():
    assert names(*[("Mrs. Pellow", "f")] * 3, ("Pellow", "")) == ["0", "0", "0", "0"]
    assert names(*[("Mrs. Pellow", "f")] * 3, ("Mr. Pellow", "m"), ("Pellow", "")) == [
        "0",
        "0",
        "0",
        "3",
        "3",
    ]
    assert names(("Mrs. Pellow", "f"), ("Pellow", "")) == ["0", "1"], "hardly known"


def test_an_initial_is_who_is_about_with_that_title():
    known = [("Mr. Pellow", "m")] * 3
    assert names(*known, ("Mr. P", "m"), ("Mr. Pellow", "m")) == ["0", "0", "0", "0", "0"]
    assert names(*known, ("Mr. K", "m")) == ["0", "0", "0", "3"]
    assert names(*known, *[("Mr. Pyke", "m")] * 3, ("Mr. P", "m")) == ["0", "0", "0", "3", "3", "3", "6"]


def test_a_name_with_one_more_word_is_the_same_name():
    assert names(("Moody Hale", "m"), ("Moody Hale Pellow", "m")) == ["0", "0"]
    assert names(("Moody Hale Pellow", "m"), ("Moody Hale", "m")) == ["0", "0"]
    assert names(("Moody Hale", "m"), ("Moody Pellow", "m")) == ["0", "1"]


def test_a_clergyman_is_called_mr_and_a_wife_by_her_husbands_given_name():
    assert names(*[("Mr. Hale", "m")] * 3, ("Rev. Hale", "")) == ["0", "0", "0", "0"]
    assert names(("Mrs. Peter Hale", "f"), ("Mrs. Peter", "f")) == ["0", "0"]
    assert names(("Peter", "m"), ("Mrs. Peter", "f")) == ["0", "1"]


def merged(*surfaces):
    book = AliasBook()
    found = [book.resolve(s, g, fresh_id=str(n)) for n, (s, g) in enumerate(surfaces)]
    return [(each.id, each.merged) for each in found if each.merged]


def test_the_president_gets_a_name():
    assert merged(("the president", ""), ("President Hale", "")) == [("0", "1")]
    assert merged(("President Voss", ""), ("the president", ""), ("President Hale", "")) == []
    assert merged(("the president", ""), *[("Lydia", "f")] * 151, ("President Hale", "")) == [], "long ago"


def test_a_well_known_girl_takes_the_name_of_the_new_wife():
    known = [("Lydia", "f")] * 20
    assert merged(*known, ("Mrs. Hale", "f"), ("Lydia Hale", "f")) == [("0", "20")]
    assert merged(("Mrs. Hale", "f"), *known, ("Lydia Hale", "f")) == [], "her mother"
    assert merged(*known[:3], ("Mrs. Hale", "f"), ("Lydia Hale", "f")) == [], "hardly known"


def test_a_general_is_no_captain_of_his_name():
    assert names(("General Hale", ""), ("Captain Hale", "")) == ["0", "1"]
    assert names(("Captain Hale", ""), ("Mr. Hale", "m")) == ["0", "0"]


def test_the_eldest_is_who_is_never_called_miss_with_her_given_name():
    said = [
        ("Eliza Hale", "f"),
        ("Miss Hale", "f"),
        ("Miss Eliza", "f"),
        ("Jane Hale", "f"),
        ("Miss Hale", "f"),
    ]
    assert names(*said) == ["0", "0", "0", "3", "3"]


def test_a_knight_and_his_son():
    assert names(("Sir Thomas Hale", "m"), ("Tom Hale", "m"), ("Mr. Hale", "m")) == ["0", "1", "1"]


def test_a_name_far_more_used_wins():
    said = [("Tom Hale", "m")] * 6 + [("Ned Hale", "m"), ("Hale", "")]
    assert names(*said)[-1] == "0"


@pytest.mark.parametrize(
    ("surface", "given", "surname"),
    [
        ("J. Hale", "j", "hale"),
        ("Josiah Hale of Coketown", "josiah", "hale"),
        ("Mr. Robert Hale, Esq.", "robert", "hale"),
        ("Miss Lucas", "", "lucas"),
        ("Reverend Wyndham Hale", "wyndham", "hale"),
    ],
)
def test_parse(surface, given, surname):
    name = PersonName.parse(surface)
    assert (name.given, name.surname) == (given, surname)


def test_initials_and_short_forms():
    assert names(("Jay Hale", "m"), ("J. Hale", "")) == ["0", "0"]
    assert names(("Jay Hale", "m"), ("R. Hale", "")) == ["0", "1"]
    assert same_given("sissy", "cecilia")
    assert not same_given("john", "james")
    assert full_forms("jack") == {"jack", "jackson", "john"}


def test_tables_are_clean():
    assert not {"paris", "london", "florence nightingale", "monday"} & set(GIVEN_NAMES)
    assert set(GIVEN_NAMES.values()) == {"f", "m"}
    assert all(short not in fulls for short, fulls in SHORT_FORMS.items())
