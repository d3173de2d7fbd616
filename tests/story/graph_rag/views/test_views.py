import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.reading import document, told
from tests.tables import rows

from fabula.core.types import Evidence, Span
from fabula.story.graph_rag.views.story_view import entities_of
from fabula.story.graph_rag.views.timeline import (
    Clocks,
    acts,
    closing,
    fabula_order,
    sorted_by_links,
    standing,
    surely_together,
)
from fabula.story.model.types import (
    CODEX_ID,
    EntityKind,
    EntityMention,
    Interval,
    Modality,
    Open,
    Order,
)


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
    (lynn,) = entities_of(mentions, {})
    assert (lynn.kind, lynn.gender) == (EntityKind.LOCATION, "f")
    (lynn,) = entities_of(mentions[1:], {})
    assert (lynn.kind, lynn.gender) == (EntityKind.GROUP, "m")


def called(*surfaces):
    mentions = [
        EntityMention("x", EntityKind.CHARACTER, s, 1, Evidence("tale", 1, Span(i, i + 1), "x"), "m")
        for i, s in enumerate(surfaces)
    ]
    return entities_of(mentions, {})[0].name


def test_nobody_is_labelled_by_the_fathers_fuller_name():
    names = ["Voronin"] * 9 + ["Alexey Voronin"] * 2 + ["Count Pavel Ivanovitch Voronin"]
    assert called(*names) == "Alexey Voronin"
    assert called("Emma", "Emma", "Emma Woodhouse") == "Emma Woodhouse"


QUOTE = Evidence("tale", 1, Span(0, 1), "x")


def link(earlier, later, confidence=0.8):
    return Order(earlier, later, (QUOTE,), confidence, 1)


def test_links_move_events_and_in_a_circle_the_least_sure_gives_way():
    assert sorted_by_links("abcd", [link("d", "b")]) == ["a", "d", "b", "c"]
    assert sorted_by_links("abcd", [link("d", "c"), link("c", "b")]) == ["a", "d", "c", "b"]
    assert sorted_by_links("abcd", [link("a", "b"), link("x", "a"), link("b", "b")]) == [*"abcd"]
    circle = [link("c", "a", 0.9), link("a", "b", 0.9), link("b", "c", 0.5)]
    assert sorted_by_links("abc", circle) == ["c", "a", "b"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.5, 0.8])), max_size=25))
def test_every_event_comes_once_and_links_without_circles_hold(pairs):
    events = [str(n) for n in range(10)]
    found = sorted_by_links(events, [link(str(a), str(b), c) for a, b, c in pairs])
    assert sorted(found) == events
    forward = [(str(max(a, b)), str(min(a, b))) for a, b, _ in pairs if a != b]  # one way only: no circle
    found = sorted_by_links(events, [link(a, b) for a, b in forward])
    assert all(found.index(a) < found.index(b) for a, b in forward)


def test_the_fabula_of_a_text():
    tale = document(
        "Elena Voss smiled. Marcus Hale nodded. Anna laughed.\n\nElena sang. Marcus had danced. Anna wept."
    )
    view = told(tale)
    verbs = {event.id: event.verb for event in view.events(untyped=True)}
    found = [verbs[event] for event in fabula_order(view)]
    assert found[-3:] == ["dance", "sing", "weep"]
    order = view.log.orders[0]
    assert all(quote.quote == quote.span.of(tale.text) for quote in order.evidence)


def tale():
    story = StoryBuilder().bond("Tom", "LOVES", "Anna")
    story.event("ATTACKS", "Bert", "Anna", "@London", id="attack")
    story.chapter(2).event("KILLS", "Tom", "Bert", id="kill")
    return story.chapter(3).merge("Bert", "Tom")


