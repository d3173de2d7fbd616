import io
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.tables import values

from fabula.cli.commands import main

FULL = Path("/dev/full")
POSIX = pytest.mark.skipif(os.name != "posix", reason="arguments are text there")


@pytest.mark.parametrize("host", ["::", "192.0.2.1", "example.org", ""])
def test_it_is_not_open_to_others_without_tokens(run_cli, tmp_path, host):
    refused = run_cli("serve", tmp_path / "root", "--host", host)
    assert refused.code == 2 and "--tokens" in refused.err
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_this_machine_may_ask_without_tokens(run_cli, tmp_path, monkeypatch, host):
    made = Mock()
    monkeypatch.setattr("fabula.cli.serve.server", made)
    assert run_cli("serve", tmp_path, "--host", host, "--port", 0).code == 0
    assert made.call_args.kwargs == {"host": host, "port": 0}
    made.return_value.run.assert_called_once_with()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems hold no such limit")
@pytest.mark.parametrize(
    ("kilobytes", "command"),
    values(__file__, "too_little_to_load_the_models.tsv"),
)
def test_too_little_to_load_the_models_is_one_line(tmp_path, demo_project, kilobytes, command):
    (tmp_path / "tale.md").write_text("# One\n\nAda met Wilf in the mill.\n")
    line = f'ulimit -v {kilobytes}; exec "$0" -m fabula {command.format(demo=demo_project)}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("fabula: the system is out of memory")


@pytest.fixture
def fabula(demo_project):
    """Runs it on the demo, which is ``{demo}``."""

    def run(*arguments, stdout=subprocess.PIPE, said=b"", **env):
        given = [os.fsencode(str(demo_project) if one == "{demo}" else one) for one in arguments]
        command = [sys.executable, "-m", "fabula", *given]
        how = {"stdout": stdout, "stderr": subprocess.PIPE, "env": {**os.environ, **env}}
        return subprocess.run(command, input=said, check=False, **how)

    return run


@POSIX
@pytest.mark.parametrize(("arguments", "said"), values(__file__, "arguments_that_are_no_text.tsv"))
def test_what_is_no_text_is_refused_in_one_line(fabula, arguments, said):
    ran = fabula(*arguments, said=said)
    assert (ran.returncode, ran.stdout, ran.stderr.count(b"\n")) == (2, b"", 1)
    assert ran.stderr.startswith(b"fabula: ")


def test_an_encoding_of_the_environment_can_be_written(fabula):
    ran = fabula("graph", "{demo}", "--limit", "3", PYTHONIOENCODING="cp437")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"\\u201c" in ran.stdout


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii", "cp437", "utf-8"])
@pytest.mark.parametrize("how", [(), ("--json",)])
def test_every_encoding_can_be_written(demo_project, monkeypatch, encoding, how):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setattr(sys, "argv", ["fabula", "graph", str(demo_project), "--limit", "3", *how])
    monkeypatch.setattr(sys, "stdout", out)
    main()
    whole = encoding in ("cp1252", "utf-8", "ascii")  # click writes UTF-8 where ASCII is all there is
    told = out.buffer.getvalue().decode("utf-8" if encoding == "ascii" else encoding)
    assert how or ("“" if whole else "\\u201c") in told


@POSIX
def test_a_locale_that_knows_ascii_alone_changes_nothing(fabula):
    asked = ("search", "{demo}", "José’s bees", "--mode", "lexical")
    plain = fabula(*asked)
    ran = fabula(*asked, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, plain.stdout, b"")


@pytest.mark.skipif(not FULL.exists(), reason="no disk that is always full")
@pytest.mark.parametrize("arguments", [("graph", "{demo}"), ("--help",)])
def test_a_full_disk_is_told_in_one_line(fabula, arguments):
    with FULL.open("wb") as full:
        ran = fabula(*arguments, stdout=full)
    assert ran.returncode == 2
    assert ran.stderr == b"fabula: No space left on device\n"
