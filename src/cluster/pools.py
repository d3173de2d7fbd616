"""Who does the tasks: processes of this machine, or the workers of a Dask cluster.

At most two tasks a worker are under way, so that a list of any length costs no memory. What a worker that
dies had begun is begun again by another; a task that had not enough memory is put off until others are
through, and fewer run side by side from then on.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Generic, Protocol, TypeVar

from ..errors import ConfigError
from .tasks import State

__all__ = ["DaskPool", "LocalPool", "Pool", "opened_pool"]

_A_WORKER = 2
_TRIES = 3
_THREADS = "OMP_NUM_THREADS"  # company of threads changes the last bits of a vector, so it is fixed
_CONNECT_S = 15


class Ended(Protocol):
    """What became of a task."""

    @property
    def key(self) -> str:
        """The task's."""
        ...

    @property
    def state(self) -> State:
        """``later``: it may be tried again."""
        ...


EndedT_co = TypeVar("EndedT_co", bound=Ended, covariant=True)


class Task(Protocol[EndedT_co]):
    """Plain data that says what is to be done."""

    @property
    def key(self) -> str:
        """Its own."""
        ...

    def failed(self, problem: str) -> EndedT_co:
        """What becomes of it where its worker died."""
        ...


EndedT = TypeVar("EndedT", bound=Ended)


class Pool(Protocol[EndedT]):
    """Does tasks somewhere."""

    def run(self, tasks: Sequence[Task[EndedT]]) -> Iterator[EndedT]:
        """What became of each, as they end; every task ends once."""
        ...


class LocalPool(Generic[EndedT]):
    """``workers`` processes of this machine. ``act``, a function of a module, is what they do. What was under
    way when one was killed is begun again alone, so that no task fails for another's sake."""

    def __init__(self, workers: int, *, act: Callable[[Any], EndedT]) -> None:
        self._workers = workers
        self._act = act

    def run(self, tasks: Sequence[Task[EndedT]]) -> Iterator[EndedT]:
        """As :class:`Pool`. Where a process is killed, all that was under way is begun again in new ones."""
        left = _Left(tasks)
        while left:
            with _one_thread(), self._pool() as pool:
                try:
                    yield from self._rounds(pool, left)
                except BrokenProcessPool:
                    yield from left.gone()

    def _rounds(self, pool: ProcessPoolExecutor, left: _Left[EndedT]) -> Iterator[EndedT]:
        under_way: dict[Future[EndedT], Task[EndedT]] = {}
        room = self._workers * _A_WORKER
        while left or under_way:
            while left.waiting and len(under_way) < (1 if left.suspects else max(1, room)):
                task = left.take()
                under_way[pool.submit(self._act, task)] = task
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                outcome = future.result()
                del under_way[future]
                if left.ended(outcome):
                    yield outcome
                else:
                    room -= 1

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))


class DaskPool(Generic[EndedT]):
    """The workers of the Dask cluster whose scheduler is at ``address``; they see the same files under the
    same paths, or keep projects on a server. Raises ConfigError where Dask is not installed or nobody
    answers."""

    def __init__(self, address: str, *, act: Callable[[Any], EndedT]) -> None:
        try:
            self._dask: Any = import_module("distributed")
        except ImportError as error:
            raise ConfigError("Dask is not installed here: pip install distributed") from error
        self._act = act
        try:
            self._client = self._dask.Client(address, timeout=_CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ConfigError(
                f"no Dask scheduler answers at {address} ({type(error).__name__}): start one, or check it"
            ) from error

    def close(self) -> None:
        """Leaves the cluster."""
        self._client.close()

    def run(self, tasks: Sequence[Task[EndedT]]) -> Iterator[EndedT]:
        """As :class:`Pool`."""
        left = _Left(tasks)
        ended = self._dask.as_completed(loop=self._client.loop)
        under_way: dict[str, Task[EndedT]] = {}
        room = max(1, sum(self._client.nthreads().values())) * _A_WORKER
        while left or under_way:
            while left.waiting and len(under_way) < max(1, room):
                task = left.take()
                tried = f"{task.key}-{left.tries(task)}"
                under_way[tried] = task
                ended.add(self._client.submit(self._act, task, key=tried, pure=False, retries=_TRIES - 1))
            future = next(ended)
            task = under_way.pop(future.key)
            broken = future.status == "error"
            outcome: EndedT = _died(task, str(future.exception())) if broken else future.result()
            future.release()
            if left.ended(outcome):
                yield outcome
            else:
                room -= 1


class _Left(Generic[EndedT]):
    """The tasks that have not ended, and how often each was begun."""

    def __init__(self, tasks: Sequence[Task[EndedT]]) -> None:
        self._all = {task.key: task for task in tasks}
        self.waiting = deque(self._all.values())
        self._tries = dict.fromkeys(self._all, 0)
        self.suspects: set[str] = set()  # under way when a worker died

    def __bool__(self) -> bool:
        return bool(self._all)

    def take(self) -> Task[EndedT]:
        task = self.waiting.popleft()
        self._tries[task.key] += 1
        return task

    def tries(self, task: Task[EndedT]) -> int:
        return self._tries[task.key]

    def ended(self, outcome: EndedT) -> bool:
        """Else it waits for another try."""
        if outcome.state == "later" and self._tries[outcome.key] < _TRIES:
            self.waiting.append(self._all[outcome.key])
            return False
        del self._all[outcome.key]
        self.suspects.discard(outcome.key)
        return True

    def gone(self) -> Iterator[EndedT]:
        """After a worker died: what was begun waits again, but for what was begun too often."""
        waiting = {task.key for task in self.waiting}
        for key, task in list(self._all.items()):
            if key in waiting:
                continue
            if self._tries[key] >= _TRIES:
                del self._all[key]
                self.suspects.discard(key)
                yield _died(task, "its worker ended before it was done, three times")
            else:
                self.suspects.add(key)
                self.waiting.appendleft(task)


def _died(task: Task[EndedT], problem: str) -> EndedT:
    return task.failed(" ".join(problem.split()) or "its worker died")


@contextmanager
def opened_pool(workers: int, cluster: str | None, *, act: Callable[[Any], EndedT]) -> Iterator[Pool[EndedT]]:
    """So many processes of this machine, or, where its address is given, a Dask cluster's workers. Raises
    what :class:`DaskPool` does."""
    if cluster is None:
        yield LocalPool(workers, act=act)
        return
    pool = DaskPool(cluster, act=act)
    try:
        yield pool
    finally:
        pool.close()


@contextmanager
def _one_thread() -> Iterator[None]:
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before
