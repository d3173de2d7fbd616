import threading
from pathlib import Path

import pytest

from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.errors import MemoryBudgetError, ProjectError
from fabula.library.library import Entry
from fabula.library.shelf import Shelf


class FakeProject:
    def __init__(self, folder):
        self.folder = folder
        self.closed = 0
        self.dropped = []

    def close(self):
        self.closed += 1

    def __getattr__(self, name):
        return lambda: self.dropped.append(name.removeprefix("drop_"))


class Opener(list):
    """Those that were opened."""

    def __call__(self, folder, *, settings):
        self.append(FakeProject(folder))
        return self[-1]

    @property
    def closed(self):
        return [project.folder.name for project in self if project.closed]


@pytest.fixture
def opener():
    return Opener()


@pytest.fixture
def shelf(opener):
    # a budget no test comes near: evictions here are called for by hand
    made = Shelf(MemoryMonitor(budget=1 << 50, interval=60), opener=opener)
    yield made
    made.close()


def entry(name, stamp="1"):
    return Entry(Path("library") / name, name, 1, 1, stamp)


def test_a_project_is_opened_once_until_its_index_is_new(shelf, opener):
    for name in ("a", "b", "a", "c", "a"):
        with shelf.use(entry(name)) as project:
            assert project.closed == 0
    assert [project.folder.name for project in opener] == ["a", "b", "c"]
    assert opener.closed == ["b"]
    assert len(shelf) == 2
    with shelf.use(entry("a", "2")) as project:
        assert project is opener[3]
    assert [project.closed for project in opener] == [1, 1, 0, 0]


def test_what_is_in_use_is_closed_only_afterwards(shelf, opener):
    with shelf.use(entry("a")) as held:
        for name in ("b", "c", "d"):
            with shelf.use(entry(name)):
                pass
        shelf.close_idle()
        assert held.closed == 0
        assert sorted(opener.closed) == ["b", "c", "d"]
    shelf.close_idle()
    assert held.closed == 1


def test_two_users_of_one_story_take_turns(shelf, opener):
    order = []
    inside = threading.Event()

    def second():
        inside.wait(5)
        with shelf.use(entry("a")):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with shelf.use(entry("a")):
        inside.set()
        thread.join(0.1)
        order.append("first")
    thread.join(5)
    assert order == ["first", "second"]
    assert len(opener) == 1


def test_the_guard_can_drop_what_is_open(opener):
    monitor = MemoryMonitor(budget=1 << 50, interval=60)
    shelf = Shelf(monitor, opener=opener)
    with shelf.use(entry("idle")):
        pass
    with shelf.use(entry("busy")):
        monitor.budget = 1  # every sample is over it from here on
        monitor.check()
        assert opener.closed == ["idle"]
        assert [project.dropped for project in opener] == [
            ["results", "linked"],  # and then it was closed
            ["results", "linked", "indexes"],
        ]
    with pytest.raises(MemoryBudgetError), shelf.use(entry("new")):
        pass
    with shelf.use(entry("busy")):
        pass
    shelf.close()
    assert opener.closed == ["idle", "busy"]
    [action] = monitor.report.actions
    assert "dropped the linked chapters, closed the stories not in use, dropped the indexes" in action


def test_a_story_that_cannot_be_opened_leaves_nothing():
    def fail(folder, *, settings):
        raise ProjectError("gone")

    shelf = Shelf(MemoryMonitor(budget=1 << 50, interval=60), opener=fail)
    with pytest.raises(ProjectError, match="gone"), shelf.use(entry("a")):
        pass
    assert len(shelf) == 0
    shelf.close()


def test_readers_share_a_story_beside_the_one_who_has_it_alone(shelf, opener):
    with shelf.use(entry("a")) as alone, shelf.read(entry("a")) as one:
        with shelf.read(entry("a")) as other:
            assert alone is one is other
        shelf.close_idle()
        assert not one.closed
    shelf.close_idle()
    assert alone.closed
    assert len(opener) == 1


def test_a_project_is_at_hand_only_while_it_is_open(shelf, opener):
    assert shelf.at_hand(entry("a")) is None
    with shelf.read(entry("a")) as project:
        assert shelf.at_hand(entry("a")) is project
    assert shelf.at_hand(entry("a", stamp="2")) is None
    shelf.close_idle()
    assert shelf.at_hand(entry("a")) is None
    assert len(opener) == 1
