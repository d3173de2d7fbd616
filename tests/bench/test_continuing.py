import json

import pytest
from tests.bench.tale import TALE, Counting
from tests.scripted import ScriptedGenerator

from fabula.bench import shared
from fabula.bench.continuing import WrittenChapter, continue_story, continued, summary
from fabula.config import load_config
from fabula.errors import ModelRefused, ProjectError, UsageError
from fabula.story.writing.pipelines import GRAPH, STANDARD

REPLIES = (
    "Anna trusted Tom.\n\n## Chapter 90\n\nThe lamp burned low. Nothing was said on the way home, call {n}."
)

MORE = "\n## Chapter 3\n\nIt rained for a week. Anna Reed mended the rope.\n"


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "tale.md"
    path.write_text(TALE + MORE, encoding="utf-8")
    return path


def write(book, work, monkeypatch, *, dies_at=0, chapters=2, **more):
    Counting.made = 0
    monkeypatch.setattr(shared, "make_generator", lambda config: Counting(REPLIES, dies_at=dies_at))
    return continue_story(
        book, work, config=load_config(), chapters=chapters, pipelines=(STANDARD, GRAPH), **more
    )


def _plain(row):
    return (row.pipeline, row.seed, row.number, row.text, row.scores, row.rules)


def test_each_chapter_stands_on_those_before_and_a_kill_loses_none(book, tmp_path, monkeypatch):
    whole = write(book, tmp_path / "whole", monkeypatch)
    assert [(row.pipeline, row.number) for row in whole] == [
        ("standard", 4),
        ("standard", 5),
        ("graph", 4),
        ("graph", 5),
    ]
    assert Counting.made == 4
    assert all("#" not in row.text and "Chapter 90" in row.text for row in whole)
    story = (tmp_path / "whole" / "standard-0" / "story.md").read_text()
    assert story.count("\n## Chapter ") == 4  # the last one is asked for, not yet part of it
    assert whole[0].text in story
    with pytest.raises(KeyboardInterrupt):
        write(book, tmp_path / "killed", monkeypatch, dies_at=3)
    again = write(book, tmp_path / "killed", monkeypatch)
    assert Counting.made == 2  # two stood already
    assert [_plain(row) for row in again] == [_plain(row) for row in whole]
    longer = write(book, tmp_path / "killed", monkeypatch, chapters=3)
    assert Counting.made == 2
    assert [_plain(row) for row in longer if row.number < 6] == [_plain(row) for row in whole]


def test_another_run_in_the_same_folder_is_refused(book, tmp_path, monkeypatch):
    write(book, tmp_path / "run", monkeypatch, chapters=1)
    with pytest.raises(ProjectError, match="another prompt"):
        write(book, tmp_path / "run", monkeypatch, chapters=1, prompt="Let it rain.")
    book.write_text(book.read_text() + "\nMore.\n")
    with pytest.raises(ProjectError, match="another story"):
        write(book, tmp_path / "run", monkeypatch, chapters=1)
    with pytest.raises(UsageError, match="one chapter"):
        write(book, tmp_path / "run", monkeypatch, chapters=0)
    (tmp_path / "run" / "run.json").write_text("{")
    with pytest.raises(ProjectError, match="damaged"):
        write(book, tmp_path / "run", monkeypatch, chapters=1)


def test_a_line_that_fails_ends_and_says_so(book, tmp_path, monkeypatch):
    monkeypatch.setattr(
        shared,
        "make_generator",
        lambda config: ScriptedGenerator([ModelRefused("no more"), "It rained."]),
    )
    rows = continue_story(
        book, tmp_path / "run", config=load_config(), chapters=1, pipelines=(STANDARD, GRAPH)
    )
    assert [(row.pipeline, row.error) for row in rows] == [("standard", "no more"), ("graph", "")]
    assert summary(rows)["ended_early"] == ["standard, seed 0, ch. 4: no more"]


def row(pipeline, seed, number, consistency):
    return WrittenChapter(pipeline, seed, number, "x", {"consistency": consistency}, (), 9)


def test_sums_and_curves_by_hand():
    rows = [
        row("standard", 0, 4, 0.5),
        row("standard", 1, 4, 0.7),
        row("standard", 0, 5, None),
        row("graph", 0, 4, 0.9),
        row("graph", 1, 4, 0.9),
        row("graph", 0, 5, 1.0),
    ]
    assert summary(rows)["curves"] == {"standard": [(1, 0.6)], "graph": [(1, 0.9), (2, 1.0)]}
    data = summary(rows)
    means = {one["pipeline"]: one["mean"] for one in data["means"] if one["metric"] == "consistency"}
    assert means["standard"] == 0.6
    [pair] = [one for one in data["paired"] if one["metric"] == "consistency"]
    assert (pair["pipeline"], pair["items"], pair["groups"]) == ("graph", 2, 2)
    assert pair["difference"] == pytest.approx(0.3)
    assert json.dumps(data)


def test_the_table_names_each_pipeline(book, tmp_path, monkeypatch):
    monkeypatch.setattr(shared, "make_generator", lambda config: Counting(REPLIES))
    found = continued(book, tmp_path / "run", chapters=1, seeds=1)
    [header] = [line for line in found.text.splitlines() if line.startswith("mean ")]
    assert header.split()[-3:] == ["standard", "graph", "fused"]
    assert "\nconsistency" in found.text
