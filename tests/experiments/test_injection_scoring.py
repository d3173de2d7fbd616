"""The injection experiment's own arithmetic, by hand."""

import json

import pytest

from experiments.critic.judging import judged, sample
from experiments.critic.scoring import aggregate, score_copy
from fabula.core.types import Document, Evidence, Span
from fabula.story.injection import Edit, GoldSide, InjectedBook, Injection
from fabula.story.model.findings import Severity, Violation

TEXT = "a" * 200


def _quote(start, end, document="book", chapter=1):
    return Evidence(document, chapter, Span(start, end), TEXT[start:end])


def _found(rule, *spans, severity=Severity.ERROR):
    return Violation(rule, severity, "", (), tuple(_quote(*span) for span in spans))


def _slip(number, family, early, late, **given):
    edits = tuple(
        Edit(1, Span(0, 0), Span(*span), TEXT[span[0] : span[1]], side, f"x/{side}/1")
        for side, span in (("early", early), ("late", late))
        if span is not None
    )
    gold = tuple(GoldSide(edit.side, (_quote(edit.placed.start, edit.placed.end),)) for edit in edits)
    given = {"aspect": "eyes", "control": False, **given}
    return Injection(number, family, characters=(), edits=edits, gold=gold, **given)


BOOK = InjectedBook(
    Document("book", "Book", TEXT, ()),
    (
        _slip("001", "attribute_conflict", (0, 10), (50, 60)),
        _slip("002", "never_introduced", None, (100, 110)),
        _slip("003", "attribute_conflict", (120, 130), (140, 150), control=True, aspect="wig"),
    ),
)


def _scored(found, clean=(), canon=None):
    canon = found if canon is None else canon
    return score_copy(BOOK, clean=list(clean), found=list(found), with_canon=list(canon))


def test_both_sides_one_side_and_another_rule():
    both = _scored([_found("attribute_conflict", (5, 7), (55, 70))])
    assert both["injections"][0]["found_by"] == ["attribute_conflict"]
    assert both["new_findings"][0]["strict"] == ["001"]
    late = _scored([_found("attribute_conflict", (20, 30), (55, 70))])
    assert late["injections"][0]["found_by"] == []
    assert late["injections"][0]["late_found_by"] == ["attribute_conflict"]
    assert late["new_findings"][0]["strict"] == [] and late["new_findings"][0]["late"] == ["001"]
    other = _scored([_found("name_drift", (5, 7), (55, 70))])
    assert other["new_findings"][0]["strict"] == []
    assert other["new_findings"][0]["any_rule"] == ["001"]


def test_touching_is_not_overlapping():
    row = _scored([_found("attribute_conflict", (10, 20), (60, 70))])
    assert row["injections"][0]["late_found_by"] == []


def test_what_the_clean_book_had_is_set_aside_wherever_it_stands_now():
    old = _found("attribute_conflict", (80, 85), (90, 95))
    moved = _found("attribute_conflict", (81, 86), (91, 96), severity=Severity.INFO)  # the same words
    row = _scored([moved, _found("never_introduced", (101, 105))], clean=[old])
    assert [each["rule"] for each in row["new_findings"]] == ["never_introduced"]
    assert row["kept_clean"] == 1
    assert row["injections"][1]["found_by"] == ["never_introduced"]


def test_a_flagged_control():
    row = _scored([_found("two_places_at_once", (10, 20), (149, 160))])
    assert row["injections"][2]["flagged_by"] == ["two_places_at_once"]
    assert row["new_findings"][0]["controls"] == ["003"]


def test_canon_conflicts_are_sought_under_the_codex_only():
    slip = Injection(
        "001",
        "canon_conflict",
        "eyes",
        False,
        (),
        (Edit(1, Span(0, 0), Span(50, 60), TEXT[50:60], "late", "x/late/1"),),
        (GoldSide("early", (_quote(3, 9, "codex"),)), GoldSide("late", (_quote(50, 60),))),
        "codex",
    )
    book = InjectedBook(BOOK.document, (slip,), TEXT)
    found = Violation("canon_conflict", Severity.ERROR, "", (), (_quote(0, 20, "codex", 0), _quote(52, 54)))
    row = score_copy(book, clean=[], found=[], with_canon=[found, _found("name_drift", (0, 5))])
    assert row["injections"][0]["found_by"] == ["canon_conflict"]
    assert [each["rule"] for each in row["new_findings"]] == ["canon_conflict"]
    wrong = Violation("canon_conflict", Severity.ERROR, "", (), (_quote(0, 20), _quote(52, 54)))
    assert score_copy(book, clean=[], found=[], with_canon=[wrong])["injections"][0]["found_by"] == []


def test_aggregates_by_hand():
    found = [
        _found("attribute_conflict", (5, 7), (55, 70)),
        _found("attribute_conflict", (20, 30), (70, 80)),
        _found("name_drift", (125, 127), (180, 190)),
    ]
    books = [
        {
            "book": "one",
            "words": 20_000,
            "alarms": [{"rule": "name_drift", "severity": "error", "offsets": [[1, 2], [3, 4]]}],
            "copies": [_scored(found)],
        }
    ]
    total = aggregate(books, ["attribute_conflict", "name_drift"])
    covered = total["recall"]["covered"]
    assert (covered["hits"], covered["n"]) == (1, 1)
    assert total["recall"]["by_family"]["never_introduced"]["share"] == 0.0
    assert total["precision"]["caused_by_edits"]["share"] == pytest.approx(1 / 3, abs=1e-4)
    assert total["controls"]["flagged"]["hits"] == 1
    assert total["controls"]["flagged_by_family"]["hits"] == 0
    assert total["clean"]["per_10k_words"] == {"error": 0.5, "warning": 0.0, "info": 0.0}


def test_alarms_are_put_down_once_and_verdicts_kept(tmp_path):
    file = tmp_path / "alarms.json"
    alarms = [{"rule": "name_drift", "severity": "error", "offsets": [[n, n + 1], [9, 10]]} for n in range(3)]
    books = [{"book": "one", "alarms": alarms}]
    assert len(sample(books, 2, file=file)) == 2
    rows = json.loads(file.read_text())
    rows[0]["verdict"] = "false"
    file.write_text(json.dumps(rows))
    sample(books, 3, file=file)
    again = json.loads(file.read_text())
    assert len(again) == 3 and again[0]["verdict"] == "false"
    assert judged(books, file=file) == {"name_drift": {"false": 1}}
    assert judged([{"book": "one", "alarms": []}], file=file) == {}
