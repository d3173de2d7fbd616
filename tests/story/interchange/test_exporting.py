"""Exports: everything told up to the horizon, nothing after it, in files that other programs can read."""

import csv
import io
import json
from dataclasses import fields, replace
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder

from fabula.core.types import Evidence, Horizon, Span
from fabula.errors import ProjectError, UsageError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.interchange.csv_tables import guarded
from fabula.story.interchange.exporting import FORMATS, export_story
from fabula.story.interchange.graphml import graphml
from fabula.story.interchange.property_graph import Node, PropertyGraph, property_graph
from fabula.story.interchange.story_json import read_story, story_json, story_json_lines
from fabula.story.model.pair_told import Ground, PairTold
from fabula.story.model.types import (
    EntityCorrected,
    EventOrder,
    KnowledgeTold,
    LawTold,
    PresenceTold,
    QuotationTold,
    StoryLog,
    ThingTold,
    TimeTold,
    TraitTold,
)


def told_story():
    """A log with something in every table; chapter 3 tells the last of each that it can."""
    story = StoryBuilder("tale")
    story.mention("Ana Reyes", as_="ana", gender="f").bond("Ana", "SIBLING_OF", "Tom").at("Ana", "@Mill")
    story.event("ATTACKS", "Ana", "Tom", "@Mill", id="event-1", verb="strike")
    story.chapter(2).event("HELPS", "Tom", "Ana", id="event-2").cause("event-2", "event-1")
    story.merge("Lady", "Ana").feel("Tom", "joy", 0.5)
    quote = story.say("“=SUM(1) & <b>run</b>,” said Tom.")
    order = story.say("It was after the quarrel.")
    known = story.say("Ana learned that Tom was gone.")
    log = story.chapter(3).event("KILLS", "Ana", "Tom", id="event-3").log
    grounds = (Ground("friend", turned=False, weight=0.5),)
    return replace(
        log,
        orders=(EventOrder("event-1", "event-2", 2, (order,)),),
        quotations=(QuotationTold("tom", ("ana",), 2, (quote,), 1, "explicit", 0.9),),
        presences=(PresenceTold("tom", 0, "mill", 2, quote),),
        times=(TimeTold("date", "1817-03-04", 2, order, None, "event-2"),),
        knowledge=(KnowledgeTold("ana", "Tom was gone", "tom", 2, (known,), "event-2"),),
        traits=(TraitTold("ana", "eyes", "grey", 2, (known,)),),
        things=(ThingTold("silver watch", "tom", "has", "ana", 2, (known,)),),
        pairs=(PairTold("ana", "tom", 2, (1, 0, 0, 0, 0, 0), (), (), (0, 0), (quote,), (grounds,)),),
        laws=(LawTold("never", ("ana",), "fly", 2, None, (known,)),),
        corrected=(EntityCorrected("tom", 2, known, "Thomas"),),
    )


@pytest.fixture(scope="module")
def log():
    return told_story()


def view_of(log, chapter=None):
    return StoryKnowledgeGraph.from_log(log).as_of(Horizon(chapter))


def test_the_story_has_something_in_every_table(log):
    assert all(getattr(log, each.name) for each in fields(StoryLog))


@pytest.mark.parametrize("write", [story_json, story_json_lines])
@pytest.mark.parametrize("chapter", [None, 1, 2])
def test_json_gives_the_same_log_back(log, write, chapter):
    view = view_of(log, chapter)
    text = write(view, document_id="tale", title="A Tale")
    back = read_story(text)
    assert back.log == view.log
    assert (back.document_id, back.title, back.as_of) == ("tale", "A Tale", chapter)
    assert write(view, document_id="tale", title="A Tale") == text


def test_json_names_the_entities(log):
    content = json.loads(story_json(view_of(log), document_id="tale", title="A Tale"))
    (ana,) = (entity for entity in content["entities"] if entity["id"] == "ana")
    assert ana["name"] == "Ana Reyes"
    assert ana["aliases"] == ["Ana"]


