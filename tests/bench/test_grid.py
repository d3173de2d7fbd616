import json
import os
import signal
from pathlib import Path

import pytest
from tests.bench.tale import TALE, Counting, item
from tests.scripted import ScriptedGenerator
from tests.stories.examples import rows
from tests.tables import file_text

from fabula.bench import grid as grid_module
from fabula.bench import shared
from fabula.bench.grid import GridPrompt, load_grid, ran, run_grid, run_story
from fabula.bench.results import load_result, result_of, runs_in, tables
from fabula.config import load_config
from fabula.errors import ConfigError, FabulaError, ModelRefused, ProjectError

CONFIG = file_text(__file__, "grid.toml")


@pytest.fixture
def config(tmp_path):
    (tmp_path / "tale.md").write_text(TALE, encoding="utf-8")
    (tmp_path / "grid.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path / "grid.toml"


@pytest.fixture(autouse=True, scope="module")
def models_loaded_once():
    """Each run loads its own models; here they all get the same."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("make_embedder", "make_reader"):
            made = getattr(shared, name)(load_config())
            patch.setattr(shared, name, lambda _, made=made: made)
        yield


@pytest.fixture
def run(config, tmp_path, monkeypatch):
    """Runs the grid into a folder."""

    def ran(out, *, dies_at=0, generator=None):
        Counting.made = 0
        monkeypatch.setattr(shared, "make_generator", lambda _: generator or Counting(dies_at=dies_at))
        return run_grid(load_grid(config), tmp_path / out)

    return ran


@pytest.fixture
def one_seed(config):
    config.write_text(CONFIG.replace("seeds = [0, 1]", "seeds = [0]").replace("[300, 600]", "[300]"))


def told(items):
    return [json.dumps(item["facts"], sort_keys=True) for item in items]


def test_the_config_is_all_combinations(config):
    grid = load_grid(config)
    assert [*grid.variants] == ["comparison.budget=300", "comparison.budget=600"]
    assert grid.variants["comparison.budget=300"] == ["comparison.temperature=0.5", "comparison.budget=300"]
    assert (grid.baseline, grid.seeds) == ("standard", [0, 1])
    assert grid.stories[0].prompts[0] == GridPrompt(chapter=1, prompt="It rains.")


def test_the_demo_story_brings_its_prompts(tmp_path):
    (tmp_path / "demo.toml").write_text('[[stories]]\nbook = "demo"\n')
    grid = load_grid(tmp_path / "demo.toml")
    assert len(grid.stories[0].prompts) > 3
    assert [*grid.variants] == [""]


@pytest.mark.parametrize(("text", "message"), rows(Path(__file__).with_name("wrong_grids.tsv")))
def test_what_is_wrong_is_named(tmp_path, text, message):
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_grid(tmp_path / "bad.toml")


def test_a_run_that_is_killed_goes_on_and_repeats_nothing(config, run, tmp_path):
    config.write_text(CONFIG.replace("[300, 600]", "[300]"))
    whole = run("whole")
    assert len(whole) == 2 * 2
    assert Counting.made == 4 * 2
    with pytest.raises(KeyboardInterrupt):
        run("killed", dies_at=6)
    assert len(list((tmp_path / "killed" / "items").iterdir())) == 2  # two drafts each, the sixth killed
    again = run("killed")
    assert Counting.made == 2 * 2
    assert told(again) == told(whole)
    assert run("killed") == again
    assert Counting.made == 0
    config.write_text(config.read_text().replace("[0, 1]", "[0, 1, 2]"))
    assert len(run("killed")) == 6
    assert Counting.made == 2 * 2


def test_a_damaged_item_is_named_and_a_failed_one_run_again(one_seed, run, tmp_path):
    refusing = ScriptedGenerator(["It rained.", ModelRefused("no more"), "It rained.", "It rained."])
    first = run("run", generator=refusing)
    assert [one["error"] for one in first[0]["facts"]["pipelines"]] == ["", "no more"]
    again = run("run")
    assert Counting.made == 2  # of the item that failed, and no other
    assert not any(one["error"] for item in again for one in item["facts"]["pipelines"])
    next((tmp_path / "run" / "items").iterdir()).write_text("{")
    with pytest.raises(ProjectError, match="damaged"):
        run("run")


@pytest.fixture
def grid(config):
    return load_grid(config).model_copy(update={"settings": {}, "grid": {}, "metrics": ["consistency"]})


def test_sums_by_hand(grid):
    scores = (((1, 0), 0.5, 0.7), ((1, 1), 0.7, 0.9), ((2, 0), 0.9, 0.9), ((2, 1), None, 1.0))
    result = result_of(grid, [item(*at, standard=one, graph=other) for at, one, other in scores])
    facts = result["facts"]
    means = {(one["pipeline"]): (one["n"], one["mean"]) for one in facts["means"]}
    assert means == {"standard": (3, 0.7), "graph": (4, 0.875)}
    [pair] = facts["paired"]
    # prompts are the unit: 0.2 at the first (two seeds), 0 at the second
    assert (pair["items"], pair["groups"], pair["wins"], pair["ties"]) == (3, 2, 2, 1)
    assert pair["difference"] == pytest.approx(0.1333, abs=1e-4)
    assert pair["p_holm"] == pair["p"] == 1.0
    assert result["machine"]["median_response_seconds"] == {"standard": 2.0, "graph": 2.0}
    page = tables(result)
    assert "| mean [95 % interval] | standard | graph |" in page
    assert "| consistency | 0.700 [" in page and "2/1/0" in page


def test_a_single_prompt_has_no_interval(grid):
    alone = result_of(grid, [item(1, seed, standard=0.5, graph=0.75) for seed in (0, 1)])
    assert alone["facts"]["means"][0]["units"] == 1
    page = tables(alone)
    assert "| consistency | 0.500 n=2 | 0.750 n=2 |" in page
    assert "| consistency | graph | +0.250 | – |" in page


def test_the_command_writes_result_and_tables(one_seed, config, tmp_path, monkeypatch, run_cli, done):
    monkeypatch.setattr(shared, "make_generator", lambda _: Counting("Rain fell, call {n}."))
    assert done("bench", "run", config, "-o", tmp_path / "bench" / "run").startswith("2 comparisons")
    assert {path.name for path in (tmp_path / "bench" / "run").iterdir()} >= {"result.json", "tables.md"}
    [bench] = [one for one in runs_in(tmp_path) if one.name == "run"]
    assert bench.rating().following("Ann") is not None
    assert bench.result["facts"]["config"]["question"] == "Does it rain?"
    with pytest.raises(ProjectError, match="fabula bench run writes one"):
        load_result(tmp_path)
    elsewhere = ("bench", "run", config, "-o", tmp_path / "run", "--cluster", "x", "--workers", 2)
    assert "leave them out" in run_cli(*elsewhere).err


def scripted(_):
    return ScriptedGenerator(lambda prompt: f"Anna Reed came home. Call {len(prompt.user)}.")


def killed_once(task):
    """The worker that first takes the second story dies."""
    mark = Path(task[1]) / "mark"
    if task[2] == 1 and not mark.exists():
        mark.parent.mkdir(exist_ok=True)
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    shared.make_generator = scripted
    return run_story(task)


def files(out):
    return {path.name: path.read_bytes() for path in (out / "items").iterdir()}


@pytest.fixture
def two_stories(config):
    (config.parent / "second.md").write_text(TALE.replace("Tom Hale", "Ida"))
    text = CONFIG.replace("[300, 600]", "[300]").replace('["standard", "graph"]', '["standard"]')
    more = '[[stories]]\nbook = "second.md"\nprompts = [{ chapter = 2, prompt = "Anna comes home." }]\n'
    config.write_text(text + more)
    return config


@pytest.mark.slow
def test_two_processes_of_which_one_is_killed_make_the_items_of_one(two_stories, tmp_path, monkeypatch):
    monkeypatch.setattr(grid_module, "run_story", killed_once)
    monkeypatch.setattr(shared, "make_generator", scripted)
    alone = run_grid(load_grid(two_stories), tmp_path / "alone")
    told = []
    monkeypatch.setattr(shared, "make_generator", lambda _: Counting(dies_at=1))  # nothing is left to do here
    ran(two_stories, tmp_path / "out", workers=2, progress=lambda *one: told.append(one))
    assert told[0] == ("stories", 0, 2) and ("stories", 2, 2) in told
    assert files(tmp_path / "out").keys() == files(tmp_path / "alone").keys()
    monkeypatch.setattr(shared, "make_generator", scripted)
    spread_out = run_grid(load_grid(two_stories), tmp_path / "out")
    assert [one["facts"] for one in spread_out] == [one["facts"] for one in alone]


def test_what_cannot_be_run_is_said(two_stories, tmp_path, monkeypatch):
    monkeypatch.setattr(shared, "make_generator", scripted)
    (tmp_path / "second.md").write_text("")
    with pytest.raises(FabulaError, match=r"second\.md"):
        run_story((str(two_stories), str(tmp_path / "out"), 1))
