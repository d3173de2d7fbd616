"""The door to all experiments.

python experiments/run.py                         lists them, the quickest first
python experiments/run.py NAME [--data DIR] …     runs one; ``NAME --help`` tells its options
python experiments/run.py --readme                makes the table of experiments/README.md anew
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # instead of this folder, so that ``experiments`` is a package

from experiments.common.catalogue import README, Experiment, load_catalogue, render  # noqa: E402


def main(arguments: list[str]) -> int:
    """The exit code: the experiment's own, 2 where there is none of that name."""
    known = load_catalogue()
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        print("\n".join(map(_line, sorted(known.values(), key=_minutes))))
        return 0
    name, *options = arguments
    if name == "--readme":
        README.write_text(render(README.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    if name not in known:
        print(f"no experiment {name!r}: name one of {', '.join(known)}", file=sys.stderr)
        return 2
    return _run(known[name], options)


def _run(experiment: Experiment, options: list[str]) -> int:
    sys.argv = [f"{sys.argv[0]} {experiment.name}", *options]  # for the parser, which names its program by it
    module = experiment.load()
    given = module.parser().parse_args()
    started = time.perf_counter()
    status = module.main(given)
    print(f"{experiment.name}: {(time.perf_counter() - started) / 60:.1f} minutes", file=sys.stderr)
    return int(status or 0)


def _minutes(experiment: Experiment) -> float:
    """Of all runs; infinite where one was not timed."""
    return sum(math.inf if run.minutes is None else run.minutes for run in experiment.runs)


def _line(experiment: Experiment) -> str:
    minutes = "not timed" if math.isinf(took := _minutes(experiment)) else f"{took:g} min"
    needs = f"; needs {experiment.data}" if experiment.data else ""
    return f"{experiment.name:16} {experiment.question} ({minutes}{needs})"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
