import csv
import io
import json
import math
from dataclasses import fields, replace

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.reading import view_at
from tests.stories.strategies import PEOPLE, stories
from tests.tables import rows, values

from fabula.core.files.plain_json import plain
from fabula.core.types import Evidence, Horizon, Span
from fabula.errors import HorizonError, ProjectError, UsageError
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.graph_rag.exporting import FORMATS, export_story, guarded, story_network
from fabula.story.graph_rag.relationship_discovery import MultiHopDiscoveryEngine
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, load_log
from fabula.story.model import types as told
from fabula.story.model.types import EntityKind, Interval, Open, StoryLog


def answers(view):
    """Every answer of a view, as one value."""
    ids = [*(StoryBuilder.id(name) for name in PEOPLE), "nobody"]
    return [
        view.horizon,
        view.entities(),
        view.entities(EntityKind.CHARACTER),
        view.relations(happened=False),
        view.relations(distinct=True),
        view.events(happened=False),
        [view.presence(chapter) for chapter in range(12)],
        [(view.resolve(one), view.entity(one), view.name(one), view.states(one)) for one in ids],
        [(view.relations(one), view.events(one)) for one in ids],
        [view.bonds(one, other) for one in ids for other in ids],
        [view.find(name) for name in [*PEOPLE, "Tom Smith", "smith"]],
    ]


@given(stories(), st.integers(0, 12))
def test_a_view_equals_the_view_of_the_log_cut_there(story, chapter):
    horizon = Horizon(chapter)
    told = {
        field: tuple(one for one in getattr(story.log, field) if one.told <= chapter)
        for field in StoryLog.__dataclass_fields__
    }
    whole, prefix = story.graph, StoryKnowledgeGraph.from_log(StoryLog(**told))
    assert repr(answers(whole.as_of(horizon))) == repr(answers(prefix.as_of(horizon)))
    again = StoryKnowledgeGraph.from_json(whole.to_json())
    assert repr(answers(again.as_of(horizon))) == repr(answers(whole.as_of(Horizon()).as_of(horizon)))


@given(stories())
def test_json_is_exact_and_deterministic(story):
    text = story.graph.to_json()
    again = StoryKnowledgeGraph.from_json(text)
    assert again.log == story.log
    assert again.to_json() == text
    assert json.loads(text)["schema"] == 7


def test_an_open_end_stays_what_it_was_through_json():
    story = StoryBuilder().bond("Tom", "KIN_OF", "Anna", holds=Interval(Open.UNBOUNDED, Open.UNBOUNDED))
    (kin,) = StoryKnowledgeGraph.from_json(story.graph.to_json()).log.relations
    assert kin.holds.start is kin.holds.end is Open.UNBOUNDED


def test_what_does_not_fit_is_refused_with_the_way_out():
    for text, said in rows(__file__, "json_that_does_not_fit_is_refused.tsv"):
        with pytest.raises(ProjectError, match=said) as caught:
            StoryKnowledgeGraph.from_json(text)
        assert "index" in str(caught.value), (text, said)
    log = StoryBuilder().bond("Tom", "LOVES", "Anna").log
    wrong = replace(log, relations=(replace(log.relations[0], predicate="ADORES"),))
    with pytest.raises(UsageError, match=r"'ADORES' .tom to anna, chapter 1. is not a predicate"):
        StoryKnowledgeGraph.from_log(wrong)


HOME = "Anna COMES_FROM @Lynn; 3:; Bert LIVES_IN @Lynn"
DIVIDED = "Anna FRIEND_OF Bert / 0.8; Cora ALLIES_WITH Bert; 2:; Cora HATES Anna / 0.5"
ASKED = {
    "triangles": MultiHopDiscoveryEngine.conflict_triangles,
    "hostilities": MultiHopDiscoveryEngine.implied_hostilities,
    "ways": lambda engine: engine.hidden_connections("anna", "bert", max_hops=2),
}


def engine(told, chapter=None):
    story = StoryBuilder.of(told) if isinstance(told, str) else told
    return MultiHopDiscoveryEngine(story.view(chapter))


@pytest.mark.parametrize(("story", "what", "said"), rows(__file__, "discovered.tsv"))
def test_it_discovers(story, what, said):
    view = StoryBuilder.of(story).view()
    found = [one.sentence(view) for one in ASKED[what](engine(story))]
    assert len(found) == bool(said)
    assert not said or found[0].startswith(said)


def test_a_triangle_is_as_sure_as_its_bonds_and_quotes_them():
    (triangle,) = engine(DIVIDED).conflict_triangles()
    assert triangle.confidence == pytest.approx(0.8 * 1.0 * 0.5)
    quotes = [quote.quote for quote in triangle.evidence]
    assert quotes == ["Anna FRIEND_OF Bert.", "Cora ALLIES_WITH Bert.", "Cora HATES Anna."]


