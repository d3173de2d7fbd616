import io
import json

import docx
import pytest

from fabula.errors import UsageError
from fabula.ui.state import continuity_desk as desks
from fabula.ui.state.continuity_desk import Choice
from fabula.views.findings_shown import FindingShown, FindingsShown

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
    desk = desks.check_draft(frame, DRAFT)
    [found] = desk.shown.findings
    assert found.rule == "timeline_conflict" and found.sides[-1].quote.draft
    assert desk.shown.counted == 1 and found.sureness.startswith("sure (")
    assert desks.check_draft(frame, DRAFT) is desk
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
        desks.check_draft(frame, " \n")
    with pytest.raises(UsageError, match="check a part"):
        desks.check_draft(frame, "a" * (desks.LONGEST_DRAFT + 1))


def test_the_book_is_checked_as_far_as_it_was_read(frame):
    desk = desks.check_book(frame)
    with frame.project() as project:
        assert desk.shown.words == project.check(as_of=9).words
    assert len(desk.rules) == len(desk.done.rules) and desk.draft is None
