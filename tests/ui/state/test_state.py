import io
import json
import threading
from dataclasses import replace
from functools import reduce

import docx
import pytest
from tests.stories.comparison_fakes import make_engine
from tests.tables import values

from fabula.core.documents import document_from_text
from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.core.types import Horizon
from fabula.errors import ModelRefused, UsageError
from fabula.story.comparison.engine import ComparisonEvent
from fabula.ui.state import comparisons
from fabula.ui.state import continuity_desk as desks
from fabula.ui.state.continuity_desk import Choice
from fabula.ui.state.live import LiveDraft, Running
from fabula.views.findings_shown import FindingShown, FindingsShown

TEXT = "# T\n\n## Chapter 1\n\nAnna met Bela.\n\n## Chapter 2\n\nIt rained.\n\n## Chapter 3\n\nIt snowed.\n"


def document(text=TEXT):
    return document_from_text(text, id="t", title="T")


@pytest.fixture(scope="module")
def report():
    return make_engine().compare("Anna meets Bela at the mill.", horizon=Horizon(2))


@pytest.fixture
def keep(tmp_path, report):
    memory = MemoryMonitor(budget=1 << 40).report
    return lambda as_of=2, **changed: comparisons.keep(
        tmp_path, document(), as_of, (replace(report, **changed),), memory
    )


def test_a_report_comes_back_as_it_was_newest_first(tmp_path, keep, report):
    names = [keep(), keep(prompt="Later.")]
    kept, _ = comparisons.kept(tmp_path, document(), 2)
    assert list(kept) == names[::-1]
    assert kept[names[0]].reports == (report,)
    assert "Anna meets Bela" in kept[names[0]].label


def test_nothing_is_shown_before_the_chapter_it_was_written_after(tmp_path, keep):
    keep()
    assert comparisons.kept(tmp_path, document(), 1) == ({}, 1)


def test_a_changed_text_hides_it_from_who_has_not_read_all(tmp_path, keep):
    keep()
    changed = document(TEXT.replace("It rained.", "It thundered."))
    assert comparisons.kept(tmp_path, changed, 2) == ({}, 1)
    assert len(comparisons.kept(tmp_path, changed, 3)[0]) == 1
    assert len(comparisons.kept(tmp_path, document(TEXT.replace("snowed", "hailed")), 2)[0]) == 1


def test_the_oldest_go_and_one_can_be_deleted(tmp_path, keep, monkeypatch):
    monkeypatch.setattr(comparisons, "_MOST", 2)
    names = [keep() for _ in range(3)]
    assert list(comparisons.kept(tmp_path, document(), 3)[0]) == [names[2], names[1]]
    comparisons.delete(tmp_path, names[2])
    comparisons.delete(tmp_path, "../../t")
    assert list(comparisons.kept(tmp_path, document(), 3)[0]) == [names[1]]


@pytest.mark.parametrize("change", [lambda _: "{", lambda one: json.dumps({**one, "schema": "x"})])
def test_a_damaged_file_is_passed_over(tmp_path, keep, change):
    name, other = keep(), keep()
    file = tmp_path / comparisons.FOLDER / f"{name}.json"
    file.write_text(change(json.loads(file.read_text())))
    assert list(comparisons.kept(tmp_path, document(), 3)[0]) == [other]


DRAFT = "Harriet Pellow was nineteen years old."


def finding(rule, about, chapter, state=""):
    return FindingShown("f", rule, "error", "m", about, chapter, (), "", "", "rules", 0.5, state=state)


def test_findings_are_chosen_by_state_person_rule_and_chapter():
    told = (finding("a", ("Ann",), 2), finding("b", (), 3, "later"), finding("a", (), 7))
    shown = FindingsShown(told, (finding("c", (), 1, "meant"),), 0, None, None, None, None, 0, 0, 0)
    assert Choice().of(shown) == (told[0], told[2])
    assert Choice("later").of(shown) == (told[1],) and Choice("meant").of(shown) == shown.suppressed
    assert Choice(about="Ann").of(shown) == (told[0],)
    assert Choice(rules=["c"]).of(shown) == () and Choice(first=3).of(shown) == (told[2],)


def test_a_draft_is_checked_and_exported(frame):
    desk = desks.check(frame, DRAFT)
    [found] = desk.shown.findings
    assert found.rule == "timeline_conflict" and found.sides[-1].quote.draft
    assert desk.shown.counted == 1 and found.sureness.startswith("sure (")
    assert desks.check(frame, DRAFT) is desk
    assert json.loads(desks.export(frame, desk, "JSON"))["violations"][0]["fingerprint"] == found.fingerprint
    assert json.loads(desks.export(frame, desk, "SARIF"))["version"] == "2.1.0"
    [[alert]] = json.loads(desks.export(frame, desk, "Vale")).values()
    assert (
        alert["Match"] == DRAFT
        and (alert["Line"], alert["Span"]) == (1, [1, len(DRAFT)])
        and alert["Severity"] == "error"
    )
    assert found.message in " ".join(desks.export(frame, desk, "Text").split())
    comments = list(docx.Document(io.BytesIO(desks.export(frame, desk, "Word"))).comments)
    assert [one.text.partition("\n")[0] for one in comments] == [found.message]


def test_a_draft_that_is_empty_or_endless_is_refused(frame):
    with pytest.raises(UsageError, match="Paste the draft"):
        desks.check(frame, " \n")
    with pytest.raises(UsageError, match="check a part"):
        desks.check(frame, "a" * (desks.LONGEST_DRAFT + 1))


def test_the_book_is_checked_as_far_as_it_was_read(frame):
    desk = desks.check(frame)
    with frame.project() as project:
        assert desk.shown.words == project.check(as_of=9).words
    assert len(desk.rules) == len(desk.done.rules) and desk.draft is None


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
    with Running(lambda on_event: go.wait(60)) as running:
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
            go.wait(60)
            on_event(event("generate", "x"))
            after.append("went on")
        finally:
            ended.set()

    with pytest.raises(KeyboardInterrupt), Running(work) as running:
        began.wait(60)
        next(running.batches(every=0.01))
        raise KeyboardInterrupt  # as when the page is drawn anew
    go.set()
    assert ended.wait(60)
    assert after == []


@pytest.mark.parametrize(("events", "draft"), values(__file__, "drafts_grow.tsv"))
def test_drafts_grow_and_a_revision_begins_anew(events, draft):
    told = [event("generate", "One. "), *(event(*one) for one in events)]
    assert reduce(LiveDraft.after, told, LiveDraft()) == LiveDraft(*draft)
