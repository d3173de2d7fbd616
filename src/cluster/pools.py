"""Who does the tasks: processes of this machine, or the workers of a Dask cluster.

At most two tasks a worker are under way, so that a list of any length costs no memory. What a worker that
dies had begun is begun again by another; a task that had not enough memory is put off until others are
through, and fewer run side by side from then on.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Generic, Literal, TypeVar

from ..errors import ConfigError, FabulaError, MemoryBudgetError

State = Literal["done", "later", "failed"]
"""``later``: there was not enough memory, three times."""

_A_WORKER = 2
_TRIES = 3
_THREADS = "OMP_NUM_THREADS"  # company of threads changes the last bits of a vector, so it is fixed
_CONNECT_S = 15
_KILLED = "its worker ended before it was done, three times"
TaskT = TypeVar("TaskT")
GivenT = TypeVar("GivenT")


@dataclass(frozen=True, slots=True)
class Ended(Generic[TaskT, GivenT]):
    """What became of a task: what it gave, or what went wrong in one line. ``worker`` is the process that
    took so many ``seconds``; 0 where it died."""

    task: TaskT
    state: State
    given: GivenT | None = None
    problem: str = ""
    seconds: float = 0.0
    worker: int = 0


def _done(act: Callable[[TaskT], GivenT], task: TaskT) -> Ended[TaskT, GivenT]:
    started = time.perf_counter()
    state: State = "done"
    given, problem = None, ""
    try:
        given = act(task)
    except (FabulaError, OSError) as error:
        state = "later" if isinstance(error, MemoryBudgetError) else "failed"
        problem = " ".join(str(error).split())
    return Ended(task, state, given, problem, round(time.perf_counter() - started, 2), os.getpid())


def spread(
    tasks: Sequence[TaskT], act: Callable[[TaskT], GivenT], *, workers: int, cluster: str | None = None
) -> Iterator[Ended[TaskT, GivenT]]:
    """What became of each, as they end; every task ends once. ``act``, a function of a module, is what so
    many processes of this machine do, or the workers of the Dask cluster whose scheduler is at ``cluster``,
    which see the same files under the same paths, or keep projects on a server. What it raises of ours is an
    outcome too. What was under way when a process was killed is begun again alone, so that no task fails for
    another's sake. Raises ConfigError where Dask is not installed or nobody answers."""
    waiting = deque(range(len(tasks)))
    tries = Counter[int]()
    suspects: set[int] = set()  # under way when a worker died
    while waiting:
        under_way: dict[Future[Ended[TaskT, GivenT]], int] = {}
        put_off = 0
        try:
            with _executor(workers) if cluster is None else _cluster(cluster) as (executor, places):
                while waiting or under_way:
                    room = 1 if suspects else max(1, places - put_off)
                    while waiting and len(under_way) < room:
                        future = executor.submit(_done, act, tasks[waiting[0]])
                        under_way[future] = waiting.popleft()
                        tries[under_way[future]] += 1
                    for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                        ended = _ended(tasks[under_way[future]], future, away=cluster is not None)
                        number = under_way.pop(future)
                        if ended.state == "later" and tries[number] < _TRIES:
                            waiting.append(number)
                            put_off += 1
                        else:
                            suspects.discard(number)
                            yield ended
        except BrokenProcessPool:
            for number in under_way.values():
                if tries[number] < _TRIES:
                    suspects.add(number)
                    waiting.appendleft(number)
                else:
                    suspects.discard(number)
                    yield Ended(tasks[number], "failed", problem=_KILLED)


def _ended(task: TaskT, future: Future[Ended[TaskT, GivenT]], *, away: bool) -> Ended[TaskT, GivenT]:
    """Why a cluster's worker ended is not seen from here, so that is the task's problem."""
    error = future.exception()
    if error is None or not away:
        return future.result()
    return Ended(task, "failed", problem=" ".join(str(error).split()) or "its worker died")


@contextmanager
def _executor(workers: int) -> Iterator[tuple[Executor, int]]:
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
            yield executor, _A_WORKER * workers
    finally:
        os.environ.pop(_THREADS)
        if before is not None:
            os.environ[_THREADS] = before


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        dask: Any = import_module("distributed")
        client = dask.Client(address, timeout=_CONNECT_S, set_as_default=False)
    except ImportError as error:
        raise ConfigError("Dask is not installed here: pip install 'fabula[cluster]'") from error
    except (OSError, ValueError, TimeoutError) as error:
        raise ConfigError(
            f"no Dask scheduler answers at {address} ({type(error).__name__}): start one, or check it"
        ) from error
    with client, client.get_executor(pure=False, retries=_TRIES - 1) as executor:
        yield executor, _A_WORKER * max(1, sum(client.nthreads().values()))
