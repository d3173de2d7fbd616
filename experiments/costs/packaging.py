"""What does an installation cost, and does what is installed run, on each Python?

    python experiments/run.py packaging --python PATH [--python PATH …] [--torch REQUIREMENT]

The wheel of a clean clone, installed by pip without its cache. It runs in an empty folder, with an empty home
and nothing but the environment on PATH. The first Python gets REQUIREMENT (a CPU build of torch) with it, and
each extra alone."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from experiments.common.folders import ROOT
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result

CLEAN = 'cd empty && exec env -i PATH="$PWD/../env/bin" HOME="$PWD" LANG=C.UTF-8 fabula'
STEPS = {
    "build": f"git clone -q '{ROOT}' clone && {{python}} -m venv env && PIP wheel -q --no-deps -w . ./clone",
    "install": "PIP install -q {torch} ./*.whl && mkdir empty && cp clone/README.md empty/book.md",
    "demo": f"{CLEAN} demo",
    "index": f"{CLEAN} index book.md -o project",
    "search": f"{CLEAN} search project 'one finding'",
    "check": f"{CLEAN} check project",
    "app": f"{{{{ {CLEAN} app --headless --port 8591; }}}} & for i in {{{{1..900}}}}; do sleep .2; "
    "env/bin/python -c \"import urllib.request as w; w.urlopen('http://127.0.0.1:8591/_stcore/health')\" "
    "&& kill %1 && exit; done; kill %1; exit 1",
}
EXTRA = (
    'rm -rf extra && env/bin/python -m venv extra && echo "$PWD"/env/lib/python*/site-packages > '
    "$(echo extra/lib/python*/site-packages)/base.pth && du -sm extra > before && "
    "extra/bin/python -m pip --no-cache-dir install -q $(echo ./*.whl)'[{extra}]'"
)


def main(options: argparse.Namespace) -> None:
    """Writes ``results/packaging.json``, anew after each Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows: list[dict[str, Any]] = []
    for number, python in enumerate(options.python):
        torch = "" if number else options.torch
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            seconds = {step: _run(line, folder, python=python, torch=torch) for step, line in STEPS.items()}
            wheel = next(folder.glob("*.whl"))
            rows.append({"wheel": wheel.name, "torch": torch, "seconds": seconds})
            rows[-1] |= {"wheel_mb": round(wheel.stat().st_size / 1e6, 1), "mb": _size(folder, "env")}
            for extra in project["optional-dependencies"] if torch else ():
                took = _run(EXTRA, folder, extra=extra)
                before = int((folder / "before").read_text().split()[0])
                added = {"seconds": took, "mb": _size(folder, "extra") - before}
                rows[-1].setdefault("extras", {})[extra] = added
        facts = {"question": (__doc__ or "").partition("\n")[0], "wheels": [row["wheel"] for row in rows]}
        write_result("packaging", facts=facts, measured=machine(rows=rows))


def _run(line: str, folder: Path, **given: object) -> float:
    """Seconds of a line that must succeed."""
    started = time.perf_counter()
    line = line.format(**given).replace("PIP ", "env/bin/python -m pip --no-cache-dir ")
    done = subprocess.run(  # noqa: S603
        ["bash", "-c", line],  # noqa: S607
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{line} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return round(time.perf_counter() - started, 1)


def _size(folder: Path, name: str) -> int:
    return int(subprocess.check_output(["du", "-sm", name], cwd=folder).split()[0])  # noqa: S603, S607


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--python", action="append", type=Path, default=[], help="a Python (repeatable)")
    options.add_argument("--torch", default="", metavar="REQUIREMENT", help="a CPU build of torch")
    return options
