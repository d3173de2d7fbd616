import pytest
from tests.stories.reading import log_of, reading, who

from fabula.story.model.types import EntityKind


@pytest.mark.parametrize(
    ("text", "surface", "kind"),
    [
        (
            "Miss Tarrant smiled. Anna Tarrant wept. The two Miss Tarrants sang. Both Miss Tarrants left.",
            "Miss Tarrants",
            "group",
        ),
        ("Mr. Garland nodded. Mrs. Garland sighed. The Garlands went home.", "Garlands", "group"),
        ("Peter Lane came home. Anna met him at the gate. Peter kissed her.", "Peter Lane", "character"),
        ("I went home and pap sat by the fire. Then pap got up and pap said nothing.", "pap", "character"),
    ],
)
def test_kinds(text, surface, kind):
    assert {m.kind for m in log_of(text).mentions if m.surface == surface} == {kind}
    assert len({m.entity for m in log_of(text).mentions if m.surface == surface}) == 1


def test_somebody_s_mother_is_no_name():
    text = (
        "Elena Voss went home. Her mother sat by the fire. The father laughed and Elena's mother rose. "
        "“Mother is ill,” said Elena. “Mother is very ill.” A mother fears and a father waits."
    )
    people = {m.surface.casefold() for m in log_of(text).mentions if m.kind is EntityKind.CHARACTER}
    assert not people & {"mother", "father"}


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("She spoke to Mr. Weekes.--It was late. Mr. Weekes nodded.", "Mr. Weekes"),
        ("Professor de Brie laughed. Everybody liked Professor de Brie.", "Professor de Brie"),
        ("Miss King said nothing. Miss King left.", "Miss King"),
        ("Does Mr. Tully know? Mr. Tully did not.", "Mr. Tully"),
    ],
)
def test_surfaces(text, surface):
    mentions = [m for m in reading(text).mentions if m.kind is EntityKind.CHARACTER]
    assert {m.surface for m in mentions} == {surface}
    assert all(m.span.of(text) == surface for m in mentions)


def test_a_known_name_in_capitals_is_read():
    text = "Elena Voss wrote to her sister that night, and Voss slept. The letter was signed ELENA VOSS."
    assert {name for name in who(text) if isinstance(name, str)} == {"Elena Voss", "Voss"}
    assert "ELENA" not in who("ELENA sat down. Elena sang. They thanked Elena.")


def test_nobody_is_sworn_by():
    found = who('"By George!" cried Mr. Hale. "It was done by George Vane."')
    assert "George" not in found
    assert "George Vane" in found


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
    text = "Darcy bowed. Mr. Darcy left the room. They saw Darcy. To Darcy nothing was said."
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
