import json
import shutil
import threading
import time
from contextlib import contextmanager

import pytest
from tests.contracts.lexical_contract import search as ranked
from tests.copies import copy_unasked
from tests.stories.printed_book import printed_book
from tests.tables import file_text, values

from fabula.core.lexical.bm25 import LexicalIndex
from fabula.engine import Project, index_book
from fabula.errors import HorizonError, ProjectError, UsageError
from fabula.library.library import Library
from fabula.library.searching import search_stories, stories_in


@pytest.fixture(scope="module")
def home(demo_project, index_like_demo, tmp_path_factory):
    place = tmp_path_factory.mktemp("home")
    copy_unasked(demo_project, place / "the-bloom-line")
    book = place / "the-other.md"
    book.write_text(file_text(__file__, "the_other.md"))
    index_like_demo(book, place / "the-other")
    return place


def read(entry):
    return Project.open(entry.folder)


def test_the_best_of_all_come_first(home):
    entries = stories_in(home)
    assert [one.name for one in entries] == ["the-bloom-line", "the-other"]
    found = search_stories(entries, read, "When did the rocket leave for Mars?", 6)
    assert found[0].story == "the-other" and "rocket" in found[0].passage.chunk.text
    assert {hit.story for hit in found} == {"the-other", "the-bloom-line"}
    assert [hit.passage.score for hit in found] == sorted((h.passage.score for h in found), reverse=True)


def whole(home, limits):
    """One index of the first chunks of all stories."""
    texts = []
    for entry in stories_in(home):
        with Project.open(entry.folder) as project:
            texts += [chunk.text for chunk in project.chunks if chunk.chapter <= limits.get(entry.name, 99)]
    return LexicalIndex.from_texts(texts), texts


@pytest.mark.parametrize("read_to", [{}, {"the-bloom-line": 3, "the-other": 1}])
@pytest.mark.parametrize("held", [64, 1])
def test_words_score_as_in_one_index_of_all(home, monkeypatch, read_to, held):
    monkeypatch.setattr("fabula.library.searching._HELD", held)
    query = "Nobody wrote a letter to the bees."
    found = search_stories(stories_in(home), read, query, 12, mode="lexical", read_to=read_to)
    index, texts = whole(home, read_to)
    best = ranked(index, query, 12)
    assert [hit.passage.score for hit in found] == [one.score for one in best]
    assert {hit.passage.chunk.text for hit in found} == {texts[one.ordinal] for one in best}


def test_where_one_story_has_no_common_bm25_each_is_scored_by_itself(home, tmp_path):
    copied = shutil.copytree(home, tmp_path / "home")
    (copied / "the-other" / "fabula.toml").write_text('[retrieval]\nbackend = "rank-bm25"\n')
    shutil.copytree(home / "the-other", copied / "a-third")
    found = search_stories(stories_in(copied), read, "the letter", 50, mode="lexical")
    with Project.open(copied / "the-bloom-line") as project:
        alone = project.search("the letter", 50, mode="lexical").passages
    assert [hit.passage for hit in found if hit.story == "the-bloom-line"] == list(alone)


@pytest.mark.parametrize(("how",), values(__file__, "ways_to_search.tsv"))
def test_one_story_answers_as_it_does_by_itself(home, tmp_path, how):
    story = shutil.copytree(home / "the-bloom-line", tmp_path / "home" / "the-bloom-line")
    (story / "fabula.toml").write_text("[retrieval]\nleast_score = 0.4\n")
    found = search_stories(stories_in(story.parent), read, "Who wrote the letter?", 60, **how)
    with Project.open(story) as project:
        alone = project.search("Who wrote the letter?", 60, **how).passages
    assert found and [hit.passage for hit in found] == list(alone)


def test_a_hit_says_where_it_is_printed(tmp_path):
    (tmp_path / "ferry.pdf").write_bytes(printed_book())
    index_book(tmp_path / "ferry.pdf", tmp_path / "home" / "ferry")
    [hit] = search_stories(stories_in(tmp_path / "home"), read, "evening lamp", 1)
    with Project.open(tmp_path / "home" / "ferry") as project:
        assert hit.places and hit.places == project.places(hit.passage.chunk.span)


