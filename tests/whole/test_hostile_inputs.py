import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.stories.hostile_files import INPUTS

SECONDS, MEGABYTES = 60, 1_200


class Readers:
    """The process that reads; a new one where it was ended."""

    def __init__(self):
        self._process: subprocess.Popen[str] | None = None

    def read(self, order):
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "tests.stories.limited_reading", str(SECONDS), str(MEGABYTES)]
            environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=environment,
                cwd=Path(__file__).parents[2],
            )
            assert json.loads(self._process.stdout.readline())["ready"]
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))

    def close(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()


@pytest.fixture(scope="module")
def readers():
    made = Readers()
    yield made
    made.close()


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
def test_a_hostile_input_is_read_or_refused_within_limits(readers, name, tmp_path, capfd):
    files = INPUTS[name].files()
    for file, content in files.items():
        (tmp_path / file).write_bytes(
            content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        )
    first = str(tmp_path / next(iter(files)))
    done = readers.read({"kind": INPUTS[name].kind, "file": first, "folder": str(tmp_path)})
    line = f"{done['seconds']:7.1f} s {done['peak_mb']:6} MB  {name}: {str(done['said'])[:150]}"
    with capfd.disabled():
        sys.stdout.write(f"\n{line}")
    assert done["code"] in (0, 2), line
    converted = "s to read: take the book as .txt" in str(done["said"])  # by the converter's own limit
    assert done["seconds"] < SECONDS + 3 * converted, line
    assert done["peak_mb"] < MEGABYTES, line
