from dataclasses import replace
from itertools import chain

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.reading import document, linked, told
from tests.tables import file_text, rows, values

from fabula.core.documents import document_from_text
from fabula.core.types import Evidence, Horizon, Span
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views import timeline
from fabula.story.graph_rag.views.story_view import entities_of
from fabula.story.graph_rag.views.ties import Tie, _best, _telling, shown_relations
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import CODEX_ID, EntityKind, EntityMention, Interval, Open, Order
from fabula.story.pairs.pair_model import Person


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


@pytest.mark.parametrize(("surfaces", "shown"), values(__file__, "a_full_name_is_shown_without.tsv"))
def test_a_full_name_is_shown_without_its_title(surfaces, shown):
    story = StoryBuilder()
    for surface in surfaces:
        story.mention(surface, as_="x", gender="m" if "Voronin" in surface else "")
    assert story.view().name("x") == shown
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


QUOTE = Evidence("tale", 1, Span(0, 1), "x")


def link(earlier, later, confidence=0.8):
    return Order(earlier, later, (QUOTE,), confidence, 1)


def test_links_move_events_and_in_a_circle_the_least_sure_gives_way():
    assert timeline.sorted_by_links("abcd", [link("d", "b")]) == ["a", "d", "b", "c"]
    assert timeline.sorted_by_links("abcd", [link("d", "c"), link("c", "b")]) == ["a", "d", "c", "b"]
    assert timeline.sorted_by_links("abcd", [link("a", "b"), link("x", "a"), link("b", "b")]) == [*"abcd"]
    circle = [link("c", "a", 0.9), link("a", "b", 0.9), link("b", "c", 0.5)]
    assert timeline.sorted_by_links("abc", circle) == ["c", "a", "b"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.5, 0.8])), max_size=25))
def test_every_event_comes_once_and_links_without_circles_hold(pairs):
    events = [str(n) for n in range(10)]
    found = timeline.sorted_by_links(events, [link(str(a), str(b), c) for a, b, c in pairs])
    assert sorted(found) == events
    forward = [(str(max(a, b)), str(min(a, b))) for a, b, _ in pairs if a != b]  # one way only: no circle
    found = timeline.sorted_by_links(events, [link(a, b) for a, b in forward])
    assert all(found.index(a) < found.index(b) for a, b in forward)


def test_the_fabula_of_a_text():
    cast = "Elena Voss smiled. Marcus Hale nodded. Anna laughed."
    tale = document(f"{cast}\n\nElena sang. Marcus had danced. Anna wept.")
    view = told(tale)
    verbs = {event.id: event.verb for event in view.events(untyped=True)}
    assert [verbs[event] for event in timeline.fabula_order(view)][-3:] == ["dance", "sing", "weep"]
    order = view.log.orders[0]
    assert all(quote.quote == quote.span.of(tale.text) for quote in order.evidence)


def tale():
    story = StoryBuilder.of("Tom LOVES Anna").event("ATTACKS", "Bert", "Anna", "@London", id="attack")
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


def test_a_horizon_is_a_subgraph_view():
    graph = tale().graph
    early = graph.network_at(Horizon(1))
    assert "kill" not in early and "attack" in early and not early.has_edge("bert", "tom")
    assert nx.is_frozen(early) and set(early) < set(graph.network)
    assert graph.network_at(Horizon()) is graph.network


@pytest.mark.parametrize("name", ["jane  BENNET", "miss bennet", "Jane"])
def test_find_by_name_alias_and_unique_first_words(name):
    story = StoryBuilder().mention("Jane Bennet", as_="jane").mention("Miss Bennet", as_="jane")
    story.mention("Elizabeth Bennet", as_="lizzy").mention("Elizabeth Bennet", as_="lizzy")
    view = story.mention("Elizabeth Hall", as_="hall").view()
    assert view.find(name).id == "jane"
    assert view.find("Elizabeth") is view.find("Bennet") is view.find(" ") is None  # two start so