def test_a_rare_way_surprises_more_than_a_hub():
    (path,) = engine(HOME).hidden_connections("anna", "bert")
    assert [link.told for link in path.links] == [1, 3]
    assert path.surprise == pytest.approx(-math.log(2 / 4))
    story = StoryBuilder()
    for who in ("Anna", "Bert", "Cora", "Dan", "Eve"):
        story.bond(who, "LIVES_IN", "@Town")
    story.event("MEETS", "Anna", "Fay").event("MEETS", "Fay", "Bert")
    rare, common = engine(story).hidden_connections("anna", "bert")
    assert (rare.entities[1], common.entities[1]) == ("fay", "town")
    # degrees: town 5, anna 2, bert 2, fay 2, cora, dan, eve 1
    assert rare.surprise == pytest.approx(-math.log(2 / 14))
    assert common.surprise == pytest.approx(-math.log(5 / 14))
    for number in range(65):  # through such a one everybody knows everybody: it is passed by
        story.bond(f"N{number}", "LIVES_IN", "@Town")
    story.bond("Town", "KNOWS", "Ida").bond("Ida", "KNOWS", "Joe")
    assert engine(story).hidden_connections("anna", "joe") == ()


def test_paths_are_simple_and_no_longer_than_asked():
    found = engine("A KNOWS B; B KNOWS C; C KNOWS D; A KNOWS C; A KNOWS D")

    def paths(other="d", **how):
        return {"".join(path.entities) for path in found.hidden_connections("a", other, **how)}

    assert paths() == {"acd", "abcd"}
    assert paths(max_hops=2) == {"acd"}
    assert paths(max_hops=1) == paths("a") == paths("nobody") == set()
    with pytest.raises(UsageError, match="1 to 4, not 9"):
        paths(max_hops=9)


def test_every_finding_at_a_horizon_is_that_of_the_story_cut_there():
    assert engine(DIVIDED, 1).conflict_triangles() == engine(HOME, 2).hidden_connections("anna", "bert") == ()

    def told(last):
        later = (f"{n}:; Cora LOVES Eve{n}; Dan HATES Eve{n}" for n in range(2, last + 1))
        return "; ".join(("Anna KILLS Bert; Cora KNOWS Anna", *later))

    near, far = engine(told(3)), engine(told(6), 3)
    assert near.implied_hostilities() == far.implied_hostilities() != ()


FALLEN = (
    "Tom feels hopeful 0.6; Tom wants find gold; Tom wants marry Anna; 2:; "
    "Tom feels desperate -0.8; Tom loses find gold; Tom loses marry Anna"
)


def tracker(story, chapter=None):
    return DynamicArcTracker(StoryBuilder.of(story).view(chapter))


def test_from_hope_to_despair_with_every_goal_lost_is_a_great_fall():
    (move,) = tracker(FALLEN).transitions("tom")
    # valence by 1.4 of 2, arousal (neither is a named emotion) by 0.8 - 0.6, goals 2 of 2
    assert move.magnitude == pytest.approx(1 - (1 - 1.4 / 2) * (1 - 0.3 * 0.2) * (1 - 0.6 * 2 / 2))
    assert (move.kind, move.from_chapter, move.to_chapter) == ("fall", 1, 2)
    lost = ("goal lost: find gold", "goal lost: marry Anna")
    assert move.reasons == ("hopeful (+0.60) to desperate (-0.80)", *lost)
    (move,) = tracker(FALLEN.replace("hopeful", "hope").replace("desperate", "despair")).transitions("tom")
    assert move.magnitude == pytest.approx(1 - 0.3 * (1 - 0.3 * (0.6 - 0.5)) * 0.4)  # by their names


@pytest.mark.parametrize(("story", "who", "kinds"), rows(__file__, "moves.tsv"))
def test_moves_are_of_a_kind(story, who, kinds):
    assert [move.kind for move in tracker(story).transitions(who)] == kinds.split()


def test_nothing_told_moves_nobody_and_a_move_has_its_reasons():
    (move,) = tracker("Tom; 2:; Tom").transitions("tom")
    assert (move.magnitude, move.reasons) == (0.0, ())
    (move,) = tracker("Tom HELPS Anna; 2:; Tom BETRAYS Bert; Tom KILLS Dan").transitions("tom")
    assert any(reason.startswith("acts by others worse") for reason in move.reasons)


def test_goals_are_adopted_reached_and_lost():
    wanted = "Tom wants find the gold; Tom wants Find the gold; Tom wants marry Anna"
    told = tracker(f"{wanted}; 2:; Tom gets find the lost gold; Tom wants sail home; 3:; Tom loses else")
    assert told.state("tom", 1).active_goals == ("find the gold", "marry Anna")
    assert (
        told.state("tom", 2).active_goals == told.state("tom", 3).active_goals == ("marry Anna", "sail home")
    )


