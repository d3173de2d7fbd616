from fabula.core.store.sqlite import ProjectStore
from fabula.engine import Project
from fabula.project.checking import suspects
from fabula.project.keeping.mending import compact
from fabula.project.vectors import PAIR_WORK, KeptJudge

PAIRS = [("He is six.", "He is nine."), ("She lives in Bath.", "She never left York."), ("A\0", "B")]


def test_unused_work_and_old_indexes_go(kept, done):
    with ProjectStore.open(kept.project) as store:
        for number in range(20):
            store.keep_work("reading:of-old", str(number), bytes(50_000))
    before = done("search", kept.project, "mill")
    done("index", kept.book, "-o", kept.project, "--rebuild")
    assert sorted(f.name for f in (kept.project / "index").iterdir()) == ["000002", "000003"]
    compacted = done("verify", kept.project, "--compact")
    assert "1 index folders" in compacted and float(compacted.split()[1]) >= 1.0  # MB
    assert [f.name for f in (kept.project / "index").iterdir()] == ["000003"]
    assert (kept.project / "fabula.db").stat().st_size < 300_000
    done("verify", kept.project)
    assert done("search", kept.project, "mill") == before
    again = done("index", kept.book, "-o", kept.project, "--json")
    assert '"read": 0' in again and '"embedded": 0' in again


def test_an_index_that_is_open_stays(kept, done):
    with Project.open(kept.project) as project:
        done("index", kept.book, "-o", kept.project, "--rebuild")
        done("verify", kept.project, "--compact")
        assert project.search("mill", mode="lexical").passages
    assert "1 index folders" in done("verify", kept.project, "--compact")


class Judge:
    def __init__(self, version="one"):
        self.version, self.asked = version, []

    def odds(self, pairs, *, on_done=None):
        self.asked += pairs
        return [len(one) - len(other) / 8 for one, other in pairs]


def test_none_is_judged_twice_but_by_another_judge_or_where_there_is_damage(tmp_path):
    judge, other, third = Judge(), Judge("two"), Judge()
    store = ProjectStore.create(tmp_path / "p")
    first = KeptJudge(store, judge).odds(PAIRS + PAIRS[:1])
    again = [*PAIRS, ("He is six.", "He is ten.")]
    assert KeptJudge(store, judge).odds(again)[:3] == first[:3] == list(Judge().odds(PAIRS))
    assert judge.asked == [*PAIRS, again[3]]
    KeptJudge(store, other).odds(PAIRS)
    assert other.asked == PAIRS
    store.keep_work(*PAIR_WORK, b"one\nxyz")
    assert KeptJudge(store, third).odds(PAIRS) == first[:3]
    store.close()


def test_a_project_keeps_them_and_making_it_small_does_not_lose_them(kept):
    with Project.open(kept.project) as project:
        first = suspects(project, limit=3)
        before = project._store.work(*PAIR_WORK)
    assert before
    compact(kept.project)
    with Project.open(kept.project) as project:
        assert project._store.work(*PAIR_WORK) == before
        assert suspects(project, limit=3) == first
