"""Judges audited: tables read with suspicion, quotes looked up, agreement as arithmetic."""

from __future__ import annotations

import contextlib
import csv
import difflib
import io
import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Evidence, Span
from fabula.errors import UsageError
from fabula.story.continuity.judges.agreement import flipped_pairs, kendall_tau, krippendorff_alpha, matches
from fabula.story.continuity.judges.audit import audit_judges
from fabula.story.continuity.judges.quote_search import QuoteSearch, likeness
from fabula.story.continuity.judges.table import MOST_FINDINGS, Reading, read_judgements
from fabula.story.model.findings import CheckReport, Severity, Violation

TEXT = (
    "Anna’s eyes were grey — as grey as the river. She ran the ferry.\n"
    "It was cold. Years later her eyes were brown, and nobody said a word about it. The bell rang."
)

# --- tables


def table(path: Path, *rows: dict[str, str]) -> Path:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    return path


def row(quote: str, **given: str) -> dict[str, str]:
    base = {"text_id": "a", "judge": "m", "run": "1", "system": "s", "rule": "r", "quote": quote}
    return base | {"other_quote": "", "message": ""} | given


def test_the_plain_layout(tmp_path: Path) -> None:
    made = read_judgements([table(tmp_path / "j.csv", row("one"), row("", run="2"))])
    assert made.readings == (Reading("a", "m", "1", "s"), Reading("a", "m", "2", "s"))
    (one,) = made.findings  # an empty quote: read, and nothing found
    assert (one.quote, one.rule, one.reading.run) == ("one", "r", "1")


def test_other_spellings_and_missing_columns(tmp_path: Path) -> None:
    other = {
        "Story ID": "a",
        "subcategory": "time",
        "exact_quote": "x y",
        "contradiction_pair": "z",
        "reasoning": "w",
    }
    (one,) = read_judgements([table(tmp_path / "j.csv", other)]).findings
    assert (one.rule, one.quote, one.other_quote, one.message) == ("time", "x y", "z", "w")
    assert one.reading == Reading("a", "judge", "1", "system")


def test_several_files_are_runs_or_systems(tmp_path: Path) -> None:
    plain = {"text_id": "a", "quote": "x y"}
    files = [table(tmp_path / f"{name}.csv", plain) for name in ("one", "two")]
    assert [each.run for each in read_judgements(files).readings] == ["one", "two"]
    assert [each.system for each in read_judgements(files, file_is="system").readings] == ["one", "two"]


def test_the_layout_of_constory_checker(tmp_path: Path) -> None:
    item = {"exact_quote": "her eyes\nwere brown", "contradiction_pair": "eyes were grey", "context": "c"}
    story = {
        "id": "7",
        "generated_story": TEXT,
        "judge_model": "big",
        "evaluation_status": "completed",
        "factual_detail_appearance_mismatches": json.dumps([item, {"exact_quote": None}]),
        "timeline_plot_causeless_effects": "[]",
        "world_building_core_rules_violations": "ERROR: HTTP 500",
    }
    made = read_judgements([table(tmp_path / "j.csv", story)])
    (one,) = made.findings
    assert one.rule == "factual_detail_appearance_mismatches"
    assert (one.quote, one.other_quote) == ("her eyes were brown", "eyes were grey")
    assert made.texts == {("system", "7"): TEXT}
    assert made.damaged == 2
    (quotes,) = audit_judges(made, texts=made.texts).quotes
    assert (quotes.quotes, quotes.exact, quotes.grounded) == (2, 2, 1)


def test_an_evaluation_that_failed_is_no_praise(tmp_path: Path) -> None:
    kinds = {"timeline_plot_causeless_effects": "[]", "narrative_style_style_shifts": "[]"}
    failed = dict.fromkeys(kinds, "ERROR: HTTP 500")
    partly = kinds | {"narrative_style_style_shifts": "ERROR: HTTP 500"}
    rows = [
        {"id": "1", "evaluation_status": "completed"} | kinds,
        {"id": "2", "evaluation_status": "error: no route"} | kinds,
        {"id": "3", "evaluation_status": "partial_0_5"} | failed,
        {"id": "4", "evaluation_status": "partial_4_5"} | partly,
        {"id": "", "evaluation_status": "completed"} | kinds,
    ]
    made = read_judgements([table(tmp_path / "j.csv", *rows)])
    assert [each.text_id for each in made.readings] == ["1", "4"]
    assert made.damaged == 1 + 2 + 1 + 1


