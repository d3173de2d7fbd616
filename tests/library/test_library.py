import json
import re
import shutil
import sqlite3
import tempfile
import threading
import time
import unicodedata
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.lexical_contract import search as ranked
from tests.copies import copy_unasked
from tests.stories.book_files import zipped
from tests.stories.printed_book import printed_book
from tests.tables import file_text, rows, values

from fabula.core.lexical.bm25 import LexicalIndex
from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.engine import Project, index_book
from fabula.errors import DocumentError, HorizonError, MemoryBudgetError, NameTaken, ProjectError, UsageError
from fabula.library import library
from fabula.library.library import DEMO, Entry, Library, labels, safe_name
from fabula.library.searching import search_stories, stories_in
from fabula.library.shelf import Shelf
from fabula.project.accepting import Desk
from fabula.project.storage.opening import open_store
from fabula.story.extraction.reader import StoryReader

BOOKS = Path(__file__).parents[1] / "stories" / "books"
TALE = b"# The Ferry\n\n## Chapter 1\n\nAnna ran the ferry.\n\n## Chapter 2\n\nBela wept for Anna.\n"


@pytest.mark.parametrize(("name", "safe"), rows(__file__, "safe_names.tsv"))
def test_a_name_becomes_safe(name, safe):
    assert safe_name(name) == safe


def test_long_names_stay_apart():
    one, other = safe_name("x" * 300 + "1.txt"), safe_name("x" * 300 + "2.txt")
    assert one != other and one.startswith("x" * 51 + "-") and one.endswith(".txt")


@given(st.text(max_size=400))
def test_any_name_is_one_short_part_of_a_path(name):
    safe = safe_name(name)
    assert safe not in ("", ".", "..")
    assert not set(safe) & set("/\\\0\r\n")
    assert len(safe.encode("utf-8", "surrogatepass")) <= 200


@pytest.fixture
def story(demo_project, tmp_path):
    """A library with one."""
    return shutil.copytree(demo_project, tmp_path / "library" / "story")


def test_titles_that_two_share_carry_their_names(tmp_path):
    titles = {"a": "Emma", "b": "Emma", "c": "Per\nsuasion", "d": "x" * 99}
    called = labels([Entry(tmp_path / name, title, 1, 10, "1") for name, title in titles.items()])
    assert called == {"a": "a: Emma", "b": "b: Emma", "c": "Per suasion", "d": "x" * 79 + "…"}


@pytest.mark.parametrize(("name", "content", "words"), values(__file__, "stories_refused.tsv"))
def test_what_is_no_story_is_refused_and_leaves_nothing(tmp_path, name, content, words):
    home = tmp_path / "home"
    with pytest.raises(UsageError, match=words) as failure:
        Library(home).add(name, content)
    message = str(failure.value)
    assert "\n" not in message and tempfile.gettempdir() not in message and str(tmp_path) not in message
    assert not home.exists()


def test_what_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "MAX_UPLOAD_MB", 1)
    with pytest.raises(UsageError, match=r"x.txt has 2 MB and the app takes 1"):
        Library(tmp_path).add("x.txt", b"word " * 400_000)


def test_settings_that_cannot_be_read_are_said(tmp_path):
    (tmp_path / "fabula.toml").write_text("[comparison]\nseeed = 1\n")
    with pytest.raises(UsageError, match="did you mean seed"):
        Library(tmp_path).add("x.txt", TALE)


def test_a_text_is_indexed_inside_the_library_and_nowhere_else(tmp_path):
    home = tmp_path / "a" / "home"
    added = Library(home).add("../../The Ferry.md", TALE)
    assert added.name == "the-ferry"
    assert [path.name for path in home.iterdir()] == ["the-ferry"]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    [entry] = Library(home).entries()
    assert (entry.name, entry.title, entry.chapters, entry.words) == ("the-ferry", "The Ferry", 2, 8)


OTHERS = "Mein Buch.txt|mein buch.md|mein-buch.txt|MEIN BUCH.txt|Mein Buch!.txt|Mein Büch.txt".split("|")


