import json

import pytest

from fabula.bench.rating import RatingDesk
from fabula.errors import ProjectError, UsageError
from fabula.story.comparison.report import SCHEMA


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
