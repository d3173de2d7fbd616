import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabula.bench.rating import Choice, RatingDesk, pairs_of, preference
from fabula.bench.results import compare_paired, holm, items_needed, sign_flip_test
from fabula.errors import ProjectError, UsageError
from fabula.story.comparison.report import SCHEMA
from fabula.story.model.findings import bootstrap_interval


def report(path, prompt, **texts):
    drafts = {name: [{"generation": {"text": text}}] for name, text in texts.items()}
    pipelines = [{"pipeline": name, "kept": 0, "drafts": each} for name, each in drafts.items()]
    told = {"schema": SCHEMA, "facts": {"prompt": prompt, "pipelines": pipelines}}
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


@pytest.fixture
def reports(tmp_path):
    one = {"standard": "Rain fell.", "graph": "=Anna got wet.", "fused": "Rain fell."}
    return [
        report(tmp_path / "one.json", "It rains.", **one),
        report(tmp_path / "two.json", "It snows.", standard="Snow fell.", graph="Anna froze."),
    ]


@pytest.fixture
def desk(tmp_path, reports):
    return RatingDesk(tmp_path / "rating", reports)


def test_choices_are_kept_and_may_be_changed(desk, tmp_path):
    first = desk.following("Ann")
    desk.choose("Ann", first.name, "a", comment="=more\nlife")
    assert desk.following("Ann") != first
    assert desk.following("Bo") == first
    desk.choose("Ann", first.name, "tie")
    again = RatingDesk(tmp_path / "rating", [])
    assert again.pairs == desk.pairs
    assert again.chosen(" ann ") == {first.name: ("tie", "")}
    for pair in again.pairs:
        again.choose("Ann", pair.name, "b")
    assert again.following("Ann") is None


def test_the_tally_by_hand(desk):
    for rater in ("Ann", "Bo"):
        for pair in desk.pairs:
            desk.choose(rater, pair.name, "a" if pair.by[0] == "graph" else "b")
    found = desk.tally()
    assert (found.choices, found.prompts, found.agreement) == (6, 2, 1.0)
    assert found.strengths[0].system == "graph"
    assert (found.strengths[0].wins, found.strengths[0].judged) == (6.0, 6)


def test_what_is_damaged_or_no_report_is_named(desk, tmp_path):
    (tmp_path / "rating" / "pairs.json").write_text("{")
    with pytest.raises(ProjectError, match="drawn anew"):
        RatingDesk(tmp_path / "rating", [])
    (tmp_path / "odd.json").write_text('{"schema": "other"}')
    with pytest.raises(ProjectError, match="compare --out"):
        RatingDesk(tmp_path / "new", [tmp_path / "odd.json"])


def test_what_is_no_choice_is_refused(desk):
    for rater, pair, choice in (("", "p001", "a"), ("Ann", "p999", "a"), ("Ann", "p001", "both")):
        with pytest.raises(UsageError):
            desk.choose(rater, pair, choice)
    with pytest.raises(UsageError, match="no pair has a choice"):
        desk.tally()


def test_a_name_is_no_path(desk, tmp_path):
    desk.choose("../../etc/passwd", desk.pairs[0].name, "a")
    [answers] = (tmp_path / "rating").glob("rater-*.json")
    assert answers.name.startswith("rater-etc-passwd-")


@pytest.mark.local_model
def test_drafts_of_any_origin_are_scored(demo_project, done, refusal, tmp_path):
    folder = tmp_path / "drafts"
    folder.mkdir()
    command = ("compare", demo_project, "Harriet meets Len.", "--chapter", 9, "--drafts", folder)
    assert "holds no draft" in refusal(*command)
    (folder / "mine.txt").write_text("Harriet trusted Len. She told him of the day.")
    (folder / "<b>theirs.md").write_text("Nothing was said on the way home.")
    found = done(*command, "--html", tmp_path / "report.html")
    assert "Comparison of 2 drafts written elsewhere" in found and "tokens" not in found
    page = (tmp_path / "report.html").read_text()
    assert "mine" in page and "<b>theirs" not in page
    facts = json.loads(done(*command, "--json"))["facts"]
    assert [one["pipeline"] for one in facts["pipelines"]] == ["<b>theirs", "mine"]
    (folder / "mine.md").write_text("Twice.")
    assert "two drafts named mine" in refusal(*command)


