import pytest

from fabula.core.store.sqlite import ProjectStore
from fabula.engine import Project
from fabula.project.checking import suspects
from fabula.project.keeping.mending import compact
from fabula.project.vectors import PAIR_WORK, KeptJudge

PAIRS = [("He is six.", "He is nine."), ("She lives in Bath.", "She never left York."), ("A\0", "B")]


def test_unused_work_and_old_indexes_go(kept, run_cli):
    with ProjectStore.open(kept.project) as store:
        for number in range(20):
            store.keep_work("reading:of-old", str(number), bytes(50_000))
    before = run_cli("search", kept.project, "mill")
    again = run_cli("index", kept.book, "-o", kept.project, "--rebuild", "--json")
    assert again.code == 0, again.err
    assert sorted(f.name for f in (kept.project / "index").iterdir()) == ["000002", "000003"]
    done = run_cli("verify", kept.project, "--compact")
    assert done.code == 0 and "1 index folders" in done.out
    assert float(done.out.split()[1]) >= 1.0  # MB
    assert [f.name for f in (kept.project / "index").iterdir()] == ["000003"]
    assert (kept.project / "fabula.db").stat().st_size < 300_000
    assert run_cli("verify", kept.project).code == 0
    assert run_cli("search", kept.project, "mill") == before
    again = run_cli("index", kept.book, "-o", kept.project, "--json")
    assert '"read": 0' in again.out and '"embedded": 0' in again.out


def test_an_index_that_is_open_stays(kept, run_cli):
    with Project.open(kept.project) as project:
        assert run_cli("index", kept.book, "-o", kept.project, "--rebuild").code == 0
        assert run_cli("verify", kept.project, "--compact").code == 0
        assert project.search("mill", mode="lexical").passages
    assert "1 index folders" in run_cli("verify", kept.project, "--compact").out


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


def test_another_judge_judges_anew_as_does_who_finds_damage(store):
    KeptJudge(store, Judge()).odds(PAIRS)
    other = Judge("two")
    KeptJudge(store, other).odds(PAIRS)
    assert other.asked == PAIRS
    store.keep_work(*PAIR_WORK, b"one\nxyz")
    judge = Judge()
    assert KeptJudge(store, judge).odds(PAIRS) == list(Judge().odds(PAIRS))


def test_a_project_keeps_them_and_making_it_small_does_not_lose_them(kept):
    with Project.open(kept.project) as project:
        first = suspects(project, limit=3)
        before = project._store.work(*PAIR_WORK)
    assert before
    compact(kept.project)
    with Project.open(kept.project) as project:
        assert project._store.work(*PAIR_WORK) == before
        assert suspects(project, limit=3) == first