def test_what_is_no_export_is_refused():
    for text in (
        "",
        "[]",
        "{}",
        '{"format": "other"}',
        "nodes,edges",
        "null",
        '{"format":"fabula-story"}',
    ):
        with pytest.raises(ProjectError, match="export it again"):
            read_story(text)


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_told_later_is_exported(log, tmp_path, format):
    early = StoryKnowledgeGraph.from_log(view_of(log, 2).log)
    for name, view in (("cut", view_of(log, 2)), ("early", early.as_of(Horizon(2)))):
        export_story(view, tmp_path / name, format=format, document_id="tale", title="A Tale")
    assert _bytes(tmp_path / "cut") == _bytes(tmp_path / "early")
    assert b"KILLS" not in b"".join(_bytes(tmp_path / "cut"))
    export_story(view_of(log), tmp_path / "whole", format=format, document_id="tale", title="A Tale")
    assert b"KILLS" in b"".join(_bytes(tmp_path / "whole"))


def _bytes(path):
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file.read_bytes() for file in files]


def test_networkx_reads_the_graphml(log, tmp_path):
    export_story(view_of(log), tmp_path / "g.graphml", format="graphml", document_id="tale", title="A Tale")
    graph = nx.read_graphml(tmp_path / "g.graphml")
    assert graph.nodes["entity:ana"]["label"] == "Ana Reyes"
    assert graph.nodes["entity:ana"]["merged_ids"] == "lady"
    assert graph.nodes["entity:ana"]["mentions"] == 6
    (edge,) = (data for _, _, data in graph.edges(data=True) if data["label"] == "SIBLING_OF")
    assert edge["confidence"] == 1.0
    assert edge["holds_start"] == "1"
    assert edge["holds_end"] == "unknown"
    assert json.loads(edge["evidence"])[0]["quote"] == "Ana SIBLING_OF Tom."
    labels = {(a.split(":")[0], data["label"], b) for a, b, data in graph.edges(data=True)}
    assert {
        ("event", "CAUSED_BY", "event:event-1"),
        ("event", "BEFORE", "event:event-2"),
        ("event", "AGENT", "entity:ana"),
        ("quotation", "SPEAKER", "entity:tom"),
        ("quotation", "HEARERS", "entity:ana"),
        ("presence", "PLACE", "entity:mill"),
        ("time", "EVENT", "event:event-2"),
        ("knowledge", "SOURCE", "entity:tom"),
        ("state", "PLACE", "entity:mill"),
    } <= labels


def test_every_table_is_in_the_graph(log):
    graph = property_graph(view_of(log), name="tale")
    quotes = {dict(each.attributes).get("quote") for each in (*graph.nodes, *graph.edges)}
    for each in fields(StoryLog):
        if each.name in ("mentions", "merges"):
            continue
        for record in getattr(log, each.name):
            first = record.evidence[0] if isinstance(record.evidence, tuple) else record.evidence
            assert first.quote in quotes, each.name


def test_an_edge_never_lacks_an_end(log):
    bare = replace(log, mentions=())
    graph = property_graph(view_of(bare, 1), name="tale")
    known = {node.id for node in graph.nodes}
    assert known >= {end for edge in graph.edges for end in (edge.source, edge.target)}
    assert len(known) == len(graph.nodes)


@given(st.text(st.characters(), max_size=30))
def test_graphml_is_valid_xml_for_any_text(text):
    graph = PropertyGraph(text, (Node(f"entity:{text}", text, "entity", (("quote", text),)),), ())
    tree = ElementTree.fromstring(graphml(graph).encode("utf-8"))  # noqa: S314
    data = [each.text or "" for each in tree.iter("{http://graphml.graphdrawing.org/xmlns}data")]
    allowed = "".join(
        c
        if c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff")
        else "\ufffd"
        for c in text
    )
    assert data[0] == data[2] == allowed


def test_csv_has_gephis_columns_and_no_formulas(log, tmp_path):
    report = export_story(view_of(log), tmp_path / "t", format="csv", document_id="tale", title="A Tale")
    tables = {
        path.name: list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))
        for path in (tmp_path / "t").iterdir()
    }
    assert set(tables) == {"nodes.csv", "edges.csv"} | {f"{each.name}.csv" for each in fields(StoryLog)}
    assert len(report.files) == len(tables)
    assert {"Id", "Label", "Kind"} <= set(tables["nodes.csv"][0])
    assert {"Source", "Target", "Type", "Label"} <= set(tables["edges.csv"][0])
    assert len(tables["mentions.csv"]) == len(log.mentions)
    assert all(
        not cell.startswith(("=", "+", "@"))
        for rows in tables.values()
        for row in rows
        for cell in row.values()
    )


