"""Characters who are called by what they are."""

from __future__ import annotations

import pytest

from fabula.story.extraction.reader import StoryReader
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
