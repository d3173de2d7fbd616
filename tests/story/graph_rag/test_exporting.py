import csv
import io
import json
from dataclasses import fields, replace

import networkx as nx
import pandas as pd
import pytest
from tests.stories.builder import StoryBuilder
from tests.stories.reading import view_at
from tests.tables import values

from fabula.core.files.plain_json import plain
from fabula.core.types import Evidence, Span
from fabula.errors import UsageError
from fabula.story.graph_rag.exporting import FORMATS, export_story, guarded, story_network
from fabula.story.graph_rag.story_graph import load_log
from fabula.story.model import types as told
from fabula.story.model.types import StoryLog

TALE = {"document_id": "tale", "title": "A Tale"}


@pytest.fixture(scope="module")
def log():
    """A log with something in every table; chapter 3 tells the last of each that it can."""
    story = StoryBuilder("tale")
    story.mention("Ana Reyes", as_="ana", gender="f").bond("Ana", "SIBLING_OF", "Tom").at("Ana", "@Mill")
    story.event("ATTACKS", "Ana", "Tom", "@Mill", id="event-1", verb="strike")
    story.chapter(2).event("HELPS", "Tom", "Ana", id="event-2")
    story.merge("Lady", "Ana").feel("Tom", "joy", 0.5)
    quote = story.say("“=SUM(1) & <b>run</b>,” said Tom.")
    order = story.say("It was after the quarrel.")
    known = story.say("Ana learned that Tom was gone.")
    log = story.chapter(3).event("KILLS", "Ana", "Tom", id="event-3").log
    grounds = (told.Ground("friend", turned=False, weight=0.5),)
    return replace(
        log,
        orders=(told.Order("event-1", "event-2", (order,), told=2),),
        quotations=(told.QuotationTold("tom", ("ana",), 2, (quote,), 1, "explicit", 0.9),),
        presences=(told.Presence("tom", 0, "mill", quote, told=2),),
        times=(told.Time("date", "1817-03-04", order, None, "event-2", told=2),),
        facts=(told.Fact("ana", "eyes", "grey", (known,), told=2),),
        knowings=(told.Knowing("ana", "learns", "that Tom was gone", "tom", (known,), told=2),),
        threads=(told.ThreadStep("question", "where Tom is", "opened", "ana", (known,), told=2),),
        pairs=(told.PairTold("ana", "tom", 2, (1, 0, 0, 0, 0, 0), (), (), (0, 0), (quote,), (grounds,)),),
        laws=(told.LawTold("never", ("ana",), "fly", 2, None, (known,)),),
        corrected=(told.EntityCorrected("tom", 2, known, "Thomas"),),
    )


def exported(view, path, format):
    report = export_story(view, path, format=format, **TALE)
    return report if format == "csv" else path.read_text(encoding="utf-8")


@pytest.mark.parametrize("chapter", [None, 1, 2])
def test_json_holds_the_whole_log_and_names_the_entities(log, tmp_path, chapter):
    view = view_at(log, chapter)
    content = json.loads(exported(view, tmp_path / "s.json", "json"))
    assert content["document"] == {"id": "tale", "title": "A Tale"}
    assert content["as_of"] == chapter
    saved = json.dumps({"schema": content["schema"], "log": content["log"]})
    assert load_log(saved) == view.log
    (ana,) = (entity for entity in content["entities"] if entity["id"] == "ana")
    assert (ana["name"], ana["aliases"]) == ("Ana Reyes", ["Ana"])


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_told_later_is_exported(log, tmp_path, format):
    for name, view in (("cut", view_at(log, 2)), ("early", view_at(view_at(log, 2).log, 2))):
        export_story(view, tmp_path / name, format=format, **TALE)
    assert _bytes(tmp_path / "cut") == _bytes(tmp_path / "early")
    assert b"KILLS" not in b"".join(_bytes(tmp_path / "cut"))
    export_story(view_at(log), tmp_path / "whole", format=format, **TALE)
    assert b"KILLS" in b"".join(_bytes(tmp_path / "whole"))


def _bytes(path):
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file.read_bytes() for file in files]


def test_the_network_names_its_nodes_and_carries_the_quotes(log):
    graph = story_network(view_at(log), title="tale")
    ana = graph.nodes["ana"]
    assert (ana["label"], ana["kind"], ana["merged_ids"], ana["mentions"]) == (
        "Ana Reyes",
        "entity",
        "lady",
        6,
    )
    (edge,) = (data for *_, data in graph.edges(data=True) if data["label"] == "SIBLING_OF")
    assert (edge["confidence"], edge["holds_start"], edge["holds_end"]) == (1.0, "1", "unknown")
    assert edge["quote"] == json.loads(edge["evidence"])[0]["quote"] == "Ana SIBLING_OF Tom."
    assert {("event-1", "BEFORE", "event-2"), ("ana", "AGENT", "event-1"), ("mill", "PLACE", "event-1")} <= {
        (one, data["label"], other) for one, other, data in graph.edges(data=True)
    }
    unnamed = story_network(view_at(replace(log, mentions=()), 1), title="tale")
    assert unnamed.nodes["ana"] == {"label": "ana", "kind": "entity"}
    assert all({"label", "kind"} <= set(row) for row in unnamed.nodes.values())


