import pytest
from tests.tables import file_text, values

from fabula.engine import Project, index_book
from fabula.errors import UsageError
from fabula.project.correcting import Change, Named, Workshop, corrections_at
from fabula.story.corrections import Correction
from fabula.story.passages.filter import SearchFilter

BOOK = file_text(__file__, "harrow.md")
SPLIT = Correction("split", ("Mr. Harrow",), ("Edmund Harrow", "Edmund"))


@pytest.fixture
def folder(indexed_once):
    return indexed_once("book.md", BOOK) / "project"


def names(folder, as_of=None):
    with Project.open(folder) as project:
        return {one.name: one for one in project.view(as_of).entities()}


def files(folder):
    with Project.open(folder) as project:
        corrections = folder / "corrections.toml"
        return project.graph.to_json(), corrections.read_bytes() if corrections.is_file() else None


def test_a_correction_and_back(folder):
    before = files(folder)
    done = Workshop(folder).add(SPLIT)
    assert done.correction == SPLIT
    [change] = done.changes
    [whole] = change.before
    assert [one.name for one in change.after] == ["Mr. Harrow", "Edmund Harrow"]
    assert sum(one.mentions for one in change.after) == whole.mentions
    assert names(folder)["Edmund Harrow"].aliases == ("Edmund",)
    assert Workshop(folder).undo().changes == (Change(change.after, change.before),)
    assert files(folder)[0] == before[0]
    with pytest.raises(UsageError, match="nothing to undo"):
        Workshop(folder).undo()


def test_names_that_are_not_spoken_of_stay_where_they_are(indexed_once):
    told = "Frank O’Hara bowed. Frank smiled. Mr. Frank O’Hara spoke. Frank O’Hara left. "
    told += "Mr. O’Hara wept.\n\n"
    folder = indexed_once("tale.md", f"# Tale\n\n## Chapter 1\n\n{told}## Chapter 2\n\n{told}") / "project"
    assert names(folder)["Frank O’Hara"].mentions == 10
    done = Workshop(folder).add(Correction("split", ("Frank O'Hara",), ("Mr. O'Hara",)))
    assert done.correction.who == ("Frank O’Hara", "Frank", "Mr. Frank O’Hara")
    [change] = done.changes
    split = [(one.name, one.mentions) for one in change.after]
    assert split == [("Frank O’Hara", 8), ("Mr. O’Hara", 2)]


def test_it_holds_when_the_book_is_indexed_again_and_all_that_follows_from_it(folder):
    Workshop(folder).add(SPLIT)
    after = files(folder)[0]
    there = SearchFilter(characters=("Edmund Harrow",))
    with Project.open(folder) as project:
        assert {one.chunk.chapter for one in project.search("Harrow", wanted=there).passages} == {2, 3}
    assert index_book(folder.parent / "book.md", folder).read == 0
    assert files(folder)[0] == after
    index_book(folder.parent / "book.md", folder, rebuild=True)
    assert files(folder)[0] == after
    with Project.open(folder) as project:
        assert [one.id for one in project.corrections.entries] == [SPLIT.id]
        assert project.view().find("Edmund Harrow").id == "edmund-harrow"
        [finding] = project.check(draft="Edmund Harrow had blue eyes.").violations
        assert "Edmund Harrow" in finding.message and "brown" in str(finding.evidence)
    (folder / "corrections.toml").unlink()
    index_book(folder.parent / "book.md", folder)
    assert "Edmund Harrow" not in names(folder)


@pytest.mark.parametrize(("kind", "who", "more", "said"), values(__file__, "corrections_refused.tsv"))
def test_what_is_refused_changes_nothing(folder, kind, who, more, said):
    before = files(folder)
    with pytest.raises(UsageError, match=said):
        Workshop(folder).add(Correction(kind, (who,), **more))
    assert files(folder) == before


def test_a_file_edited_by_hand_is_applied_or_refused_with_its_line(folder):
    file = folder / "corrections.toml"
    file.write_text('[[correct]]\nkind = "retype"\nwho = "Mrs. Pole"\nto = "location"\n', encoding="utf-8")
    [change] = Workshop(folder).apply().changes
    assert [one.kind for one in (*change.before, *change.after)] == ["character", "location"]
    before = files(folder)
    written = b'\n[[correct]]\nkind = "merge"\nwho = "Mrs. Pool"\ninto = "Mr. Harrow"\n'
    file.write_bytes(written)
    said = r"corrections.toml, line 2: .*'Mrs. Pool': did you mean 'Mrs. Pole'"
    desk, book = Workshop(folder), folder.parent / "book.md"
    for act in (desk.apply, lambda: index_book(book, folder), lambda: desk.add(SPLIT)):
        with pytest.raises(UsageError, match=said):
            act()
    assert files(folder) == (before[0], written)


def test_names_are_written_as_the_text_has_them(folder):
    shown = Workshop(folder).add(Correction("rename", ("lucy-vane",), to="Lucy of Selby"))
    assert shown.correction == Correction("rename", ("Lucy Vane",), to="Lucy of Selby", from_chapter=1)
    kind = Workshop(folder).add(Correction("retype", ("Lucy of Selby",), to="group")).correction
    assert kind.who == ("Lucy Vane",)
    with pytest.raises(UsageError, match="is told to be nobody, and is somebody in line 3"):
        Workshop(folder).add(Correction("not_a_character", ("Lucy of Selby",)))
    Workshop(folder).undo()
    Workshop(folder).undo(shown.correction.id)
    assert Workshop(folder).add(Correction("not_a_character", ("Lucy Vane",))).changes[0].after == ()


def test_the_horizon_holds(folder):
    early = Workshop(folder, as_of=1)
    with pytest.raises(UsageError, match="called 'Edmund Harrow'") as refused:
        early.add(Correction("merge", ("Edmund Harrow",), into=("Mrs. Pole",)))
    assert "did you mean 'Mr. Harrow'" in str(refused.value)
    with pytest.raises(UsageError, match="up to chapter 1 never uses"):
        early.add(Correction("rename", ("Lucy Vane",), to="Mrs. Harrow"))
    Workshop(folder).add(Correction("rename", ("Lucy Vane",), to="Mrs. Harrow"))
    Workshop(folder).add(SPLIT)
    assert "Mrs. Harrow" not in names(folder, 2) and "Mrs. Harrow" in names(folder, 3)
    with Project.open(folder) as project:
        known = [[one.kind for one in corrections_at(project, chapter)] for chapter in (1, 2, None)]
    assert known == [[], ["split"], ["rename", "split"]]
    [change] = Workshop(folder, as_of=1).add(Correction("retype", ("Mrs. Pole",), to="object")).changes
    assert change == Change((Named("Mrs. Pole", "character", 2),), (Named("Mrs. Pole", "object", 2),))
