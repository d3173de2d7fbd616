"""Names as translated novels have them: fathers' names, short forms, foreign titles; and kin called by what
they are. Each rule with what must stay apart."""

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.lexicon.short_forms import full_forms
from fabula.story.linking.linker import Linker
from fabula.story.model.types import EntityKind
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.person_name import PersonName, same_given


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


@pytest.fixture
def meant():
    """Resolves a name in a book of its own, merges followed."""
    book, into = AliasBook(), {}

    def resolve(surface, gender=""):
        found = book.resolve(surface, gender, fresh_id=f"{surface} {len(into)}")
        if found.merged:
            into[found.merged] = found.id
        return found.id

    return resolve


def log_of(reader, body):
    story = Document("tale", "tale", body, (Chapter(1, "", Span(0, 0), Span(0, len(body))),))
    linker = Linker()
    linker.add(story, story.chapters[0], reader.read(body))
    return linker.log


def people(log):
    return {m.surface for m in log.mentions if m.kind is EntityKind.CHARACTER}


@pytest.mark.parametrize(
    ("surface", "title", "given", "surname"),
    [
        ("Fräulein Amalie Brandt", "fraulein", "amalie", "brandt"),
        ("Comtesse de Brissac", "countess", "", "brissac"),
        ("M. de la Varenne", "monsieur", "", "varenne"),
        ("Van Hoorn", "", "", "hoorn"),
        ("Donna Lucia", "donna", "lucia", ""),
        ("Widow Marlow", "widow", "", "marlow"),
    ],
)
def test_foreign_titles(surface, title, given, surname):
    name = PersonName.parse(surface)
    assert (name.title, name.given, name.surname) == (title, given, surname)


def test_short_forms_in_every_spelling():
    assert same_given("kostya", "konstantin petrovitch")
    assert not full_forms("natasha").isdisjoint({"natalya", "natalia"})
    assert not same_given("kostya", "pavel petrovitch")
    assert not same_given("masha", "sofya")


def test_a_father_s_name_is_not_forgotten(meant):
    first = meant("Pavel Sergeyevitch Torlov")
    for number in range(200):
        meant(f"Mr. Hale{chr(97 + number % 26)}")
    assert meant("Pavel Sergeyevitch") == first
    assert meant("Pavel Andreyevitch") != first


def test_a_short_form_learns_the_father_s_name_once(meant):
    masha = meant("Masha", "f")
    assert meant("Marya Pavlovna") == masha
    assert meant("Marya Sergeyevna") != masha
    assert meant("Masha") == masha


def test_a_short_form_with_a_surname_is_not_whoever_has_the_full_name(meant):
    dancer = meant("Liza Orlova", "f")
    assert meant("Lizaveta Petrovna") != dancer


def test_a_prince_may_go_by_a_short_form(meant):
    assert meant("Prince Konstantin Pavlovitch Torlov") == meant("Kostya", "m")


def test_who_is_always_called_formally_is_not_meant_by_the_bare_name(meant):
    formal = [meant("Alexey Pavlovitch") for _ in range(12)]
    other = meant("Alexey Ivanovitch")
    assert other != formal[0]
    assert meant("Alexey") != formal[0]


def test_a_formal_name_alone_may_be_shortened(meant):
    formal = [meant("Alexey Pavlovitch") for _ in range(12)]
    assert meant("Alexey") == formal[0]


def test_the_princess_is_who_is_called_so(meant):
    daughter = [meant("Lenka", "f") for _ in range(6)]
    assert meant("Princess Lenka") == daughter[0]
    mother = [meant("Princess Torlova") for _ in range(3)]
    assert meant("the princess") == mother[0] != daughter[0]


def test_a_particle_is_no_given_name(meant):
    count = meant("Comte de Brissac", "m")
    assert meant("Armand de Brissac") == count
    assert meant("Madame de Brissac", "f") != count
    assert meant("M. de Varenne", "m") != count


def test_kin_called_by_what_they_are(reader):
    log = log_of(
        reader,
        "I went home and pap sat by the fire. Then pap got up and pap said nothing. I was afraid of pap.",
    )
    assert "pap" in people(log)
    assert len({m.entity for m in log.mentions if m.surface == "pap"}) == 1


def test_somebody_s_mother_is_no_name(reader):
    log = log_of(
        reader,
        "Elena Voss went home. Her mother sat by the fire. The father laughed and Elena's mother rose. "
        "“Mother is ill,” said Elena. “Mother is very ill.” A mother fears and a father waits.",
    )
    assert not {name.casefold() for name in people(log)} & {"mother", "father"}
