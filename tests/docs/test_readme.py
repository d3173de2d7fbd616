"""The README and the documentation say what result files and program say; nothing they name is missing."""

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from experiments import readme_tables as tables
from fabula.cli.commands import cli
from fabula.demo import reading_settings, save_story
from fabula.engine import config_of, index_book

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


def holding(words):
    return [page for page in PAGES if words in page.read_text(encoding="utf-8")]


REFERENCE = holding("Written by scripts/reference.py")
WRITTEN = [page for page in PAGES if page not in REFERENCE]
EXAMPLES = holding("```console\n")


def each(pages):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


def test_their_numbers_come_from_the_result_files():
    shown = set()
    for page in tables.pages():
        text = page.read_text(encoding="utf-8")
        shown |= set(re.findall(r"<!-- results: (\w+) -->", text))
        assert tables.rendered(text) == text, f"{page}: run make results"
    assert shown >= set(tables.TABLES), "a table that no page shows"
    assert "weaknesses" in re.findall(r"<!-- results: (\w+) -->", README.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def shown_project(made_once):
    """The project that the demo makes: read as a strong model read the story."""

    def make(place):
        config, _ = config_of(place / "project", assignments=reading_settings())
        index_book(save_story(place), place / "project", config=config)

    return made_once("shown", make) / "project"


@pytest.fixture
def beside_the_demo(shown_project, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(shown_project, "demo-out/project")


@each(EXAMPLES)
def test_examples_are_what_the_program_says(page, beside_the_demo, run_cli):
    blocks = re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
        assert steps
        for command, said in steps:
            words = shlex.split(command)
            if words[0] == "echo":
                Path(words[-1]).write_text(f"{words[1]}\n", encoding="utf-8")
                continue
            assert words[0] == "fabula"
            assert run_cli(*words[1:]).out.strip() == said.strip()


@each(holding("Project.open(Path("))
def test_python_examples_run(page, beside_the_demo):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        if "Project.open(Path(" in block:
            exec(compile(block, str(page), "exec"), {})  # noqa: S102


def test_the_readme_is_one_page_with_an_example_and_the_two_commands():
    text = README.read_text(encoding="utf-8")
    assert README in EXAMPLES and len(text.splitlines()) <= 160
    assert {"demo", "test"} <= set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE))


def test_the_demo_is_as_long_as_the_pages_say(demo_project, run_cli):
    said = re.search(r"[\d,]+ words", run_cli("check", demo_project).out)[0]
    for page in (README, ROOT / "docs" / "tutorials" / "first-story.md"):
        assert f"The Bloom Line, 13 chapters, {said}" in page.read_text(encoding="utf-8")
    assert "13 chapters, 160 chunks" in run_cli("doctor", demo_project).out


@each(PAGES)
def test_files_they_link_to_are_there(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target


@each(WRITTEN)
def test_make_targets_they_name_are_there(page):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"^(?:\$ )?make ([a-z-]+)|`make ([a-z-]+)`", text, re.MULTILINE)
    assert {one or other for one, other in named} <= set(targets)


@each(WRITTEN)
def test_commands_they_name_are_there(page):
    """In code: ``fabula VERB …`` with its options."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:text|console)\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for line in lines:
        if found := re.match(r"(?:\$ )?fabula ([a-z].*)", line):
            _check(found[1].split(" #")[0].split())


def _check(words):
    command, words = cli, list(words)
    while isinstance(command, click.Group):
        if not words or words[0] == "…":
            return
        assert words[0] in command.commands, f"there is no command {words[0]}"
        command = command.commands[words.pop(0)]
    options = {name for parameter in command.params for name in parameter.opts + parameter.secondary_opts}
    for word in words:
        if re.match(r"--?[a-z]", word):
            assert word.partition("=")[0] in options, f"{command.name} has no option {word}"
