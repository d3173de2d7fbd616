import threading
from dataclasses import replace

from fabula.ui.frame import ViewCache


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


def test_views_are_kept_by_story_horizon_and_question(frame):
    later = replace(frame, as_of=4)
    assert [frame.cached("v", lambda _, made=made: made, 1) for made in "ab"] == ["a", "a"]
    assert frame.cached("v", lambda _: "c", 2) == "c"
    assert later.cached("v", lambda _: "d", 1) == "d"


def test_views_go_least_recently_used_first():
    views = ViewCache(2)
    for key in "abac":
        views.get(key, lambda key=key: key)
    assert [views.get(key, lambda: "new") for key in "ab"] == ["a", "new"]
    assert len(views) == 2
    views.drop()
    assert len(views) == 0
