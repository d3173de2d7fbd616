"""The arithmetic of the arcs experiment: what a hit is, and how annotators are set against each other."""

import pytest

from experiments.story_model.arcs import _among, _judged, _sum


def test_a_hit_is_a_sentence_that_somebody_marked_and_distance_is_to_the_nearest():
    judged = _judged([1, 4, 9, 15, 18], [{1, 2}, {5}, {9}, {10, 13}, {19}], 20)
    assert judged["hits"] == [1, 0, 1, 0, 0]
    assert judged["hit_rate"] == 2 / 5
    assert judged["distance"] == pytest.approx((0 + 1 + 0 + 2 + 1) / 20 / 5)


def test_annotators_are_judged_by_the_others_alone():
    labels = [[[1], [4], [9], [14], [18]], [[1], [5], [9], [14], [18]]]
    among = _among(labels, 20)
    assert among["hits"] == [1.0, 0.0, 1.0, 1.0, 1.0]
    assert among["hit_rate"] == 0.8
    assert _among(labels[:1], 20) is None


def test_films_weigh_alike():
    films = [{"doc": name, "ours": _judged([0, 1, 2, 3, 4], [{i} for i in right], 5)} for name, right in
             (("a", (0, 1, 2, 3, 4)), ("b", (1, 2, 3, 4, 0)))]  # fmt: skip
    summed = _sum(films, "ours")
    assert (summed["films"], summed["n"], summed["hit_rate"]) == (2, 10, 0.5)
    assert summed["hit_rate_interval"] == (0.0, 1.0)
    assert set(summed["by_role"].values()) == {0.5}