def test_only_the_same_file_name_replaces_a_project(tmp_path):
    place = Library(tmp_path)
    name = "Mein Büch ☃.txt"
    assert place.add(name, TALE).name == "mein-buch"
    for other in OTHERS:
        assert place.id_of(other, TALE) == "mein-buch"
        with pytest.raises(NameTaken, match=f"{re.escape(other)} and {name} would both be .* mein-buch"):
            place.add(other, b"Another book. Carl came.")
    place.require_free("mein-buch", unicodedata.normalize("NFD", name))
    assert place.add(name, TALE + b"\n## Chapter 3\n\nDora came.\n").report.read == 1
    with pytest.raises(NameTaken, match=r"b\.txt and a\.txt"):
        place.require_free("free", "b.txt", waiting=["b.txt", "", "a.txt"])
    place.require_free("free", "b.txt", waiting=["b.txt"])
    [entry] = place.entries()
    accepted = Desk(entry.folder).accept("Emil came.")
    assert accepted.number == 4
    with pytest.raises(NameTaken):
        place.add("Mein Buch.txt", TALE)
    place.remove("mein-buch")
    assert place.add("Mein Buch.txt", TALE).name == "mein-buch"


def test_a_project_that_kept_no_name_is_known_by_its_book(tmp_path):
    place = Library(tmp_path)
    place.add("a.txt", TALE)
    with open_store(tmp_path / "a") as store:
        store.remember("file", "")
    with pytest.raises(NameTaken):
        place.require_free("a", "A.txt")
    with open_store(tmp_path / "a") as store:
        store.remember("book", "book/a.md")
    place.require_free("a", "A.txt")


def test_unfinished_and_foreign_folders_are_passed_over(tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    (tmp_path / "fabula.toml").write_text("")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "fabula.db").write_bytes(b"no database at all" * 100)

    def stop(self, text):
        raise DocumentError("stopped")

    with monkeypatch.context() as patch:
        patch.setattr(StoryReader, "read", stop)
        with pytest.raises(DocumentError, match="stopped"):
            Library(tmp_path).add("half.md", TALE)
    assert (tmp_path / "half" / "fabula.db").exists()
    library = Library(tmp_path)
    assert library.entries() == [] and list(library.looked_at()[1]) == ["broken"]
    assert library.entry("half") is None and library.entry("notes") is None
    assert Library(tmp_path / "missing").entries() == []


@pytest.mark.parametrize("name", ["", "..", "../demo", ".server", "a/b", "A", "x" * 81, "none-such", "a\0"])
def test_no_name_leads_out_of_the_library(tmp_path, story, name):
    shutil.copytree(story, tmp_path / "demo")
    library = Library(story.parent)
    assert library.entry("story").name == "story"
    assert library.entry(name) is None


def test_an_entry_is_looked_up_anew_when_its_project_changed(story):
    library = Library(story.parent)
    before = library.entry("story")
    assert library.entry("story") is before
    with closing(sqlite3.connect(story / "fabula.db")) as db, db:
        db.execute("UPDATE meta SET value = '000009' WHERE key = 'generation'")
    (story / "index" / "000009").mkdir()
    assert library.entry("story").stamp != before.stamp
    shutil.rmtree(story)
    assert library.entry("story") is None


def overwritten(story):
    (story / "fabula.db").write_bytes(b"no database at all" * 100)


def without_index(story):
    shutil.rmtree(story / "index")


def with_trigger(story):
    with closing(sqlite3.connect(story / "fabula.db")) as db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON feedback BEGIN DELETE FROM work; END")


def linked(story):
    (story / "index").rename(story.parent.parent / "elsewhere")
    (story / "index").symlink_to(story.parent.parent / "elsewhere")


@pytest.mark.parametrize("harm", [overwritten, without_index, with_trigger, linked])
def test_a_story_that_cannot_be_used_says_so_and_stays_in_the_list(tmp_path, story, harm):
    harm(story)
    library = Library(story.parent)
    entries, unusable = library.looked_at()
    assert entries == [] and list(unusable) == ["story"]
    with pytest.raises(ProjectError, match="story cannot be used: its files are damaged") as refused:
        library.entry("story")
    assert str(tmp_path) not in str(refused.value)


def test_a_story_whose_server_is_down_says_so(tmp_path):
    pytest.importorskip("psycopg")
    (tmp_path / "far").mkdir()
    settings = '[store]\nurl = "postgresql://127.0.0.1:1/none"\nbook = "far-1"\n'
    (tmp_path / "far" / "fabula.toml").write_text(settings)
    library = Library(tmp_path)
    with pytest.raises(ProjectError, match="far cannot be used: its settings, or the PostgreSQL server"):
        library.entry("far")
    assert list(library.looked_at()[1]) == ["far"]


