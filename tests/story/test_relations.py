"""Relations: verbs, nouns and names called; roles for names; how two stand to one another; calibration."""

from __future__ import annotations

import pytest

from fabula.story.extraction.mentions.name_census import _decide, _Votes
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.calibration import SURE_ENOUGH, calibrated
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind, Modality

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


FACT, REPORTED = Modality.FACT, Modality.REPORTED


def told(reader: StoryReader, text: str, *, before: str = SURE) -> set[tuple[object, ...]]:
    """Everything said, as (predicate, subject, object, modality) in surfaces."""
    reading = reader.read(before + text)

    def name(index: int | None) -> str | None:
        return None if index is None else reading.mentions[index].surface

    said = [(s.predicate, name(s.subject), name(s.object), s.modality) for s in reading.statements]
    done = [(h.predicate, name(h.agent), name(h.patient), h.modality) for h in reading.happenings]
    return set(said) | set(done)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena admired Marcus.", ("ADMIRES", "Elena", "Marcus", FACT)),
        ("Elena scolded Marcus.", ("INSULTS", "Elena", "Marcus", FACT)),
        ("Elena thanked Marcus.", ("PRAISES", "Elena", "Marcus", FACT)),
        ("Elena kissed Marcus.", ("EMBRACES", "Elena", "Marcus", FACT)),
        ("Marcus threatened Elena.", ("THREATENS", "Marcus", "Elena", FACT)),
        ("Marcus quarrelled with Elena.", ("QUARRELS_WITH", "Marcus", "Elena", FACT)),
        ("Elena was persecuted by Marcus.", ("HARMS", "Marcus", "Elena", FACT)),
        ("Elena was jealous of Anna.", ("RESENTS", "Elena", "Anna", FACT)),
        ("Elena's love for Marcus was well known.", ("LOVES", "Elena", "Marcus", FACT)),
        ("Marcus spoke of his hatred of Mr. Reed.", ("HATES", "Marcus", "Mr. Reed", FACT)),
        ("Elena took a fancy to Marcus.", ("ADMIRES", "Elena", "Marcus", FACT)),
        ("Elena's brother was Marcus.", ("SIBLING_OF", "Marcus", "Elena", FACT)),
        ("Elena had a brother, Marcus.", ("SIBLING_OF", "Marcus", "Elena", FACT)),
        ("Elena's cousins, Anna and Marcus, sat down.", ("KIN_OF", "Marcus", "Elena", FACT)),
        ("Marcus and Anna were cousins.", ("KIN_OF", "Marcus", "Anna", FACT)),
        ("Elena's uncle Marcus came in.", ("KIN_OF", "Marcus", "Elena", FACT)),
        ("Mr. and Mrs. Reed sat down.", ("MARRIED_TO", "Mr. Reed", "Mrs. Reed", FACT)),
        ('"I never lied to you, Marcus," said Anna.', ("KNOWS", "Anna", "Marcus", FACT)),
        ('"I hate Marcus," said Anna.', ("HATES", "Anna", "Marcus", REPORTED)),
    ],
)
def test_says(reader: StoryReader, text: str, expected: tuple[object, ...]) -> None:
    assert expected in told(reader, text)


@pytest.mark.parametrize(
    ("text", "predicates"),
    [
        ("Elena's love for music was well known.", {"LOVES"}),
        ("Elena would like Marcus to come.", {"ADMIRES"}),
        ("Mr. Reed and Mrs. Hale sat down.", {"MARRIED_TO"}),
        ("Elena was proud of her garden.", {"ADMIRES"}),
        ("Elena and Marcus sang with their cousins.", {"KIN_OF"}),
        ('"What a night," said Anna.', {"KNOWS"}),
        ('"Marcus," said Anna, "is late again tonight."', {"KNOWS"}),
        ('"Marcus Hale," answered Anna.', {"KNOWS"}),
        ("Was Elena jealous of Anna?", {"RESENTS"}),
        ("Elena's brother-in-law, Marcus, sat down.", {"SIBLING_OF"}),
        ("The Duke of London sat down.", {"LIVES_IN"}),
    ],
)
def test_says_no_such_thing(reader: StoryReader, text: str, predicates: set[str]) -> None:
    assert not {row[0] for row in told(reader, text)} & predicates


