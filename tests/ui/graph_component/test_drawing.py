import hashlib
import json
import math
import re
from dataclasses import replace
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import values

from fabula.ui import graph_component
from fabula.ui.graph_component import Picked, drawing, layout, picked
from fabula.ui.graph_component.elements import LONGEST_LABEL
from fabula.views.world import EdgeShown, NodeShown, WorldShown

FILES = resources.files(graph_component)


def node(name, *, degree=0, mentions=1, kind="character"):
    return NodeShown(name, name, kind, (), 1, mentions, degree)


def edge(one, other, predicate="KNOWS", *, sign=0, since=1, until=None):
    name = f"{one}|{predicate}|{other}|fact"
    return EdgeShown(name, one, other, predicate, "knows", sign, since, since, until, 0.9, (), 1)


def world(nodes, edges=()):
    return WorldShown(None, tuple(nodes), tuple(edges), 0, 0)


def ring(count, *, extra=0):
    names = [f"n{i}" for i in range(count)]
    edges = [edge(names[i], names[(i + 1) % count]) for i in range(count)]
    return [node(name) for name in (*names, *(f"alone{i}" for i in range(extra)))], edges


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


def test_the_same_graph_is_the_same_picture():
    nodes, edges = ring(12, extra=5)
    turned = layout.positions(nodes, tuple(reversed(edges)))
    assert layout.positions(nodes, edges) == layout.positions(nodes, edges) == turned


@settings(max_examples=12)
@given(st.integers(0, 30), st.integers(0, 12))
def test_every_node_has_a_place_of_its_own(count, extra):
    nodes, edges = ring(count, extra=extra) if count > 1 else ([node(f"n{i}") for i in range(count)], [])
    placed = layout.positions(nodes, edges)
    assert set(placed) == {one.id for one in nodes}
    places = list(placed.values())
    near = [math.dist(places[i], places[j]) for i in range(len(places)) for j in range(i + 1, len(places))]
    assert min(near, default=layout.SPACING) >= 0.9 * layout.SPACING


def test_parts_stand_side_by_side():
    nodes = [node(name) for name in "abcdef"]
    placed = layout.positions(nodes, [edge("a", "b"), edge("b", "c"), edge("d", "e")])
    first, second = [placed[one] for one in "abc"], [placed[one] for one in "de"]
    apart = max(x for x, _ in first) < min(x for x, _ in second)
    below = max(y for _, y in first) < min(y for _, y in second)
    assert apart or below
    assert placed["f"][1] > max(y for one, (_, y) in placed.items() if one != "f")


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


def test_a_family_stands_in_a_ring_that_nobody_else_enters():
    names = [f"n{i}" for i in range(9)]
    kin = [edge("n0", one, "SIBLING_OF") for one in names[1:4]]
    edges = [*kin, *(edge(one, other) for one in names[:4] for other in names[4:])]
    nodes = [node(name) for name in names]
    families = layout.families_of(nodes, edges)
    assert families == dict.fromkeys(names[:4], 0)
    placed = layout.positions(nodes, edges, families)
    ring = [placed[one] for one in names[:4]]
    left, right = min(x for x, _ in ring), max(x for x, _ in ring)
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    inside = [one for one in names[4:] if left < placed[one][0] < right and top < placed[one][1] < bottom]
    assert inside == []
    many = [edge(f"m{i}", f"m{i + 1}", "SIBLING_OF") for i in range(20)]
    assert layout.families_of([node(f"m{i}") for i in range(21)], many) == {}


def test_a_name_of_two_hundred_letters_is_cut_and_kept_whole_beside():
    [one] = drawing(world([node("x \n" + "y" * 200)]))["nodes"]
    assert one["name"] == "x \n" + "y" * 200
    assert one["label"] == "x " + "y" * (LONGEST_LABEL - 3) + "…"


@pytest.mark.parametrize(("said", "meant"), values(__file__, "picked.tsv"))
def test_only_a_node_or_an_edge_can_be_picked(said, meant):
    assert picked(said) == (meant and Picked(*meant))
