import re
import shutil
import sqlite3
import tempfile
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.book_files import zipped
from tests.tables import rows, values

from fabula.errors import DocumentError, NameTaken, ProjectError, UsageError
from fabula.library import library
from fabula.library.library import DEMO, Entry, Library, labels, safe_name
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
    assert called == {"a": "Emma (a)", "b": "Emma (b)", "c": "Per suasion", "d": "x" * 79 + "…"}


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