HOSTILE = {
    "nul": (b"text_id,quote\na,\0x\n", "NUL"),
    "latin": ("text_id,quote\na,caf\xe9 au lait\n".encode("latin-1"), "--encoding"),
    "missing column": (b"text_id,words\na,b\n", "no column quote"),
    "both missing": (b"x,y\n1,2\n", "no column text_id and no quote"),
    "empty": (b"", "no column"),
    "short row": (b"text_id,quote\na\n", "line 2: 1 cells under 2"),
    "huge field": (b"text_id,quote\na," + b"x" * (8 * 1024 * 1024 + 1) + b"\n", "field larger"),
    "open quote": (b'text_id,quote\na,"x\n', "no CSV"),
    "column twice": (b"text_id,quote,quote\na,b,c\n", "twice"),
    "too many": (b"text_id,quote\n" + b"a,b\n" * (MOST_FINDINGS + 1), "more than"),
}


@pytest.mark.parametrize("case", HOSTILE, ids=HOSTILE.keys())
def test_hostile_tables_give_one_clear_line(case: str, tmp_path: Path) -> None:
    data, said = HOSTILE[case]
    path = tmp_path / "j.csv"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=said) as caught:
        read_judgements([path])
    assert len(str(caught.value)) < 300 and str(path) in str(caught.value)
    with pytest.raises(UsageError, match="cannot be read"):
        read_judgements([tmp_path])


def test_other_encodings_are_read_when_named(tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_bytes("text_id,quote\na,café au lait\n".encode("latin-1"))
    assert read_judgements([path], encoding="latin-1").findings[0].quote == "café au lait"
    path.write_bytes("text_id,quote\na,café au lait\n".encode("utf-16"))
    assert read_judgements([path]).findings[0].quote == "café au lait"
    with pytest.raises(UsageError, match="encoding"):
        path.write_bytes(b"text_id,quote\n")
        read_judgements([path], encoding="no-such")


@given(data=st.binary(max_size=200))
def test_any_bytes_are_a_table_or_one_error(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("j") / "j.csv"
    path.write_bytes(b"text_id,quote,timeline_plot_x\n" + data)
    with contextlib.suppress(UsageError):
        read_judgements([path])


# --- quotes


@pytest.mark.parametrize(
    ("quote", "how", "stands"),
    [
        ("She ran the ferry.", "exact", "She ran the ferry."),
        ("She ran  the\nferry", "exact", "She ran the ferry"),
        ('"Anna\'s eyes were grey - as grey"', "normalised", "Anna’s eyes were grey — as grey"),
        ("it was COLD", "normalised", "It was cold"),
        ("her eyes were brown and nobody said one word about it", "near", None),
        ("It was cold ... The bell rang", "exact", "It was cold"),
        ("Her eyes were as green as grass", "absent", None),
        ("It was cold ... The dog barked twice", "absent", None),
        ("…", "absent", None),
        ("", "absent", None),
    ],
)
def test_how_a_quote_stands_in_the_text(quote: str, how: str, stands: str | None) -> None:
    found = QuoteSearch(TEXT).find(quote)
    assert found.how == how
    assert (found.span is None) == (how == "absent")
    if stands is not None:
        assert found.span is not None and found.span.of(TEXT) == stands


def test_likeness_by_hand() -> None:
    # the longest common subsequence of kitten and sitting is ittn: 2 * 4 / (6 + 7)
    assert likeness("kitten", "sitting") == pytest.approx(2 * 4 / 13)
    assert likeness("", "") == 1.0 and likeness("a", "") == 0.0


@given(st.text("abcd", max_size=30), st.text("abcd", max_size=30))
def test_likeness_is_symmetric_and_no_less_than_that_of_matching_blocks(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)
    blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    assert blocks - 1e-9 <= likeness(one, other) <= 1.0


# --- agreement


def test_alpha_is_krippendorffs_own_example() -> None:
    # Krippendorff, "Computing Krippendorff's alpha-reliability" (2011): four observers, twelve units, nominal
    a, b, c, d = (
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    )
    units = [[mark for mark in marks if mark is not None] for marks in zip(a, b, c, d, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1, 1], [0, 0]]) == 1.0


def test_tau_with_ties_by_hand() -> None:
    one = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 3.0}
    other = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 4.0, "e": 9.0}
    # pairs ab +, ac +, ad +, bc -, bd +, cd tied in one: 3 / sqrt(5 * 6)
    assert kendall_tau(one, other) == pytest.approx(3 / (5 * 6) ** 0.5)
    assert flipped_pairs(one, other) == (("b", "c"),)
    assert kendall_tau({"a": 1.0}, {"a": 2.0}) is None


