"""Where the nodes of the drawn graph stand: the same graph, the same picture."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence

from ...views.world import EdgeShown, NodeShown

SPACING = 96.0
"""Least distance, in pixels at zoom 1, between two nodes."""

_ROUNDS = 60
_SEED = 7
_AIR = 0.62  # mean distance from the middle, in spacings, for each root of a node: half as much is packed
_BROAD = 1.5  # how much broader than high the whole is to be
Places = dict[str, tuple[int, int]]


def positions(nodes: Sequence[NodeShown], edges: Sequence[EdgeShown]) -> Places:
    """A place in whole pixels for every node id: Fruchterman and Reingold's springs (1991) for each part that
    hangs together, :data:`SPACING` between nodes at least, the parts side by side, the largest first, and
    those without an edge in rows below.

    Each node starts from a place that its id alone gives, so graphs of neighbouring horizons look alike.
    Costs about n squared steps.
    """
    parts = _parts(nodes, edges)
    placed = _packed([_springs(part, edges) for part in parts if len(part) > 1])
    alone = [part[0] for part in parts if len(part) == 1]
    wide = max((x for x, _ in placed.values()), default=_BROAD * SPACING * math.isqrt(len(nodes)))
    lowest = max((y for _, y in placed.values()), default=-1.6 * SPACING)
    return placed | _rows(alone, top=lowest + 1.6 * SPACING, wide=max(wide, 5 * SPACING))


def _parts(nodes: Sequence[NodeShown], edges: Sequence[EdgeShown]) -> list[list[str]]:
    """Ids by connected part, the largest part first, ties in order of the nodes."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(node.id for node in nodes)
    graph.add_edges_from((edge.source, edge.target) for edge in edges)
    order = {node.id: i for i, node in enumerate(nodes)}
    found = [sorted(part, key=order.__getitem__) for part in nx.connected_components(graph)]
    return sorted(found, key=lambda part: (-len(part), order[part[0]]))


def _springs(ids: Sequence[str], edges: Sequence[EdgeShown]) -> Places:
    import networkx as nx

    inside = set(ids)
    graph = nx.Graph()
    graph.add_nodes_from(ids)
    pairs = {tuple(sorted((edge.source, edge.target))) for edge in edges if edge.source in inside}
    graph.add_edges_from(sorted(pairs))
    found = nx.spring_layout(
        graph,
        k=1.8 / math.sqrt(len(ids)),
        pos={one: _start(one) for one in ids},
        iterations=_ROUNDS,
        seed=_SEED,
        method="force",
    )
    spread = math.sqrt(sum(float(x) ** 2 + float(y) ** 2 for x, y in found.values()) / len(ids))
    reach = _AIR * SPACING * math.sqrt(len(ids)) / max(spread, 1e-3)
    return _apart({one: (1.2 * reach * float(x), 0.85 * reach * float(y)) for one, (x, y) in found.items()})


def _start(name: str) -> tuple[float, float]:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4]) / 2**31 - 1, int.from_bytes(digest[4:8]) / 2**31 - 1


def _apart(placed: Mapping[str, tuple[float, float]]) -> Places:
    """Pushes pairs that are too near from one another until none is, or for a number of rounds."""
    import numpy as np

    ids = list(placed)
    at = np.array([placed[one] for one in ids], dtype=float).reshape(-1, 2)
    itself = np.eye(len(ids), dtype=bool)
    for _ in range(_ROUNDS):
        between = at[:, None, :] - at[None, :, :]
        far = np.maximum(np.sqrt((between**2).sum(axis=2)), 1e-3)
        near = (far < SPACING) & ~itself
        if not near.any():
            break
        push = np.where(near, (SPACING * 1.02 - far) / (2 * far), 0.0)
        at += np.clip((between * push[:, :, None]).sum(axis=1), -SPACING, SPACING)
    return {one: (round(x), round(y)) for one, (x, y) in zip(ids, at.tolist(), strict=True)}


def _packed(parts: Sequence[Places]) -> Places:
    """The parts in rows from the left, each row as high as its highest."""
    boxes = [_at_origin(part) for part in parts]
    sizes = [(max(x for x, _ in box.values()), max(y for _, y in box.values())) for box in boxes]
    area = sum((wide + 1.5 * SPACING) * (high + 1.5 * SPACING) for wide, high in sizes)
    limit = max([math.sqrt(_BROAD * area), *(wide for wide, _ in sizes)], default=0.0)
    placed: Places = {}
    left = top = row = 0
    for box, (wide, high) in zip(boxes, sizes, strict=True):
        if left and left + wide > limit:
            left, top, row = 0, top + row + round(1.5 * SPACING), 0
        placed |= {one: (left + x, top + y) for one, (x, y) in box.items()}
        left, row = left + wide + round(1.5 * SPACING), max(row, high)
    return placed


def _at_origin(part: Places) -> Places:
    left, top = min(x for x, _ in part.values()), min(y for _, y in part.values())
    return {one: (x - left, y - top) for one, (x, y) in part.items()}


def _rows(ids: Sequence[str], *, top: float, wide: float) -> Places:
    """Rows with room for a name under each."""
    step = round(1.25 * SPACING)
    count = max(1, round(wide / step) + 1)
    return {
        one: (step * (i % count), round(top) + round(SPACING) * (i // count)) for i, one in enumerate(ids)
    }
