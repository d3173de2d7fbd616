import threading
from functools import reduce

import pytest
from tests.tables import values

from fabula.errors import ModelRefused
from fabula.story.comparison.engine import ComparisonEvent
from fabula.ui.state.live import LiveDraft, Running


def event(stage, text=""):
    return ComparisonEvent("fused", stage, text)


def test_all_events_arrive_in_order_and_so_does_the_result():
    told = [event("generate", str(number)) for number in range(500)]
    with Running(lambda on_event: len([on_event(one) for one in told])) as running:
        assert [one for batch in running.batches() for one in batch] == told
        assert running.result() == 500


@pytest.mark.parametrize("error", [ModelRefused("no"), KeyError("bug")])
def test_what_the_work_raises_reaches_the_watcher(error):
    def work(on_event):
        raise error

    with Running(work) as running:
        assert list(running.batches()) == [[]]
        with pytest.raises(type(error)):
            running.result()


def test_a_watcher_gets_turns_while_nothing_happens():
    go = threading.Event()
    with Running(lambda on_event: go.wait(5)) as running:
        batches = running.batches(every=0.01)
        assert next(batches) == [] and next(batches) == []
        go.set()
        assert running.result() is True


def test_work_that_nobody_watches_stops_at_its_next_event():
    began, go, ended = threading.Event(), threading.Event(), threading.Event()
    after = []

    def work(on_event):
        try:
            began.set()
            go.wait(5)
            on_event(event("generate", "x"))
            after.append("went on")
        finally:
            ended.set()

    with pytest.raises(KeyboardInterrupt), Running(work) as running:
        began.wait(5)
        next(running.batches(every=0.01))
        raise KeyboardInterrupt  # as when the page is drawn anew
    go.set()
    assert ended.wait(5)
    assert after == []


@pytest.mark.parametrize(("events", "draft"), values(__file__, "drafts_grow.tsv"))
def test_drafts_grow_and_a_revision_begins_anew(events, draft):
    told = [event("generate", "One. "), *(event(*one) for one in events)]
    assert reduce(LiveDraft.after, told, LiveDraft()) == LiveDraft(*draft)
