"""Relations: verbs, nouns and names called; roles for names; how two stand to one another; calibration."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader
from fabula.story.model.types import Modality

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


def test_a_dash_breaks_an_apposition_off(reader: StoryReader) -> None:
    found = told(reader, "Elena saw two men with her father--Mr. Reed and his son.")
    assert not {row for row in found if row[0] in ("PARENT_OF", "CHILD_OF")}
    assert ("PARENT_OF", "Mr. Reed", "Elena", FACT) in told(reader, "Elena saw her father, Mr. Reed.")
