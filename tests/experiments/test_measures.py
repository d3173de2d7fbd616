import argparse
import dataclasses
import importlib
import json
import shlex
import xml.etree.ElementTree as ET
from math import log2
from types import SimpleNamespace

import numpy as np
import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import values

from experiments.common.catalogue import README, load_catalogue, render
from experiments.common.curves import curves
from experiments.common.folders import DOOR, RESULTS
from experiments.critic.open_continuity import PUBLIC, public_texts
from experiments.extraction.reading_scores import held_pairs, quotes_of
from experiments.extraction.reading_scores import scores as scores_of
from experiments.pipelines.continued import ARMS, CHAPTERS, drafts, plans
from experiments.pipelines.continued import STORIES as CONTINUED
from experiments.pipelines.power import power
from experiments.readme_tables import TABLES
from experiments.retrieval import measures
from experiments.speed import data as speed_data
from experiments.speed.report import agreement, latency, ratios, recall
from experiments.story_model.cast import cast_of
from experiments.user_view import asked_questions as asked
from experiments.user_view import modern_prose as modern
from experiments.user_view import novel_gold, story_sets
from experiments.user_view import novel_scores as scores
from experiments.user_view.revelation import area, in_chapters, summed
from experiments.user_view.text_questions import AskedText, TextQuestion
from fabula.bench.continuity import scored
from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import EntityKind, EntityMention, StoryLog

FOLDER = DOOR.parent
CATALOGUE = load_catalogue()
RUNS = [(one, run) for one in CATALOGUE.values() for run in one.runs]
MODULES = sorted(
    path for path in FOLDER.glob("*/*.py") if path.parent.name != "peers" and path.stem != "__init__"
)


def test_results_runs_and_tables_belong_together():
    written = [run.result for _, run in RUNS if run.result]
    assert len(written) == len(set(written))
    assert set(written) == {path.stem for path in RESULTS.glob("*.json")}
    results = {run.result for _, run in RUNS}
    assert set(TABLES) <= results
    assert {run.shown_with for _, run in RUNS if run.shown_with} <= set(TABLES)


@pytest.mark.parametrize("name", CATALOGUE)
def test_an_experiment_is_a_module_of_its_name_that_takes_the_options_of_its_runs(name):
    one = CATALOGUE[name]
    assert one.module.rpartition(".")[2] == name
    module = one.load()
    assert callable(module.main)
    assert module.__doc__.partition("\n")[0].strip()
    for run in one.runs:
        assert isinstance(module.parser().parse_args(shlex.split(run.options)), argparse.Namespace)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_a_module_imports_as_part_of_the_package(path):
    assert importlib.import_module(f"experiments.{path.parent.name}.{path.stem}").__file__ == str(path)
    assert "sys.path" not in path.read_text(encoding="utf-8")


def test_the_table_is_that_of_the_catalogue():
    text = README.read_text(encoding="utf-8")
    assert render(text) == text, "run python experiments/run.py --readme"


STORIES = story_sets.load_stories()
NOVELS = novel_gold.load_gold()


def test_every_quote_of_a_story_stands_where_it_says():
    assert [line for story in STORIES for line in story_sets.misplaced(story)] == []
    assert len({story.id for story in STORIES}) == len(STORIES) >= 400
    assert len({story.text for story in STORIES}) == len(STORIES)


@pytest.mark.parametrize(("split", "least"), [("train", 260), ("dev", 60), ("test", 80)])
def test_the_splits_are_large_and_mixed(split, least):
    stories = story_sets.load_stories(split)
    assert len(stories) >= least
    assert {story.writer for story in stories} <= set(story_sets.SPLITS[split])
    clean = sum(story.clean for story in stories) / len(stories)
    assert 0.25 <= clean <= 0.42
    for difficulty in story_sets.DIFFICULTIES:
        own = [c for s in stories for c in s.contradictions if c["difficulty"] == difficulty]
        assert len(own) >= 0.2 * sum(len(s.contradictions) for s in stories)


def test_every_novel_is_as_described():
    assert len(NOVELS) >= 20
    assert {gold.slug for gold in NOVELS} == {s for part in novel_gold.SPLITS.values() for s in part}
    assert {gold.about["century"] for gold in NOVELS} == {19, 20}
    assert all(15 <= len(gold.relations) <= 42 and len(gold.events) >= 12 for gold in NOVELS)
    second = novel_gold.load_gold(folder=novel_gold.NOVELS / "second")
    assert len(second) == 5
    first = {gold.slug: gold for gold in NOVELS}
    assert all(gold.about["sha256"] == first[gold.slug].about["sha256"] for gold in second)


