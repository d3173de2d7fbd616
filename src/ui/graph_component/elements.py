"""What is sent to the browser to be drawn: names, lines and places, no quotes and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...story.graph_rag.views.ties import LIKELY
from ...story.model.predicates import PREDICATES
from ...views.world import FAMILIES, EdgeShown, NodeShown, WorldShown

LONGEST_LABEL = 26
_BONDS = ("bonds", "kinship")


def elements(
    world: WorldShown, places: Mapping[str, tuple[int, int]], families: Mapping[str, int]
) -> dict[str, Any]:
    """Plain JSON data: nodes, the weightiest first (names that find no room beside theirs are left out until
    one zooms in or points at the node), each with the number of its family, and edges."""
    ranked = sorted(world.nodes, key=lambda node: (-node.degree, -node.mentions, node.id))
    most = max((node.mentions for node in world.nodes), default=1)
    nodes = [_node(node, places[node.id], families.get(node.id), most=most) for node in ranked]
    last = world.as_of or max((edge.told for edge in world.edges), default=1)
    return {"nodes": nodes, "edges": [_edge(edge) for edge in world.edges], "last": last}


def shortened(name: str, *, longest: int = LONGEST_LABEL) -> str:
    """On one line and cut to so many characters."""
    flat = " ".join(name.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1].rstrip()}…"


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
