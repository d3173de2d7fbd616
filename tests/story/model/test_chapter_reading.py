import pytest

from fabula.errors import ProjectError
from fabula.story.model.chapter_reading import ChapterReading

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


def test_json_round_trip_and_refusal(reader):
    reading = reader.read(SURE + "Elena killed Marcus because Marcus betrayed Anna. Elena was happy.")
    assert ChapterReading.from_json(reading.to_json()) == reading
    assert ChapterReading.from_json(reading.to_json()).to_json() == reading.to_json()
    with pytest.raises(ProjectError, match="schema"):
        ChapterReading.from_json('{"schema":0,"reading":{}}')
    with pytest.raises(ProjectError, match="damaged"):
        ChapterReading.from_json('{"schema":5}')
    with pytest.raises(ProjectError, match="damaged"):
        ChapterReading.from_json("no json")
