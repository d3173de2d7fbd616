import pytest
from tests.bench.tale import Counting

from fabula.bench import shared
from fabula.bench.grid import GridConfig, GridPrompt, GridStory, load_grid, ran
from fabula.bench.planning import planned, price, require_own, save_run
from fabula.bench.results import PLAN, load_result
from fabula.config import load_config
from fabula.errors import UsageError

CONFIG = load_config()


def plan(folder, seeds=(0, 1)):
    told = [GridPrompt(chapter=2, prompt=one) for one in ("It rains.", "It snows.")]
    story = GridStory(book="the-bloom-line", project=str(folder), prompts=told)
    return GridConfig(stories=[story], pipelines=["standard", "fused"], seeds=list(seeds))


def test_what_a_plan_can_take_counts_each_fused_draft_twice(tmp_path):
    priced = price(plan(tmp_path), CONFIG, model="m", context_tokens=8000)
    assert priced.requests == 8 + 4  # each fused draft may be revised once
    assert priced.answer_tokens == priced.requests * CONFIG.comparison.max_tokens


def test_a_plan_is_a_config_that_bench_run_takes(tmp_path):
    config = load_config(assignments=["comparison.max_tokens=50", "generator.model=m"])
    folder = save_run(tmp_path, plan(tmp_path), config, most_cost=1.5)
    grid = load_grid(folder / PLAN)
    assert (grid.stories, grid.pipelines, grid.seeds) == (
        plan(tmp_path).stories,
        ["standard", "fused"],
        [0, 1],
    )
    assert grid.settings["comparison.max_tokens"] == 50 and grid.settings["generator.max_cost"] == 1.5
    assert grid.settings["comparison.temperature"] > 0  # else both drafts would be the same
    assert save_run(tmp_path, plan(tmp_path), CONFIG) != folder and planned(folder) == grid
    assert planned(tmp_path) is None


def test_the_index_of_the_library_is_used_and_left_alone(demo_project, tmp_path, monkeypatch):
    monkeypatch.setattr(shared, "make_generator", lambda _: Counting())
    monkeypatch.setattr(shared, "index_book", None)  # nothing is read or embedded again
    before = {file.name: file.stat().st_mtime_ns for file in demo_project.rglob("*.npy")}
    folder = save_run(tmp_path, plan(demo_project, seeds=[0]), CONFIG)
    ran(folder / PLAN, folder)
    assert len(load_result(folder)["facts"]["rows"]) == 4
    assert {file.name: file.stat().st_mtime_ns for file in demo_project.rglob("*.npy")} == before


REACHING = (
    '[settings]\n"generator.base_url" = "http://elsewhere"',
    '[settings]\n"embedding.api_key_env" = "X_API_KEY"',
    '[grid]\n"generator.base_url" = ["http://elsewhere"]\n[settings]',
)


@pytest.mark.parametrize("changed", [*REACHING, ""])
def test_a_plan_that_reaches_elsewhere_is_not_gone_on_with(tmp_path, changed):
    file = save_run(tmp_path, plan(tmp_path / "own"), CONFIG, most_cost=1.0) / PLAN
    require_own(file.parent, CONFIG)
    text = file.read_text()
    file.write_text(text.replace("[settings]", changed) if changed else text.replace(str(tmp_path), "/etc"))
    with pytest.raises(UsageError, match="another language model"):
        require_own(file.parent, CONFIG)