def test_the_graph_is_a_multidigraph_of_all_that_is_told():
    network = tale().graph.network
    assert isinstance(network, nx.MultiDiGraph) and network.nodes["attack"]["node"] == "event"
    edge = network.edges["tom", "anna", "LOVES:1:0"]
    assert (edge["confidence"], edge["told"], edge["origin"]) == (1.0, 1, "rules") and edge["evidence"]
    assert network.edges["london", "attack", "PARTICIPATES_IN:1:0:place"]["role"] == "place"
    assert network.edges["bert", "tom", "IS:3:0"]["predicate"] == "IS"
    with pytest.raises(nx.NetworkXError, match=r"[Ff]rozen"):
        network.add_node("x")


def test_find_by_name_alias_and_unique_first_words():
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


def test_a_merge_counts_from_the_chapter_that_tells_it():
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


def test_merges_in_a_chain_or_a_ring_resolve():
    story = StoryBuilder().mention("A").mention("B").mention("C").merge("A", "B").merge("B", "C")
    story.merge("C", "A")
    view = story.view()
    assert [view.resolve(one) for one in "abc"] == ["c", "c", "c"]
    assert [entity.id for entity in view.entities()] == ["c"]


def test_repeated_tellings_group_on_request():
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


def test_bonds_and_presence():
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Anna", "KILLS", "Tom")
    story.bond("Tom", "LOVES", "Bert")
    story.bond("Anna", "HATES", "Tom", modality=Modality.IMAGINED)
    assert [bond.predicate for bond in story.view().bonds("anna", "tom")] == ["LOVES"]
    story = StoryBuilder().mention("Bert").mention("Anna").mention("Bert").chapter(2).mention("Anna")
    view = story.view()
    assert view.presence(1) == ("bert", "anna")
    assert view.presence(2) == ("anna",)
    assert story.view(1).presence(2) == ()


def test_place_puts_a_draft_after_its_source():
    story = StoryBuilder("tale").mention("Tom").chapter(2).bond("Tom", "LOVES", "Anna")
    story.document("draft", chapter=2).bond("Tom", "HATES", "Anna")
    view = story.view()
    love, hate = view.relations()
    assert hate.evidence[0].span.start < love.evidence[0].span.start
    assert view.place(love) < view.place(hate)
    assert view.place(love) == view.place(love.evidence[0])


@pytest.mark.parametrize(("story", "between", "left"), rows(__file__, "stands.tsv"))
def test_what_stands_between_two(story, between, left):
    found = standing(StoryBuilder.of(story).view(), *between.split())
    assert [bond.predicate for bond in found] == left.split()


def test_standing_can_leave_out_a_document_and_what_is_unsure():
    view = StoryBuilder.of("Tom LOVES Anna; Tom HATES Anna / 0.3; draft 2:; Tom HATES Anna").view()
    (sure,) = standing(view, "tom", "anna", min_confidence=0.5, without="draft")
    (last,) = standing(view, "tom", "anna")
    assert (sure.predicate, last.predicate) == ("LOVES", "HATES")


def test_the_interval_of_a_bond_is_closed_by_what_ended_it():
    story = StoryBuilder().chapter(2).bond("Tom", "FRIEND_OF", "Anna").bond("Tom", "KIN_OF", "Anna")
    story.chapter(5).event("BETRAYS", "Tom", "Anna")
    view = story.view()
    friend, kin = bonds = view.relations()
    assert Clocks(view).of(friend) == (2, 5) and Clocks(view).of(kin) == (2, None)
    assert [closing(view, one, bonds, acts(view)) for one in bonds] == [5, None]


def test_what_begins_together_is_together_and_knowing_has_no_end():
    assert surely_together(Interval(3), Interval(3))
    assert not surely_together(Interval(3), Interval(4))
    assert surely_together(Interval(3, 5), Interval(4))
    assert not surely_together(Interval(Open.UNKNOWN, 5), Interval(4))
    assert surely_together(Interval(Open.UNBOUNDED, 5), Interval(4))
    story = StoryBuilder().bond("Anna", "KNOWS", "Berta").chapter(3).event("DIES", patient="Berta")
    view = story.view()
    bond = view.relations(predicate="KNOWS")[0]
    assert Clocks(view).of(bond) == (1, None)
