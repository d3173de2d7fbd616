import pytest
from tests.bench.tale import Counting

from fabula.bench import shared
from fabula.bench.grid import load_grid, ran
from fabula.bench.planning import PLAN, PlannedStory, RunPlan, planned, require_own, save_run
from fabula.bench.results import load_result
from fabula.config import load_config
from fabula.errors import UsageError


@pytest.fixture
def story(demo_project):
    return PlannedStory(demo_project, "the-bloom-line", 2, ("It rains.", "It snows."))


def plan(story, **more):
    told = {"pipelines": ("standard", "fused"), "seeds": 2, "config": load_config()}
    return RunPlan((story,), **{**told, **more})


def test_a_plan_counts_its_drafts_and_what_they_can_take(story):
    one = plan(story)
    assert one.drafts == 2 * 2 * 2
    priced = one.price("m", 8000)
    assert priced.requests == 8 + 4  # each fused draft may be revised once
    assert priced.answer_tokens == priced.requests * load_config().comparison.max_tokens


def test_a_plan_is_a_config_that_bench_run_takes(story, tmp_path):
    config = load_config(assignments=["comparison.max_tokens=50", "generator.model=m"])
    folder = save_run(tmp_path, plan(story, config=config, most_cost=1.5))
    other = save_run(tmp_path, plan(story))
    grid = load_grid(folder / PLAN)
    assert [(one.chapter, one.prompt) for one in grid.stories[0].prompts] == [
        (2, "It rains."),
        (2, "It snows."),
    ]
    assert (grid.pipelines, grid.seeds, grid.baseline) == (["standard", "fused"], [0, 1], "standard")
    assert grid.settings["comparison.max_tokens"] == 50 and grid.settings["generator.max_cost"] == 1.5
    assert grid.settings["comparison.temperature"] > 0  # else both drafts would be the same
    assert folder != other and planned(folder)["stories"][0]["project"] == str(story.folder)
    assert planned(tmp_path) == {}


def test_the_index_of_the_library_is_used_and_left_alone(story, tmp_path, monkeypatch):
    monkeypatch.setattr(shared, "make_generator", lambda _: Counting())
    monkeypatch.setattr(shared, "index_book", None)  # nothing is read or embedded again
    before = {file.name: file.stat().st_mtime_ns for file in story.folder.rglob("*.npy")}
    folder = save_run(tmp_path, plan(story, seeds=1))
    ran(folder / PLAN, folder)
    assert len(load_result(folder)["facts"]["rows"]) == 4
    assert {file.name: file.stat().st_mtime_ns for file in story.folder.rglob("*.npy")} == before


@pytest.mark.parametrize("change", [{"pipelines": ()}, {"stories": ()}])
def test_an_empty_plan_is_refused(story, tmp_path, change):
    one = plan(story)
    told = {"stories": one.stories, "pipelines": one.pipelines, "seeds": 1, "config": one.config}
    with pytest.raises(UsageError, match="one story, one prompt and one pipeline"):
        save_run(tmp_path, RunPlan(**{**told, **change}))


@pytest.mark.parametrize(
    "changed", ['"generator.base_url" = "http://elsewhere"', '"embedding.api_key_env" = "X_API_KEY"', ""]
)
def test_a_plan_that_reaches_elsewhere_is_not_gone_on_with(story, tmp_path, changed):
    folder = save_run(tmp_path, plan(story, most_cost=1.0))
    text = (folder / PLAN).read_text().replace(str(story.folder), str(tmp_path / "own"))
    (folder / PLAN).write_text(text)
    require_own(folder, load_config())
    text = (folder / PLAN).read_text()
    text = (
        text.replace("[settings]", f"[settings]\n{changed}")
        if changed
        else text.replace(str(tmp_path), "/etc")
    )
    (folder / PLAN).write_text(text)
    with pytest.raises(UsageError, match="another language model"):
        require_own(folder, load_config())
