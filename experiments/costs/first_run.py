"""How long does a newcomer wait? Clones the repository and times the README's two commands.

Usage:  python experiments/run.py first_run

Cold: no virtual environment and an empty package cache (files that the machine's own settings point pip to
stay where they are). Again: everything is installed. ``make test`` comes last, so it installs nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from experiments.common.folders import ROOT
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result


def main(_: argparse.Namespace) -> None:
    """Writes ``results/first_run.json``."""
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch) / "fabula"
        Path(scratch).chmod(0o755)  # a PostgreSQL server runs as somebody else
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)  # noqa: S603, S607
        environment = {
            **{k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")},
            "UV_CACHE_DIR": str(Path(scratch) / "uv"),
            "PIP_CACHE_DIR": str(Path(scratch) / "pip"),
        }
        seconds, tests = {}, 0
        for target, label in (("demo", "demo_cold"), ("demo", "demo_again"), ("test", "test_again")):
            started = time.perf_counter()
            done = subprocess.run(  # noqa: S603
                ["make", target],  # noqa: S607
                cwd=clone,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            seconds[label] = round(time.perf_counter() - started, 1)
            if done.returncode:
                said = f"{done.stdout}\n{done.stderr}"
                raise SystemExit(f"make {target} ended with {done.returncode}:\n{said}")
            if found := re.search(r"(\d+) passed", done.stdout):
                tests = int(found[1])
            print(label, seconds[label], file=sys.stderr, flush=True)
    facts = {"question": "How long does a newcomer wait?", "tests_passed": tests}
    write_result("first_run", facts=facts, measured=machine(seconds=seconds))


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__)
