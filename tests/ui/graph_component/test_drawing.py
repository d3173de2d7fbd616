import hashlib
import json
import re
from dataclasses import replace
from importlib import resources

import pytest
from tests.tables import values

from fabula.ui import graph_component
from fabula.ui.graph_component import LONGEST_LABEL, Picked, drawing, picked
from fabula.views.world import EdgeShown, NodeShown, WorldShown

FILES = resources.files(graph_component)


def node(name, *, degree=0, mentions=1, kind="character"):
    return NodeShown(name, name, kind, (), 1, mentions, degree)


def edge(one, other, predicate="KNOWS", *, sign=0, since=1, until=None):
    name = f"{one}|{predicate}|{other}|fact"
    return EdgeShown(name, one, other, predicate, "knows", sign, since, since, until, 0.9, (), 1)


def world(nodes, edges=()):
    return WorldShown(None, tuple(nodes), tuple(edges), 0, 0)


def test_the_library_is_the_one_of_its_note_and_our_files_ask_no_machine():
    told = (FILES / "cytoscape.version.txt").read_text()
    [digest] = re.findall(r"sha256 ([0-9a-f]{64})", told)
    content = (FILES / "cytoscape.esm.min.mjs").read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest
    version = re.search(r"cytoscape (\S+),", told)[1]
    assert f'version="{version}"'.encode() in content
    assert "Permission is hereby granted" in (FILES / "cytoscape.LICENSE").read_text(encoding="utf-8")
    for name in ("graph.js", "graph.html", "graph.css"):
        text = (FILES / name).read_text(encoding="utf-8")
        for foreign in ("://", "fetch(", "XMLHttpRequest", "import(", "innerHTML", "eval(", "url("):
            assert foreign not in text, f"{name}: {foreign}"


def test_the_browser_is_sent_names_and_lines_and_no_quotes():
    drawn = drawing(world([node("a", degree=1, mentions=9), node("b", degree=1)], [edge("a", "b")]))
    assert "quotes" not in json.dumps(drawn, allow_nan=False)
    assert set(drawn) == {"nodes", "edges", "last"}
    keys = "id label name kind family first degree mentions size x y"
    assert set(drawn["nodes"][0]) == set(keys.split())
    assert drawn["nodes"][0]["size"] == 42 and drawn["nodes"][1]["size"] < 42


def test_the_weightiest_come_first_so_that_their_names_find_room():
    nodes = [node("a", mentions=9), node("b", degree=2), node("c", degree=2, mentions=5), node("d")]
    assert [one["id"] for one in drawing(world(nodes))["nodes"]] == ["c", "b", "a", "d"]


def test_a_line_bears_its_word_and_of_two_people_one_is_drawn_at_a_time():
    trusts = edge("a", "b", "TRUSTS", sign=1, until=4)
    once = edge("a", "b", "ATTACKS", sign=-1, since=3, until=3)
    others = [edge("a", "b", "KNOWS"), edge("b", "a", "PARENT_OF")]
    kin = replace(others[1], label="is the half-sister of")
    drawn = drawing(world([node("a"), node("b")], [trusts, once, others[0], kin]))["edges"]
    assert [(one["sign"], one["until"], one["event"]) for one in drawn[:2]] == [(1, 4, 0), (-1, 3, 1)]
    assert [one["mutual"] for one in drawn] == [0, 0, 1, 0]
    assert [one["word"] for one in drawn[2:]] == ["knows", "half-sister"]
    slots = [one["slot"] for one in drawn]
    assert slots[0] == slots[2] == slots[3] != slots[1]


def test_a_name_of_two_hundred_letters_is_cut_and_kept_whole_beside():
    [one] = drawing(world([node("x \n" + "y" * 200)]))["nodes"]
    assert one["name"] == "x \n" + "y" * 200
    assert one["label"] == "x " + "y" * (LONGEST_LABEL - 3) + "…"


@pytest.mark.parametrize(("said", "meant"), values(__file__, "picked.tsv"))
def test_only_a_node_or_an_edge_can_be_picked(said, meant):
    assert picked(said) == (meant and Picked(*meant))