def test_a_name_of_two_characters_is_nobodys_alone():
    gold = dataclasses.replace(
        NOVELS[0],
        characters=[
            {"id": "a", "name": "Ann Hale", "also": ["Hale"]},
            {"id": "b", "name": "Bob Hale", "also": ["Hale", "Bob"]},
        ],
    )
    assert gold.surfaces == {"ann hale": "a", "bob hale": "b", "bob": "b"}


def test_measures_and_intervals_by_hand():
    ranked, relevant = [5, 3, 9, 1], frozenset({3, 1, 7})
    ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert measures.ndcg(ranked, relevant) == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)
    assert measures.measure(ranked, relevant)[1:] == pytest.approx((1 / 3, 2 / 3, 2 / 3, 1 / 2))
    assert measures.measure(ranked, frozenset()) == (0, 0, 0, 0, 0)
    graded = measures.ndcg(ranked, {3: 1, 1: 3, 7: 2, 5: 0})
    assert graded == pytest.approx((1 / log2(3) + 3 / log2(5)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4)))
    assert measures.ndcg(ranked, {5: 0}) == 0
    differences = {"a": np.array([0.0, 1.0, 0.0, 1.0]), "b": np.array([1.0, 1.0])}
    low, high = measures.macro_interval(differences, {"a": ["x", "y", "x", "y"], "b": ["p", "q"]})
    assert (low, high) == (0.5, 1.0)
    assert measures.macro_interval(differences, {"a": ["x"] * 4, "b": ["p"] * 2}) == (0.75, 0.75)


