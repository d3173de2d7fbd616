import io
import json
import sys


def test_a_draft_becomes_a_chapter_and_goes_again(demo_copy, run_cli, tmp_path, monkeypatch):
    project, draft = demo_copy.project, tmp_path / "draft.txt"
    before = run_cli("graph", project, "--json").out
    draft.write_text("Harriet hid the zither under the floor.", encoding="utf-8")
    done = run_cli("accept", project, draft, "--title", "The Zither", "--after", 13)
    assert done.code == 0, done.err
    assert done.out.startswith(
        "accepted: Chapter 14: The Zither (chapter 14, 7 words)\n1 chapter embedded, 1 read"
    )
    assert str(project / "book" / "the-bloom-line.md") in done.out
    assert "zither" in run_cli("search", project, "zither", "--mode", "lexical").out
    assert "zither" not in run_cli("search", project, "zither", "--mode", "lexical", "--as-of", 13).out
    again = run_cli("accept", project, draft, "--after", 13)
    assert again.code == 2 and "goes on after it" in again.err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"She took it out again.")))
    told = json.loads(run_cli("accept", project, "-", "--json").out)
    assert (told["number"], told["report"]["read"]) == (15, 1)
    gone = run_cli("accept", project, "--take-back").out
    assert gone.startswith("taken back: Chapter 15") and "embedded" not in gone
    assert "index and story graph are without it" in gone
    assert run_cli("accept", project, "--take-back").out.startswith("taken back: Chapter 14: The Zither")
    assert run_cli("graph", project, "--json").out == before
    assert run_cli("accept", project, "--take-back").code == 2
    assert run_cli("accept", project).code == run_cli("accept", project, draft, "--take-back").code == 2