def test_only_what_is_allowed_is_searchable(home):
    library = Library(home)
    assert library.searchable() == library.entries()
    assert [one.name for one in library.searchable(lambda name: name != "the-other")] == ["the-bloom-line"]


def test_each_story_is_read_as_far_as_is_said(home):
    entries = stories_in(home)
    found = search_stories(entries, read, "rocket to Mars", 50, read_to={"the-other": 1, "the-bloom-line": 3})
    assert max(hit.passage.chunk.chapter for hit in found if hit.story == "the-bloom-line") == 3
    assert all("rocket" not in hit.passage.chunk.text for hit in found)
    with pytest.raises(UsageError, match="no story 'third'"):
        search_stories(entries, read, "x", 5, read_to={"third": 1})
    with pytest.raises(HorizonError):
        search_stories(entries, read, "x", 5, read_to={"the-other": 9})


class Watched:
    """A project that calls ``act`` before it gives its ``part``."""

    def __init__(self, project, part, act):
        self._project, self._part, self._act = project, part, act

    def __getattr__(self, name):
        if name == self._part:
            self._act()
        return getattr(self._project, name)


@pytest.mark.parametrize("part", ["question", "searcher"])
def test_where_one_story_fails_the_others_are_closed_after_their_work(home, part):
    begun, failed, log = threading.Event(), threading.Event(), []

    def fail():
        assert begun.wait(5)
        failed.set()
        raise HorizonError("no such chapter")

    def work_on():
        begun.set()
        assert failed.wait(5)
        time.sleep(0.1)
        log.append("worked")

    @contextmanager
    def opened(entry):
        with Project.open(entry.folder) as project:
            try:
                yield Watched(project, part, fail if entry.name == "the-bloom-line" else work_on)
            finally:
                log.append("closed")

    with pytest.raises(HorizonError, match="no such chapter"):
        search_stories(stories_in(home), opened, "letter", 3, mode="lexical")
    assert log == ["worked", "closed", "closed"]


def test_a_question_to_a_library_says_whom_to_ask(home, refusal, tmp_path):
    assert f"name {home}/the-bloom-line" in refusal("ask", home, "Who wrote?")
    assert "there is no project" in refusal("search", tmp_path, "x")


def test_a_project_is_no_library(home):
    assert stories_in(home / "the-other") == () and stories_in(home / "no-such") == ()
    assert Library(home).entry("the-other") is not None


def test_the_command_searches_a_folder_of_stories(home, run_cli, done, refusal):
    asked = ("search", home, "rocket to Mars")
    [found, *_] = json.loads(done(*asked, "-k", 3, "--json"))
    assert found["story"] == "the-other" and found["title"] == "The Other"
    said = done(*asked, "--read-to", "the-other", 1)
    assert "The Other (the-other), chapter 1" in said and "rocket left" not in said
    for called in ("the other", home / "the-other"):  # by its title, by the path to its folder
        assert done(*asked, "--read-to", called, 1) == said
    assert "the-other (The Other)" in refusal(*asked, "--read-to", "third", 1)
    assert "--read-to" in run_cli(*asked, "--as-of", 1).err
    assert "--as-of" in run_cli("search", home / "the-other", "x", "--read-to", "the-other", 1).err


def test_a_story_whose_settings_cannot_be_read_is_not_left_out_in_silence(home, tmp_path):
    library = Library(copied := shutil.copytree(home, tmp_path / "home"))
    (copied / "far").mkdir()
    (copied / "far" / "fabula.toml").write_text("[store\nurl = ", encoding="utf-8")
    with pytest.raises(ProjectError, match="far cannot be used: its settings") as raised:
        library.searchable()
    assert str(copied) not in str(raised.value)
    assert library.searchable(lambda name: name != "far") == library.entries()
