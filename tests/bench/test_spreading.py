"""An experiment in several processes: the items of one process, and what fails is tried again here."""

import os
import signal
from pathlib import Path

import pytest

from fabula.bench.grid import running as grid_running
from fabula.bench.grid import spreading
from fabula.bench.grid.config import load_grid
from fabula.bench.grid.running import run_grid
from fabula.bench.grid.spreading import run_story, spread
from fabula.llm.scripted import ScriptedGenerator

TALE = "# One\n\nAnna Reed ran the ferry with Tom Hale.\n\n# Two\n\n{} drowned a cat. Anna wept.\n"
CONFIG = """
question = "Does it rain?"
pipelines = ["standard"]
seeds = [0, 1]
metrics = ["consistency"]

[[stories]]
book = "first.md"
prompts = [{ chapter = 1, prompt = "It rains." }]

[[stories]]
book = "second.md"
prompts = [{ chapter = 2, prompt = "Anna comes home." }]
"""


def scripted(_):
    return ScriptedGenerator(lambda prompt: f"Anna Reed came home. Call {len(prompt.user)}.")


def in_a_worker(task):
    grid_running.make_generator = scripted
    return run_story(task)


def killed_once(task):
    """The worker that first takes the second story dies."""
    mark = Path(task.out) / "mark"
    if task.story == 1 and not mark.exists():
        mark.parent.mkdir(exist_ok=True)
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return in_a_worker(task)


@pytest.fixture
def config(tmp_path):
    for name, who in (("first", "Tom Hale"), ("second", "Ida")):
        (tmp_path / f"{name}.md").write_text(TALE.format(who))
    (tmp_path / "grid.toml").write_text(CONFIG)
    return tmp_path / "grid.toml"


def items(out):
    return {path.name: path.read_bytes() for path in (out / "items").iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("act", [in_a_worker, killed_once])
def test_two_processes_make_the_items_of_one(config, tmp_path, monkeypatch, act):
    monkeypatch.setattr(spreading, "run_story", act)
    told = []
    out, grid = tmp_path / "spread", load_grid(config)
    spread(config, grid, out, workers=2, progress=lambda *one: told.append(one))
    assert told[0] == ("stories", 0, 2) and told[-1] == ("stories", 2, 2)
    made = items(out)
    assert len(made) == 4
    monkeypatch.setattr(grid_running, "make_generator", scripted)
    assert len(run_grid(grid, out)) == 4
    assert items(out) == made  # nothing was left to do
    alone = run_grid(grid, tmp_path / "alone")
    assert [one.report["facts"] for one in alone] == [one.report["facts"] for one in run_grid(grid, out)]


def test_what_cannot_be_run_is_an_outcome(config, tmp_path, monkeypatch):
    monkeypatch.setattr(grid_running, "make_generator", scripted)
    (tmp_path / "second.md").write_text("")
    ended = run_story(spreading.StoryTask("k", str(config), str(tmp_path / "out"), 1))
    assert ended.state == "failed" and "second.md" in ended.problem
