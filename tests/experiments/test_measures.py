import argparse
import dataclasses
import importlib
import shlex
from math import log2

import numpy as np
import pytest

from experiments.common.catalogue import README, load_catalogue, render
from experiments.common.folders import DOOR, RESULTS
from experiments.readme_tables import TABLES
from experiments.retrieval import measures
from experiments.user_view import novel_gold, story_sets

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
