import networkx as nx
import pytest
from tests.stories.builder import StoryBuilder

from fabula.core.types import Horizon


def tale():
    story = StoryBuilder().bond("Tom", "LOVES", "Anna")
    story.event("ATTACKS", "Bert", "Anna", "@London", id="attack")
    story.chapter(2).event("KILLS", "Tom", "Bert", id="kill").cause("kill", "attack")
    return story.chapter(3).merge("Bert", "Tom")


def test_the_graph_is_a_multidigraph_of_all_that_is_told():
    network = tale().graph.network
    assert isinstance(network, nx.MultiDiGraph) and network.nodes["attack"]["node"] == "event"
    edge = network.edges["tom", "anna", "LOVES:1:0"]
    assert (edge["confidence"], edge["told"], edge["origin"]) == (1.0, 1, "rules") and edge["evidence"]
    assert network.edges["london", "attack", "PARTICIPATES_IN:1:0:place"]["role"] == "place"
    assert network.edges["kill", "attack", "CAUSED_BY:2:0"]["told"] == 2
    assert network.edges["bert", "tom", "IS:3:0"]["predicate"] == "IS"
    with pytest.raises(nx.NetworkXError, match=r"[Ff]rozen"):
        network.add_node("x")


def test_a_horizon_is_a_subgraph_view():
    graph = tale().graph
    early = graph.network_at(Horizon(1))
    assert "kill" not in early and "attack" in early and not early.has_edge("bert", "tom")
    assert nx.is_frozen(early) and set(early) < set(graph.network)
    assert graph.network_at(Horizon()) is graph.network
