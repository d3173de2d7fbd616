import json
from dataclasses import replace

from tests.stories.builder import StoryBuilder

from fabula.core.files.plain_json import plain
from fabula.core.types import Evidence, Span
from fabula.story.continuity.critic import DRAFT_ID, RULES
from fabula.story.model.findings import CheckReport, Severity, Suppressed, Violation
from fabula.views.findings_shown import findings_shown, rules_shown


def told():
    book = StoryBuilder().quiet()
    _, early, _ = (book.say(one) for one in ("It rained.", "Anna was dead.", "All wept."))
    late, _ = (book.chapter(2).say("Anna danced."), book.say("They clapped."))
    return book.mention("Anna"), early, late


def report_of(*found, suppressed=()):
    return CheckReport(found, 4, 3, 100, suppressed=suppressed, chapter_words=((1, 100),))


def finding(*evidence, rule="dead_then_acts"):
    return Violation(rule, Severity.ERROR, "Anna is dead and dances.", ("anna",), evidence, "mend", "unless")


def test_both_sides_stand_in_their_context():
    book, early, late = told()
    shown = findings_shown(report_of(finding(early, late)), book.text(), view=book.view())
    [one] = shown.findings
    assert [(side.before, side.quote.text, side.after) for side in one.sides] == [
        ("It rained. ", "Anna was dead.", " All wept."),
        ("", "Anna danced.", " They clapped."),
    ]
    assert one.entities == ("Anna",) and one.chapter == 2 and one.severity == "error"
    assert one.fingerprint == finding(early, late).fingerprint
    assert (shown.counted, shown.coverage, shown.consistency) == (1, 0.75, 0.9)


def test_drafts_are_quoted_and_findings_say_how_sure_they_are():
    book, early, _ = told()
    draft = "She rose. Anna danced. She fell."
    late = Evidence(DRAFT_ID, 3, Span(10, 22), "Anna danced.")
    [one] = findings_shown(report_of(finding(early, late)), book.text(), draft=draft).findings
    assert one.sides[1].quote.draft
    assert (one.sides[1].before, one.sides[1].after) == ("She rose. ", " She fell.")
    assert one.entities == ("anna",)
    book, early, late = told()
    sure, other = finding(early, late), replace(finding(early), origin="model:m")
    shown = findings_shown(report_of(replace(sure, confidence=0.8), other), book.text())
    by_model = "sure (1.00, as a language model reads it)"
    assert [one.sureness for one in shown.findings] == ["sure (0.80)", by_model]


def test_suppressed_findings_stand_apart_with_their_reasons():
    book, early, late = told()
    meant = Suppressed(finding(early, late), "a ghost story")
    shown = findings_shown(report_of(suppressed=(meant,)), book.text())
    assert shown.findings == () and [one.reason for one in shown.suppressed] == ["a ghost story"]
    json.dumps(plain(shown), allow_nan=False)


def test_every_rule_says_what_it_assumes():
    shown = rules_shown(RULES)
    assert [rule.name for rule in shown] == [rule.__name__ for rule in RULES]
    for rule in shown:
        assert rule.summary and rule.assumes and "``" not in rule.assumes
