"""The process that indexes: ``python -m fabula.api.jobs.worker``, started by the server for one job.

It reads one line of JSON from stdin, says how far it is on stdout, a line of JSON each, and ends. When
stdin ends first, the server is gone, and so is the worker: a killed server leaves nobody writing.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.runtime.memory_limits import lacks_memory
from .limits import limit_process

if TYPE_CHECKING:
    from ...core.runtime.memory_monitor import MemoryMonitor
    from ...library.library import Library
    from ...project.indexing import IndexReport

_EVERY_S = 0.25  # between two reports of progress within a stage
Say = Callable[[Mapping[str, Any]], None]


def work(order: Mapping[str, Any], say: Say) -> None:
    """Does what the order says (``kind``, ``root``, ``budget`` in bytes, and ``name`` and ``file`` or
    ``project``); ends with a line that holds ``report`` or ``problem``, or ``lacks`` where there was not
    enough memory for it."""
    from ...errors import FabulaError
    from ..problems import problem_of

    try:
        say({"report": _report(order, _Throttled(say))})
    except (FabulaError, OSError, MemoryError, RuntimeError, ImportError) as error:
        if isinstance(error, FabulaError) or not lacks_memory(error):
            say({"problem": problem_of(error).data()})
        else:
            say({"lacks": "memory"})


def _report(order: Mapping[str, Any], progress: _Throttled) -> dict[str, Any]:
    """Memory is the server's and this process's together: both look at what both use."""
    from ...core.files.plain_json import plain
    from ...core.runtime.memory_monitor import MemoryMonitor
    from ...library.library import Library
    from ...project.creating import Reindexing

    library = Library(Path(order["root"]))
    server = os.getppid()
    with MemoryMonitor(budget=order["budget"], shares_with=lambda: (server,)) as monitor:
        if order["kind"] == "demo":
            return dict(plain(library.add_demo(monitor=monitor, progress=progress).report))
        if order["kind"] == "ingest":
            content = Path(order["file"]).read_bytes()
            return dict(plain(library.add(order["name"], content, monitor=monitor, progress=progress).report))
        if order["kind"] == "book":
            return dict(plain(_change_books(order, library, monitor, progress)))
        if order["kind"] == "pack":
            return _pack(order, library, progress)
        folder = library.root / order["project"]
        return dict(plain(Reindexing(folder, library.settings, monitor, progress).embed_again()))


def _change_books(
    order: Mapping[str, Any], library: Library, monitor: MemoryMonitor, progress: _Throttled
) -> IndexReport:
    if "name" in order:
        name, content = order["name"], Path(order["file"]).read_bytes()
        return library.add_book(order["project"], name, content, monitor=monitor, progress=progress)
    shelf = library.bookshelf(order["project"], monitor=monitor, progress=progress)
    if "to" in order:
        return shelf.move(order["move"], order["to"])
    return shelf.remove(order["remove"])


def _pack(order: Mapping[str, Any], library: Library, progress: _Throttled) -> dict[str, Any]:
    from ...config import load_config
    from ...core.files.plain_json import plain
    from ...engine import make_embedder
    from ...packs.shelf import PackShelf
    from ...project.trust import user_settings

    config = load_config(*user_settings(), *library.settings)
    shelf = PackShelf(library.root, lambda: make_embedder(config))
    try:
        content = Path(order["file"]).read_bytes()
        return dict(plain(shelf.index(order["project"], order["name"], content, progress=progress)))
    finally:
        shelf.close()


class _Throttled:
    """Progress, not more than a few times a second, but the first and the last of each stage."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._stage = ""
        self._said = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage == self._stage and done < total and now - self._said < _EVERY_S:
            return
        self._stage, self._said = stage, now
        self._say({"progress": {"stage": stage, "done": done, "total": total}})


def _watch(stdin: Any) -> None:
    stdin.read()
    os._exit(1)


def main() -> None:
    """The process itself, at low priority. It does not return: it exits with 0 once the last line is written,
    and with 1 where its stdin ends before, or something unforeseen went wrong."""
    with contextlib.suppress(OSError):
        os.nice(10)  # whoever searches meanwhile goes first
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what a library prints is no message to the server
    order = json.loads(sys.stdin.readline())
    limit_process(order["limits"])
    threading.Thread(target=_watch, args=(sys.stdin,), daemon=True).start()

    def say(message: Mapping[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")

    code = 1
    try:
        work(order, say)
        out.close()
        code = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(code)  # the watching thread sits in a read that a shutdown would wait for


if __name__ == "__main__":
    main()