def test_cells_that_a_spreadsheet_would_run_are_guarded():
    for cell, shown in (
        ("=1+1", "'=1+1"),
        ("  @x", "'  @x"),
        ("-2+3", "'-2+3"),
        ("\tcmd", "'\tcmd"),
        (-0.5, "-0.5"),
        (True, "true"),
        ("“Well,” he said", "“Well,” he said"),
    ):
        assert guarded(cell) == shown, (cell, shown)


def test_cytoscape_elements(log, tmp_path):
    export_story(view_of(log), tmp_path / "c.cyjs", format="cytoscape", document_id="tale", title="A Tale")
    content = json.loads((tmp_path / "c.cyjs").read_text(encoding="utf-8"))
    nodes = {each["data"]["id"] for each in content["elements"]["nodes"]}
    for edge in content["elements"]["edges"]:
        assert {edge["data"]["source"], edge["data"]["target"]} <= nodes
        assert edge["data"]["interaction"]


@pytest.mark.parametrize("chapters", [None, 1, 2])
def test_networkx_reads_cytoscape_as_it_reads_graphml(log, tmp_path, chapters):
    for format in ("cytoscape", "graphml"):
        export_story(
            view_of(log, chapters), tmp_path / format, format=format, document_id="tale", title="A Tale"
        )
    found = nx.cytoscape_graph(json.loads((tmp_path / "cytoscape").read_text(encoding="utf-8")))
    other = nx.read_graphml(tmp_path / "graphml", force_multigraph=True)
    assert isinstance(found, nx.MultiDiGraph) and found.name == "A Tale"
    assert set(found.nodes) == set(other.nodes)
    assert sorted(found.edges()) == sorted(other.edges())
    assert found.nodes["entity:ana"]["name"] == "Ana Reyes"
    assert nx.cytoscape_graph(nx.cytoscape_data(found)).edges == found.edges


@pytest.mark.parametrize("told", [StoryLog(), None])
def test_a_table_without_rows_has_its_columns(log, tmp_path, told):
    view = view_of(log if told is None else told)
    export_story(view, tmp_path / "t", format="csv", document_id="tale", title="A Tale")
    heads = {
        path.stem: next(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))
        for path in (tmp_path / "t").iterdir()
    }
    for table, column in (
        ("corrected", "kind"),
        ("laws", "does"),
        ("merges", "into"),
        ("mentions", "evidence"),
        ("traits", "value"),
        ("nodes", "Id"),
        ("edges", "Type"),
    ):
        assert column in heads[table], (table, heads[table])
    assert all(len(head) > 1 and len(set(head)) == len(head) for head in heads.values())


def test_control_characters_do_not_break_any_format(log, tmp_path):
    bad = Evidence("tale", 1, Span(0, 4), "a\x00\x1b\x0b")
    log = replace(log, knowledge=(replace(log.knowledge[0], content="\x00]]><&\"'", evidence=(bad,)),))
    for format in FORMATS:
        export_story(view_of(log), tmp_path / format, format=format, document_id="tale", title="T\x07")
    assert nx.read_graphml(tmp_path / "graphml").nodes["knowledge:1"]["quote"] == "a\ufffd\ufffd\ufffd"
    assert read_story((tmp_path / "json").read_text(encoding="utf-8")).log == log
    assert "\x00" not in io.StringIO((tmp_path / "csv" / "nodes.csv").read_text(encoding="utf-8")).read()


def test_an_unknown_format_and_a_place_that_cannot_be(log, tmp_path):
    with pytest.raises(UsageError, match="choose one of json"):
        export_story(view_of(log), tmp_path / "x", format="xlsx", document_id="t", title="T")
    with pytest.raises(UsageError, match="cannot be written"):
        export_story(view_of(log), tmp_path / "no" / "x", format="json", document_id="t", title="T")


def test_what_joins_an_event_that_is_not_told_yet_is_left_out(log):
    early = replace(log, orders=(replace(log.orders[0], later="event-3", told=1),))
    graph = property_graph(view_of(early, 2), name="tale")
    assert "BEFORE" not in {edge.label for edge in graph.edges}
    assert "event:event-3" not in {node.id for node in graph.nodes}
    assert "BEFORE" in {edge.label for edge in property_graph(view_of(early), name="tale").edges}
