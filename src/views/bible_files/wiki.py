"""The story bible as a static wiki: a page a chapter, as a reader who has come so far may see it.

A page holds nothing that depends on a later chapter, not even how many there are: that is said by index.html
and wiki.js alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from ...core.text.sentences import in_marks
from ...story.model.types import WORLD
from ..bible import BibleShown, LineShown, with_links
from .documents import flat

if TYPE_CHECKING:
    from jinja2 import Template


def wiki(
    at: Callable[[int], BibleShown], last: int, progress: Callable[[int, int], None]
) -> Iterator[tuple[str, bytes]]:
    """The files with their names, first the pages of chapters 1 to ``last`` (at least 1), each as it is made;
    costs the bible at each."""
    for number in range(1, last + 1):
        progress(number - 1, last)
        shown = at(number)
        yield _name(number), _page(shown, number)
    progress(last, last)
    pages = [(number, _name(number)) for number in range(1, last + 1)]
    yield "index.html", _template("index.html").render(title=shown.title, pages=pages).encode()
    yield "wiki.css", _file("wiki.css")
    yield "wiki.js", f"const last = {last};\n".encode() + _file("wiki.js")


def _name(number: int) -> str:
    return f"chapter-{number:03}.html"


def _page(shown: BibleShown, number: int) -> bytes:
    anchors = {one.id: f"e{n}" for n, one in enumerate(shown.entries, start=1)}
    names = {one.id: flat(one.name) for one in shown.entries if one.kind != WORLD and not one.state}

    def parts(line: LineShown, but: str = "") -> Iterator[tuple[str, str]]:
        """The line's words, each with the anchor that it leads to, or with an empty one."""
        others = {names[id]: anchors[id] for id in line.about if id != but and id in names}
        for place, part in enumerate(with_links(flat(line.text), others)):
            yield part, others[part] if place % 2 else ""

    chapter = next((one.title for one in shown.chapters if one.number == number), "")
    given = {"number": number, "chapter": chapter, "before": number > 1 and _name(number - 1)}
    template = _template("chapter.html")
    return template.render(shown=shown, title=shown.title, anchors=anchors, parts=parts, **given).encode()


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.loader = FunctionLoader(lambda file: _file(file).decode())
    made.filters |= {"flat": flat, "in_marks": in_marks}
    return made.get_template(name)


@cache
def _file(name: str) -> bytes:
    return resources.files(__package__).joinpath(name).read_bytes()
