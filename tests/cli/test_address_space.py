"""A limit on what a process may map: one line, and no traceback of a library that could not be loaded."""

import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="other systems hold no such limit")
@pytest.mark.parametrize("kilobytes", [500_000, 700_000, 1_000_000])
def test_too_little_to_load_the_models_is_one_line(tmp_path, kilobytes):
    (tmp_path / "tale.md").write_text("# One\n\nAda met Wilf in the mill.\n")
    command = f'ulimit -v {kilobytes}; exec "$0" -m fabula index tale.md -o p'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("fabula: the system gave no more memory")
