"""``fabula`` run as a user would run it, in a process of its own, and what that costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

__all__ = ["run_fabula"]


def run_fabula(*arguments: str) -> dict[str, Any]:
    """Its JSON answer (``answer``; ``--json`` is among the arguments), wall seconds (``wall_s``), processor
    seconds with those of its workers (``cpu_s``), and the most memory that one of the processes held
    (``peak_gb``). Ends the program where it fails."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        started = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-m", "fabula", *arguments], stdout=out)  # noqa: S603
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"fabula {' '.join(arguments[:2])} ended with {process.returncode}")
        out.seek(0)
        answer = json.load(out)
    return {
        "wall_s": round(wall, 1),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_gb": round(usage.ru_maxrss * 1024 / 1e9, 2),  # kilobytes on Linux
        "answer": answer,
    }
