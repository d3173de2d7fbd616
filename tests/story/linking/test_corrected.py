import pytest
from tests.stories.logs import all_evidence, cut, is_prefix
from tests.stories.reading import linker_of, reading, view_at, with_headings

from fabula.errors import UsageError
from fabula.story.corrections import Correction, Corrections
from fabula.story.model.types import EntityKind

FATHER = "Mr. Harrow came down the lane. Mr. Harrow sat down. Mrs. Pole nodded to Mr. Harrow."
SON = "Edmund Harrow rode in. Edmund smiled. Edmund Harrow loved Lucy Vane. Mr. Harrow hated Selby."
BOTH = "Edmund laughed. Mr. Harrow wept. Edmund Harrow killed Mrs. Pole. Lucy Vane wept."
STORY = (FATHER, SON, BOTH)
SPLIT = Correction("split", ("Mr. Harrow",), ("Edmund Harrow", "Edmund"))
MERGE = Correction("merge", ("Lucy Vane",), into=("Mrs. Pole",))


def linked(bodies, *entries):
    return linker_of(with_headings(*bodies), corrections=Corrections.of(entries))


def seen(*entries, bodies=STORY, chapter=None):
    """Whom a reader knows, by name."""
    return {one.name: one for one in view_at(linked(bodies, *entries).log, chapter).entities()}


def test_a_father_and_his_son():
    before, after, view = seen(), seen(SPLIT), view_at(linked(STORY, SPLIT).log)
    assert "Edmund Harrow" in before["Mr. Harrow"].aliases  # what is to be corrected
    father, son = after["Mr. Harrow"], after["Edmund Harrow"]
    assert (father.aliases, son.aliases) == ((), ("Edmund",))
    assert father.mentions + son.mentions == before["Mr. Harrow"].mentions
    assert [r.subject for r in view.relations(predicate="LOVES")] == [son.id]
    assert ("agent", son.id) in [event.participants[0] for event in view.events(son.id)]
    turned = seen(SPLIT, bodies=(SON, BOTH, FATHER))  # who of the two comes first does not matter
    assert (turned["Mr. Harrow"].aliases, turned["Edmund Harrow"].aliases) == ((), ("Edmund",))


def test_what_the_text_says_later_makes_nobody_one():
    bodies = (
        "Strider nodded. Strider laughed. Aragorn smiled. Aragorn said nothing.",
        "Strider laughed. Strider was really Aragorn. Aragorn trusted Mr. Reed. Miss Ann Vane sat down.",
        "Ann Vane smiled at Strider. Miss Ann Vane smiled at Aragorn.",
    )
    strider = Correction("split", ("Strider",), ("Aragorn",))
    ann = Correction("split", ("Miss Ann Vane",), ("Ann Vane",))
    plain = seen(bodies=bodies).keys()
    assert not {"Strider", "Aragorn"} <= plain and not {"Miss Ann Vane", "Ann Vane"} <= plain
    for told in (bodies, bodies[::-1]):
        assert {"Strider", "Aragorn", "Miss Ann Vane", "Ann Vane"} <= seen(strider, ann, bodies=told).keys()


def test_from_a_chapter_on():
    late = Correction("split", ("Mr. Harrow",), ("Mr. Harrow",), ("Edmund Harrow",), from_chapter=3)
    mentions = linked(STORY, SPLIT, late).log.mentions
    found = {m.evidence.chapter: m.entity for m in mentions if "Mr." in m.surface}
    assert found == {1: "mr-harrow", 2: "mr-harrow", 3: "edmund-harrow"}


def test_two_are_one_where_the_author_says_so():
    [merge] = linked(STORY, MERGE).log.merges
    assert (merge.entity, merge.into, merge.told) == ("lucy-vane", "mrs-pole", 2)
    assert "Lucy Vane" not in seen(MERGE, chapter=1)
    married = Correction("merge", ("Mr. Harrow",), into=("Mrs. Pole",))
    for who, entry in (("Lucy Vane", MERGE), ("Mr. Harrow", married)):
        [one] = [each for each in seen(entry).values() if "Mrs. Pole" in (each.name, *each.aliases)]
        assert who in (one.name, *one.aliases)


def test_a_name_is_shown_from_where_the_text_has_used_it_or_the_author_says():
    linker = linked(STORY, SPLIT, Correction("rename", ("Mrs. Pole",), to="Lucy Vane"))
    names = [view_at(linker.log, chapter).name("mrs-pole") for chapter in (1, 2, 3)]
    assert names == ["Mrs. Pole", "Lucy Vane", "Lucy Vane"]
    assert "Mrs. Pole" in view_at(linker.log).entity("mrs-pole").aliases
    own = Correction("rename", ("Mr. Harrow",), to="Old Harrow", from_chapter=2)
    assert "Mr. Harrow" in seen(SPLIT, own, chapter=1) and "Old Harrow" in seen(SPLIT, own, chapter=2)
    linker = linked(STORY, Correction("rename", ("Lucy Vane",), to="Lucia"))
    with pytest.raises(UsageError, match=r"correction 1: .*never uses 'Lucia': .*from_chapter = 1"):
        linker.check_corrections()


def test_another_kind():
    place = Correction("retype", ("Mrs. Pole",), to="location")
    assert seen(place)["Mrs. Pole"].kind is EntityKind.LOCATION
    kills = [event for event in view_at(linked(STORY, place).log).events() if event.predicate == "KILLS"]
    assert "mrs-pole" not in str(kills)
    bodies = ("They went to Florence. Florence was full of light. They loved Florence.", "Florence smiled.")
    named = seen(Correction("retype", ("Florence",), to="character"), bodies=bodies)
    assert named["Florence"].kind is EntityKind.CHARACTER


def test_of_nobody_nothing_is_told():
    log = linked(STORY, Correction("not_a_character", ("Mrs. Pole",))).log
    assert not [m for m in log.mentions if "Pole" in m.surface]
    assert "mrs-pole" not in str(log.events) + str(log.relations)


RENAME = Correction("rename", ("Mr. Harrow",), to="Edmund Harrow")
CORRECTIONS = (SPLIT, MERGE, RENAME, Correction("retype", ("Selby",), to="group"))


def test_what_comes_later_changes_nothing():
    whole = linked(STORY, *CORRECTIONS)
    for count in range(len(STORY) + 1):
        part = linked(STORY[:count], *CORRECTIONS)
        assert part.log == cut(whole.log, count)
        assert is_prefix(part.log, whole.log)
    first = str(linked(STORY[:1], *CORRECTIONS).log).lower()
    assert "edmund" not in first and "lucy" not in first


def test_evidence_stands_in_the_text_and_a_draft_leaves_no_trace():
    linker, story = linked(STORY[:2], *CORRECTIONS), with_headings(*STORY)
    before = linker.log
    for evidence in all_evidence(before):
        evidence.verify(story.text)
    draft = linker.copy()
    draft.add(story, story.chapter(3), reading(BOTH))
    assert linker.log == before
    assert draft.log == linked(STORY, *CORRECTIONS).log
