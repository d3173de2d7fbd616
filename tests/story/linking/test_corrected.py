import pytest
from tests.stories.logs import all_evidence, cut, is_prefix
from tests.stories.reading import reading, with_headings

from fabula.core.types import Horizon
from fabula.errors import UsageError
from fabula.story.corrections import Correction, Corrections
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.linking.linker import Linker
from fabula.story.model.types import EntityKind

FATHER = "Mr. Harrow came down the lane. Mr. Harrow sat down. Mrs. Pole nodded to Mr. Harrow."
SON = "Edmund Harrow rode in. Edmund smiled. Edmund Harrow loved Lucy Vane. Mr. Harrow hated Selby."
BOTH = "Edmund laughed. Mr. Harrow wept. Edmund Harrow killed Mrs. Pole. Lucy Vane wept."
STORY = (FATHER, SON, BOTH)
SPLIT = Correction("split", ("Mr. Harrow",), ("Edmund Harrow", "Edmund"))


def linked(bodies, *entries):
    story, linker = with_headings(*bodies), Linker(corrections=Corrections.of(entries))
    for chapter in story.chapters:
        linker.add(story, chapter, reading(chapter.body.of(story.text)))
    return linker


def seen(linker, chapter=None):
    view = StoryKnowledgeGraph.from_log(linker.log).as_of(Horizon(chapter))
    return {one.name: one for one in view.entities()}, view


def test_a_father_and_his_son():
    before, _ = seen(linked(STORY))
    assert "Edmund Harrow" in before["Mr. Harrow"].aliases  # what is to be corrected
    after, view = seen(linked(STORY, SPLIT))
    assert after["Mr. Harrow"].aliases == ()
    assert after["Edmund Harrow"].aliases == ("Edmund",)
    assert after["Mr. Harrow"].mentions + after["Edmund Harrow"].mentions == before["Mr. Harrow"].mentions
    son = after["Edmund Harrow"].id
    assert [(r.subject, r.predicate) for r in view.relations(predicate="LOVES")] == [(son, "LOVES")]
    assert ("agent", son) in [event.participants[0] for event in view.events(son)]


def test_who_of_the_two_comes_first_does_not_matter():
    after, _ = seen(linked((SON, BOTH, FATHER), SPLIT))
    assert after["Mr. Harrow"].aliases == () and after["Edmund Harrow"].aliases == ("Edmund",)


def test_what_the_text_says_later_makes_nobody_one():
    bodies = (
        "Strider nodded. Strider laughed. Aragorn smiled. Aragorn said nothing.",
        "Strider laughed. Strider was really Aragorn. Aragorn trusted Mr. Reed. Miss Ann Vane sat down.",
        "Ann Vane smiled at Strider. Miss Ann Vane smiled at Aragorn.",
    )
    strider = Correction("split", ("Strider",), ("Aragorn",))
    ann = Correction("split", ("Miss Ann Vane",), ("Ann Vane",))
    plain, _ = seen(linked(bodies))
    assert not {"Strider", "Aragorn"} <= plain.keys() and not {"Miss Ann Vane", "Ann Vane"} <= plain.keys()
    for told in (bodies, bodies[::-1]):
        assert {"Strider", "Aragorn", "Miss Ann Vane", "Ann Vane"} <= seen(linked(told, strider, ann))[
            0
        ].keys()


def test_from_a_chapter_on():
    late = Correction("split", ("Mr. Harrow",), ("Mr. Harrow",), ("Edmund Harrow",), from_chapter=3)
    found = {
        m.evidence.chapter: m.entity for m in linked(STORY, SPLIT, late).log.mentions if "Mr." in m.surface
    }
    assert found[1] == found[2] == "mr-harrow" and found[3] == "edmund-harrow"


