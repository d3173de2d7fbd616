"""The story graph: exact horizons, entities as a reader knows them, merges, JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder

from fabula.core.types import Horizon
from fabula.errors import ProjectError, UsageError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind, Interval, Modality, Open, StoryLog

PEOPLE = ["Tom", "Anna", "Bert", "Cora", "@London"]


def answers(view: StoryView) -> list[object]:
    """Every answer of a view, as one value."""
    ids = [*(StoryBuilder.id(name) for name in PEOPLE), "nobody"]
    network = view.network
    return [
        view.horizon,
        view.entities(),
        view.entities(EntityKind.CHARACTER, min_mentions=2),
        view.relations(happened=False),
        view.relations(distinct=True),
        view.events(happened=False),
        view.causes(),
        [view.presence(chapter) for chapter in range(12)],
        [(view.resolve(one), view.entity(one), view.name(one), view.states(one)) for one in ids],
        [(view.relations(one), view.events(one)) for one in ids],
        [view.bonds(one, other) for one in ids for other in ids],
        [view.find(name) for name in [*PEOPLE, "Tom Smith", "smith"]],
        list(network.nodes(data=True)),
        list(network.edges(keys=True, data=True)),
    ]


@st.composite
def stories(draw) -> StoryBuilder:
    story = StoryBuilder()
    bonds = [name for name, row in sorted(PREDICATES.items()) if row.lasting]
    happenings = [name for name, row in sorted(PREDICATES.items()) if not row.lasting]
    who = st.sampled_from(PEOPLE)
    told = 1
    for _ in range(draw(st.integers(0, 25))):
        told += draw(st.sampled_from([0, 0, 1, 2]))
        story.chapter(told)
        match draw(st.sampled_from(["bond", "event", "feel", "goal", "at", "mention", "merge", "flashback"])):
            case "bond":
                modality = draw(st.sampled_from(list(Modality)))
                story.bond(draw(who), draw(st.sampled_from(bonds)), draw(who), modality=modality)
            case "flashback":
                story.flashback(draw(who), draw(st.sampled_from(bonds)), draw(who))
            case "event":
                story.event(draw(st.sampled_from(happenings)), draw(who), draw(who))
            case "feel":
                story.feel(draw(who), draw(st.sampled_from(["joy", "anger", "hope"])), draw(st.floats(-1, 1)))
            case "goal":
                story.goal(
                    draw(who), draw(st.sampled_from(["win", "flee"])), draw(st.sampled_from([1, -1, 2]))
                )
            case "at":
                story.at(draw(who), "@London")
            case "mention":
                one = draw(who)
                kind = draw(st.sampled_from(list(EntityKind)))
                gender = draw(st.sampled_from(["", "f", "m"]))
                surface = draw(st.sampled_from([one, f"{one} Smith", "Mr. Smith"]))
                story.mention(surface, as_=story.id(one), kind=kind, gender=gender)
            case "merge":
                story.merge(draw(who), draw(who))
    return story


@given(stories(), st.integers(0, 12))
def test_a_view_equals_the_view_of_the_log_cut_there(story: StoryBuilder, chapter: int) -> None:
    horizon = Horizon(chapter)
    told = {
        field: tuple(one for one in getattr(story.log, field) if one.told <= chapter)
        for field in StoryLog.__dataclass_fields__
    }
    whole, prefix = story.graph, StoryKnowledgeGraph.from_log(StoryLog(**told))
    assert repr(answers(whole.as_of(horizon))) == repr(answers(prefix.as_of(horizon)))
    again = StoryKnowledgeGraph.from_json(whole.to_json())
    assert repr(answers(again.as_of(horizon))) == repr(answers(whole.as_of(Horizon()).as_of(horizon)))


@given(stories())
def test_json_is_exact_and_deterministic(story: StoryBuilder) -> None:
    graph = story.graph
    text = graph.to_json()
    again = StoryKnowledgeGraph.from_json(text)
    assert again.log == graph.log
    assert again.to_json() == text
    assert json.loads(text)["schema"] == 3


def test_an_open_end_stays_what_it_was_through_json() -> None:
    story = StoryBuilder().chapter(3)
    story.bond("Tom", "KIN_OF", "Anna", holds=Interval(Open.UNBOUNDED, Open.UNBOUNDED)).flashback(
        "Tom", "LOVES", "Anna"
    )
    kin, love = StoryKnowledgeGraph.from_json(story.graph.to_json()).log.relations
    assert kin.holds == Interval(Open.UNBOUNDED, Open.UNBOUNDED)
    assert kin.holds.end is Open.UNBOUNDED
    assert love.holds == Interval(Open.UNKNOWN, 2)
    assert love.modality is Modality.FLASHBACK


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "holds no story graph"),
        ('{"schema": 99, "log": {}}', "schema 99, this version reads 3"),
        ('{"log": {}}', "schema None"),
        ('{"schema": 3, "log": {"relations": [{"subject": "tom"}]}}', r"damaged at relations\.0"),
        ('{"schema":3,"log":{"relations":[{"subject":"tom"}]}}', r"damaged at relations\.0"),
        ('{"schema":3,"log":{}]', "not JSON"),
        ('{"schema":3,"log":{}', "not JSON"),
    ],
)
def test_json_that_does_not_fit_is_refused_with_the_way_out(text: str, said: str) -> None:
    with pytest.raises(ProjectError, match=said) as caught:
        StoryKnowledgeGraph.from_json(text)
    assert "index" in str(caught.value)


def test_an_unknown_predicate_is_refused() -> None:
    log = StoryBuilder().bond("Tom", "LOVES", "Anna").log
    wrong = replace(log, relations=(replace(log.relations[0], predicate="ADORES"),))
    with pytest.raises(UsageError, match=r"'ADORES' .tom to anna, chapter 1. is no predicate"):
        StoryKnowledgeGraph.from_log(wrong)


def test_entities_are_named_and_ranked_as_a_reader_there_would() -> None:
    story = (
        StoryBuilder()
        .mention("Emma")
        .mention("Knightley")
        .mention("Mr. Knightley", as_="knightley", gender="m")
    )
    story.chapter(2).mention("Emma").mention("Emma Woodhouse", as_="emma", gender="f")
    story.chapter(3).mention("Knightley").mention("Miss Emma", as_="emma")

    assert [entity.name for entity in story.view(1).entities()] == ["Knightley", "Emma"]
    emma = story.view(2).entity("emma")
    assert (emma.name, emma.aliases, emma.gender) == ("Emma Woodhouse", ("Emma",), "f")
    assert (emma.mentions, emma.first_appearance, len(emma.evidence)) == (3, 1, 3)
    knightley = story.view().entity("knightley")
    assert (knightley.name, knightley.aliases) == ("Knightley", ("Mr. Knightley",))
    assert story.view().entity("emma").aliases == ("Emma", "Miss Emma")


def test_a_full_name_is_shown_without_its_title() -> None:
    story = StoryBuilder()
    for surface in ("Emma", "Emma", "Emma", "Miss Emma Woodhouse", "Miss Emma Woodhouse", "Emma Woodhouse"):
        story.mention(surface, as_="emma")
    for surface in ("Mr. Darcy", "Mr. Darcy", "Darcy", "Mr. Fitzwilliam Darcy"):
        story.mention(surface, as_="darcy")
    assert story.view().name("emma") == "Emma Woodhouse"
    assert story.view().name("darcy") == "Mr. Fitzwilliam Darcy"
    assert story.view().name("nobody") == "nobody"


def test_kind_goes_by_majority_with_ties_to_the_first_seen() -> None:
    story = (
        StoryBuilder().mention("Lynn", kind=EntityKind.LOCATION).mention("Lynn", kind=EntityKind.CHARACTER)
    )
    assert story.view().entity("lynn").kind is EntityKind.LOCATION
    story.mention("Lynn", kind=EntityKind.CHARACTER)
    assert story.view().entity("lynn").kind is EntityKind.CHARACTER


def test_find_by_name_alias_and_unique_first_words() -> None:
    story = StoryBuilder().mention("Jane Bennet", as_="jane").mention("Miss Bennet", as_="jane")
    story.mention("Elizabeth Bennet", as_="lizzy").mention("Elizabeth Bennet", as_="lizzy")
    story.mention("Elizabeth Hall", as_="hall")
    view = story.view()
    assert view.find("jane  BENNET").id == "jane"
    assert view.find("miss bennet").id == "jane"
    assert view.find("Jane").id == "jane"
    assert view.find("Elizabeth") is None  # two start so
    assert view.find("Bennet") is None
    assert view.find(" ") is None


def test_a_merge_counts_from_the_chapter_that_tells_it() -> None:
    story = StoryBuilder().bond("Stranger", "FRIEND_OF", "Anna").bond("Stranger", "KNOWS", "Tom")
    story.event("ATTACKS", "Stranger", "Anna").at("Anna", "Stranger")
    story.chapter(3).merge("Stranger", "Tom")

    before, after = story.view(2), story.view(3)
    assert before.resolve("stranger") == "stranger"
    assert [relation.subject for relation in before.relations()] == ["stranger", "stranger"]
    assert after.entity("stranger") == after.entity("tom")
    assert after.entity("tom").aliases == ("Stranger",) or after.entity("tom").name == "Stranger"
    friend = after.relations()
    assert [(one.subject, one.object) for one in friend] == [("tom", "anna")]  # the self-loop is gone
    assert after.events("tom")[0].participants == (("agent", "tom"), ("patient", "anna"))
    assert after.states("anna", "location")[0].value == "tom"
    assert "stranger" not in after.network


def test_merges_in_a_chain_or_a_ring_resolve() -> None:
    story = (
        StoryBuilder().mention("A").mention("B").mention("C").merge("A", "B").merge("B", "C").merge("C", "A")
    )
    view = story.view()
    assert [view.resolve(one) for one in "abc"] == ["c", "c", "c"]
    assert [entity.id for entity in view.entities()] == ["c"]


def test_repeated_tellings_group_on_request() -> None:
    story = StoryBuilder().bond("Tom", "FRIEND_OF", "Anna", confidence=0.4)
    story.chapter(2).bond("Anna", "FRIEND_OF", "Tom", confidence=0.9)
    story.bond("Bert", "PARENT_OF", "Tom").bond("Tom", "CHILD_OF", "Bert")
    story.bond("Tom", "FRIEND_OF", "Anna", modality=Modality.PLANNED)
    view = story.view()
    assert len(view.relations()) == 4
    friend, kin = view.relations(distinct=True)
    assert (friend.subject, friend.told, friend.confidence, len(friend.evidence)) == ("tom", 1, 0.9, 2)
    assert (kin.predicate, len(kin.evidence)) == ("PARENT_OF", 2)
    assert len(view.relations(happened=False, distinct=True)) == 3
    assert view.relations("bert", predicate="PARENT_OF")[0].object == "tom"


def test_bonds_leave_out_acts_and_what_did_not_happen() -> None:
    story = (
        StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Anna", "KILLS", "Tom").bond("Tom", "LOVES", "Bert")
    )
    story.bond("Anna", "HATES", "Tom", modality=Modality.IMAGINED)
    assert [bond.predicate for bond in story.view().bonds("anna", "tom")] == ["LOVES"]


def test_the_network_has_entities_events_and_causes_and_cannot_be_changed() -> None:
    story = (
        StoryBuilder().bond("Tom", "LOVES", "Anna").event("ATTACKS", "Bert", "Anna", "@London", id="attack")
    )
    story.chapter(2).event("KILLS", "Tom", "Bert", id="kill").cause("kill", "attack")
    network = story.view().network
    assert network.nodes["london"]["kind"] is EntityKind.LOCATION
    assert network.nodes["attack"]["node"] == "event"
    assert network.edges["tom", "anna", "LOVES:1:0"]["confidence"] == 1.0
    assert network.edges["london", "attack", "PARTICIPATES_IN:1:0:place"]["role"] == "place"
    assert network.edges["kill", "attack", "CAUSED_BY:2:0"]["told"] == 2
    assert "kill" not in story.view(1).network
    with pytest.raises(Exception, match=r"[Ff]rozen"):
        network.add_node("x")


def test_presence_is_in_order_of_first_mention_in_that_chapter() -> None:
    story = StoryBuilder().mention("Bert").mention("Anna").mention("Bert").chapter(2).mention("Anna")
    view = story.view()
    assert view.presence(1) == ("bert", "anna")
    assert view.presence(2) == ("anna",)
    assert story.view(1).presence(2) == ()


def test_place_puts_a_draft_after_its_source() -> None:
    story = StoryBuilder("tale").mention("Tom").chapter(2).bond("Tom", "LOVES", "Anna")
    story.document("draft", chapter=2).bond("Tom", "HATES", "Anna")
    view = story.view()
    love, hate = view.relations()
    assert hate.evidence[0].span.start < love.evidence[0].span.start
    assert view.place(love) < view.place(hate)
    assert view.place(love) == view.place(love.evidence[0])


def test_an_empty_story_answers_everything() -> None:
    graph = StoryKnowledgeGraph.from_log(StoryLog())
    view = graph.as_of(Horizon())
    assert graph.last_chapter == 0
    assert view.entities() == ()
    assert view.find("Tom") is None
    assert len(view.network) == 0


def test_views_are_kept_but_not_all_of_them() -> None:
    story = StoryBuilder()
    for chapter in range(1, 20):
        story.chapter(chapter).mention("Tom")
    graph = story.graph
    assert graph.last_chapter == 19
    assert graph.as_of(Horizon(3)) is graph.as_of(Horizon(3))
    kept = graph.as_of(Horizon(3))
    for chapter in range(4, 14):
        graph.as_of(Horizon(chapter))
    assert graph.as_of(Horizon(3)) is not kept
