import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.experiments.judge_audit.test_judge_table import TEXT, row, table
from tests.tables import values

from experiments.judge_audit.agreement import flipped_pairs, kendall_tau, krippendorff_alpha, matches
from experiments.judge_audit.audit import audit_judges
from experiments.judge_audit.quote_search import QuoteSearch, likeness
from experiments.judge_audit.table import read_judgements


def test_alpha_is_krippendorffs_own_example():
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


def test_tau_with_ties_by_hand():
    one = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 3.0}
    other = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 4.0, "e": 9.0}
    # pairs ab +, ac +, ad +, bc -, bd +, cd tied in one: 3 / sqrt(5 * 6)
    assert kendall_tau(one, other) == pytest.approx(3 / (5 * 6) ** 0.5)
    assert flipped_pairs(one, other) == (("b", "c"),)
    assert kendall_tau({"a": 1.0}, {"a": 2.0}) is None


@given(st.lists(st.sets(st.integers(0, 5)), max_size=6))
def test_as_many_pairs_as_can_be_whatever_the_order(near):
    def count(order):
        pairs = matches([near[i] for i in order], list(range(6)), same=lambda ends, j: j in ends)
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
        return len(pairs)

    straight = list(range(len(near)))
    mixed = random.Random(1).sample(straight, len(straight))
    assert count(straight) == count(mixed) == count(straight[::-1])


def audit(tmp_path, *rows, texts=None, **given):
    texts = {("s", "a"): TEXT} if texts is None else texts
    return audit_judges(read_judgements([table(tmp_path / "j.csv", *rows)]), texts=texts, **given)


def test_runs_are_the_same_where_they_point_to_the_same_words(tmp_path):
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


def test_quotes_are_compared_by_places_or_as_words(tmp_path):
    (runs,) = audit(tmp_path, row("It was cold. Years later"), row("later her eyes were brown", run="2")).runs
    assert (runs.shared, runs.either) == (0, 2)
    made = audit(tmp_path, row("“It was cold.”"), row("it was cold", run="2"), row("Rain", run="2"), texts={})
    assert made.quotes[0].without_text == 3 and made.quotes[0].verified is None
    (runs,) = made.runs
    assert (runs.shared, runs.either, runs.jaccard) == (1, 2, 0.5)
    assert runs.alpha is None and made.rates[0].rate is None


def test_judges_that_rank_systems_the_other_way_round(tmp_path):
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


def test_how_a_quote_stands_in_the_text_and_its_likeness():
    for quote, how, stands in values(__file__, "how_a_quote_stands_in_the.tsv"):
        found = QuoteSearch(TEXT).find(quote)
        assert found.how == how, (quote, how, stands)
        assert (found.span is None) == (how == "absent"), (quote, how, stands)
        if stands is not None:
            assert found.span is not None and found.span.of(TEXT) == stands
    assert likeness("kitten", "sitting") == pytest.approx(2 * 4 / 13)
    assert likeness("", "") == 1.0 and likeness("a", "") == 0.0
