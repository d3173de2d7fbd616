"""HTML of the pages, by the templates beside this. What they are given is untrusted, and escaped by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...views.quotes import QuoteShown
from ...views.text.comparison import DEFINITIONS

if TYPE_CHECKING:
    from jinja2 import Environment

USES = {
    "standard": "Passages found by hybrid search.",
    "graph": "States, relations and paths of the story graph.",
    "fused": "Passages under the graph's constraints; revised once if the critic objects.",
}
Link = Callable[[QuoteShown], str]
"""The address at which a quote of the story can be read; empty where nothing can be opened."""

_FOLDER = Path(__file__).parent
STYLE = _FOLDER / "style.css"
"""The pages' style sheet. Colours come from Streamlit's theme by way of ``currentColor``."""


class Macros:
    """The macros of a template, each a function that gives HTML; the template says what they take."""

    def __init__(self, template: str) -> None:
        self._template = template

    def __getattr__(self, macro: str) -> Callable[..., str]:
        return partial(html, self._template, macro)


page, ask, cards, findings, search = map(Macros, ("page", "ask", "cards", "findings", "search"))


def html(template: str, piece: str, *given: object, **named: object) -> str:
    """The macro ``piece`` of ``template`` with what it is given."""
    return str(getattr(_macros(template), piece)(*given, **named))


@cache
def _macros(template: str) -> Any:
    return _environment().get_template(template).module


@cache
def _environment() -> Environment:
    """Lines of a template are joined: their breaks and indents would be seen where white space is kept."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    from .filters import FILTERS, FUNCTIONS

    files = {file.stem: file.read_text(encoding="utf-8") for file in _FOLDER.glob("*.html")}
    lines = {name: "".join(map(str.strip, text.splitlines())) for name, text in files.items()}
    made = Environment(loader=DictLoader(lines), autoescape=True, undefined=StrictUndefined)
    made.filters |= FILTERS
    made.globals |= {**FUNCTIONS, "uses": USES, "definitions": DEFINITIONS}
    return made
