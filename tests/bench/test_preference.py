"""Blind sheets, and what is made of the choices on them."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import values

from fabula.bench.rating import COLUMNS, Choice, make_sheet, preference, read_choices
from fabula.errors import UsageError

ITEMS = [
    ("They meet.", {"standard": "He came.", "graph": "She came.", "fused": "Both came."}),
    ("They part.", {"standard": "=HYPERLINK(1)", "graph": "He left.", "fused": "He left."}),
]


def rows_of(sheet):
    return list(csv.DictReader(io.StringIO(sheet.csv)))


def filled(sheet, choose):
    key = json.loads(sheet.key)["pairs"]
    rows = rows_of(sheet)
    for row in rows:
        row["choice"] = choose(key[row["pair"]])
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS)
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def test_a_sheet_shows_texts_and_nobody():
    sheet = make_sheet(ITEMS, seed=3)
    assert sheet.pairs == 3 + 2  # "He left." against itself is no choice
    rows = rows_of(sheet)
    assert [row["pair"] for row in rows] == ["p001", "p002", "p003", "p004", "p005"]
    assert all(row["choice"] == "" for row in rows)
    assert not any(name in sheet.csv for name in ("standard", "graph", "fused"))
    assert "'=HYPERLINK(1)" in sheet.csv
    assert make_sheet(ITEMS, seed=3) == sheet
    assert make_sheet(ITEMS, seed=4) != sheet
    with pytest.raises(UsageError, match="no two different drafts"):
        make_sheet([("x", {"a": "same", "b": " same "})])


def test_sides_are_drawn_evenly():
    items = [(f"prompt {n}", {"one": f"a {n}", "two": f"b {n}"}) for n in range(400)]
    key = json.loads(make_sheet(items).key)["pairs"]
    assert 160 < sum(pair["a"] == "one" for pair in key.values()) < 240


def test_choices_are_read_by_the_key():
    sheet = make_sheet(ITEMS)
    text = filled(
        sheet, lambda pair: "A" if pair["a"] == "graph" else "b" if pair["b"] == "graph" else " tie "
    )
    choices, unjudged = read_choices(text, sheet.key)
    assert unjudged == 0
    found = preference(choices)
    assert [one.system for one in found.strengths] == ["graph", "fused", "standard"]
    assert found.strengths[0].wins == 3.0
    assert found.prompts == 2
    blank = filled(sheet, lambda pair: "")
    assert read_choices(blank, sheet.key) == ((), 5)
    with pytest.raises(UsageError, match="no pair has a choice"):
        preference(())


def test_damaged_files_are_said_to_be():
    for sheet, key, said in values(__file__, "damaged_files_are_said_to_be.tsv"):
        with pytest.raises(UsageError, match=said):
            read_choices(sheet, make_sheet(ITEMS).key if key is None else key)


def test_two_systems_by_hand():
    # 3 wins of 4, and half a win each way: 3.5 of 5
    choices = [Choice(str(n), "x", "y", float(n < 3)) for n in range(4)]
    found = preference(choices)
    assert found.strengths[0].system == "x"
    assert found.strengths[0].share == pytest.approx(0.7, abs=1e-4)
    assert found.strengths[1].share == pytest.approx(0.3, abs=1e-4)
    assert found.strengths[0].low < 0.7 < found.strengths[0].high
    assert found.agreement is None


def test_agreement_counts_pairs_of_one_mind_whichever_side_they_stood():
    choices = [Choice("p", "x", "y", 1.0), Choice("p", "y", "x", 0.0), Choice("q", "x", "y", 1.0)]
    assert preference(choices).agreement == 1.0
    assert preference([*choices, Choice("q", "x", "y", 0.5)]).agreement == 0.5


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from([0.0, 0.5, 1.0]))))
def test_naming_the_sides_otherwise_round_changes_nothing(raw):
    choices = [Choice("i", one, other, won) for one, other, won in raw]
    turned = [Choice("i", other, one, 1 - won) for one, other, won in raw]
    if choices:
        assert preference(choices).strengths == preference(turned).strengths
