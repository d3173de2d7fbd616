import pytest
from tests.stories.builder import StoryBuilder

from fabula.errors import UsageError
from fabula.story.model.predicates import PREDICATES
from fabula.views.world import FAMILIES, world_at


@pytest.fixture(scope="module")
def story():
    return StoryBuilder.of(
        "Anna TRUSTS Boris / 0.9; Boris LIVES_IN @Riga / 0.6; Olga; 2:; Boris BETRAYS Anna / 0.9; "
        "Anna DISTRUSTS Boris / 0.85; 3:; Olga SIBLING_OF Anna / 0.95"
    )


def triples(world):
    return [(edge.source, edge.predicate, edge.target) for edge in world.edges]


def test_it_holds_who_is_told_and_what_is_sure(story):
    world = world_at(story.view())
    bonds = "anna TRUSTS boris; boris BETRAYS anna; anna DISTRUSTS boris; olga SIBLING_OF anna"
    assert "; ".join(map(" ".join, triples(world))) == bonds
    nodes = [("Anna", 4, 4), ("Boris", 4, 3), ("Olga", 2, 1), ("Riga", 1, 0)]
    assert [(node.name, node.mentions, node.degree) for node in world.nodes] == nodes
    assert world.as_of is None and world.left_out_nodes == world.left_out_edges == 0


def test_a_bond_ends_where_its_opposite_begins(story):
    trust, betrayal, distrust, sister = world_at(story.view()).edges
    assert (trust.told, trust.since, trust.until, trust.sign) == (1, 1, 2, 1)
    assert (betrayal.since, betrayal.until, betrayal.label) == (2, 2, "betrays")
    assert (distrust.since, distrust.until, distrust.sign) == (2, None, -1)
    assert (sister.since, sister.until) == (3, None)
    assert trust.quotes[1].text == "Boris Anna BETRAYS." and trust.quote_count == 2


def test_filters_and_whom_one_is_around(story):
    view = story.view()
    assert triples(world_at(view, families=["kinship"])) == [("olga", "SIBLING_OF", "anna")]
    assert ("boris", "LIVES_IN", "riga") in triples(world_at(view, least_confidence=0.5))
    assert [node.id for node in world_at(view, kinds=["location"]).nodes] == ["riga"]
    assert "riga" not in [node.id for node in world_at(view, linked_only=True).nodes]
    world = world_at(view, around="olga")
    assert [node.id for node in world.nodes] == ["olga", "anna"]
    assert triples(world) == [("olga", "SIBLING_OF", "anna")]
    with pytest.raises(UsageError, match="called 'Igor'"):
        world_at(view, around="Igor")


def test_what_a_limit_or_a_kind_leaves_out(story):
    world = world_at(story.view(), around="Riga", kinds=["character"])
    assert [node.id for node in world.nodes] == ["riga"]
    world = world_at(story.view(), limit=2)
    assert [node.id for node in world.nodes] == ["anna", "boris"]
    assert (world.left_out_nodes, world.left_out_edges) == (2, 1)


def test_repeated_tellings_are_one_edge_and_predicates_of_one_family():
    book = StoryBuilder().bond("Anna", "LOVES", "Boris")
    book.chapter(2).bond("Anna", "LOVES", "Boris").event("HELPS", "Anna", "Boris")
    book.chapter(3).event("HELPS", "Anna", "Boris")
    loves, helps = world_at(book.view()).edges
    assert loves.quote_count == helps.quote_count == 2
    assert (helps.since, helps.until) == (2, None)
    assert sorted(one for family in FAMILIES.values() for one in family) == sorted(PREDICATES)
