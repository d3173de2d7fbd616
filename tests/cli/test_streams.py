"""The console command as a process: arguments, streams and disks that are not as they should be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")
POSIX = pytest.mark.skipif(os.name != "posix", reason="arguments are text there")


@pytest.fixture
def fabula(demo_project):
    """Runs it on the demo, which is ``{demo}``."""

    def run(*arguments, stdout=subprocess.PIPE, said=b"", **env):
        given = [os.fsencode(str(demo_project) if one == "{demo}" else one) for one in arguments]
        return subprocess.run(
            [sys.executable, "-m", "fabula", *given],
            input=said,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={**os.environ, **env},
            check=False,
        )

    return run


def one_line(error):
    text = error.decode()
    return text.startswith("fabula: ") and text.count("\n") == 1


@POSIX
@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "{demo}", b"a\xffb"),
        ("ask", "{demo}", b"\xc3"),
        ("index", b"bad\xff.txt", "-o", "never"),
        ("index", "book.txt", "-o", b"P\xe9"),
        ("search", "{demo}", ""),
        ("search", "{demo}", "  ", "--mode", "lexical"),
        ("memories", "{demo}", ""),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(fabula, arguments):
    ran = fabula(*arguments)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert one_line(ran.stderr)


def test_a_question_on_stdin_that_is_no_text_is_refused(fabula):
    ran = fabula("ask", "{demo}", "--no-model", said=b"Where is Len\xff?\n")
    assert ran.returncode == 2
    assert one_line(ran.stderr)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii", "cp437", "utf-8"])
@pytest.mark.parametrize("how", [(), ("--json",)])
def test_every_encoding_can_be_written(fabula, encoding, how):
    query = "Nguyễn Thị Mai 🐝"
    ran = fabula("search", "{demo}", query, "--mode", "lexical", *how, PYTHONIOENCODING=encoding)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout


@POSIX
@pytest.mark.parametrize("command", [("search", "--mode", "lexical"), ("ask", "--no-model")])
def test_a_locale_that_knows_ascii_alone_changes_nothing(fabula, command):
    name, *how = command
    plain = fabula(name, "{demo}", "José’s bees", *how)
    ran = fabula(name, "{demo}", "José’s bees", *how, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, plain.stdout, b"")


@pytest.mark.skipif(not FULL.exists(), reason="no disk that is always full")
@pytest.mark.parametrize(
    "arguments",
    [("graph", "{demo}"), ("graph", "{demo}", "--json"), ("--help",), ("search", "{demo}", "bees")],
)
def test_a_full_disk_is_told_in_one_line(fabula, arguments):
    with FULL.open("wb") as full:
        ran = fabula(*arguments, stdout=full)
    assert ran.returncode == 2
    assert ran.stderr == b"fabula: No space left on device\n"