def test_the_id_of_a_text_is_known_before_it_is_indexed(tmp_path):
    library = Library(tmp_path / "library")
    assert library.id_of("A Tale.txt", b"Once upon a time.") == "a-tale"
    with pytest.raises(DocumentError):
        library.id_of("A Tale.txt", b" ")
    with pytest.raises(UsageError, match="demo story"):
        library.id_of("the-bloom-line.md", b"Once upon a time.")
    assert not (tmp_path / "library").exists()


def test_a_folder_is_taken_as_an_archive(tmp_path):
    library = Library(tmp_path / "home")
    for folder, ending, chapters in (("The Ferry.scriv", ".scriv.zip", 3), ("The Lantern Tide", ".zip", 4)):
        packed = shutil.make_archive(str(tmp_path / "packed"), "zip", BOOKS, folder)
        name = folder.removesuffix(".scriv")
        added = library.add(f"{name}{ending}", Path(packed).read_bytes())
        entry = library.entry(added.name)
        assert (added.name, entry.title, entry.chapters) == (name.lower().replace(" ", "-"), name, chapters)
    assert library.entry(library.add("signal.fdx", (BOOKS / "signal.fdx").read_bytes()).name).chapters == 3
    with pytest.raises(DocumentError, match=r"^a.msk is kept in a folder beside it"):
        library.add("a.msk", b"1")
    with pytest.raises(DocumentError, match=r"^notes.zip holds no Markdown files") as failure:
        Library(tmp_path).add("notes.zip", zipped({"a.png": "x"}))
    assert str(tmp_path) not in str(failure.value)


@pytest.fixture
def home(demo_project, tmp_path):
    shutil.copytree(demo_project, tmp_path / "home" / DEMO)
    return Library(tmp_path / "home")


def test_a_story_goes_with_all_that_was_made_of_it(home):
    home.remove(DEMO)
    assert home.entries() == []
    assert list(home.root.iterdir()) == []


@pytest.mark.parametrize("name", ["notes", "nothing", "..", ".", "", "/etc", "../home", f"{DEMO}/../{DEMO}"])
def test_only_a_story_of_the_library_can_go(home, name):
    (home.root / "notes").mkdir()
    with pytest.raises(UsageError, match="no story"):
        home.remove(name)
    assert [entry.name for entry in home.entries()] == [DEMO] and (home.root / "notes").is_dir()


def test_a_link_to_elsewhere_is_not_followed(home, tmp_path):
    (home.root / DEMO).rename(tmp_path / "elsewhere")
    (home.root / DEMO).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        home.remove(DEMO)
    assert (tmp_path / "elsewhere" / "fabula.db").is_file()


class FakeProject:
    def __init__(self, folder):
        self.folder = folder
        self.closed = 0
        self.dropped = []

    def close(self):
        self.closed += 1

    def __getattr__(self, name):
        return lambda: self.dropped.append(name.removeprefix("drop_"))


class Opener(list):
    """Those that were opened."""

    def __call__(self, folder, *, settings):
        self.append(FakeProject(folder))
        return self[-1]

    @property
    def closed(self):
        return [project.folder.name for project in self if project.closed]


@pytest.fixture
def opener():
    return Opener()


@pytest.fixture
def shelf(opener):
    # a budget no test comes near: evictions here are called for by hand
    made = Shelf(MemoryMonitor(budget=1 << 50, interval=60), opener=opener)
    yield made
    made.close()


def entry(name, stamp="1"):
    return Entry(Path("library") / name, name, 1, 1, stamp)


def test_a_project_is_opened_once_until_its_index_is_new(shelf, opener):
    for name in ("a", "b", "a", "c", "a"):
        with shelf.use(entry(name)) as project:
            assert project.closed == 0
    assert [project.folder.name for project in opener] == ["a", "b", "c"]
    assert opener.closed == ["b"]
    assert len(shelf) == 2
    with shelf.use(entry("a", "2")) as project:
        assert project is opener[3]
    assert [project.closed for project in opener] == [1, 1, 0, 0]


def test_what_is_in_use_is_closed_only_afterwards(shelf, opener):
    with shelf.use(entry("a")) as held:
        for name in ("b", "c", "d"):
            with shelf.use(entry(name)):
                pass
        shelf.close_idle()
        assert held.closed == 0
        assert sorted(opener.closed) == ["b", "c", "d"]
    shelf.close_idle()
    assert held.closed == 1


