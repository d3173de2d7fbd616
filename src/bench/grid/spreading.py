"""An experiment spread over processes or a cluster: a story at a time, with all its prompts and settings.

Each story's items are files as ever, so whatever ends a worker, what it had done is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ...cluster.pools import opened_pool
from ...cluster.tasks import State
from ...errors import FabulaError, MemoryBudgetError
from ...project.indexing import Progress
from .config import GridConfig, load_grid
from .running import run_grid

__all__ = ["StoryTask", "run_story", "spread"]


@dataclass(frozen=True, slots=True)
class StoryTask:
    """A story of an experiment: the config's file, the run's folder, and the story's place in the config."""

    key: str
    config: str
    out: str
    story: int

    def failed(self, problem: str) -> StoryEnded:
        """What becomes of it where its worker died."""
        return StoryEnded(self.key, "failed", problem)


@dataclass(frozen=True, slots=True)
class StoryEnded:
    """What became of a story; ``problem`` is a line, where there was one."""

    key: str
    state: State
    problem: str = ""


def run_story(task: StoryTask) -> StoryEnded:
    """Runs what the run's folder does not hold yet of this story. It raises nothing of ours."""
    state: State = "done"
    problem = ""
    try:
        config = load_grid(Path(task.config))
        run_grid(replace(config, stories=(config.stories[task.story],)), Path(task.out))
    except MemoryBudgetError as error:
        state, problem = "later", str(error)
    except (FabulaError, OSError) as error:
        state, problem = "failed", str(error)
    return StoryEnded(task.key, state, " ".join(problem.split()))


def spread(
    file: Path,
    config: GridConfig,
    out: Path,
    *,
    workers: int,
    cluster: str | None = None,
    progress: Progress = lambda *_: None,
) -> None:
    """Runs what ``out`` does not hold yet in so many processes, or on the workers of a Dask cluster, which
    see the same files under the same paths. What cannot be run there is left to :func:`.running.run_grid`,
    which then says why. Raises ConfigError where no cluster answers."""
    tasks = [
        StoryTask(f"{story.name}-{number}", str(file.resolve()), str(out.resolve()), number)
        for number, story in enumerate(config.stories)
    ]
    with opened_pool(workers, cluster, act=run_story) as pool:
        progress("stories", 0, len(tasks))
        for done, _ in enumerate(pool.run(tasks), 1):
            progress("stories", done, len(tasks))
