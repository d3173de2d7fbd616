"""HTML of the pages, by the templates beside this. What they are given is untrusted, and escaped by them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.text.sentences import in_marks
from ...views.text.comparison import DEFINITIONS

if TYPE_CHECKING:
    from jinja2 import Environment

USES = {
    "standard": "Passages found by hybrid search.",
    "graph": "States, relations and paths of the story graph.",
    "fused": "Passages under the graph's constraints; revised once if the critic objects.",
}

_GROUPS = {"quality": "Quality", "cost": "Cost"}
_FOLDER = Path(__file__).parent
STYLE = _FOLDER / "style.css"
"""The pages' style sheet. Colours come from Streamlit's theme by way of ``currentColor``."""


def html(template: str, piece: str, *given: object) -> str:
    """The macro ``piece`` of ``template`` with what it is given."""
    return str(getattr(_macros(template), piece)(*given))


@cache
def _macros(template: str) -> Any:
    return _environment().get_template(template).module


@cache
def _environment() -> Environment:
    """Lines of a template are joined: their breaks and indents would be seen where white space is kept."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    files = {file.stem: file.read_text(encoding="utf-8") for file in _FOLDER.glob("*.html")}
    lines = {name: "".join(map(str.strip, text.splitlines())) for name, text in files.items()}
    made = Environment(loader=DictLoader(lines), autoescape=True, undefined=StrictUndefined)
    made.filters |= {"flat": lambda text: " ".join(text.split()), "in_marks": in_marks, "zip": zip}
    made.filters |= {"capital": lambda text: text[:1].upper() + text[1:]}
    made.globals |= {"uses": USES, "groups": _GROUPS, "definitions": DEFINITIONS}
    return made