def test_two_users_of_one_story_take_turns(shelf, opener):
    order = []
    inside = threading.Event()

    def second():
        inside.wait(60)
        with shelf.use(entry("a")):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with shelf.use(entry("a")):
        inside.set()
        thread.join(0.1)
        order.append("first")
    thread.join(60)
    assert order == ["first", "second"]
    assert len(opener) == 1


def test_the_guard_can_drop_what_is_open(opener):
    monitor = MemoryMonitor(budget=1 << 50, interval=60)
    shelf = Shelf(monitor, opener=opener)
    with shelf.use(entry("idle")):
        pass
    with shelf.use(entry("busy")):
        monitor.budget = 1  # every sample is over it from here on
        monitor.check()
        assert opener.closed == ["idle"]
        assert [project.dropped for project in opener] == [
            ["results", "linked"],  # and then it was closed
            ["results", "linked", "indexes"],
        ]
    with pytest.raises(MemoryBudgetError), shelf.use(entry("new")):
        pass
    with shelf.use(entry("busy")):
        pass
    shelf.close()
    assert opener.closed == ["idle", "busy"]
    [action] = monitor.report.actions
    assert "dropped the linked chapters, closed the stories not in use, dropped the indexes" in action


def test_a_story_that_cannot_be_opened_leaves_nothing():
    def fail(folder, *, settings):
        raise ProjectError("gone")

    shelf = Shelf(MemoryMonitor(budget=1 << 50, interval=60), opener=fail)
    with pytest.raises(ProjectError, match="gone"), shelf.use(entry("a")):
        pass
    assert len(shelf) == 0
    shelf.close()


def test_readers_share_a_story_beside_the_one_who_has_it_alone(shelf, opener):
    with shelf.use(entry("a")) as alone, shelf.read(entry("a")) as one:
        with shelf.read(entry("a")) as other:
            assert alone is one is other
        shelf.close_idle()
        assert not one.closed
    shelf.close_idle()
    assert alone.closed
    assert len(opener) == 1


def test_a_project_is_at_hand_only_while_it_is_open(shelf, opener):
    assert shelf.at_hand(entry("a")) is None
    with shelf.read(entry("a")) as project:
        assert shelf.at_hand(entry("a")) is project
    assert shelf.at_hand(entry("a", stamp="2")) is None
    shelf.close_idle()
    assert shelf.at_hand(entry("a")) is None
    assert len(opener) == 1


@pytest.fixture(scope="module")
def stories(demo_project, index_like_demo, tmp_path_factory):
    place = tmp_path_factory.mktemp("home")
    copy_unasked(demo_project, place / "the-bloom-line")
    book = place / "the-other.md"
    book.write_text(file_text(__file__, "the_other.md"))
    index_like_demo(book, place / "the-other")
    return place


def read(entry):
    return Project.open(entry.folder)


def test_the_best_of_all_come_first(stories):
    entries = stories_in(stories)
    assert [one.name for one in entries] == ["the-bloom-line", "the-other"]
    found = search_stories(entries, read, "When did the rocket leave for Mars?", 6)
    assert found[0].story == "the-other" and "rocket" in found[0].passage.chunk.text
    assert {hit.story for hit in found} == {"the-other", "the-bloom-line"}
    assert [hit.passage.score for hit in found] == sorted((h.passage.score for h in found), reverse=True)


def whole(stories, limits):
    """One index of the first chunks of all stories."""
    texts = []
    for entry in stories_in(stories):
        with Project.open(entry.folder) as project:
            texts += [chunk.text for chunk in project.chunks if chunk.chapter <= limits.get(entry.name, 99)]
    return LexicalIndex.from_texts(texts), texts


@pytest.mark.parametrize("read_to", [{}, {"the-bloom-line": 3, "the-other": 1}])
@pytest.mark.parametrize("held", [64, 1])
def test_words_score_as_in_one_index_of_all(stories, monkeypatch, read_to, held):
    monkeypatch.setattr("fabula.library.searching._HELD", held)
    query = "Nobody wrote a letter to the bees."
    found = search_stories(stories_in(stories), read, query, 12, mode="lexical", read_to=read_to)
    index, texts = whole(stories, read_to)
    best = ranked(index, query, 12)
    assert [hit.passage.score for hit in found] == [one.score for one in best]
    assert {hit.passage.chunk.text for hit in found} == {texts[one.ordinal] for one in best}