def test_holm_by_hand():
    # sorted .01 .03 .04: 3 x .01 = .03, 2 x .03 = .06, 1 x .04 = .04 -> not below .06
    assert holm([0.04, 0.01, 0.03]) == (0.06, 0.03, 0.06)
    assert holm([]) == ()
    assert holm([0.9, 0.8]) == (1.0, 1.0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_adjusting_never_lowers_a_p_nor_changes_their_order(ps):
    adjusted = holm(ps)
    assert all(p <= a <= 1 for a, p in zip(adjusted, ps, strict=True))
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    assert all(adjusted[a] <= adjusted[b] for a, b in itertools.pairwise(order))


def test_statistics_by_hand():
    # of the 8 patterns of signs of (1, 1, 1) two have a mean as far from 0 as the one observed
    assert [sign_flip_test(one) for one in ([1.0, 1.0, 1.0], [1.0, -1.0], [])] == [0.25, 1.0, 1.0]
    assert sign_flip_test([0.2] * 30) == pytest.approx(1 / 10_001)
    assert [items_needed(effect) for effect in (0.5, -0.5, 50.0, 0.0)] == [32, 32, 2, None]
    assert bootstrap_interval([1.0] * 50 + [0.0], groups=["a"] * 50 + ["b"]) == (0.0, 1.0)
    assert bootstrap_interval([1.0, 1.0], groups=["a", "b"]) == (1.0, 1.0)


def test_paired_by_hand():
    one = {"a1": 3.0, "a2": 1.0, "b1": 2.0, "c: only here": 9.0}  # a key begins with its unit
    found = compare_paired(one, {"a1": 1.0, "a2": 1.0, "b1": 3.0})
    counts = {"items": 3, "groups": 2, "wins": 1, "ties": 1, "losses": 1}
    units = {"effect": 0.0, "needed": None, "p": 1.0}  # means of units 1 and -1
    assert counts.items() | units.items() <= found.items()
    assert found["difference"] == pytest.approx(1 / 3, abs=1e-4)
    assert compare_paired({}, one) is None


def test_turning_the_sides_round_turns_the_signs():
    one, other = {"a": 1.0, "b": 5.0, "c": 2.5}, {"a": 0.0, "b": 3.0, "c": 2.0}
    there, back = compare_paired(one, other), compare_paired(other, one)
    turned = [-back["difference"], -back["high"], -back["low"], back["p"], back["needed"], back["losses"]]
    assert [there[name] for name in ("difference", "low", "high", "p", "needed", "wins")] == turned


ITEMS = [
    ("They meet.", {"standard": "He came.", "graph": "She came.", "fused": "Both came."}),
    ("They part.", {"standard": "=HYPERLINK(1)", "graph": "He left.", "fused": "He left."}),
]


def test_pairs_are_drawn_once_and_evenly():
    pairs = pairs_of(ITEMS, seed=3)
    assert [one.name for one in pairs] == ["p001", "p002", "p003", "p004", "p005"]
    assert {one.prompt for one in pairs} == {"They meet.", "They part."}  # "He left." twice is no choice
    assert pairs_of(ITEMS, seed=3) == pairs != pairs_of(ITEMS, seed=4)
    with pytest.raises(UsageError, match="no two different drafts"):
        pairs_of([("x", {"a": "same", "b": " same "})])
    many = pairs_of([(f"prompt {n}", {"one": f"a {n}", "two": f"b {n}"}) for n in range(400)])
    assert 160 < sum(pair.by[0] == "one" for pair in many) < 240


def test_two_systems_by_hand():
    found = preference([Choice(str(n), "x", "y", float(n < 3)) for n in range(4)])
    first, second = found.strengths
    assert first.system == "x" and first.low < 0.75 < first.high
    assert (first.share, second.share, first.wins, first.judged) == (0.75, 0.25, 3.0, 4)
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
