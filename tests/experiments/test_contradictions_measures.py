"""The measures of the contradiction experiment, by hand."""

import pytest

from experiments.contradictions.data import Item, Summary
from experiments.contradictions.measures import Verdict, flags, pairwise, spans


def _item(number: int, *, bad: bool, pair: str, conflicts=()) -> Item:
    return Item(("One came.", "Two went.", "Three."), "", bad, pair, f"doc-{number}", frozenset(conflicts))


ITEMS = [
    _item(0, bad=True, pair="a", conflicts=[(0, 1)]),
    _item(0, bad=False, pair="a"),
    _item(1, bad=True, pair="b", conflicts=[(0, 2)]),
    _item(1, bad=False, pair="b"),
]


def test_flags_by_hand() -> None:
    verdicts = [Verdict(2.0, ((0, 1),)), Verdict(1.0), Verdict(1.0, ((0, 1),)), Verdict(0.0)]
    found = flags(ITEMS, verdicts)
    assert found["accuracy"] == 3 / 4
    assert found["precision"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["recall"] == 1.0
    assert found["pair_found"] == 1 / 2  # the second was flagged by another pair than the marked one
    # F1 of the contradictory 2*2/(3+2), of the consistent 2*1/(1+2)
    assert found["macro_f1"] == pytest.approx((4 / 5 + 2 / 3) / 2, abs=1e-4)


def test_twins_are_compared_and_a_tie_is_a_half() -> None:
    verdicts = [Verdict(2.0), Verdict(1.0), Verdict(0.0), Verdict(0.0)]
    beside = [Verdict(0.0), Verdict(1.0), Verdict(1.0), Verdict(0.0)]
    found = pairwise(ITEMS, verdicts, beside=beside)
    assert (found["pairs"], found["decided"]) == (2, 1)
    assert found["accuracy"] == (1 + 0.5) / 2
    assert found["accuracy_decided"] == 1.0
    assert found["baseline_there"] == 0.0


def test_spans_meet_once() -> None:
    texts = [Summary("s", "d", "x" * 60, ((0, 5), (20, 25), (40, 45)))]
    found = spans(texts, lambda _: [(2, 4), (3, 5), (22, 30), (50, 55)])
    assert found["precision"] == 2 / 4
    assert found["recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["f1"] == pytest.approx(2 * 2 / (4 + 3), abs=1e-4)
    assert found["f1_interval"] == [found["f1"]] * 2  # one document can only be drawn again


def test_an_offset_finds_its_sentence() -> None:
    item = ITEMS[0]
    assert [item.index(item.story.index(word)) for word in ("One", "Two", "Three")] == [0, 1, 2]
    assert item.index(len(item.story)) == 2
