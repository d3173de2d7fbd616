from __future__ import annotations

import pytest
from tests.stories.reading import reading

from fabula.story.extraction.reader import StoryReader


def test_a_day_is_a_person_only_where_it_acts_like_one():
    acting = "Mr. Tully stared, and Friday laughed. " * 3
    assert "Friday" in {m.surface for m in reading(acting).mentions}
    control = "He came on Friday. Friday was wet. On Friday Mr. Tully left."
    assert "Friday" not in {m.surface for m in reading(control).mentions}


SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


def names(reader: StoryReader, text: str) -> set[str]:
    return {mention.surface for mention in reader.read(SURE + text).mentions}


@pytest.mark.parametrize("cry", ["Hooray", "Tcha", "Hullo", "Begad", "Pshaw"])
def test_a_cry_is_nobody(reader: StoryReader, cry: str) -> None:
    text = f'"{cry}!" cried Anna. Marcus shouted, "{cry}, Elena!" {cry}! They were saved.'
    assert cry not in names(reader, text)
