"""Phrases that readers stumbled over do not come back to the pages, the help of commands and the app."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_SAID = """
told later: from later chapters; told so far: so far in the story; told by then: up to there; told before:
earlier in the story; set beside: compared with; held against: compared with, checked against; laid down:
established; lays down: says, states; stands on: is supported by; stands upon: builds on; for good:
permanently; vouch: assert; by to know: could witness; made anew: made again; to mend: to fix; goes on
where: continues where; worked on: processed; whoever: anyone who; shelf: library; a process of its own:
its own process
"""
INSTEAD = dict(pair.strip().split(": ") for pair in " ".join(_SAID.split()).split(";"))
PAGES = [
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_speak_plainly(page):
    assert not _found(page.read_text(encoding="utf-8"))


def test_help_speaks_plainly():
    from fabula.cli.commands import cli

    assert not [(one, found) for one in _helps(cli, "fabula") if (found := _found(one))]
