"""The documentation's site asks no other host, its reference is the program's, its map is true."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

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


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name",
    ["cli.md", "config.md", "http-api.md", "rules.md", "pack-schema.json"],
)
def test_reference_pages_are_what_the_program_says(reference, name):
    said = (DOCS / "reference" / name).read_text(encoding="utf-8")
    assert said == reference.PAGES[name](), "run make reference"


def test_checking_the_reference_writes_nothing(reference, tmp_path, monkeypatch):
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


def test_every_page_is_in_the_navigation():
    assert sorted(_files(CONFIG["nav"])) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def test_the_site_builds_and_asks_no_other_host(tmp_path):
    pytest.importorskip("material", reason="make docs installs what the site needs")
    built = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert 30 < len(pages) <= 36  # few enough to be read
    for page in pages:
        assert not (asked := _FETCHED.search(page.read_text(encoding="utf-8"))), f"{page.name}: {asked[1]}"
    for style in tmp_path.rglob("*.css"):
        assert not re.search(
            r"""(?:@import|url\()\s*["']?(?:https?:)?//""", style.read_text(encoding="utf-8")
        )


def test_the_map_of_the_code_is_two_clicks_away_and_answers_questions():
    first = (DOCS / "index.md").read_text(encoding="utf-8")
    second = [DOCS / target for target in re.findall(r"\]\(([^)#]+\.md)", first)]
    assert any(page == HOUSE or HOUSE.name in page.read_text(encoding="utf-8") for page in second)
    asked = HOUSE.read_text(encoding="utf-8").split("## Where is what?")[1].split("\n## ")[0]
    assert len(re.findall(r"^### .+\?$", asked, re.MULTILINE)) >= 10


def test_paths_that_pages_name_are_there():
    missing = [
        f"{page.relative_to(ROOT)}: {path}"
        for page in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
        for path in re.findall(
            r"`((?:src|tests|experiments|scripts|docs)/[\w./-]+)`", page.read_text(encoding="utf-8")
        )
        if not (ROOT / path).exists() and "NAME" not in path
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.skipif(not CATALOGUE.is_file(), reason="there is no catalogue of experiments")
def test_experiments_that_pages_name_are_in_the_catalogue():
    known = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    for page in (ROOT / "README.md", *DOCS.rglob("*.md")):
        named = re.findall(r"experiments/run\.py (\w+)", page.read_text(encoding="utf-8"))
        assert set(named) <= set(known), page


def _files(nav):
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for below in entry.values():
                yield from [below] if isinstance(below, str) else _files(below)


def test_what_is_said_to_be_held_by_a_test_is():
    """The table of the four assistants names tests; each is there."""
    text = (DOCS / "explanation" / "four-assistants.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", text)
    assert len(named) > 100
    for file, test in named:
        assert f"def {test}(" in (TESTS / file).read_text(encoding="utf-8") or (
            f"class {test}" in (TESTS / file).read_text(encoding="utf-8")
        ), f"{file}::{test}"
    rows = [line for line in text.splitlines() if line.startswith("| ") and "`" in line]
    assert all(re.search(r"\| (yes|in part|otherwise) \|", row) for row in rows)