def test_a_merge_counts_from_the_chapter_that_tells_it():
    story = StoryBuilder.of(
        "Stranger FRIEND_OF Anna; Stranger KNOWS Tom; Stranger ATTACKS Anna; 3:; Stranger = Tom"
    )
    before, after = story.view(2), story.view(3)
    assert before.resolve("stranger") == "stranger"
    assert [relation.subject for relation in before.relations()] == ["stranger", "stranger"]
    assert after.entity("stranger") == after.entity("tom")
    assert {after.entity("tom").name, *after.entity("tom").aliases} == {"Stranger", "Tom"}
    bonds = [(one.subject, one.object) for one in after.relations()]
    assert bonds == [("tom", "anna")]  # the self-loop is gone
    assert after.events("tom")[0].participants == (("agent", "tom"), ("patient", "anna"))


def test_a_state_in_a_place_that_is_merged_follows():
    view = StoryBuilder.of("Anna at @Hall; @Hall = @Manor").view()
    assert view.states("anna", "location")[0].value == "manor"


def test_merges_in_a_chain_or_a_ring_resolve():
    view = StoryBuilder.of("A; B; C; A = B; B = C; C = A").view()
    assert [view.resolve(one) for one in "abc"] == ["c", "c", "c"]
    assert [entity.id for entity in view.entities()] == ["c"]


def test_repeated_tellings_group_on_request():
    view = StoryBuilder.of(
        "Tom FRIEND_OF Anna / 0.4; 2:; Anna FRIEND_OF Tom / 0.9; Bert PARENT_OF Tom; Tom CHILD_OF Bert; "
        "Tom FRIEND_OF Anna / planned"
    ).view()
    assert len(view.relations()) == 4
    friend, kin = view.relations(distinct=True)
    assert (friend.subject, friend.told, friend.confidence, len(friend.evidence)) == ("tom", 1, 0.9, 2)
    assert (kin.predicate, len(kin.evidence)) == ("PARENT_OF", 2)
    assert len(view.relations(happened=False, distinct=True)) == 3
    assert view.relations("bert", predicate="PARENT_OF")[0].object == "tom"


def test_bonds_and_presence():
    bonds = StoryBuilder.of("Tom LOVES Anna; Anna KILLS Tom; Tom LOVES Bert; Anna HATES Tom / imagined")
    assert [bond.predicate for bond in bonds.view().bonds("anna", "tom")] == ["LOVES"]
    story = StoryBuilder.of("Bert; Anna; Bert; 2:; Anna")
    assert [story.view().presence(chapter) for chapter in (1, 2)] == [("bert", "anna"), ("anna",)]
    assert story.view(1).presence(2) == ()


def test_place_puts_a_draft_after_its_source():
    view = StoryBuilder.of("Tom; 2:; Tom LOVES Anna; draft 2:; Tom HATES Anna").view()
    love, hate = view.relations()
    assert hate.evidence[0].span.start < love.evidence[0].span.start
    assert view.place(love) == view.place(love.evidence[0]) < view.place(hate)


@pytest.mark.parametrize(("story", "between", "left"), rows(__file__, "stands.tsv"))
def test_what_stands_between_two(story, between, left):
    found = timeline.standing(StoryBuilder.of(story).view(), *between.split())
    assert [bond.predicate for bond in found] == left.split()


def test_standing_can_leave_out_a_document_and_what_is_unsure():
    view = StoryBuilder.of("Tom LOVES Anna; Tom HATES Anna / 0.3; draft 2:; Tom HATES Anna").view()
    (sure,) = timeline.standing(view, "tom", "anna", min_confidence=0.5, without="draft")
    (last,) = timeline.standing(view, "tom", "anna")
    assert (sure.predicate, last.predicate) == ("LOVES", "HATES")