@given(st.lists(st.sets(st.integers(0, 5)), max_size=6))
def test_as_many_pairs_as_can_be_whatever_the_order(near: list[set[int]]) -> None:
    def count(order: list[int]) -> int:
        pairs = matches([near[i] for i in order], list(range(6)), same=lambda ends, j: j in ends)
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
        return len(pairs)

    straight = list(range(len(near)))
    mixed = random.Random(1).sample(straight, len(straight))
    assert count(straight) == count(mixed) == count(straight[::-1])


# --- the audit


def audit(tmp_path: Path, *rows: dict[str, str], texts=None, **given):
    texts = {("s", "a"): TEXT} if texts is None else texts
    return audit_judges(read_judgements([table(tmp_path / "j.csv", *rows)]), texts=texts, **given)


def test_runs_are_the_same_where_they_point_to_the_same_words(tmp_path: Path) -> None:
    made = audit(
        tmp_path,
        row("her eyes were brown, and nobody", run="1"),
        row("It was cold.", run="1"),
        row("eyes were brown", run="2"),
        row("The bell rang.", run="2"),
    )
    (runs,) = made.runs
    assert (runs.runs, runs.texts, runs.shared, runs.either) == (2, 1, 1, 3)
    assert runs.jaccard == pytest.approx(1 / 3)
    # 5 sentences, marks 00 00 10 11 01: observed 2 * (2 / 1), totals 6 zeros and 4 ones of 10
    assert runs.sentences == 5
    assert runs.alpha == pytest.approx(1 - 4 / ((100 - 36 - 16) / 9))


def test_quotes_that_only_touch_are_two(tmp_path: Path) -> None:
    (runs,) = audit(tmp_path, row("It was cold. Years later"), row("later her eyes were brown", run="2")).runs
    assert (runs.shared, runs.either) == (0, 2)


def test_without_texts_quotes_are_compared_as_words(tmp_path: Path) -> None:
    made = audit(tmp_path, row("“It was cold.”"), row("it was cold", run="2"), row("Rain", run="2"), texts={})
    assert made.quotes[0].without_text == 3 and made.quotes[0].verified is None
    (runs,) = made.runs
    assert (runs.shared, runs.either, runs.jaccard) == (1, 2, 0.5)
    assert runs.alpha is None and made.rates[0].rate is None


def test_judges_that_rank_systems_the_other_way_round(tmp_path: Path) -> None:
    texts = {(system, "a"): TEXT for system in ("x", "y")}
    rows = [row("It was cold.", judge="j", system="x"), row("It was cold.", judge="k", system="y")]
    rows += [row("", judge="j", system="y"), row("Nobody of that name", judge="k", system="x")]
    rows += [row("The bell rang.", judge="k", system="y")]
    made = audit(tmp_path, *rows, texts=texts)
    (pair,) = made.pairs
    assert (pair.one, pair.other, pair.systems, pair.tau, pair.flips) == ("j", "k", 2, -1.0, (("x", "y"),))
    words = len(TEXT.split())
    rates = {(each.judge, each.system): each for each in made.rates}
    assert rates["k", "y"].rate == pytest.approx(10_000 * 2 / words)
    assert rates["k", "x"].rate == pytest.approx(10_000 / words) and rates["k", "x"].grounded_rate == 0.0
    assert rates["j", "y"].rate == 0.0


def test_beside_the_rules(tmp_path: Path) -> None:
    def critic(text: str) -> CheckReport:
        sides = []
        for words in ("eyes were grey", "her eyes were brown"):
            start = text.index(words)
            sides.append(Evidence("t", 1, Span(start, start + len(words)), words))
        one = Violation("eyes", Severity.ERROR, "m", (), tuple(sides))
        return CheckReport((one,), 5, 5, 40)

    rows = [
        row("eyes were brown, and", other_quote="It was cold"),
        row("The bell rang."),
        row("Not there at all"),
    ]
    (beside,) = audit(tmp_path, *rows, critic=critic).critic
    assert (beside.findings, beside.shared_judge, beside.rule_findings, beside.shared_rules) == (2, 1, 1, 1)


def test_the_order_of_rows_changes_nothing(tmp_path: Path) -> None:
    rows = [
        row(quote, judge=judge, run=run)
        for judge, run in combinations("12345", 2)
        for quote in ("It was cold.", f"word {judge} {run}", "The bell")
    ]
    plain = audit(tmp_path, *rows)
    random.Random(3).shuffle(rows)
    assert audit(tmp_path, *rows) == plain
