"""The documentation's site asks no other host, its reference is the program's, its map is true."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from scripts import reference

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TESTS = ROOT / "tests"
CONFIG = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
CATALOGUE = ROOT / "experiments" / "catalogue.toml"
HOUSE = DOCS / "explanation" / "house.md"
_FETCHED = re.compile(
    r"""<(?:script|img|iframe|link|source|video|audio|embed|object)\b[^>]*?\b(?:src|href|data|srcset)=["']?"""
    r"""((?:https?:)?//[^"'\s>]+)""",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", ["cli.md", "config.md", "http-api.md", "rules.md", "pack-schema.json"])
def test_reference_pages_are_what_the_program_says(name):
    said = (DOCS / "reference" / name).read_text(encoding="utf-8")
    assert said == reference.PAGES[name](), "run make reference"


def test_checking_the_reference_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(reference, "FOLDER", tmp_path)
    assert "cli.md" in reference.main(["--check"])
    assert not list(tmp_path.iterdir())
    assert reference.main([]) is None
    assert reference.main(["--check"]) is None


def test_the_site_is_set_up_to_ask_no_other_host():
    assert CONFIG["theme"]["font"] is False
    assert CONFIG["plugins"] == ["search"]
    written = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert not re.search(r"https?://|repo_url|analytics|mermaid", written)
    for page in DOCS.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"!\[[^]]*\]\((?:https?:)?//|```mermaid", text), page
        assert not _FETCHED.search(text), page


def _files(nav):
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [file for part in parts for file in _files(part)]


def test_every_page_is_in_the_navigation():
    assert sorted(_files(CONFIG["nav"])) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def test_the_site_builds_and_asks_no_other_host(tmp_path):
    pytest.importorskip("material", reason="make docs installs what the site needs")
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet", "-d", tmp_path]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert 30 < len(pages) <= 36  # few enough to be read
    for page in pages:
        assert not (asked := _FETCHED.search(page.read_text(encoding="utf-8"))), f"{page.name}: {asked[1]}"
    for style in tmp_path.rglob("*.css"):
        asked = re.search(r"""(?:@import|url\()\s*["']?(?:https?:)?//""", style.read_text(encoding="utf-8"))
        assert not asked, style


def test_the_map_of_the_code_is_two_clicks_away_and_answers_questions():
    first = (DOCS / "index.md").read_text(encoding="utf-8")
    second = [DOCS / target for target in re.findall(r"\]\(([^)#]+\.md)", first)]
    assert any(page == HOUSE or HOUSE.name in page.read_text(encoding="utf-8") for page in second)
    asked = HOUSE.read_text(encoding="utf-8").split("## Where is what?")[1].split("\n## ")[0]
    assert len(re.findall(r"^### .+\?$", asked, re.MULTILINE)) >= 10


def test_paths_that_pages_name_are_there():
    named = re.compile(r"`((?:src|tests|experiments|scripts|docs)/[\w./-]+)`")
    for page in (ROOT / "README.md", *DOCS.rglob("*.md")):
        paths = named.findall(page.read_text(encoding="utf-8"))
        assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == [], page


@pytest.mark.skipif(not CATALOGUE.is_file(), reason="there is no catalogue of experiments")
def test_experiments_that_pages_name_are_in_the_catalogue():
    known = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    for page in (ROOT / "README.md", *DOCS.rglob("*.md")):
        named = re.findall(r"experiments/run\.py (\w+)", page.read_text(encoding="utf-8"))
        assert set(named) <= set(known), page


def test_what_is_said_to_be_held_by_a_test_is():
    """The table of the four assistants names tests; each is there."""
    text = (DOCS / "explanation" / "four-assistants.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", text)
    assert len(named) > 100
    for file, test in named:
        there = re.search(rf"\b(?:def {test}\(|class {test})", (TESTS / file).read_text(encoding="utf-8"))
        assert there, f"{file}::{test}"
    rows = [line for line in text.splitlines() if line.startswith("| ") and "`" in line]
    assert all(re.search(r"\| (yes|in part|otherwise) \|", row) for row in rows)


_SAID = """
told later: from later chapters; told so far: so far in the story; told by then: up to there; told before:
earlier in the story; set beside: compared with; held against: compared with, checked against; laid down:
established; lays down: says, states; stands on: is supported by; stands upon: builds on; for good:
permanently; vouch: assert; by to know: could witness; made anew: made again; to mend: to fix; goes on
where: continues where; worked on: processed; whoever: anyone who; shelf: library; a process of its own:
its own process
"""
INSTEAD = dict(pair.strip().split(": ") for pair in " ".join(_SAID.split()).split(";"))
SPOKEN = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "reference"),
    *sorted((ROOT / "src" / "ui").rglob("*.toml")),
]


def _helps(command, name):
    yield " ".join([name, *(getattr(one, "help", None) or "" for one in (command, *command.params))])
    for below, one in getattr(command, "commands", {}).items():
        yield from _helps(one, f"{name} {below}")


def _found(text):
    text = re.sub(r"<!-- results:.*?<!-- end -->|```.*?```|[“\"][^”\"\n]*[”\"]", " ", text, flags=re.DOTALL)
    plain = " ".join(text.split()).casefold()
    return [f"{said!r}: write {INSTEAD[said]!r}" for said in INSTEAD if re.search(rf"\b{said}", plain)]


@pytest.mark.parametrize("page", SPOKEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_speak_plainly(page):
    assert not _found(page.read_text(encoding="utf-8"))


def test_help_speaks_plainly():
    from fabula.cli.commands import cli

    assert not [(one, found) for one in _helps(cli, "fabula") if (found := _found(one))]