@pytest.mark.parametrize(("what", "story", "last"), rows(__file__, "bonds_once_with_their_end.tsv"))
def test_a_bond_is_shown_once_with_the_chapter_to_which_it_held(what, story, last):
    _, told = shown_relations(StoryBuilder.of(story).view())
    assert " ".join(str(one.holds.end) for one in told if one.predicate != "DIES") == last, what


def test_what_begins_together_is_together():
    assert timeline.surely_together(Interval(3), Interval(3))
    assert not timeline.surely_together(Interval(3), Interval(4))
    for since, together in ((3, True), (Open.UNKNOWN, False), (Open.UNBOUNDED, True)):
        assert timeline.surely_together(Interval(since, 5), Interval(4)) is together


CHAPTER = file_text(__file__, "hale.md")


DOCUMENT = document_from_text("\n\n".join(f"## {n}\n\n{CHAPTER}" for n in (1, 2, 3)), id="hale", title="Hale")


@pytest.fixture(scope="module")
def log():
    return linked(DOCUMENT)


@pytest.fixture(scope="module")
def view(log):
    return StoryKnowledgeGraph(log).as_of(Horizon())


def test_what_any_reader_would_name(view, log):
    found = {(frozenset((view.name(tie.one), view.name(tie.other))), tie.what) for tie in view.ties}
    assert (frozenset(("Ellen", "Martin Hale")), "spouse") in found
    assert any(tie.what == "parent" and view.name(tie.other) == "Rose" for tie in view.ties)
    for tie in view.ties:
        assert tie.told == tie.evidence[0].chapter
        for quote in tie.evidence:
            quote.verify(DOCUMENT.text)
    unmet = StoryKnowledgeGraph(replace(log, pairs=())).as_of(Horizon())
    assert unmet.ties == ()  # ties come of meetings


@pytest.mark.parametrize("horizon", [1, 2])
def test_a_horizon_is_the_story_up_to_there(log, horizon):
    before = StoryKnowledgeGraph(linked(replace(DOCUMENT, chapters=DOCUMENT.chapters[:horizon])))
    assert StoryKnowledgeGraph(log).as_of(Horizon(horizon)).ties == before.as_of(Horizon()).ties


def test_ties_are_no_mere_acquaintances_and_are_shown_once(view):
    bound = {frozenset((tie.one, tie.other)) for tie in view.ties}
    bonds = [(frozenset((r.subject, r.object)), r.predicate) for r in chain(*shown_relations(view))]
    assert not [one for one in bonds if one[1] in ("KNOWS", "APPEARS_WITH") and one[0] in bound]
    shown = [one for one in bonds if PREDICATES[one[1]].symmetric and one[1] != "KNOWS"]
    assert len(shown) == len(set(shown))


def test_a_friendship_that_is_hardly_likely_is_an_acquaintance():
    friends = replace(_tie("ann", "friend", "cal", 0.29), tied=0.7)
    assert (friends.predicate, friends.confidence) == ("KNOWS", 0.7)
    assert replace(friends, what="enemy").predicate == "ENEMY_OF"
    likely = replace(friends, probability=0.3)
    assert (likely.predicate, likely.confidence) == ("FRIEND_OF", 0.3)
    kin = _tie("cal", "kin", "ann", 0.3)
    assert _telling([friends, kin]) == [kin]
    assert _telling([likely, kin]) == [likely, kin]
    assert _telling([friends]) == [friends]


def _tie(one, what, other, probability):
    return Tie(one, what, other, probability, 1, ())


OF_THREE = {
    name: Person(name, (name,), gender, 9) for name, gender in zip(("ann", "bea", "cal"), "ffm", strict=True)
}


@pytest.mark.parametrize(("likelier", "other", "both"), values(__file__, "ties_fit_each_other.tsv"))
def test_ties_fit_each_other(likelier, other, both):
    kept = _best([_tie(*other), _tie(*likelier)], OF_THREE)
    assert kept == [_tie(*likelier), *([_tie(*other)] if both else [])]
