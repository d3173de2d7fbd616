import json

import pytest

FIRST = "# The First Light\n\n## Chapter 1\n\nAnna Vale came.\n\n## Chapter 2\n\nBoris Kane met Anna Vale.\n"
SECOND = "# The Second Light\n\n## Chapter 1\n\nAnna Vale wept.\n\n## Chapter 2\n\nClara Finch came.\n"


@pytest.fixture
def lights(tmp_path, run_cli):
    for name, text in (("first", FIRST), ("second", SECOND)):
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    made = run_cli("index", tmp_path / "first.md", tmp_path / "second.md", "-o", tmp_path / "lights")
    assert made.code == 0, made.err
    return tmp_path / "lights"


def test_books_are_listed_moved_taken_out_and_put_in(lights, run_cli):
    assert run_cli("books", lights).out.splitlines()[3:] == [
        "   1  The First Light   1-2",
        "   2  The Second Light  3-4",
    ]
    moved = run_cli("books", lights, "--move", 2, 1)
    assert moved.out.splitlines()[3].endswith("The Second Light  1-2")
    gone = json.loads(run_cli("books", lights, "--remove", 1, "--json").out)
    assert [one["id"] for one in gone["books"]] == ["first"]
    back = run_cli("books", lights, "--add", lights.parent / "second.md", "--at", 1, "--json")
    assert [one["id"] for one in json.loads(back.out)["books"]] == ["second", "first"]
    for wrong in (("--remove", 1, "--move", 1, 2), ("--at", 1), ("--remove", 9)):
        refused = run_cli("books", lights, *wrong)
        assert refused.code == 2 and len(refused.err.splitlines()) <= 3, refused.err


def test_a_horizon_names_a_book_and_its_chapter(lights, run_cli):
    for asked, same in (("2:1", 3), ("1:2", 2), ("2:2", 4)):
        for command in (["graph"], ["search", "Clara Finch"], ["memories", "Clara"]):
            name, *words = command
            one = run_cli(name, lights, *words, "--as-of", asked, "--json")
            assert one.code == 0, one.err
            assert one.out == run_cli(name, lights, *words, "--as-of", same, "--json").out
    assert "Clara" not in run_cli("graph", lights, "--as-of", "2:1").out
    assert "Clara" in run_cli("graph", lights, "--as-of", "2:2").out
    for wrong, message in (
        ("3:1", "books 1 to 2, not 3"),
        ("1:3", "chapters 1 to 2, not 3"),
        ("x", "BOOK:N"),
    ):
        refused = run_cli("graph", lights, "--as-of", wrong)
        assert refused.code == 2 and message in refused.err
