from tests.stories.builder import StoryBuilder

from fabula.core.types import Evidence, Span
from fabula.story.graph_rag.views.story_view import call_the_roll
from fabula.story.model.types import CODEX_ID, EntityKind, EntityMention


def test_entities_are_named_and_ranked_as_a_reader_there_would():
    story = StoryBuilder().mention("Emma").mention("Knightley")
    story.mention("Mr. Knightley", as_="knightley", gender="m")
    story.chapter(2).mention("Emma").mention("Emma Woodhouse", as_="emma", gender="f")
    story.chapter(3).mention("Knightley").mention("Miss Emma", as_="emma")

    assert [entity.name for entity in story.view(1).entities()] == ["Knightley", "Emma"]
    emma = story.view(2).entity("emma")
    assert (emma.name, emma.aliases, emma.gender) == ("Emma Woodhouse", ("Emma",), "f")
    assert (emma.mentions, emma.first_appearance, len(emma.evidence)) == (3, 1, 3)
    knightley = story.view().entity("knightley")
    assert (knightley.name, knightley.aliases) == ("Knightley", ("Mr. Knightley",))
    assert story.view().entity("emma").aliases == ("Emma", "Miss Emma")


def test_a_full_name_is_shown_without_its_title():
    story = StoryBuilder()
    for surface in ("Emma", "Emma", "Emma", "Miss Emma Woodhouse", "Miss Emma Woodhouse", "Emma Woodhouse"):
        story.mention(surface, as_="emma")
    for surface in ("Mr. Darcy", "Mr. Darcy", "Darcy", "Mr. Fitzwilliam Darcy"):
        story.mention(surface, as_="darcy")
    assert story.view().name("emma") == "Emma Woodhouse"
    assert story.view().name("darcy") == "Mr. Fitzwilliam Darcy"
    assert story.view().name("nobody") == "nobody"


def test_kind_goes_by_majority_with_ties_to_the_first_seen():
    story = StoryBuilder().mention("Lynn", kind=EntityKind.LOCATION)
    story.mention("Lynn", kind=EntityKind.CHARACTER)
    assert story.view().entity("lynn").kind is EntityKind.LOCATION
    story.mention("Lynn", kind=EntityKind.CHARACTER)
    assert story.view().entity("lynn").kind is EntityKind.CHARACTER


def test_a_codex_lays_kind_and_gender_down_however_often_the_text_reads_another():
    said = [(CODEX_ID, EntityKind.LOCATION, "f"), *[("tale", EntityKind.GROUP, "m")] * 3]
    mentions = [
        EntityMention("lynn", kind, "Lynn", 1, Evidence(where, 1, Span(i, i + 4), "Lynn"), gender)
        for i, (where, kind, gender) in enumerate(said)
    ]
    (lynn,) = call_the_roll(mentions, merged={})
    assert (lynn.kind, lynn.gender) == (EntityKind.LOCATION, "f")
    (lynn,) = call_the_roll(mentions[1:], merged={})
    assert (lynn.kind, lynn.gender) == (EntityKind.GROUP, "m")


def called(*surfaces):
    mentions = [
        EntityMention("x", EntityKind.CHARACTER, s, 1, Evidence("tale", 1, Span(i, i + 1), "x"), "m")
        for i, s in enumerate(surfaces)
    ]
    return call_the_roll(mentions, merged={})[0].name


def test_nobody_is_labelled_by_the_fathers_fuller_name():
    names = ["Voronin"] * 9 + ["Alexey Voronin"] * 2 + ["Count Pavel Ivanovitch Voronin"]
    assert called(*names) == "Alexey Voronin"
    assert called("Emma", "Emma", "Emma Woodhouse") == "Emma Woodhouse"