def test_two_are_one_where_the_author_says_so():
    linker = linked(STORY, Correction("merge", ("Lucy Vane",), into=("Mrs. Pole",)))
    [merge] = linker.log.merges
    assert (merge.entity, merge.into, merge.told) == ("lucy-vane", "mrs-pole", 2)
    assert "Lucy Vane" not in seen(linker, 1)[0]
    [one] = [each for each in seen(linker)[0].values() if "Mrs. Pole" in (each.name, *each.aliases)]
    assert "Lucy Vane" in (one.name, *one.aliases)
    after, _ = seen(linked(STORY, Correction("merge", ("Mr. Harrow",), into=("Mrs. Pole",))))
    assert {"Mr. Harrow", "Mrs. Pole"} <= {
        name for one in after.values() for name in (one.name, *one.aliases)
    }
    assert not {"Mr. Harrow", "Mrs. Pole"} <= after.keys()


def test_a_name_is_shown_from_where_the_text_has_used_it():
    linker = linked(STORY, SPLIT, Correction("rename", ("Mrs. Pole",), to="Lucy Vane"))
    names = [seen(linker, chapter)[1].name("mrs-pole") for chapter in (1, 2, 3)]
    assert names == ["Mrs. Pole", "Lucy Vane", "Lucy Vane"]
    assert "Mrs. Pole" in seen(linker)[1].entity("mrs-pole").aliases


def test_a_name_of_the_authors_own_is_shown_from_her_chapter_on():
    linker = linked(STORY, SPLIT, Correction("rename", ("Mr. Harrow",), to="Old Harrow", from_chapter=2))
    assert "Mr. Harrow" in seen(linker, 1)[0] and "Old Harrow" in seen(linker, 2)[0]
    linker = linked(STORY, Correction("rename", ("Lucy Vane",), to="Lucia"))
    with pytest.raises(UsageError, match=r"correction 1: .*never uses 'Lucia': .*from_chapter = 1"):
        linker.check_corrections()


def test_another_kind():
    linker = linked(STORY, Correction("retype", ("Mrs. Pole",), to="location"))
    after, view = seen(linker)
    assert after["Mrs. Pole"].kind is EntityKind.LOCATION
    assert not [
        e for e in view.events() if "mrs-pole" in dict(e.participants).values() and e.predicate == "KILLS"
    ]
    bodies = ("They went to Florence. Florence was full of light. They loved Florence.", "Florence smiled.")
    named, _ = seen(linked(bodies, Correction("retype", ("Florence",), to="character")))
    assert named["Florence"].kind is EntityKind.CHARACTER


def test_of_nobody_nothing_is_told():
    linker = linked(STORY, Correction("not_a_character", ("Mrs. Pole",)))
    assert not [m for m in linker.log.mentions if "Pole" in m.surface]
    assert "mrs-pole" not in str(linker.log.events) + str(linker.log.relations)


CORRECTIONS = (
    SPLIT,
    Correction("merge", ("Lucy Vane",), into=("Mrs. Pole",)),
    Correction("rename", ("Mr. Harrow",), to="Edmund Harrow"),
    Correction("retype", ("Selby",), to="group"),
)


def test_what_comes_later_changes_nothing():
    whole = linked(STORY, *CORRECTIONS)
    for count in range(len(STORY) + 1):
        part = linked(STORY[:count], *CORRECTIONS)
        assert part.log == cut(whole.log, count)
        assert is_prefix(part.log, whole.log)
    first = str(linked(STORY[:1], *CORRECTIONS).log)
    assert "Edmund" not in first and "edmund" not in first and "Lucy" not in first


def test_evidence_stands_in_the_text_and_a_draft_leaves_no_trace():
    linker, story = linked(STORY[:2], *CORRECTIONS), with_headings(*STORY)
    before = linker.log
    for evidence in all_evidence(before):
        evidence.verify(story.text)
    draft = linker.copy()
    draft.add(story, story.chapter(3), reading(BOTH))
    assert linker.log == before
    assert draft.log == linked(STORY, *CORRECTIONS).log
    linker.add(story, story.chapter(3), reading(BOTH))
    assert linker.log == draft.log
