from math import log, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stories.examples import rows

from fabula.core.types import Hop
from fabula.errors import ProjectError
from fabula.story.graph_rag.passage_graph import Name, PassageGraph, Role, names_in, title_name

graph_of = PassageGraph.from_passages
NAMES = ["Ann", "Tom", "Lady Ashcombe", "Wrenford", "Ashcombe", "Duke of York", "mill", "Used"]
SENTENCE = st.lists(st.sampled_from(NAMES), max_size=4).map(lambda names: f"Then {', '.join(names)} came.")
OPENING = st.sampled_from(["Used cups broke.", "Ann left.", "The Duke of York's mill fell.", ""])
TITLE = st.sampled_from(["", "Wrenford", "Used", "Duke of York (title)"])
PASSAGES = st.lists(st.tuples(TITLE, st.builds("{} {}".format, OPENING, SENTENCE)), max_size=12)
SONG = [
    ("Harvest Moon Waltz", "A song that was first sung by Orla Finch in Denmark."),
    ("Orla Finch", "Finch was born in Wrenford and never left Denmark."),
    ("Wrenford", "Wrenford has a mill, a church and no bridge."),
    ("Denmark", "A kingdom. The Danes hold it."),
    ("Bridges", "Of bridges there are many in Denmark."),
]


def named(*passages):
    return graph_of([("", f"then {', '.join(names)} came.") for names in passages])


def everything(graph, limit=None):
    n = len(graph) if limit is None else limit
    return [
        graph.hops(range(n), limit=limit),
        graph.hops(range(n), query="Was Lady Ashcombe in Wrenford?", limit=limit),
    ]


def test_hops_by_rarity_and_by_what_a_passage_is_about():
    hops = graph_of(SONG).hops([0], query="Where was the singer of Harvest Moon Waltz born?")
    assert hops[0] == Hop(0, 1, 1.0, "Orla Finch")
    assert Hop(0, 3, 1.0, "Denmark") in hops  # the passage about it, however many name it
    graph = graph_of([("", "They saw Long Harrow."), ("Long Harrow (river)", ""), ("Long Harrow (town)", "")])
    assert graph.hops([0]) == [Hop(0, t, pytest.approx(1 / sqrt(2)), "Long Harrow") for t in (1, 2)]


def test_weight_falls_with_the_number_of_passages_that_share_the_name():
    graph = named(["Ann", "Tom"], ["Ann"], ["Tom"], ["Ann"], ["Mill"], [])
    hops = {(hop.target, hop.via): hop.weight for hop in graph.hops([0])}
    assert hops[1, "Ann"] == pytest.approx(log(6 / 3) / 6 / sqrt(3 - 1))
    assert hops[2, "Tom"] == pytest.approx(log(6 / 2) / 6 / sqrt(2 - 1))
    assert graph.hops([5]) == []


def test_names_that_carry_no_hop():
    hops = graph_of(SONG).hops([0], query="Who is orla finch?")
    assert not {hop.via for hop in hops} & {"Orla Finch", "Finch"}
    assert named(["Ann"], ["Ann"], ["Ann"]).hops([0, 1, 2]) == []
    passages = [("", "Used cups broke."), ("Used", "A film.")]
    assert graph_of(passages).hops([0]) == []
    assert graph_of([*passages, ("", "They saw Used twice.")]).hops([0])[0].via == "Used"


@given(PASSAGES, st.integers(0, 12))
def test_a_horizon_is_the_graph_that_never_saw_the_rest(passages, cut):
    limit = min(cut, len(passages))
    assert everything(graph_of(passages), limit) == everything(graph_of(passages[:limit]), limit)


@settings(max_examples=25)
@given(passages=PASSAGES)
def test_loaded_equals_saved_and_the_same_passages_give_the_same_bytes(tmp_path_factory, passages):
    graph, written = graph_of(passages), []
    for folder in (tmp_path_factory.mktemp("graph"), tmp_path_factory.mktemp("graph")):
        graph_of(passages).save(folder)
        assert everything(PassageGraph.load(folder)) == everything(graph)
        written.append(
            [(folder / file).read_bytes() for file in ("passage_graph.npz", "passage_entities.txt")]
        )
    assert written[0] == written[1]


def test_what_is_missing_or_damaged_is_refused(tmp_path):
    with pytest.raises(ProjectError, match="index the book again"):
        PassageGraph.load(tmp_path)
    graph_of(SONG).save(tmp_path)
    for file, damage, said in (
        ("entities.txt", b"Orla Finch", "damaged"),
        ("graph.npz", b"", "cannot be read"),
    ):
        (tmp_path / f"passage_{file}").write_bytes(damage)
        with pytest.raises(ProjectError, match=said):
            PassageGraph.load(tmp_path)


HERE = Path(__file__).parent


def names_of(text):
    return [name.surface for name in names_in(text) if name.role is Role.NAMED]


@pytest.mark.parametrize(("text", "names"), [*rows(HERE / "names.tsv"), ("", "-")])
def test_names_as_written(text, names):
    assert "; ".join(names_of(text) or ["-"]) == names


def test_words_and_parts_that_are_weak():
    assert names_in("Fearing them, she fled.") == [Name("Fearing", Role.WEAK)]
    assert names_in("It was Mr. Amos of Wrenford.") == [
        Name("Mr Amos of Wrenford", Role.NAMED),
        Name("Amos", Role.WEAK),
        Name("Amos of Wrenford", Role.WEAK),
        Name("Wrenford", Role.WEAK),
    ]


@pytest.mark.parametrize(("title", "about"), [*rows(HERE / "titles.tsv"), ("", "-")])
def test_what_a_title_is_about(title, about):
    found = title_name(title)
    assert (found.surface if found else "-") == about
