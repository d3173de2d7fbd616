from __future__ import annotations

from tests.stories.reading import reading

from fabula.story.model.types import EntityKind

FABLE = (
    "A Badger was once asleep when a Heron stepped upon his tail. The Badger seized the Heron. "
    "“Pardon me,” said the Heron, “and one day I will thank the Badger.” So the Badger released the Heron, "
    "and a troop of Frogs laughed at them both."
)


def test_animals_of_a_fable_are_characters():
    found = reading(FABLE)
    kinds = {mention.surface: mention.kind for mention in found.mentions}
    assert kinds["the badger"] is kinds["the heron"] is EntityKind.CHARACTER
    assert kinds["the frogs"] is EntityKind.GROUP
    (saved,) = [each for each in found.happenings if each.predicate == "SAVES"]
    assert found.mentions[saved.agent].surface == "the badger"
    assert found.mentions[saved.patient].surface == "the heron"


def test_a_longer_name_stands_for_the_short_one():
    text = "There was an Old Miller who had a mule. The Miller sold it. The Miller was glad."
    assert {m.surface for m in reading(text).mentions} == {"the old miller"}


def test_things_and_passing_animals_are_no_characters():
    for text in (
        "The house had a garden. A dog barked far away, and the garden was dark.",
        "The Church was old. The Church stood on a hill, and the Bible lay in it.",
        "They stayed at the Lion Inn. The Lion Inn was full.",
    ):
        assert not [m for m in reading(text).mentions if m.kind is EntityKind.CHARACTER], text
