import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from fabula.views import layout


def ring(count, *, extra=0):
    names = [f"n{i}" for i in range(count)]
    pairs = [(names[i], names[(i + 1) % count]) for i in range(count)] if count > 1 else []
    return [*names, *(f"alone{i}" for i in range(extra))], pairs


def test_the_same_graph_is_the_same_picture():
    ids, pairs = ring(12, extra=5)
    turned = layout.positions(ids, pairs[::-1])
    assert layout.positions(ids, pairs) == layout.positions(ids, pairs) == turned


@settings(max_examples=12)
@given(st.integers(0, 30), st.integers(0, 12))
def test_every_node_has_a_place_of_its_own(count, extra):
    ids, pairs = ring(count, extra=extra)
    placed = layout.positions(ids, pairs)
    assert set(placed) == set(ids)
    places = list(placed.values())
    near = [math.dist(places[i], places[j]) for i in range(len(places)) for j in range(i + 1, len(places))]
    assert min(near, default=layout.SPACING) >= 0.9 * layout.SPACING


def test_parts_stand_side_by_side():
    placed = layout.positions("abcdef", [("a", "b"), ("b", "c"), ("d", "e")])
    first, second = [placed[one] for one in "abc"], [placed[one] for one in "de"]
    apart = max(x for x, _ in first) < min(x for x, _ in second)
    below = max(y for _, y in first) < min(y for _, y in second)
    assert apart or below
    assert placed["f"][1] > max(y for one, (_, y) in placed.items() if one != "f")


def test_a_family_stands_in_a_ring_that_nobody_else_enters():
    ids = [f"n{i}" for i in range(9)]
    kin = [("n0", one) for one in ids[1:4]]
    families = layout.families_of(ids, kin)
    assert families == dict.fromkeys(ids[:4], 0)
    placed = layout.positions(ids, [*kin, *((a, b) for a in ids[:4] for b in ids[4:])], families)
    ring = [placed[one] for one in ids[:4]]
    left, right = min(x for x, _ in ring), max(x for x, _ in ring)
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    inside = [one for one in ids[4:] if left < placed[one][0] < right and top < placed[one][1] < bottom]
    assert inside == []
    many = [f"m{i}" for i in range(21)]
    assert layout.families_of(many, list(pairwise(many))) == {}
