"""How much memory this process may use, and how much it uses that nobody can take back.

And Python's garbage collector, told to wait while somebody waits. A full collection looks at every object
that is alive: some 200 ms with a short story's graph open and its text parsed, and more with a novel's. It
comes when much has been made, so it likes to fall into the very moments in which much is made at once: a
graph loaded, a chapter taken in.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

import psutil

_NO_LIMIT = sys.maxsize
_MEMORY_WORDS = (
    "failed to map segment",
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "reserve memory",
    "bad_alloc",
    "can't start new thread",
    "pyobject pointer is null",  # of what is written in Rust
)
_IN_USE = (b"RssAnon:", b"RssShmem:")


def available_memory() -> int:
    """Bytes: the host's memory, the limit of this process's control group or that of its resource limits,
    whichever is smallest."""
    return min(int(psutil.virtual_memory().total), control_group_limit(), own_limit())


def control_group_limit(*, root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> int:
    """Bytes: the smallest limit of the control group that this process is in and of all above it (version 2
    and 1); a huge number where there is none."""
    return min((_limit(file) for file in _limit_files(root, own)), default=_NO_LIMIT)


def _limit_files(root: Path, own: Path) -> Iterator[Path]:
    try:
        lines = own.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    second = (root, ("memory.max", "memory.high"))  # above "high" a group is slowed to a halt
    hybrid = (root / "unified", second[1])
    first = (root / "memory", ("memory.limit_in_bytes",))
    for line in (*lines, "0::/", "1:memory:/"):  # the last two: what a container is given as its own root
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers and "memory" not in controllers.split(","):
            continue
        parts = [part for part in path.split("/") if part]
        if ".." in parts:  # of a group outside of what can be seen from here
            parts = []
        for base, names in (first,) if controllers else (second, hybrid):
            for depth in range(len(parts) + 1):
                yield from (base.joinpath(*parts[:depth], name) for name in names)


def _limit(file: Path) -> int:
    try:
        return int(file.read_text().strip())
    except (OSError, ValueError):  # not there, or "max"
        return _NO_LIMIT


def own_limit() -> int:
    """Bytes: the smaller of the soft limits on address space and data (``ulimit -v``, ``-d``); a huge number
    where there is none, or on systems without such limits."""
    try:
        import resource
    except ImportError:
        return _NO_LIMIT
    soft = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return min((limit for limit in soft if limit != resource.RLIM_INFINITY), default=_NO_LIMIT)


def used_memory(pid: int, *, proc: Path = Path("/proc")) -> int:
    """Bytes that a process holds in memory and that only it can give back: pages of mapped files, which the
    system drops when it needs room, are left out where the system tells them apart (Linux). 0 where there is
    no such process."""
    with suppress(OSError, ValueError, IndexError):
        lines = (proc / str(pid) / "status").read_bytes().splitlines()
        found = [int(line.split()[1]) * 1024 for line in lines if line.startswith(_IN_USE)]
        if found:
            return sum(found)
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def lacks_memory(error: BaseException) -> bool:
    """Whether an error says that memory could not be had; libraries have no common class for that."""
    words = str(error).casefold()
    return isinstance(error, MemoryError) or any(each in words for each in _MEMORY_WORDS)


def give_back_free_memory() -> None:
    """Has the C library return what was freed to the system, where it can: glibc keeps much of it."""
    with suppress(OSError, AttributeError, TypeError):  # another C library, or none under no name
        ctypes.CDLL(None).malloc_trim(0)


_lock = Lock()
_blocks: list[bool] = []  # those that are being run, in all threads; the first says whether it was on before


@contextmanager
def collection_put_off() -> Iterator[None]:
    """No cyclic garbage is collected until the block is left, in any thread. The memory of dead cycles is
    held that long: keep the block short, and make in it what is to stay. Blocks may overlap; with the last
    of them collecting starts again, if it was on before the first."""
    with _lock:
        _blocks.append(gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if len(_blocks) == 1 and _blocks[0]:
                gc.enable()
            _blocks.pop()
