import argparse
import importlib
import shlex
import subprocess
import sys

import pytest

from experiments.common.catalogue import README, load_catalogue, render
from experiments.common.folders import DOOR, RESULTS, ROOT
from experiments.readme_tables import TABLES

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


def test_every_module_with_options_is_in_the_catalogue():
    listed = {FOLDER / f"{one.module.replace('.', '/')}.py" for one in CATALOGUE.values()}
    mains = {path for path in MODULES if "\ndef parser()" in path.read_text(encoding="utf-8")}
    assert mains == listed


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_a_module_imports_as_part_of_the_package(path):
    assert importlib.import_module(f"experiments.{path.parent.name}.{path.stem}").__file__ == str(path)
    assert "sys.path" not in path.read_text(encoding="utf-8")


def test_the_table_is_that_of_the_catalogue():
    text = README.read_text(encoding="utf-8")
    assert render(text) == text, "run python experiments/run.py --readme"


def door(*arguments, cwd=ROOT):
    done = subprocess.run(
        [sys.executable, str(DOOR), *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_the_door_lists_them_from_anywhere(tmp_path):
    code, said, _ = door(cwd=tmp_path)
    assert code == 0
    assert [line.split()[0] for line in said.splitlines()[-len(CATALOGUE) :]] == list(CATALOGUE)


def test_the_door_tells_the_options_and_knows_whom_it_does_not_know():
    code, said, _ = door("gold_agreement", "--help")
    assert code == 0
    assert said.startswith("usage: run.py gold_agreement")
    code, _, said = door("nothing")
    assert (code, said.partition(":")[0]) == (2, "no experiment 'nothing'")