FABLE = (
    "A Badger was once asleep when a Heron stepped upon his tail. The Badger seized the Heron. "
    "“Pardon me,” said the Heron, “and one day I will thank the Badger.” So the Badger released the Heron, "
    "and a troop of Frogs laughed at them both."
)


def test_animals_of_a_fable_are_characters(reader: StoryReader) -> None:
    reading = reader.read(FABLE)
    kinds = {mention.surface: mention.kind for mention in reading.mentions}
    assert kinds["the badger"] is kinds["the heron"] is EntityKind.CHARACTER
    assert kinds["the frogs"] is EntityKind.GROUP
    assert ("SAVES", "the badger", "the heron", FACT) in told(reader, FABLE, before="")


def test_a_longer_name_stands_for_the_short_one(reader: StoryReader) -> None:
    text = "There was an Old Miller who had a mule. The Miller sold it. The Miller was glad."
    assert {m.surface for m in reader.read(text).mentions} == {"the old miller"}


@pytest.mark.parametrize(
    "text",
    [
        "The house had a garden. A dog barked far away, and the garden was dark.",
        "The Church was old. The Church stood on a hill, and the Bible lay in it.",
        "They stayed at the Lion Inn. The Lion Inn was full.",
    ],
)
def test_things_and_passing_animals_are_no_characters(reader: StoryReader, text: str) -> None:
    assert not [m for m in reader.read(text).mentions if m.kind is EntityKind.CHARACTER]


@pytest.mark.parametrize("predicate", sorted(name for name, row in PREDICATES.items() if row.lasting))
def test_calibration_keeps_the_order_and_the_range(predicate: str) -> None:
    values = [calibrated(predicate, k / 20) for k in range(21)]
    assert all(0.0 <= value <= 1.0 for value in values)
    assert values == sorted(values)
    assert 0.0 < SURE_ENOUGH < 1.0


def names(reader: StoryReader, text: str) -> set[str]:
    return {mention.surface for mention in reader.read(SURE + text).mentions}


@pytest.mark.parametrize("cry", ["Hooray", "Tcha", "Hullo", "Begad", "Pshaw"])
def test_a_cry_is_nobody(reader: StoryReader, cry: str) -> None:
    text = f'"{cry}!" cried Anna. Marcus shouted, "{cry}, Elena!" {cry}! They were saved.'
    assert cry not in names(reader, text)


def test_a_word_that_is_only_ever_cried_is_nobody_but_a_name_that_does_something_is() -> None:
    vote = {"person": 2, "inside": 2}
    assert _decide(("Zork",), _Votes(**vote, cried=2), set()) is None
    assert _decide(("Zork",), _Votes(**vote, cried=1), set()) is not None
    assert _decide(("Zork",), _Votes(**vote, cried=2, spread=True), set()) is not None
    assert _decide(("Zork",), _Votes(**vote, cried=2, titled=1), set()) is not None


@pytest.mark.parametrize(
    ("text", "knows"),
    [
        ('"Marcus," said Anna, "is late."', False),
        ('"Marcus," said Anna, "at that hour was in bed."', False),
        ('"Marcus," said Anna, "you are late."', True),
        ('"Marcus," said Anna, "do you hear me?"', True),
        ('"Marcus," said Anna, "come here."', True),
    ],
)
def test_who_is_spoken_of_is_not_called(reader: StoryReader, text: str, *, knows: bool) -> None:
    assert (("KNOWS", "Anna", "Marcus", FACT) in told(reader, text)) is knows


def test_a_dash_breaks_an_apposition_off(reader: StoryReader) -> None:
    found = told(reader, "Elena saw two men with her father--Mr. Reed and his son.")
    assert not {row for row in found if row[0] in ("PARENT_OF", "CHILD_OF")}
    assert ("PARENT_OF", "Mr. Reed", "Elena", FACT) in told(reader, "Elena saw her father, Mr. Reed.")
