"""What a judge made of pairs of sentences is kept by their texts."""

import pytest

from fabula import Project
from fabula.core.store.sqlite import ProjectStore
from fabula.project.judged_pairs import PAIR_WORK, KeptJudge
from fabula.project.keeping.mending import compact

PAIRS = [("He is six.", "He is nine."), ("She lives in Bath.", "She never left York."), ("A\0", "B")]


class Judge:
    def __init__(self, version="one"):
        self.version, self.asked = version, []

    def odds(self, pairs, *, on_done=None):
        self.asked += pairs
        return [len(one) - len(other) / 8 for one, other in pairs]


@pytest.fixture
def store(tmp_path):
    with ProjectStore.create(tmp_path / "p") as made:
        yield made


def test_none_is_judged_twice_and_an_edit_costs_what_it_touched(store):
    judge = Judge()
    first = KeptJudge(store, judge).odds(PAIRS + PAIRS[:1])
    assert len(judge.asked) == len(PAIRS)
    again = [*PAIRS, ("He is six.", "He is ten.")]
    assert KeptJudge(store, judge).odds(again)[:3] == first[:3] == list(Judge().odds(PAIRS))
    assert judge.asked[len(PAIRS) :] == again[3:]


def test_another_judge_judges_anew(store):
    KeptJudge(store, Judge()).odds(PAIRS)
    other = Judge("two")
    KeptJudge(store, other).odds(PAIRS)
    assert other.asked == PAIRS


def test_what_is_damaged_is_judged_anew(store):
    KeptJudge(store, Judge()).odds(PAIRS)
    store.keep_work(*PAIR_WORK, b"one\nxyz")
    judge = Judge()
    assert KeptJudge(store, judge).odds(PAIRS) == list(Judge().odds(PAIRS))


def test_a_project_keeps_them_and_making_it_small_does_not_lose_them(kept):
    with Project.open(kept.project) as project:
        first = project.suspects(limit=3)
        before = project._store.work(*PAIR_WORK)
    assert before
    compact(kept.project)
    with Project.open(kept.project) as project:
        assert project._store.work(*PAIR_WORK) == before
        assert project.suspects(limit=3) == first
