"""What is sent to the browser to be drawn: names, lines and places, no quotes and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...story.model.predicates import PREDICATES
from ...views.world import EdgeShown, NodeShown, WorldShown

LONGEST_LABEL = 26


def elements(world: WorldShown, places: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """Plain JSON data: nodes, the weightiest first (names that find no room beside theirs are left out until
    one zooms in or points at the node), and edges."""
    ranked = sorted(world.nodes, key=lambda node: (-node.degree, -node.mentions, node.id))
    most = max((node.mentions for node in world.nodes), default=1)
    nodes = [_node(node, places[node.id], most=most) for node in ranked]
    return {"nodes": nodes, "edges": [_edge(edge) for edge in world.edges]}


def shortened(name: str, *, longest: int = LONGEST_LABEL) -> str:
    """On one line and cut to so many characters."""
    flat = " ".join(name.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1].rstrip()}…"


def _node(node: NodeShown, place: tuple[int, int], *, most: int) -> dict[str, Any]:
    return {
        "id": node.id,
        "label": shortened(node.name),
        "name": node.name,
        "kind": node.kind,
        "degree": node.degree,
        "mentions": node.mentions,
        "size": round(16 + 26 * (node.mentions / most) ** 0.5),
        "x": place[0],
        "y": place[1],
    }


def _edge(edge: EdgeShown) -> dict[str, Any]:
    return {
        "id": edge.id,
        "source": edge.source,
        "target": edge.target,
        "label": edge.label,
        "sign": edge.sign,
        "mutual": int(PREDICATES[edge.predicate].symmetric),
        "over": int(edge.until is not None and edge.until != edge.since),
        "told": edge.told,
        "sure": edge.confidence,
    }
