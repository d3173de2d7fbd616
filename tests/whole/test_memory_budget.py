import subprocess
import sys

import pytest

from fabula.cli.commands import main
from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.demo import save_story
from fabula.engine import index_book
from fabula.errors import MemoryBudgetError


def _files(project):
    return {file.name: file.read_bytes() for file in (project / "index" / "000001").iterdir()}


def _has_budget(project, gigabytes):
    (project / "fabula.toml").write_text(f"[memory]\nbudget_gb = {gigabytes}\n")


@pytest.mark.parametrize(
    "asked", ["search Who?", "search Who? --rate 1 1", "ask Who? --no-model", "check", "compare Who?"]
)
def test_new_work_is_refused_in_a_line(run_cli, done, demo_copy, asked):
    command, *more = asked.split()
    _has_budget(demo_copy.project, 0.01)
    refused = run_cli(command, demo_copy.project, *more)
    assert (refused.code, refused.out) == (2, "")
    last = refused.err.splitlines()[-1]
    assert "the budget is 0.01 GB" in last and "memory.budget_gb" in last
    if command != "compare":
        _has_budget(demo_copy.project, 0)
        done(command, demo_copy.project, *more)


def test_an_index_is_not_begun(run_cli, demo_copy, tmp_path):
    tight = ("--set", "memory.budget_gb=0.01")
    refused = run_cli("index", demo_copy.book, "-o", tmp_path / "new", *tight)
    assert refused.code == 2
    assert "the budget is 0.01 GB" in refused.err.splitlines()[-1]
    assert not (tmp_path / "new").exists()


class Shrinking(MemoryMonitor):
    """Its budget is passed after some samples."""

    left = 12

    def resident(self):
        self.left -= 1
        return 0 if self.left > 0 else self.budget


def test_an_index_that_came_to_the_budget_goes_on_from_there(tmp_path, monkeypatch):
    monkeypatch.setattr("fabula.project.creating.MEMORY_PATIENCE_S", 0)
    book = tmp_path / "tale.md"
    book.write_text("".join(f"# {n}\n\nAda met Wilf at mill {n}.\n\n" for n in range(1, 11)))
    monitor = Shrinking(budget=1 << 50)
    with pytest.raises(MemoryBudgetError):
        index_book(book, tmp_path / "p", monitor=monitor)
    report = index_book(book, tmp_path / "p")
    assert report.embedded < report.chapters == 10


class Scarce(MemoryMonitor):
    """Its budget is passed for three samples out of eight."""

    samples = 0

    def resident(self):
        self.samples += 1
        return self.budget if self.samples % 8 in (3, 4, 5) else 0


def test_an_index_that_has_to_wait_for_memory_says_so_and_comes_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr("gc.collect", lambda: 0)
    book = tmp_path / "tale.md"
    paragraph = "Ada met Wilf at mill {0}. She had never seen the mill before, and he told her so. " * 20
    book.write_text("".join(f"# {n}\n\n{paragraph.format(n)}\n\n" for n in range(1, 7)))
    told = []
    monitor = Scarce(budget=1 << 50, interval=0.01, patience=0)
    index_book(book, tmp_path / "scarce", monitor=monitor, progress=lambda *one: told.append(one))
    assert monitor.report.helpless and monitor.report.waited_s and not monitor.report.refused
    assert ("wait for memory", 0, 60) in told
    index_book(book, tmp_path / "plenty")
    scarce, plenty = _files(tmp_path / "scarce"), _files(tmp_path / "plenty")
    assert scarce.keys() == plenty.keys() and len(scarce) > 5
    assert [name for name in scarce if scarce[name] != plenty[name]] == []


@pytest.mark.thorough
def test_an_index_in_two_gigabytes_of_address_space_has_the_same_bytes(demo_project, tmp_path):
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)); "
        "from fabula.cli.commands import main; sys.argv = ['fabula', 'index', *sys.argv[1:]]; main()"
    )
    command = [sys.executable, "-c", limited, str(save_story(tmp_path)), "-o", str(tmp_path / "p")]
    subprocess.run(command, check=True, capture_output=True)
    assert _files(demo_project) == _files(tmp_path / "p")


def test_memory_that_the_system_does_not_give_is_one_line(monkeypatch, capsys):
    def starved(**_):
        raise MemoryError

    monkeypatch.setattr("fabula.cli.commands.cli", starved)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "run it again" in line
