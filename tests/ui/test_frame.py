import threading

import pytest

from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.library.library import Library
from fabula.library.shelf import Shelf
from fabula.ui.frame import Frame


@pytest.fixture
def frame(demo_copy):
    library = Library(demo_copy.project.parent)
    entry = next(one for one in library.entries() if one.folder == demo_copy.project)
    shelf = Shelf(MemoryMonitor())
    yield Frame(library, shelf, entry, 3)
    shelf.close()


def test_a_long_comparison_keeps_no_other_session_from_reading(frame):
    seen = []

    def other():
        seen.append(frame.cached("names", lambda project: len(project.view(3).log.mentions)))
        with frame.project() as project:
            seen.append(len(project.search("the letter", as_of=3).passages))

    with frame.at_work():
        session = threading.Thread(target=other)
        session.start()
        session.join(20)
        assert len(seen) == 2 and all(seen)


def test_models_work_for_one_session_at_a_time(frame):
    inside, order = threading.Event(), []

    def other():
        inside.set()
        with frame.at_work():
            order.append("second")

    with frame.at_work():
        session = threading.Thread(target=other)
        session.start()
        inside.wait(5)
        session.join(0.2)
        order.append("first")
    session.join(20)
    assert order == ["first", "second"]
