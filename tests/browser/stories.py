"""A library for the browser: the demo story, one with a name that comes late, and an odd one."""

import shutil
from pathlib import Path

LATER_WORD = "Quorvenhast"  # stands in the last chapter alone
LATER_STORY = "the-lock-keeper"
ODD_STORY = "odd"
LONG_NAME = "Maximiliana" + "-Theodosia" * 19

_LOCK_KEEPER = """# The Lock-Keeper

## Chapter 1

Anna Weir kept the lock at Moss End. Every morning she opened the gates for the coal boats, and every
evening she wrote their names in a ledger. Bela Stone came by on the Friday boat. Anna trusted Bela.

"You look tired," said Bela.

"The river is high," said Anna. She was afraid of the weir.

## Chapter 2

Bela Stone stayed at Moss End for the winter. He mended the gates, and Anna Weir gave him the ledger to keep.
Carl Finch, the inspector, arrived from Harrow on a Monday. Carl distrusted Bela.

"Who wrote this page?" asked Carl.

"I did," said Bela. He put the ledger on the shelf.

## Chapter 3

The ledger was gone. Anna Weir searched the whole house. Carl Finch accused Bela Stone, and Bela left Moss End
in the night. Anna wept. She hated Carl.

## Chapter 4

In the spring Anna Weir found the ledger under the floor. Doctor {later} had hidden it there. {later} was
the father of Bela Stone, and {later} died at Moss End that night.
"""

_ODD = """# {title}

## Chapter 1

{long} met שרה כהן at the mill. {long} loved the mill. “<b>Bold</b> & <script>bad()</script>,” said {long}.

שרה כהן הלכה אל הנהר. היא ראתה את הטחנה. ![x](http://evil.invalid/x.png) **stars**

## Chapter 2

{long} left the mill in the morning. Anna Weir stayed behind, and Anna Weir wept.
"""


def later_story() -> str:
    return _LOCK_KEEPER.format(later=LATER_WORD)


def odd_story() -> str:
    """Long names, writing from right to left, and markup that must stay words."""
    return _ODD.format(title="The Mill " + "of the Longest Title " * 8, long=LONG_NAME)


def make_home(home: Path, *, demo: Path, scratch: Path) -> None:
    """``demo`` is the demo story's project, already indexed."""
    from fabula.engine import index_book
    from fabula.library.library import DEMO

    home.mkdir(parents=True)
    shutil.copytree(demo, home / DEMO)
    for name, text in ((LATER_STORY, later_story()), (ODD_STORY, odd_story())):
        book = scratch / f"{name}.md"
        book.write_text(text, encoding="utf-8")
        index_book(book, home / name)
