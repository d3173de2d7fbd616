"""The README says what the result files say, and nothing it names is missing."""

import importlib.util
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _tables():
    spec = importlib.util.spec_from_file_location("readme_tables", ROOT / "experiments" / "readme_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_its_numbers_come_from_the_result_files():
    tables = _tables()
    assert len(re.findall(r"<!-- results: (\w+) -->", README)) >= 3
    assert tables.rendered(README) == README


def test_its_example_is_what_the_program_says(demo_project, run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    block = re.search(r"```console\n(.*?)```", README, re.DOTALL)[1]
    steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert len(steps) >= 3
    for command, said in steps:
        words = shlex.split(command.replace("demo-out/project", str(demo_project)))
        if words[0] == "echo":
            Path(words[-1]).write_text(f"{words[1]}\n", encoding="utf-8")
            continue
        assert words[0] == "fabula"
        assert run_cli(*words[1:]).out.strip() == said.strip()


def test_files_it_links_to_are_there():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_make_targets_it_names_are_there():
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"^(?:\$ )?make ([a-z-]+)", README, re.MULTILINE)
    assert {"demo", "test"} <= set(named) <= set(targets)
