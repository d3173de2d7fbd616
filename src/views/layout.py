"""Graph layout: where the nodes of a drawn graph stand. The same graph gives the same picture."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence

SPACING = 96.0
"""Least distance, in pixels at zoom 1, between two nodes."""

_ROUNDS = 60
_LARGEST = 12  # members of a family that is drawn as one
_SEED = 7
_AIR = 0.62  # mean distance from the middle, in spacings, for each root of a node: half as much is packed
_BROAD = 1.5  # how much broader than high the whole is to be
Places = dict[str, tuple[int, int]]
Pairs = Sequence[tuple[str, str]]
"""The ids of the two ends of each edge."""


def families_of(ids: Sequence[str], kin: Pairs) -> dict[str, int]:
    """The number of the family of each who has kin among the ids, from 0, the largest first; of a family of
    more than :data:`_LARGEST` nobody has one, since it holds half the story."""
    parts = [part for part in _parts(ids, kin) if 2 <= len(part) <= _LARGEST]
    return {one: number for number, part in enumerate(parts) for one in part}


def positions(ids: Sequence[str], pairs: Pairs, families: Mapping[str, int] | None = None) -> Places:
    """A place in whole pixels for every id: Fruchterman and Reingold's springs (1991) for each part that
    hangs together, :data:`SPACING` between nodes at least, the parts side by side, the largest first, and
    those without an edge in rows below. A family moves as one and stands in a ring.

    Each node starts from a place that its id alone gives, so graphs of neighbouring horizons look alike.
    Costs about n squared steps.
    """
    of = families or {}
    rings: dict[str, list[str]] = {}
    for one in ids:
        rings.setdefault(f"family {of[one]}" if one in of else one, []).append(one)
    parts = _parts(ids, pairs)
    placed = _packed([_springs(part, pairs, of, rings) for part in parts if len(part) > 1])
    alone = [part[0] for part in parts if len(part) == 1]
    wide = max((x for x, _ in placed.values()), default=_BROAD * SPACING * math.isqrt(len(ids)))
    lowest = max((y for _, y in placed.values()), default=-1.6 * SPACING)
    return placed | _rows(alone, top=lowest + 1.6 * SPACING, wide=max(wide, 5 * SPACING))


def _parts(ids: Sequence[str], pairs: Pairs) -> list[list[str]]:
    """Ids by connected part, the largest part first, ties in the order given."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(ids)
    graph.add_edges_from(pairs)
    order = {one: i for i, one in enumerate(ids)}
    found = [sorted(part, key=order.__getitem__) for part in nx.connected_components(graph)]
    return sorted(found, key=lambda part: (-len(part), order[part[0]]))


def _springs(
    ids: Sequence[str],
    pairs: Pairs,
    of: Mapping[str, int],
    rings: Mapping[str, Sequence[str]],
) -> Places:
    """The part's single nodes and families by springs, the members of a family round its middle."""
    import networkx as nx

    def whole(one: str) -> str:
        return f"family {of[one]}" if one in of else one

    inside = set(ids)
    graph = nx.Graph()
    graph.add_nodes_from(dict.fromkeys(whole(one) for one in ids))
    between = {tuple(sorted((whole(one), whole(other)))) for one, other in pairs if one in inside}
    graph.add_edges_from(sorted(pair for pair in between if pair[0] != pair[1]))
    count = len(graph)
    found = nx.spring_layout(
        graph,
        k=1.8 / math.sqrt(count),
        pos={one: _start(one) for one in graph},
        iterations=_ROUNDS,
        seed=_SEED,
        method="force",
    )
    spread = (
        math.sqrt(sum(float(x) ** 2 + float(y) ** 2 for x, y in found.values()) / count) if count > 1 else 1
    )
    reach = _AIR * SPACING * math.sqrt(len(ids)) / max(spread, 1e-3)
    middles = {one: (1.7 * reach * float(x), 0.75 * reach * float(y)) for one, (x, y) in found.items()}
    sizes = {one: len(rings[one]) for one in middles}  # neighbours on a ring are a little apart
    radii = {one: 0.55 * SPACING / math.sin(math.pi / n) if n > 1 else 0.0 for one, n in sizes.items()}
    placed: Places = {}
    for one, (x, y) in _apart(middles, radii).items():
        members, radius = rings[one], radii[one]
        for number, member in enumerate(members):
            turn = 2 * math.pi * number / len(members)
            placed[member] = (round(x + radius * math.cos(turn)), round(y + radius * math.sin(turn)))
    return placed


def _start(name: str) -> tuple[float, float]:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4]) / 2**31 - 1, int.from_bytes(digest[4:8]) / 2**31 - 1


def _apart(placed: Mapping[str, tuple[float, float]], radii: Mapping[str, float]) -> Places:
    """Pushes pairs that are too near from one another until none is, or for a number of rounds."""
    import numpy as np

    ids = list(placed)
    at = np.array([placed[one] for one in ids], dtype=float).reshape(-1, 2)
    round_ = np.array([radii[one] for one in ids], dtype=float)
    wide = np.where(round_ > 0, round_ + 0.7 * SPACING, 0.0)  # a frame has corners and a border
    least = SPACING + wide[:, None] + wide[None, :]
    itself = np.eye(len(ids), dtype=bool)
    for _ in range(4 * _ROUNDS):
        between = at[:, None, :] - at[None, :, :]
        far = np.maximum(np.sqrt((between**2).sum(axis=2)), 1e-3)
        near = (far < least) & ~itself
        if not near.any():
            break
        push = np.where(near, (least * 1.02 - far) / (2 * far), 0.0)
        at += np.clip((between * push[:, :, None]).sum(axis=1), -SPACING, SPACING)
    return {one: (round(x), round(y)) for one, (x, y) in zip(ids, at.tolist(), strict=True)}


def _packed(parts: Sequence[Places]) -> Places:
    """The parts in rows from the left, each row as high as its highest."""
    boxes = []
    for part in parts:
        west, north = (min(place[axis] for place in part.values()) for axis in (0, 1))
        boxes.append({one: (x - west, y - north) for one, (x, y) in part.items()})
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


def _rows(ids: Sequence[str], *, top: float, wide: float) -> Places:
    """Rows with room for a name under each."""
    step = round(1.25 * SPACING)
    count = max(1, round(wide / step) + 1)
    return {
        one: (step * (i % count), round(top) + round(SPACING) * (i // count)) for i, one in enumerate(ids)
    }