def test_where_one_story_has_no_common_bm25_each_is_scored_by_itself(stories, tmp_path):
    copied = shutil.copytree(stories, tmp_path / "home")
    (copied / "the-other" / "fabula.toml").write_text('[retrieval]\nbackend = "rank-bm25"\n')
    shutil.copytree(stories / "the-other", copied / "a-third")
    found = search_stories(stories_in(copied), read, "the letter", 50, mode="lexical")
    with Project.open(copied / "the-bloom-line") as project:
        alone = project.search("the letter", 50, mode="lexical").passages
    assert [hit.passage for hit in found if hit.story == "the-bloom-line"] == list(alone)


@pytest.mark.parametrize(("how",), values(__file__, "ways_to_search.tsv"))
def test_one_story_answers_as_it_does_by_itself(stories, tmp_path, how):
    one_story = shutil.copytree(stories / "the-bloom-line", tmp_path / "home" / "the-bloom-line")
    (one_story / "fabula.toml").write_text("[retrieval]\nleast_score = 0.4\n")
    found = search_stories(stories_in(one_story.parent), read, "Who wrote the letter?", 60, **how)
    with Project.open(one_story) as project:
        alone = project.search("Who wrote the letter?", 60, **how).passages
    assert found and [hit.passage for hit in found] == list(alone)


def test_a_hit_says_where_it_is_printed(tmp_path):
    (tmp_path / "ferry.pdf").write_bytes(printed_book())
    index_book(tmp_path / "ferry.pdf", tmp_path / "home" / "ferry")
    [hit] = search_stories(stories_in(tmp_path / "home"), read, "evening lamp", 1)
    with Project.open(tmp_path / "home" / "ferry") as project:
        assert hit.places and hit.places == project.places(hit.passage.chunk.span)


def test_only_what_is_allowed_is_searchable(stories):
    library = Library(stories)
    assert library.searchable() == library.entries()
    assert [one.name for one in library.searchable(lambda name: name != "the-other")] == ["the-bloom-line"]


def test_each_story_is_read_as_far_as_is_said(stories):
    entries = stories_in(stories)
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
def test_where_one_story_fails_the_others_are_closed_after_their_work(stories, part):
    begun, failed, log = threading.Event(), threading.Event(), []

    def fail():
        assert begun.wait(60)
        failed.set()
        raise HorizonError("no such chapter")

    def work_on():
        begun.set()
        assert failed.wait(60)
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
        search_stories(stories_in(stories), opened, "letter", 3, mode="lexical")
    assert log == ["worked", "closed", "closed"]


def test_a_question_to_a_library_says_whom_to_ask(stories, refusal, tmp_path):
    assert f"name {stories}/the-bloom-line" in refusal("ask", stories, "Who wrote?")
    assert "there is no project" in refusal("search", tmp_path, "x")


def test_a_project_is_no_library(stories):
    assert stories_in(stories / "the-other") == () and stories_in(stories / "no-such") == ()
    assert Library(stories).entry("the-other") is not None


def test_the_command_searches_a_folder_of_stories(stories, run_cli, done, refusal):
    asked = ("search", stories, "rocket to Mars")
    [found, *_] = json.loads(done(*asked, "-k", 3, "--json"))
    assert found["story"] == "the-other" and found["title"] == "The Other"
    said = done(*asked, "--read-to", "the-other", 1)
    assert "The Other (the-other), chapter 1" in said and "rocket left" not in said
    for called in ("the other", stories / "the-other"):  # by its title, by the path to its folder
        assert done(*asked, "--read-to", called, 1) == said
    assert "the-other (The Other)" in refusal(*asked, "--read-to", "third", 1)
    assert "--read-to" in run_cli(*asked, "--as-of", 1).err
    assert "--as-of" in run_cli("search", stories / "the-other", "x", "--read-to", "the-other", 1).err


def test_a_story_whose_settings_cannot_be_read_is_not_left_out_in_silence(stories, tmp_path):
    library = Library(copied := shutil.copytree(stories, tmp_path / "home"))
    (copied / "far").mkdir()
    (copied / "far" / "fabula.toml").write_text("[store\nurl = ", encoding="utf-8")
    with pytest.raises(ProjectError, match="far cannot be used: its settings") as raised:
        library.searchable()
    assert str(copied) not in str(raised.value)
    assert library.searchable(lambda name: name != "far") == library.entries()
