import pytest
from tests.experiments.judge_audit.test_judge_table import TEXT, row, table

from experiments.judge_audit.audit import audit_judges
from experiments.judge_audit.table import read_judgements


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