@pytest.mark.parametrize("format", ["cytoscape", "graphml"])
def test_networkx_reads_back_the_same_graph(log, tmp_path, format):
    view = view_at(log)
    text, graph = exported(view, tmp_path / "g", format), story_network(view, title="A Tale")
    if format == "graphml":
        back = nx.read_graphml(tmp_path / "g", force_multigraph=True)
    else:
        back = nx.cytoscape_graph(json.loads(text))
        assert back.name == "A Tale" and back.nodes["ana"]["name"] == "Ana Reyes"
        assert all(each["data"]["interaction"] for each in json.loads(text)["elements"]["edges"])
    assert isinstance(back, nx.MultiDiGraph) and back.is_directed()
    assert list(back) == list(graph)
    assert sorted(back.edges(keys=True)) == sorted(graph.edges(keys=True))
    for node, row in graph.nodes.items():
        own = {name: value for name, value in row.items() if name not in ("name", "value")}
        assert own.items() <= back.nodes[node].items(), node
    for edge, row in graph.edges.items():
        assert row.items() <= back.edges[edge].items(), edge


def test_csv_has_gephis_columns(log, tmp_path):
    report = export_story(view_at(log), tmp_path / "t", format="csv", **TALE)
    tables = {
        path.name: list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))
        for path in (tmp_path / "t").iterdir()
    }
    assert set(tables) == {"nodes.csv", "edges.csv"} | {f"{each.name}.csv" for each in fields(StoryLog)}
    assert len(report.files) == len(tables)
    assert {"Id", "Label", "Kind"} <= set(tables["nodes.csv"][0])
    assert {"Source", "Target", "Type", "Label"} <= set(tables["edges.csv"][0])
    assert len(tables["mentions.csv"]) == len(log.mentions)


def test_cells_that_a_spreadsheet_would_run_are_guarded():
    for cell, shown in values(__file__, "cells_that_a_spreadsheet_would_run.tsv"):
        assert guarded(cell) == shown, (cell, shown)


def test_every_table_has_its_head_without_rows(log, tmp_path):
    exported(view_at(StoryLog()), tmp_path / "none", "csv")
    exported(view_at(log), tmp_path / "some", "csv")
    for path in sorted((tmp_path / "some").iterdir()):
        assert len(path.read_text(encoding="utf-8").splitlines()) > 1
        empty = pd.read_csv(tmp_path / "none" / path.name)
        full = pd.read_csv(path)
        assert empty.empty and len(set(empty)) > 1
        assert list(full)[: len(list(empty))] == list(empty)


def test_control_characters_do_not_break_any_format(log, tmp_path):
    bad = Evidence("tale", 1, Span(0, 4), "a\x00\x1b\x0b")
    log = replace(log, relations=(replace(log.relations[0], word="\x00]]><&\"'", evidence=(bad,)),))
    for format in FORMATS:
        export_story(view_at(log), tmp_path / format, format=format, document_id="tale", title="T\x07")
    back = nx.read_graphml(tmp_path / "graphml", force_multigraph=True)
    assert back.edges["ana", "tom", "SIBLING_OF:1:0"]["quote"] == "a\ufffd\ufffd\ufffd"
    assert json.loads((tmp_path / "json").read_text(encoding="utf-8"))["log"] == plain(log)
    assert "\x00" not in io.StringIO((tmp_path / "csv" / "nodes.csv").read_text(encoding="utf-8")).read()


def test_an_unknown_format_and_a_place_that_cannot_be(log, tmp_path):
    with pytest.raises(UsageError, match="choose one of json"):
        export_story(view_at(log), tmp_path / "x", format="xlsx", document_id="t", title="T")
    with pytest.raises(UsageError, match="cannot be written"):
        export_story(view_at(log), tmp_path, format="json", document_id="t", title="T")


def test_what_joins_an_event_that_is_not_told_yet_is_left_out(log):
    early = replace(log, orders=(replace(log.orders[0], later="event-3", told=1),))
    for chapter, shown in ((2, False), (None, True)):
        graph = story_network(view_at(early, chapter), title="tale")
        assert ("BEFORE" in {row["label"] for row in graph.edges.values()}) is shown
        assert ("event-3" in graph) is shown
