"""The drawn graph: Cytoscape.js, kept here and served by the app itself, in a component of Streamlit's.

``cytoscape.version.txt`` says which version it is and what its bytes are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from ...errors import FabulaError
from ...views.world import WorldShown
from .elements import elements
from .layout import families_of, positions

__all__ = ["Picked", "drawing", "picked", "story_graph"]

_LIBRARY = "cytoscape.esm.min.mjs"
_EXPORT = re.compile(r"export\{(\w+) as default\};?\s*\Z")


@dataclass(frozen=True, slots=True)
class Picked:
    """What was clicked: ``kind`` is ``"node"`` or ``"edge"``, ``id`` as in the WorldShown that was drawn."""

    kind: str
    id: str


def drawing(world: WorldShown) -> dict[str, Any]:
    """What the browser draws, as plain data. Costs the layout; keep it."""
    families = families_of(world.nodes, world.edges)
    return elements(world, positions(world.nodes, world.edges, families), families)


def story_graph(drawn: dict[str, Any], *, key: str, height: int = 560) -> Picked | None:
    """Draws ``drawing``'s data; gives what was clicked last, None where nothing is.

    The library comes in a component of its own, whose message never changes, so it is sent to a browser
    once and not with every picture.
    """
    library, graph = _renderers()
    found = graph(
        key=key,
        data={**drawn, "height": height},
        default={"picked": None},
        on_picked_change=lambda: None,
    )
    library(key=f"{key}-library", height=1)
    return picked(found.get("picked"))


def picked(value: object) -> Picked | None:
    """What the browser said was clicked; None for anything else than that."""
    match value:
        case {"kind": "node" | "edge" as kind, "id": str(one)}:
            return Picked(kind, one)
    return None


@lru_cache(maxsize=1)
def _renderers() -> tuple[Any, Any]:
    """The library's component and the graph's, registered when they are first needed."""
    from streamlit.components.v2 import component

    library = component("fabula_cytoscape", js=_as_component(_file(_LIBRARY)))
    graph = component("fabula_graph", html=_file("graph.html"), css=_file("graph.css"), js=_file("graph.js"))
    return library, graph


def _as_component(module: str) -> str:
    """The library as a component that draws nothing and leaves the library where the graph finds it."""
    found = _EXPORT.search(module)
    if found is None:
        raise FabulaError(f"{_LIBRARY} has another form than expected: take the one of its version file")
    given = f"globalThis.fabulaCytoscape={found[1]};export default function(){{}}\n"
    return module[: found.start()] + given


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
