"""A library for the browser: the demo story, one with a name that comes late, one with a slip, and an odd
one: long names, writing from right to left, and markup that must stay words."""

import shutil
from pathlib import Path

LATER_WORD = "Quorvenhast"  # stands in the last chapter alone
LATER_STORY = "the-lock-keeper"
ODD_STORY = "odd"
SLIP_STORY = "the-mill-race"
LONG_NAME = "Maximiliana" + "-Theodosia" * 19
TOLD = {"later": LATER_WORD, "title": "The Mill " + "of the Longest Title " * 8, "long": LONG_NAME}


def make_home(home, *, demo, scratch):
    """``demo`` is the demo story's project, already indexed."""
    from fabula.engine import index_book
    from fabula.library.library import DEMO

    home.mkdir(parents=True)
    shutil.copytree(demo, home / DEMO)
    for name in (LATER_STORY, ODD_STORY, SLIP_STORY):
        text = Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")
        book = scratch / f"{name}.md"
        book.write_text(text.format(**TOLD), encoding="utf-8")
        index_book(book, home / name)