def test_an_emotion_is_the_surest_of_the_last_chapter_and_fades():
    told = tracker("Tom feels joy 0.8 / 0.4; Tom feels anger -0.6 / 0.8; 9:; Tom")
    here = told.state("tom", 1)
    assert here.emotional_state == "anger"
    assert here.valence == pytest.approx((0.8 * 0.4 - 0.6 * 0.8) / 1.2)
    assert told.state("tom", 3).valence == pytest.approx(here.valence / 2)
    assert told.state("tom", 5).emotional_state == "anger"
    gone = told.state("tom", 6)
    assert (gone.emotional_state, gone.valence, gone.arousal, gone.evidence) == ("", 0.0, 0.0, ())


def test_the_word_for_a_mood_has_the_sign_of_its_number():
    feels = "Anna feels cheerfulness 0.1 / 0.9; Anna feels fear -0.9 / 0.5"
    state = tracker(feels).state("anna", 1)
    assert (state.emotional_state, state.valence < 0) == ("fear", True)


def test_location_is_the_last_told_and_none_once_left():
    told = tracker(
        "Tom LOCATED_AT @London; 2:; Tom at @Bath; 3:; Tom LOCATED_AT @Paris / flashback; "
        "Tom LOCATED_AT @Rome / planned; 4:; Tom LEAVES - @London; 5:; Tom LEAVES - @Bath"
    )
    places = [told.state("tom", chapter).location for chapter in range(6)]
    assert places == [None, "london", "bath", "bath", "bath", None]


def test_relationships_weigh_tellings_and_halve_every_ten_chapters():
    told = tracker("Tom LOVES Anna / 0.8; Bert HATES Tom; Cora ATTACKS Tom; 11:; Tom")
    love, attack = told.state("tom", 1).relationships  # Bert's hatred is Bert's
    assert (love.entity, love.predicate) == ("anna", "LOVES")
    assert love.strength == pytest.approx(0.8 / (0.8 + 0.5))
    assert attack.strength == pytest.approx(-0.6 / (0.6 + 0.5))
    assert told.state("tom", 11).relationships[0].strength == pytest.approx(0.4 / (0.4 + 0.5))


def test_of_opposed_bonds_the_last_counts():
    told = tracker("Tom LOVES Anna; Tom FRIEND_OF Anna; 2:; Tom HATES Anna")
    assert told.state("tom", 1).relationships[0].strength == pytest.approx(2 / 2.5)
    (hate,) = told.state("tom", 2).relationships
    assert (hate.predicate, hate.strength) == ("HATES", pytest.approx(-1 / 1.5))


def test_phases_are_told_forwards():
    moods = enumerate([0.5, 0.4, -0.7, -0.3, 0.5, -0.2, -0.9], start=2)
    story = "; ".join(["Tom", *(f"{chapter}:; Tom feels mood {valence}" for chapter, valence in moods)])
    phases = " ".join(state.arc_phase for state in tracker(story).arc("tom"))
    assert phases == "setup rising rising crisis falling resolution falling crisis"
    last = tracker("Tom feels mood 0.9; 2:; Tom feels mood -0.2").arc("tom")[-1]
    assert last.arc_phase == "crisis"  # so great a fall is one from any height


def test_the_arc_ends_at_the_horizon_and_has_the_chapters_that_mention_somebody():
    told = tracker("Tom; 2:; Anna; 3:; Tom")
    assert [state.chapter for state in told.arc("tom")] == [1, 3]
    assert told.arc("nobody") == ()
    assert told.state("nobody", 2).evidence == ()
    with pytest.raises(HorizonError, match="chapter 3"):
        tracker(FALLEN, 2).state("tom", 3)


def test_a_state_before_a_merge_knows_nothing_of_it():
    told = tracker("Stranger feels anger -0.5; Tom; 2:; Tom; 3:; Stranger = Tom; Tom")
    assert told.state("tom", 2).valence == 0
    assert told.state("tom", 3).valence == pytest.approx(-0.5 / 2)
    assert [told.state("stranger", chapter).entity for chapter in (1, 3)] == ["stranger", "tom"]
    assert [state.chapter for state in told.arc("stranger")] == [1, 3]


@given(stories(), st.integers(0, 12))
def test_a_state_is_the_same_from_every_view_that_reaches_it(story, chapter):
    ahead, there = DynamicArcTracker(story.view()), DynamicArcTracker(story.view(chapter))
    for who in ("tom", "anna", "bert", "cora"):
        assert repr(ahead.state(who, chapter)) == repr(there.state(who, chapter))
        arc = [state for state in ahead.arc(who) if state.chapter <= chapter]
        assert repr(arc) == repr(list(there.arc(who)))
        moves = [move for move in ahead.transitions(who) if move.to_chapter <= chapter]
        assert repr(moves) == repr(list(there.transitions(who)))
        for state in arc:
            assert -1 <= state.valence <= 1
            assert all(-1 < one.strength < 1 for one in state.relationships)
            assert all(quote.chapter <= state.chapter for quote in state.evidence)


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
