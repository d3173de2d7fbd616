import hashlib
import io
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import click
import pytest
from tests.stories.examples import rows
from tests.tables import values

from fabula.cli.commands import main


def _tree(folder):
    """Digest of every file that holds state (SQLite's own side files come and go)."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm", ".lock"))
    }


@pytest.mark.parametrize(("command",), rows(Path(__file__).with_name("commands.tsv")))
def test_answers_as_text_and_as_json(demo_project, run_cli, command):
    command = shlex.split(command.replace("DEMO", str(demo_project)))
    text = run_cli(*command)
    assert text.code == 0 and text.out.strip()
    assert json.loads(run_cli(*command, "--json").out) is not None
    assert run_cli(*command).out == text.out


def test_doctor_is_content_here(demo_project, run_cli):
    result = run_cli("doctor", demo_project)
    assert result.code == 0 and "verified" in result.out and "MISSING" not in result.out


def test_check_fails_like_a_linter(demo_project, run_cli, tmp_path):
    draft = tmp_path / "draft.txt"
    names = [e["name"] for e in json.loads(run_cli("graph", demo_project, "--json").out)["entities"][:2]]
    draft.write_text(f"{names[0]} hated {names[1]}. {names[0]} loved {names[1]}.")
    assert run_cli("check", demo_project, "--draft", draft).code == 0
    assert run_cli("check", demo_project, "--draft", draft, "--fail-on", "info").code == 1


@pytest.fixture(scope="module")
def bad_place(tmp_path_factory, demo_project):
    place = tmp_path_factory.mktemp("bad")
    (place / "binary.txt").write_bytes(bytes(range(256)) * 10)
    (place / "empty.txt").write_text(" \n")
    (place / "latin.txt").write_bytes("Él se fue. Adiós, niña.".encode("latin-1"))
    (place / "tokens.toml").write_text("[[token]]\n")
    (place / "x.pdf").write_bytes(b"%PDF-1.4")
    (place / "topics.tsv").write_text("\ufeffq1\tthe mill\nq2\tthe river\nq1\tthe lock\n", encoding="utf-8")
    (place / "tale.txt").write_text("A short tale. It ends here.")
    (place / "full").mkdir()
    (place / "full" / "mine.txt").write_text("mine")
    for name in ("project", "corrupt", "damaged"):
        shutil.copytree(demo_project, place / name)
    with closing(sqlite3.connect(place / "project" / "fabula.db")) as db:  # what is last written is written
        db.execute("pragma wal_checkpoint(truncate)")
    for side in (place / "corrupt").glob("fabula.db*"):
        side.write_bytes(b"no database" * 500)
    for file in (place / "damaged" / "index").rglob("vectors.npy"):
        file.write_bytes(file.read_bytes()[:-1000])
    return place


@pytest.mark.parametrize(("bad", "command", "hint"), rows(Path(__file__).with_name("bad_commands.tsv")))
def test_bad_input_is_one_line_exit_2_and_nothing_touched(bad_place, run_cli, bad, command, hint):
    before = _tree(bad_place)
    result = run_cli(*(word.replace("PLACE", str(bad_place)) for word in shlex.split(command)))
    assert result.code == 2, result
    assert result.out == ""
    assert len(result.err.strip().splitlines()) == 1
    assert hint in result.err
    assert "Traceback" not in result.err
    assert _tree(bad_place) == before


def test_index_reports_and_a_lone_text_is_one_chapter_in_its_encoding(tmp_path, run_cli):
    book = tmp_path / "tale.txt"
    book.write_bytes("Él se fue. Adiós, niña.".encode("latin-1"))
    command = ("index", book, "-o", tmp_path / "p", "--encoding", "latin-1")
    assert json.loads(run_cli(*command, "--json").out)["chapters"] == 1
    assert "1 chapters" in run_cli(*command).out


@pytest.mark.slow
@pytest.mark.parametrize("live", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_the_demo_end_to_end(tmp_path, live):
    command = [sys.executable, "-m", "fabula", "demo", "-o", str(tmp_path / "out"), *["--live"] * live]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for pipeline in ("standard", "graph", "fused"):
        assert pipeline in done.stdout
    assert ("135M" in done.stdout) is live
    said = " ".join(done.stdout.split())
    assert live or "A tie: no findings in each of the 3 drafts that could be judged." in said
    assert "FAILED" not in said
    assert "Who is Harriet's uncle? Barnaby Pellow “watched her uncle put his ear to a hive" in said
    assert "Barnaby Pellow is dead (chapter 6), yet acts or speaks in chapter 10." in said
    assert shutil.which(done.stdout.partition("Next: ")[2].split(" search")[0])  # can be typed as it stands
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert [one["pipeline"] for one in report["facts"]["pipelines"]] == ["standard", "graph", "fused"]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and page.index("Who is who") < page.index("At a glance")
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_folders_and_screenplays_are_indexed(run_cli, tmp_path):
    books = Path(__file__).parents[1] / "stories" / "books"
    for name, chapters in (("The Ferry.scriv", 3), ("vault", 3), ("ferry.fountain", 3)):
        project = tmp_path / name
        assert f"{chapters} chapters" in run_cli("index", books / name, "-o", project).out
        found = run_cli("search", project, "who says: never late", "--mode", "lexical", "-k", "1").out
        assert "1. chapter " in found


def test_every_line_of_the_command_list_is_whole():
    from fabula.cli.commands import cli

    def walk(group):
        commands = [one for one in group.commands.values() if not one.hidden]
        room = 80 - 2 - 6 - max(len(one.name) for one in commands)  # what click leaves of 80 columns
        for one in commands:
            short = one.get_short_help_str(room)
            assert short.endswith(".") and not short.endswith("..."), (one.name, short)
            if isinstance(one, click.Group):
                walk(one)

    walk(cli)


def test_a_book_and_a_draft_are_read_from_stdin(tmp_path, run_cli, refusal, monkeypatch):
    def piped(text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    book = "# My Tale\n\n## Chapter 1\n\nLena loved Otto. Otto was killed by the baker in the mill.\n"
    piped(book)
    made = run_cli("index", "-", "-o", tmp_path / "p", "--json")
    assert made.code == 0, made.err
    (tmp_path / "d").write_text("Otto walked into the room and said hello.", encoding="utf-8")
    with (tmp_path / "d").open("rb") as held:
        for draft in ("-", f"/dev/fd/{held.fileno()}"):
            piped("Otto walked into the room and said hello.")
            found = run_cli("check", tmp_path / "p", "--draft", draft, "--format", "sarif")
            assert found.code == 0 and '"uri": "draft.txt"' in found.out, found.err
    piped("")
    assert "stdin.txt is blank" in refusal("check", tmp_path / "p", "--draft", "-")
    for how in (("--suspects", 3), ("--json",)):
        piped("Otto was never killed.")
        found = run_cli("check", tmp_path / "p", *how, "--draft", "-")
        assert found.code == 0 and "Otto was killed by the baker" in found.out
    [suspect] = json.loads(found.out)["suspects"]
    assert suspect["later"]["text"] == "Otto was never killed." and suspect["later"]["draft"]
    assert "more than 50 MB came in" in refusal("index", "/dev/zero", "-o", tmp_path / "q")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("fabula comp", "plain,compare\n"),
        ("fabula search demo --mode s", "plain,semantic\n"),
        ("fabula nosuch zz", "\n"),
    ],
)
def test_the_shell_completes_commands_options_and_choices(words, said):
    asked = {"_FABULA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": f"{words.count(' ')}"}
    command, env = [sys.executable, "-m", "fabula"], {**os.environ, **asked}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (said, "")


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
@pytest.mark.parametrize(("kilobytes", "command"), values(__file__, "too_little_to_load_the_models.tsv"))
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
