"""The app's pages, in the order in which they are offered."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from .frame import Frame


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page: ``key`` is its module in :mod:`fabula.ui.pages` and its address, ``lead`` says what it is for.
    ``needs_story``: there is nothing to show while the library is empty."""

    key: str
    title: str
    icon: str
    section: str
    lead: str
    needs_story: bool = True


HOME = "library"
PAGES = (
    PageInfo("library", "Library", ":material/book_2:", "", "The stories you have added.", False),
    PageInfo(
        "search",
        "Search",
        ":material/search:",
        "Text",
        "Passages by word and by meaning, and why each was found.",
    ),
    PageInfo(
        "ask",
        "Ask",
        ":material/forum:",
        "Text",
        "Answers backed by quotes, or a plain “the story has not said so yet”.",
    ),
    PageInfo(
        "packs",
        "Knowledge",
        ":material/style:",
        "Text",
        "Packs of tagged pieces of text, beside the stories.",
        False,
    ),
    PageInfo(
        "world",
        "World",
        ":material/hub:",
        "Story",
        "The people, places and things told of so far, and how they are connected.",
    ),
    PageInfo(
        "timeline",
        "Timeline",
        ":material/timeline:",
        "Story",
        "The order in which things happen, set against the order in which they are told.",
    ),
    PageInfo(
        "arcs",
        "Arcs",
        ":material/show_chart:",
        "Story",
        "How each character fares from chapter to chapter.",
    ),
    PageInfo(
        "continuity",
        "Continuity",
        ":material/fact_check:",
        "Story",
        "Statements that the critic cannot reconcile, with the quotes of both sides.",
    ),
    PageInfo(
        "compare",
        "Compare",
        ":material/compare:",
        "Workshop",
        "One prompt, three pipelines, and one critic that cannot see which of them wrote.",
    ),
    PageInfo(
        "bench",
        "Bench",
        ":material/speed:",
        "Workshop",
        "What was measured, on what, and how sure it is.",
        False,
    ),
    PageInfo(
        "settings",
        "Settings",
        ":material/tune:",
        "Workshop",
        "Models, keys, memory, and the health of this installation.",
        False,
    ),
)


def found() -> tuple[PageInfo, ...]:
    """The pages whose modules are there."""
    return tuple(info for info in PAGES if importlib.util.find_spec(f"{__package__}.pages.{info.key}"))


def load(info: PageInfo) -> Callable[[Frame], None]:
    """The page itself, imported when it is first looked at."""
    page: Callable[[Frame], None] = importlib.import_module(f"{__package__}.pages.{info.key}").page
    return page