def _unit(rows, seed=0, dimension=16):
    x = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def _library(chunks=64):
    said = "The lamp went out. Mr. Hale looked for it under the table. Nobody had seen where Anna put it. "
    text = "".join(f"{said}It was day {n} of the siege and the bread was gone. " for n in range(chunks))
    size = len(text) // chunks
    rows = [(1 + i // 8, i * size, (i + 1) * size) for i in range(chunks)]
    texts = [text[start:end] for _, start, end in rows]
    chapters = tuple(
        Chapter(n + 1, "", Span(8 * n * size, 8 * n * size), Span(8 * n * size, 8 * (n + 1) * size))
        for n in range(chunks // 8)
    )
    anchors = _unit(len(texts[:: speed_data.STRIDE]), dimension=384)
    document = Document("small", "Small", text, chapters)
    return speed_data.Library(document, texts, np.array(rows), anchors)


def test_latency_is_the_median_of_rounds_and_ratios_are_within_one():
    walls = [[1_000_000, 2_000_000, 9_000_000], [4_000_000] * 3, [3_000_000] * 3]
    found = latency([(wall, [500_000] * 3) for wall in walls])
    assert found["p50_ms"] == 3.0  # of 2, 4 and 3
    assert (found["cpu_p50_ms"], found["queries"]) == (0.5, 9)
    slow, fast = {"rounds_p50_ms": [8.0, 30.0, 12.0]}, {"rounds_p50_ms": [2.0, 5.0, 4.0]}
    assert ratios(slow, fast) == {"median": 4.0, "least": 3.0, "most": 6.0}


def test_recall_and_agreement_allow_only_equals_to_differ():
    vectors = np.eye(4, dtype=np.float32)[[0, 0, 0, 1]]
    query = np.eye(4, dtype=np.float32)[:1]
    assert recall([[[2, 1.0], [1, 1.0]]], query, vectors, k=2) == 1.0
    assert recall([[[0, 1.0], [3, 0.0]]], query, vectors, k=2) == 0.5
    assert recall([[[0, 1.0], [0, 1.0]]], query, vectors, k=2) == 0.5  # one chunk given twice is one
    one = [[[7, 3.0], [1, 2.0]]]
    assert agreement(one, [[[7, 3.0], [2, 2.00001]]]) == 1.0
    assert agreement(one, [[[7, 3.0], [2, 1.9]]]) == 0.0
    assert agreement(one, [[[8, 3.0], [1, 2.0]]]) == 0.0
    assert agreement(one, [[[7, 3.0]]]) == 0.0


@pytest.mark.parametrize("chunks", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_what_is_made_fits_together_and_is_the_same_again(chunks, tmp_path, monkeypatch):
    monkeypatch.setattr(speed_data, "_embedded", lambda texts, _: _unit(len(texts), seed=5, dimension=384))
    source = _library()
    made = speed_data.make_size(source, chunks, 60, tmp_path, tmp_path)
    speed_data.make_size(source, chunks, 60, tmp_path, tmp_path / "again")
    for file in ("document.txt", "rows.npy", "vectors.npy", "queries.json", "query-vectors.npy"):
        assert (tmp_path / file).read_bytes() == (tmp_path / "again" / file).read_bytes()
    rows, vectors = np.load(tmp_path / "rows.npy"), np.load(tmp_path / "vectors.npy")
    text = (tmp_path / "document.txt").read_text(encoding="utf-8")
    assert made["chunks"] == len(rows) == len(vectors) >= chunks
    assert made["from_novels"] == (chunks <= len(source.texts))
    assert all(text[start:end].strip() for _, start, end in rows.tolist())
    assert (np.diff(rows[:, 0]) >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors[:: speed_data.STRIDE][:3], source.anchors[:3])
    asked = json.loads((tmp_path / "queries.json").read_text(encoding="utf-8"))
    near = np.sum(np.load(tmp_path / "query-vectors.npy") * vectors[[q["source"] for q in asked]], axis=1)
    low, high = speed_data.QUERY_COSINE
    assert ((low - 1e-4 <= near) & (near <= high + 1e-4))[speed_data.REAL_QUERIES :].all()  # as real ones
    assert len({q["text"] for q in asked}) == 60


def test_every_line_of_writing_is_whole_and_every_fact_stands_where_it_says():
    written = {(one.story, one.pipeline, one.chapter) for one in drafts()}
    every = {(s, p.name, n) for s in CONTINUED for p in ARMS for n in range(1, CHAPTERS + 1)}
    assert written == every
    for plan in plans().values():
        for probe in plan["probes"]:
            told = probe["told"]
            if told["in"] == "opening":
                assert told["quote"] in plan["chapters"][told["chapter"] - 1]["opening"]
                assert min(probe["at_stake"]) > told["chapter"]


@pytest.mark.parametrize("stories", [6, 20])
def test_where_there_is_no_difference_few_studies_rank(stories):
    spread = {"mean": 0.3, "stories": 0.1, "difference": 0.05}
    assert power(spread, stories=stories, facts=14, difference=0.0) < 0.065
    assert power(spread, stories=50, facts=28, difference=0.2) > 0.9


TEXT = "# T\n\n## 1\n\nAnna had blue eyes. Bert was tall.\n\n## 2\n\nHer brown eyes shone. Bert grew a beard."


def at(start, end):
    return TEXT[start:end]


@pytest.mark.parametrize(("name", "row", "sides"), values(__file__, "public_sets.tsv"))
def test_public_sets_have_the_sides_that_somebody_marked(tmp_path, name, row, sides):
    path = tmp_path / PUBLIC[name]
    path.parent.mkdir()
    told = {key: TEXT if value == "TEXT" else value for key, value in row.items()}
    path.write_text(json.dumps({"id": "t", "doc": "d"} | told), encoding="utf-8")
    texts = list(public_texts(name, tmp_path))
    found = [(at(*first), at(*second)) for text in texts for _, first, second in text.planted]
    assert (found if texts else None) == sides
    entry = {"story": "t", "earlier": "Anna had blue eyes.", "later": "Bert grew a beard."}
    summary = scored(texts, [entry])
    assert summary["either side"].get("hits", 0) == len(sides or ())
    assert summary["findings"] == len(texts)


def test_an_answer_is_held_where_all_its_telling_words_stand():
    assert asked.holds("“It was the Admiral Benbow,” he said.", "The Admiral Benbow")
    assert asked.holds("She had two brothers.", "two brother")
    assert not asked.holds("It was the Admiral.", "The Admiral Benbow")
    assert not asked.holds("Anything at all.", "")


class _Fake:
    def __init__(self, text, told=True, spans=()):
        cited = tuple(SimpleNamespace(span=Span(*span)) for span in spans)
        self._given = SimpleNamespace(text=text, told=told, citations=cited, short="")

    def ask(self, question, *, model):
        assert model is False
        return self._given


def test_a_short_answer_is_right_where_its_sentence_is():
    quote = SimpleNamespace(span=Span(10, 20), quote="He kept bees.")
    for answer, place, right in (("bees", [], True), ("cats", [(10, 20)], True), ("cats", [(40, 50)], False)):
        given = SimpleNamespace(text="He kept bees.", told=True, citations=(quote,), short="bees")
        asker = SimpleNamespace(ask=lambda *_, given=given, **__: given)
        (row,) = asked.ask_all(asker, [("What did he keep?", answer, (), place)])
        assert row["short"] is right


@pytest.mark.parametrize(("given", "answer", "verdict"), values(__file__, "verdicts.tsv"))
def test_verdicts(given, answer, verdict):
    (row,) = asked.ask_all(_Fake(**given), [("What did he keep?", answer, (), [(10, 20)] if answer else [])])
    assert row["verdict"] == verdict


def test_shares_of_answers_are_of_those_that_the_text_answers():
    rows = [
        {"novel": "a", "answerable": True, "verdict": verdict}
        for verdict in ("right", "right", "wrong", "refused")
    ]
    rows += [{"novel": "a", "answerable": False, "verdict": verdict} for verdict in ("right", "wrong")]
    found = asked.summed_answers(rows, group="novel")
    assert [found[name]["mean"] for name in ("right", "wrong", "refused")] == [0.5, 0.25, 0.25]
    assert found["unanswerable, refused"]["mean"] == 0.5


PLANTED = ("explicit", "age_date", (10, 20), (50, 60))


@pytest.mark.parametrize(("offsets", "counts", "expected"), values(__file__, "findings_met.tsv"))
def test_a_finding_meets_a_contradiction_where_it_touches_both_sides(offsets, counts, expected):
    found = {"rule": "r", "severity": "error", "counts": counts, "offsets": offsets}
    row = modern._met(PLANTED, [found])
    assert (row["found"], row["hinted"]) == expected
    assert modern._meets(found, [PLANTED]) is expected[1]


def gold(**given):
    people = [
        {"id": "ann", "name": "Ann Hale", "also": ["Ann"], "main": True, "fate": "alive", "fate_at": None},
        {"id": "bob", "name": "Bob Hale", "also": ["Bob"], "main": True, "fate": "dead", "fate_at": [0, 1]},
    ]
    parts = {"characters": people, "relations": [], "events": [], "turning_points": [], "questions": []}
    about = {"narrator": "third", "sha256": "", "century": 19}
    return novel_gold.NovelGold("a-novel", "dev", about, **{**parts, **given})


def test_a_card_is_right_where_one_entity_is_one_character():
    story = StoryBuilder().mention("Ann Hale").mention("Ann", as_=StoryBuilder.id("Ann Hale"))
    story.mention("Bob Hale")
    rows = scores.cast_of(story.view(), gold()).rows
    assert [(row["character"], row["right"], row["why"]) for row in rows] == [("ann", 1, ""), ("bob", 1, "")]
    split = StoryBuilder().mention("Ann Hale").mention("Ann", as_="somebody").mention("Bob Hale")
    assert [row["why"] for row in scores.cast_of(split.view(), gold()).rows] == ["in two", ""]
    one = StoryBuilder().mention("Ann Hale").mention("Bob Hale", as_=StoryBuilder.id("Ann Hale"))
    assert {row["why"] for row in scores.cast_of(one.view(), gold()).rows} == {"two in one"}
    assert [row["why"] for row in scores.cast_of(StoryBuilder().mention("Ann Hale").view(), gold()).rows][
        1
    ] == "missing"


@pytest.mark.parametrize(("told", "type_", "expected"), values(__file__, "relations_by_type_by_sign_and.tsv"))
def test_relations_by_type_by_sign_and_as_any_tie(told, type_, expected):
    one = gold(relations=[{"a": "ann", "type": type_, "b": "bob", "rank": 1, "at": [0, 1]}])
    view = StoryBuilder().bond(*told).view()
    (row,) = scores.relations(view, one, scores.cast_of(view, one))
    assert (row["shown_typed"], row["shown_signed"], row["shown_pair"]) == expected


def test_fates_and_false_deaths():
    view = StoryBuilder().mention("Bob Hale").event("DIES", patient="Ann Hale").view()
    rows = {row["character"]: row for row in scores.fates(view, gold(), scores.cast_of(view, gold()))}
    assert (rows["ann"]["right"], rows["ann"]["false_death"]) == (False, True)
    assert (rows["bob"]["right"], rows["bob"]["false_death"]) == (False, False)


@pytest.mark.parametrize(("pairs", "expected"), values(__file__, "areas.tsv"))
def test_the_area_is_the_share_of_pairs_in_order(pairs, expected):
    rows = [
        {"text": f"t{n}", "at": {"confidence": at}, "before": {"confidence": before}}
        for n, (at, before) in enumerate(pairs)
    ]
    found = area(rows, "confidence")
    assert found["mean"] == pytest.approx(expected)
    assert 0.0 <= found["low"] <= expected <= found["high"] <= 1.0


def test_who_always_answers_is_half_right():
    one = {"answered": True, "right": False, "confidence": 1.0, "bm25": 1.0}
    found = summed([{"text": "t", "at": one | {"right": True}, "before": one}])
    shares = ("answered rightly, once told", "answered before it is told", "accuracy", "area, by confidence")
    assert [found[share]["mean"] for share in shares] == [1, 1, 0.5, 0.5]


def test_sections_become_chapters_and_places_go_along():
    tale = AskedText("t", "One was cold.\n\nTwo was warm.", [], sections=[Span(0, 13), Span(15, 28)])
    tale.questions.append(TextQuestion("?", ("warm",), (Span(15, 28),), within=(Span(15, 28),)))
    made = in_chapters(tale)
    assert made.text == "## 1\n\nOne was cold.\n\n## 2\n\nTwo was warm."
    assert [place.of(made.text) for place in made.questions[0].places] == ["Two was warm."]


def test_charts_of_nothing_and_of_hostile_names_and_marks():
    assert curves({}, "t", "x", "y").endswith("</svg>\n")
    lines = {"<script>": [(0.5, -1.0), (1.0, 1.0)]}
    marks = [(0, "1"), (1, "10"), (2, "100")]
    picture = curves(lines, "t & u", "x", "y", across=marks, up=[(-2, "0.01"), (1, "10")])
    assert "<script>" not in picture
    found = [one.text for one in ET.fromstring(picture).iter() if one.tag.endswith("text")]  # noqa: S314
    assert [one for one in found if one[0] in "01"] == ["0.01", "10", "1", "10", "100"]
    assert 'points="171.0,200.0 286.0,40.0"' in picture  # one of three powers from the bottom


QUOTE = Evidence("tale", 1, Span(0, 1), "x")


@pytest.mark.parametrize(("characters", "named", "meant"), values(__file__, "cast.tsv"))
def test_entities_go_to_the_characters_their_names_mean(characters, named, meant):
    mentions = [
        EntityMention(entity, EntityKind.CHARACTER, surface, 1, QUOTE)
        for entity, surface, count in named
        for _ in range(count)
    ]
    assert cast_of(characters, StoryView(StoryLog(mentions=tuple(mentions)), Horizon())) == meant


def test_a_tie_is_held_either_way_round_and_by_any_name_in_any_case():
    edges = [
        {"a": ['"ANN LEE"'], "b": ['"BOB"'], "says": "married"},
        {"a": ["Bob"], "b": ["Mrs. Lee"], "says": "quarrels"},
        {"a": ["Ann Lee"], "b": ["Cid"], "says": "knows"},
    ]
    pair = {"a": ["Ann Lee", "Mrs Lee"], "type": "spouse", "b": ["Bob"]}
    assert held_pairs(edges, [pair]) == [["married", "quarrels"]]
    assert held_pairs([], [pair]) == [[]]


def test_quotes_are_those_beside_an_answer_and_those_of_four_words_in_it():
    text = "She said that the boat had left at noon.\nNobody waved."
    said = {
        "text": 'It left: “the boat had  left at noon”, not "the boat left at ten".',
        "cited": ["Nobody waved."],
    }
    assert quotes_of(said, text) == [3, 2]
    assert quotes_of({"text": 'He said "no".', "cited": []}, text) == [0, 0]


class _Judge:
    """Right is what says so."""

    def verdicts(self, system, asked, said):
        return {text: "right" in text for text in said}


def test_what_did_not_run_keeps_its_reason_beside_the_scores_of_the_others():
    question = {"id": "q", "question": "Who?", "answers": ["Ann"]}
    corpora = {
        "novel": {"questions": [question], "pairs": [{"a": ["Ann"], "type": "kin", "b": ["Bob"]}]},
        "musique": {"questions": [], "pairs": []},
    }
    one = {
        "version": "1",
        "mode": "any",
        "answers": [{"id": "q", "text": "right:  Ann", "quotes": [2, 1]}],
        "pairs": [["right"]],
        "edges_in_all": 3,
        "asked": {"index": {"requests": 4}},
        "own_seconds": {"index": 1.0},
        "installed_mb": 5,
    }
    found = scores_of({"one, novel": one, "two, novel": {"failed": "no such module"}}, corpora, _Judge())
    assert found["aggregates"]["two, novel"] == {"failed": "no such module"}
    row = found["aggregates"]["one, novel"]
    assert (row["right"], row["holds answer"], row["any tie"], row["typed tie"]) == (1, 1, 1, 1)
    assert (row["quotes"], row["quotes that stand"], row["requests, index"]) == (2, 1, 4)
