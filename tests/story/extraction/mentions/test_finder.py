"""Every mention of somebody or some place, on little texts written for it."""

import pytest
from tests.stories.reading import document, log_of, reading, told, who, who_in

from fabula.story.model.types import EntityKind


@pytest.mark.parametrize("kin", ["aunt", "sister"])
def test_aunt_corwen_is_the_wife_and_not_the_husband(kin):
    text = (
        "Mr. Corwen sat by the fire, and Mr. Corwen slept. Mrs. Corwen took her work and Mrs. Corwen sighed. "
        f'"I shall go and live with my {kin} Corwen," said Ellen. '
    )
    found = who(text)
    assert found["Corwen"] == found["Mrs. Corwen"] != found["Mr. Corwen"]


def test_a_surname_that_is_a_mans_given_name_as_well():
    text = (
        "Sir Giles Bertram rode out, and Sir Giles was pleased. Lady Bertram sat on the sofa. Lady Bertram "
        'yawned. Miss Bertram sang. "It is my aunt Bertram who told me," said Ellen.'
    )
    found = who(text)
    assert found[text.index("Bertram who")] == found["Lady Bertram"]


def test_a_brother_of_that_name_is_no_wife():
    text = (
        "Mr. Corwen sat by the fire, and Mr. Corwen slept. Mrs. Corwen took her work and Mrs. Corwen sighed. "
        '"I shall go and live with my brother Corwen," said Ellen. '
    )
    found = who(text)
    assert found["Corwen"] == found["Mr. Corwen"]


def test_three_things_of_one_surname():
    log = log_of("Mr. Garland nodded. Mrs. Garland sighed. Garland laughed. The Garlands went home.")
    meant = who_in(log)
    assert meant["Mr. Garland"] == meant["Garland"]
    assert len({meant["Mr. Garland"], meant["Mrs. Garland"], meant["Garlands"]}) == 3
    assert {m.kind for m in log.mentions if m.surface == "Garlands"} == {EntityKind.GROUP}


def test_several_misses_are_a_group():
    log = log_of(
        "Miss Tarrant smiled. Anna Tarrant wept. The two Miss Tarrants sang. Both Miss Tarrants left."
    )
    assert {m.kind for m in log.mentions if m.surface == "Miss Tarrants"} == {EntityKind.GROUP}
    assert len({m.entity for m in log.mentions if m.surface == "Miss Tarrants"}) == 1


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


def test_an_honourable_has_a_name():
    log = log_of("The Honourable John Yates came. Mr. Yates bowed. Mr. Yates laughed at Anna.")
    meant = who_in(log)
    assert meant["Honourable John Yates"] == meant["Mr. Yates"]


def test_a_surname_with_a_particle_stands_alone():
    text = (
        "Professor de Worms came in. Professor de Worms sat down. He was called de Worms by his pupils. "
        '"Never," said de Worms.'
    )
    found = who(text)
    assert found["de Worms"] == found["Professor de Worms"]


def test_a_surname_that_is_a_given_name_stays():
    found = who("Mr. Ross came in. Orrin Ross sat down by the fire. Mr. Ross slept. Orrin snored.")
    assert "Orrin Ross" in found


def test_a_known_name_in_capitals_is_read():
    text = "Elena Voss wrote to her sister that night, and Voss slept. The letter was signed ELENA VOSS."
    assert {name for name in who(text) if isinstance(name, str)} == {"Elena Voss", "Voss"}
    assert "ELENA" not in who("ELENA sat down. Elena sang. They thanked Elena.")


def test_nobody_is_sworn_by():
    found = who('"By George!" cried Mr. Hale. "It was done by George Vane."')
    assert "George" not in found
    assert "George Vane" in found


def view_of(*chapters):
    return told(document(*chapters))


def test_a_man_called_lane_is_no_lane():
    text = "Peter Lane came home on Friday. Anna met him at the gate. Peter kissed her. Peter laughed."
    meant = who(text)
    assert meant["Peter"] == meant["Peter Lane"]
    view = view_of(text)
    assert view.entity(meant["Peter"]).kind == "character"


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
