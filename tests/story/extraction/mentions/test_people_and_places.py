"""Couples, families, places, common words: who is a person, and who is nobody."""

from fabula.story.model.types import EntityKind

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


def test_titles_couples_and_families(reader):
    text = "Mr. and Mrs. Bennet smiled. The Bennets were happy. Captain Smollett spoke to Miss Bennet."
    reading = reader.read(text)
    people = {m.surface: m for m in reading.mentions if m.kind is EntityKind.CHARACTER}
    assert people["Mr. Bennet"].gender == "m"
    assert people["Mr. Bennet"].span.of(text) == "Mr. and Mrs. Bennet"
    assert people["Mrs. Bennet"].gender == people["Miss Bennet"].gender == "f"
    assert people["Captain Smollett"].gender == ""
    assert [m.surface for m in reading.mentions if m.kind is EntityKind.GROUP] == ["Bennets"]


def test_common_words_are_no_names(reader):
    text = "Monday came. Suddenly Elena smiled. God knows! Long days passed. Perhaps Long days are best."
    assert {m.surface for m in reader.read(text).mentions} == {"Elena"}


def test_a_name_found_once_is_found_everywhere(reader):
    text = "Darcy bowed. Mr. Darcy left the room. I saw Darcy. To Darcy nothing was said."
    assert [m.surface for m in reader.read(text).mentions] == ["Darcy", "Mr. Darcy", "Darcy", "Darcy"]


def test_places_are_no_people(reader):
    text = "Up at Marl the clover browned. She went from Marl to Cutler's Cross. They sat in Marl churchyard."
    kinds = {(m.surface, m.kind) for m in reader.read(SURE + text).mentions if m.surface[0] in "MC"}
    assert ("Marl", EntityKind.LOCATION) in kinds
    assert ("Cutler's Cross", EntityKind.LOCATION) in kinds
    assert not {surface for surface, kind in kinds if kind is EntityKind.CHARACTER} - {
        "Marcus Hale",
        "Mr. Reed",
    }


def test_one_off_capitals_are_nobody(reader):
    for text in (
        'The paper came. "Correspondence," said Elena.',
        "It must be done by midnight on St. Bartholomew's Eve.",
        "A cross old Ligurian came out and looked at Elena.",
        "The Weekly Courier came on Fridays.",
        "Elena'll know.",
    ):
        people = {m.surface for m in reader.read(SURE + text).mentions if m.kind is EntityKind.CHARACTER}
        assert people <= {"Elena Voss", "Elena", "Marcus Hale", "Mr. Reed", "Anna"}, text
