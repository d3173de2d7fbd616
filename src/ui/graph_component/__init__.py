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
from ...story.graph_rag.views.ties import LIKELY
from ...story.model.predicates import PREDICATES
from ...views.layout import families_of, positions
from ...views.world import FAMILIES, EdgeShown, NodeShown, WorldShown

LONGEST_LABEL = 26
_HEIGHT = 560  # pixels
_BONDS = ("bonds", "kinship")
_LIBRARY = "cytoscape.esm.min.mjs"
_EXPORT = re.compile(r"export\{(\w+) as default\};?\s*\Z")


@dataclass(frozen=True, slots=True)
class Picked:
    """What was clicked: ``kind`` is ``"node"`` or ``"edge"``, ``id`` as in the WorldShown that was drawn."""

    kind: str
    id: str


def drawing(world: WorldShown) -> dict[str, Any]:
    """What the browser draws, as plain data: names, lines and places, no quotes and nothing else. Nodes, the
    weightiest first (names that find no room beside theirs are left out until one zooms in or points at the
    node), each with the number of its family, and edges. Costs the layout; keep it."""
    ids, pairs = [node.id for node in world.nodes], [(one.source, one.target) for one in world.edges]
    kin = [(one.source, one.target) for one in world.edges if one.predicate in FAMILIES["kinship"]]
    families = families_of(ids, kin)
    places = positions(ids, pairs, families)
    ranked = sorted(world.nodes, key=lambda node: (-node.degree, -node.mentions, node.id))
    most = max((node.mentions for node in world.nodes), default=1)
    nodes = [_node(node, places[node.id], families.get(node.id), most=most) for node in ranked]
    last = world.as_of or max((edge.told for edge in world.edges), default=1)
    return {"nodes": nodes, "edges": [_edge(edge) for edge in world.edges], "last": last}


def story_graph(drawn: dict[str, Any], *, key: str) -> Picked | None:
    """Draws ``drawing``'s data; gives what was clicked last, None where nothing is.

    The library comes in a component of its own, whose message never changes, so it is sent to a browser
    once and not with every picture.
    """
    library, graph = _renderers()
    found = graph(
        key=key,
        data={**drawn, "height": _HEIGHT},
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


def shortened(name: str) -> str:
    """On one line and cut to ``LONGEST_LABEL`` characters."""
    flat = " ".join(name.split())
    return flat if len(flat) <= LONGEST_LABEL else f"{flat[: LONGEST_LABEL - 1].rstrip()}…"


def _node(node: NodeShown, place: tuple[int, int], family: int | None, *, most: int) -> dict[str, Any]:
    return {
        "id": node.id,
        "label": shortened(node.name),
        "name": node.name,
        "kind": node.kind,
        "family": family,
        "first": node.first_appearance,
        "degree": node.degree,
        "mentions": node.mentions,
        "size": round(16 + 26 * (node.mentions / most) ** 0.5),
        "x": place[0],
        "y": place[1],
    }


def _edge(edge: EdgeShown) -> dict[str, Any]:
    """``slot``: of the edges of one slot the browser draws the one that holds at a chapter, or held last."""
    mutual = PREDICATES[edge.predicate].symmetric
    family = next(name for name, of in FAMILIES.items() if edge.predicate in of)
    return {
        "id": edge.id,
        "source": edge.source,
        "target": edge.target,
        "label": edge.label,
        "word": _word(edge.label),
        "sign": edge.sign,
        "mutual": int(mutual),
        "event": int(family == "events"),
        "slot": "|".join(("bond" if family in _BONDS else family, *sorted((edge.source, edge.target)))),
        "kin": int(family == "kinship"),
        "told": edge.told,
        "until": edge.until,
        "guess": int(edge.confidence < LIKELY),
    }


def _word(label: str) -> str:
    """The word that stands on the line: ``is the half-sister of`` is half-sister."""
    return shortened(re.sub(r"^is (the |an? )?|( of|( of)? to)$", "", label))
