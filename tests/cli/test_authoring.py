import io
import json
import sys

import pytest


def test_a_draft_becomes_a_chapter_and_goes_again(demo_copy, run_cli, refusal, tmp_path, monkeypatch):
    project, draft = demo_copy.project, tmp_path / "draft.txt"
    before = run_cli("graph", project, "--json").out
    draft.write_text("Harriet hid the zither under the floor.", encoding="utf-8")
    done = run_cli("accept", project, draft, "--title", "The Zither", "--after", 13)
    assert done.out.startswith(
        "accepted: Chapter 14: The Zither (chapter 14, 7 words)\n1 chapter embedded, 1"
    )
    assert str(project / "book" / "the-bloom-line.md") in done.out
    search = ("search", project, "zither", "--mode", "lexical")
    assert "zither" in run_cli(*search).out
    assert "zither" not in run_cli(*search, "--as-of", 13).out
    assert "continues after it" in refusal("accept", project, draft, "--after", 13)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"She took it out again.")))
    told = json.loads(run_cli("accept", project, "-", "--json").out)
    assert (told["number"], told["report"]["read"]) == (15, 1)
    gone = run_cli("accept", project, "--take-back").out
    assert gone.startswith("taken back: Chapter 15") and "embedded" not in gone
    assert run_cli("accept", project, "--take-back").out.startswith("taken back: Chapter 14: The Zither")
    assert run_cli("graph", project, "--json").out == before
    for wrong in (("--take-back",), (), (draft, "--take-back")):
        assert run_cli("accept", project, *wrong).code == 2


def test_somebody_is_two_and_one_again(demo_copy, run_cli):
    project = demo_copy.project
    before = run_cli("graph", project, "--json").out
    done = run_cli("correct", "merge", project, "Nat Crewe", "Barnaby Pellow")
    assert done.code == 0
    assert done.out.startswith("corrected: 'Nat Crewe' is 'Barnaby Pellow'  [")
    assert "Nat Crewe (" in done.out and " mentions), " in done.out and " → Barnaby Pellow (" in done.out
    id = done.out.split("[")[1].split("]")[0]
    assert run_cli("correct", "list", project).out.split()[0] == id
    assert run_cli("correct", "list", project, "--json").out.count(id) == 1
    assert "Nat Crewe  " not in run_cli("graph", project).out
    assert "no correction '00000000'" in run_cli("correct", "undo", project, "00000000").err
    undone = json.loads(run_cli("correct", "undo", project, id, "--json").out)
    assert undone["correction"]["id"] == id and len(undone["words"]) == 1
    assert run_cli("graph", project, "--json").out == before
    assert run_cli("correct", "list", project).out == "no corrections\n"


def test_every_kind_has_its_command_and_its_refusal(demo_copy, refusal):
    project = demo_copy.project
    asked = {
        "split": ("Nat Crewe", "Nobody"),
        "rename": ("Nobody", "Somebody"),
        "retype": ("Nobody", "location"),
        "not-a-character": ("Nobody",),
    }
    for command, arguments in asked.items():
        assert "Nobody" in refusal("correct", command, project, *arguments)
    (project / "corrections.toml").write_text("[[correct]]\nkind = 'merge'\n", encoding="utf-8")
    for command in (("correct", "apply", project), ("index", demo_copy.book, "-o", project)):
        assert "corrections.toml, line 1: merge needs who" in refusal(*command)


def test_a_codex_is_checked_at_the_command_line(run_cli, refusal, tmp_path):
    file = tmp_path / "codex.yaml"
    file.write_text("characters:\n  - name: Ana\n    aliases: [Annie]\nrules: [no magic]\n", encoding="utf-8")
    told = run_cli("codex", "check", file).out
    assert told == "Codex: 1 characters, places and things under 2 names, 0 facts, 1 rules\n"
    file.write_text("characters:\n  - nam: Ana\n", encoding="utf-8")
    said = refusal("codex", "check", file)
    assert "line 2" in said and "did you mean name" in said
    assert run_cli("codex", "check", tmp_path / "none.yaml").code == 2


@pytest.fixture
def lights(tmp_path, run_cli):
    said = {"First": ("Anna came.", "Boris met Anna."), "Second": ("Anna wept.", "Clara came.")}
    for title, told in said.items():
        chapters = [f"## Chapter {number}\n\n{one}\n" for number, one in enumerate(told, 1)]
        text = "\n".join((f"# The {title} Light\n", *chapters))
        (tmp_path / f"{title.lower()}.md").write_text(text, encoding="utf-8")
    made = run_cli("index", tmp_path / "first.md", tmp_path / "second.md", "-o", tmp_path / "lights")
    assert made.code == 0, made.err
    return tmp_path / "lights"


def test_books_are_listed_moved_taken_out_and_put_in(lights, run_cli):
    def books(*how):
        return run_cli("library", "books", lights, *how)

    assert books().out.splitlines()[3:] == ["   1  The First Light   1-2", "   2  The Second Light  3-4"]
    assert books("--move", 2, 1).out.splitlines()[3].endswith("The Second Light  1-2")
    gone = json.loads(books("--remove", 1, "--json").out)
    assert [one["id"] for one in gone["books"]] == ["first"]
    back = json.loads(books("--add", lights.parent / "second.md", "--at", 1, "--json").out)
    assert [one["id"] for one in back["books"]] == ["second", "first"]
    for wrong in (("--remove", 1, "--move", 1, 2), ("--at", 1), ("--remove", 9)):
        refused = books(*wrong)
        assert refused.code == 2 and len(refused.err.splitlines()) <= 3, refused.err


def test_a_horizon_names_a_book_and_its_chapter(lights, run_cli, refusal):
    def told(command, upto):
        name, *words = command
        return run_cli(name, lights, *words, "--as-of", upto, "--json").out

    for asked, same in (("2:1", 3), ("1:2", 2), ("2:2", 4)):
        for command in (["graph"], ["search", "Clara"], ["memories", "Clara"]):
            assert told(command, asked) == told(command, same) != ""
    assert "Clara" not in told(["graph"], "2:1") and "Clara" in told(["graph"], "2:2")
    for wrong, message in (("3:1", "books 1 to 2, not 3"), ("1:3", "chapters 1 to 2, not 3")):
        assert message in refusal("graph", lights, "--as-of", wrong)
    assert "BOOK:N" in run_cli("graph", lights, "--as-of", "x").err
