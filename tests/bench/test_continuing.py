import json

import pytest
from tests.bench.tale import TALE, Counting
from tests.scripted import ScriptedGenerator

from fabula.bench import shared
from fabula.bench.continuing import WrittenChapter, continued, summary
from fabula.errors import ModelRefused, ProjectError
from fabula.story.writing.pipelines import GRAPH, STANDARD

REPLIES = "Anna trusted Tom.\n\n## Chapter 90\n\nThe lamp burned low. Nothing was said, call {n}."
MORE = "\n## Chapter 3\n\nIt rained for a week. Anna Reed mended the rope.\n"


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "tale.md"
    path.write_text(TALE + MORE, encoding="utf-8")
    return path


@pytest.fixture
def write(book, tmp_path, monkeypatch):
    """Goes on with the book in a folder."""

    def written(work, *, dies_at=0, generator=None, **more):
        Counting.made = 0
        made = generator or Counting(REPLIES, dies_at=dies_at)
        monkeypatch.setattr(shared, "make_generator", lambda config: made)
        more = {"chapters": 2, "seeds": 1, "pipelines": (STANDARD, GRAPH)} | more
        return continued(book, tmp_path / work, **more).data["rows"]

    return written


def _plain(row):
    return (row.pipeline, row.seed, row.number, row.text, row.scores, row.rules)


def test_each_chapter_stands_on_those_before_and_a_kill_loses_none(write, tmp_path):
    whole = write("whole")
    order = [("standard", 4), ("standard", 5), ("graph", 4), ("graph", 5)]
    assert [(row.pipeline, row.number) for row in whole] == order
    assert Counting.made == 4
    assert all("#" not in row.text and "Chapter 90" in row.text for row in whole)
    story = (tmp_path / "whole" / "standard-0" / "story.md").read_text()
    assert story.count("\n## Chapter ") == 4  # the last one is asked for, not yet part of it
    assert whole[0].text in story
    with pytest.raises(KeyboardInterrupt):
        write("killed", dies_at=3)
    again = write("killed")
    assert Counting.made == 2  # two stood already
    assert [_plain(row) for row in again] == [_plain(row) for row in whole]
    longer = write("killed", chapters=3)
    assert Counting.made == 2
    assert [_plain(row) for row in longer if row.number < 6] == [_plain(row) for row in whole]


def test_another_run_in_the_same_folder_is_refused(book, write, tmp_path):
    write("run", chapters=1)

    def refused(said, **how):
        with pytest.raises(ProjectError, match=said):
            write("run", **{"chapters": 1} | how)

    refused("another prompt", prompt="Let it rain.")
    book.write_text(book.read_text() + "\nMore.\n")
    refused("another story")
    (tmp_path / "run" / "run.json").write_text("{")
    refused("damaged")


def test_a_line_that_fails_ends_and_says_so(write):
    generator = ScriptedGenerator([ModelRefused("no more"), "It rained."])
    rows = write("run", chapters=1, generator=generator)
    assert [(row.pipeline, row.error) for row in rows] == [("standard", "no more"), ("graph", "")]
    assert summary(rows)["ended_early"] == ["standard, seed 0, ch. 4: no more"]


def row(pipeline, seed, number, consistency):
    return WrittenChapter(pipeline, seed, number, "x", {"consistency": consistency}, (), 9)


def test_sums_and_curves_by_hand():
    places = ((0, 4), (1, 4), (0, 5))
    rows = [row("standard", *at, score) for at, score in zip(places, (0.5, 0.7, None), strict=True)]
    rows += [row("graph", *at, score) for at, score in zip(places, (0.9, 0.9, 1.0), strict=True)]
    data = summary(rows)
    assert data["curves"] == {"standard": [(1, 0.6)], "graph": [(1, 0.9), (2, 1.0)]}
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
