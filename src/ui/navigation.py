"""The app's pages, in the order in which they are offered."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import streamlit as st

from ..core.files.toml import load_toml
from .frame import Frame
from .markup import page as markup


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
PAGES = tuple(PageInfo(**one) for one in load_toml(Path(__file__).with_name("pages.toml"))["page"])


def load(info: PageInfo) -> Callable[[Frame], None]:
    """The page itself, imported when it is first looked at."""
    page: Callable[[Frame], None] = importlib.import_module(f"{__package__}.pages.{info.key}").page
    return page


def menu(pages: Mapping[str, Any]) -> None:
    """The pages by section, below the story that they show."""
    with st.container(key="menu", gap=None):
        for section, inside in groupby(PAGES, key=lambda info: info.section):
            if section:
                st.html(markup.section(section))
            for info in inside:
                st.page_link(pages[info.key], label=info.title, icon=info.icon)
