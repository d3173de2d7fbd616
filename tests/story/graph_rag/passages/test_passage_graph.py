from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabula.core.types import Hit, Hop
from fabula.errors import ConfigError, ProjectError
from fabula.story.graph_rag.passage_graph import PassageGraph, PassageText

NAMES = ["Ann", "Tom", "Lady Ashcombe", "Wrenford", "Ashcombe", "Duke of York", "mill", "Used"]

SENTENCE = st.lists(st.sampled_from(NAMES), max_size=4).map(lambda names: f"Then {', '.join(names)} came.")

OPENING = st.sampled_from(["Used cups broke.", "Ann left.", "The Duke of York's mill fell.", ""])

PASSAGES = st.lists(
    st.tuples(st.sampled_from(["", "Wrenford", "Used", "Duke of York (title)"]), OPENING, SENTENCE),
    max_size=12,
).map(lambda rows: [PassageText(i, title, f"{a} {b}") for i, (title, a, b) in enumerate(rows)])

SONG = [
    PassageText(0, "Harvest Moon Waltz", "A song that was first sung by Orla Finch in Denmark."),
    PassageText(1, "Orla Finch", "Finch was born in Wrenford and never left Denmark."),
    PassageText(2, "Wrenford", "Wrenford has a mill, a church and no bridge."),
    PassageText(3, "Denmark", "A kingdom. The Danes hold it."),
    PassageText(4, "Bridges", "Of bridges there are many in Denmark."),
]


def named(*passages):
    texts = (f"then {', '.join(names)} came." for names in passages)
    return PassageGraph.from_passages(PassageText(i, "", text) for i, text in enumerate(texts))


def everything(graph, limit=None):
    n = len(graph) if limit is None else limit
    return [
        *(graph.entities(i, limit=limit) for i in range(n)),
        graph.hops(range(n), limit=limit),
        graph.hops(range(n), query="Was Lady Ashcombe in Wrenford?", limit=limit),
        graph.search("Wrenford", 5, limit=n, seeds={"lexical": [Hit(i, 1.0) for i in range(n)]}),
    ]


def test_hops_by_rarity_and_by_what_a_passage_is_about():
    graph = PassageGraph.from_passages(SONG)
    hops = graph.hops([0], query="Where was the singer of Harvest Moon Waltz born?")
    assert hops[0] == Hop(0, 1, 1.0, "Orla Finch")
    assert Hop(0, 3, 1.0, "Denmark") in hops  # the passage about it, however many name it
    passages = [("", "They saw Long Harrow."), ("Long Harrow (river)", ""), ("Long Harrow (town)", "")]
    graph = PassageGraph.from_passages([PassageText(i, t, x) for i, (t, x) in enumerate(passages)])
    assert graph.hops([0]) == [Hop(0, t, pytest.approx(1 / sqrt(2)), "Long Harrow") for t in (1, 2)]


def test_weight_falls_with_the_number_of_passages_that_share_the_name():
    graph = named(["Ann", "Tom"], ["Ann"], ["Tom"], ["Ann"], ["Mill"], [])
    hops = {(hop.target, hop.via): hop.weight for hop in graph.hops([0])}
    assert hops[1, "Ann"] == pytest.approx(log(6 / 3) / 6 / sqrt(3 - 1))
    assert hops[2, "Tom"] == pytest.approx(log(6 / 2) / 6 / sqrt(2 - 1))
    assert graph.hops([5]) == []


def test_names_that_carry_no_hop():
    graph = PassageGraph.from_passages(SONG)
    assert not [h for h in graph.hops([0], query="Who is orla finch?") if h.via in ("Orla Finch", "Finch")]
    graph = named(["Ann"], ["Ann"], ["Ann"])
    assert graph.hops([0, 1, 2]) == []
    passages = [PassageText(0, "", "Used cups broke."), PassageText(1, "Used", "A film.")]
    assert PassageGraph.from_passages(passages).hops([0]) == []
    told = PassageText(2, "", "They saw Used twice.")
    assert PassageGraph.from_passages([*passages, told]).hops([0])[0].via == "Used"


def test_search_starts_from_the_lists_merged_and_ranks_by_hop_and_seed():
    graph = PassageGraph.from_passages(SONG)
    seeds = {"lexical": [Hit(0, 9.0), Hit(4, 1.0)], "semantic": [Hit(0, 0.7)]}
    hits = graph.search("Where was the singer of Harvest Moon Waltz born?", 2, limit=5, seeds=seeds)
    assert hits == [Hit(1, 1.0), Hit(3, 1.0)]
    assert graph.search("anything", 3, limit=5, seeds={}) == []


@given(PASSAGES, st.integers(0, 12))
def test_a_horizon_is_the_graph_that_never_saw_the_rest(passages, cut):
    limit = min(cut, len(passages))
    seen = PassageGraph.from_passages(passages[:limit])
    assert everything(PassageGraph.from_passages(passages), limit) == everything(seen, limit)


@settings(max_examples=25)
@given(passages=PASSAGES)
def test_loaded_equals_saved(tmp_path_factory, passages):
    graph, folder = PassageGraph.from_passages(passages), tmp_path_factory.mktemp("graph")
    graph.save(folder)
    loaded = PassageGraph.load(folder)
    assert everything(loaded) == everything(graph)


def test_the_same_passages_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        PassageGraph.from_passages(SONG).save(tmp_path / name)
    for file in ("passage_graph.npz", "passage_entities.txt"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_what_is_missing_or_damaged_is_refused(tmp_path):
    with pytest.raises(ProjectError, match="index the book again"):
        PassageGraph.load(tmp_path)
    PassageGraph.from_passages(SONG).save(tmp_path)
    (tmp_path / "passage_entities.txt").write_text("Orla Finch", encoding="utf-8")
    with pytest.raises(ProjectError, match="damaged"):
        PassageGraph.load(tmp_path)
    (tmp_path / "passage_graph.npz").write_bytes(b"")
    with pytest.raises(ProjectError, match="cannot be read"):
        PassageGraph.load(tmp_path)


def test_passages_out_of_order_are_refused():
    with pytest.raises(ConfigError, match="the next is 5, not 9"):
        PassageGraph.from_passages([*SONG, PassageText(9, "", "")])
