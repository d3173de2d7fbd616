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

if TYPE_CHECKING:
    from ...project.indexing import Progress

_EVERY_S = 0.25  # between two reports of progress within a stage
Say = Callable[[Mapping[str, Any]], None]


def work(order: Mapping[str, Any], say: Say) -> None:
    """Does what the order says (``kind``, ``root``, ``budget`` in bytes, ``project``, and ``name`` and
    ``file`` where something was sent); ends with a line that holds ``report`` or ``problem``."""
    from ...core.files.plain_json import plain
    from ...errors import FabulaError, MemoryBudgetError
    from ..problems import problem_of

    try:
        say({"report": plain(_report(order, _throttled(say)))})
    except (FabulaError, OSError, MemoryError, RuntimeError, ImportError) as error:
        lacks = not isinstance(error, FabulaError) and lacks_memory(error)
        short = MemoryBudgetError("there was not enough memory: try again, or take the text in parts")
        say({"problem": problem_of(short if lacks else error).data()})


def _report(order: Mapping[str, Any], progress: Progress) -> object:
    """Memory is the server's and this process's together: both look at what both use."""
    from ...config import load_config
    from ...core.runtime.memory_monitor import MemoryMonitor
    from ...engine import make_embedder
    from ...library.library import Library
    from ...packs.shelf import PackShelf
    from ...project.creating import Reindexing
    from ...project.trust import user_settings

    library = Library(Path(order["root"]))
    server = os.getppid()
    with MemoryMonitor(budget=order["budget"], shares_with=lambda: (server,)) as monitor:
        if order["kind"] == "embeddings":
            folder = library.root / order["project"]
            return Reindexing(folder, library.settings, monitor, progress).embed_again()
        name, content = order["name"], Path(order["file"]).read_bytes()
        if order["kind"] == "pack":
            config = load_config(*user_settings(), *library.settings)
            with contextlib.closing(PackShelf(library.root, lambda: make_embedder(config))) as shelf:
                return shelf.index(order["project"], name, content, progress=progress)
        if order["kind"] == "book":
            return library.add_book(order["project"], name, content, monitor=monitor, progress=progress)
        return library.add(name, content, monitor=monitor, progress=progress).report


def _throttled(say: Say) -> Progress:
    """Progress, not more than a few times a second, but the first and the last of each stage."""
    last, since = "", 0.0

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal last, since
        now = time.monotonic()
        if stage != last or done >= total or now - since >= _EVERY_S:
            last, since = stage, now
            say({"progress": {"stage": stage, "done": done, "total": total}})

    return progress


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
