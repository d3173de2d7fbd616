"""The bench as a person meets it: replays, drafts from elsewhere, blind sheets."""

import json

import pytest


@pytest.mark.local_model
def test_drafts_of_any_origin_are_scored(demo_project, run_cli, tmp_path):
    folder = tmp_path / "drafts"
    folder.mkdir()
    command = ("compare", demo_project, "Harriet meets Len.", "--chapter", 9, "--drafts", folder)
    assert "holds no draft" in run_cli(*command).err
    (folder / "mine.txt").write_text("Harriet trusted Len. She told him of the day.")
    (folder / "<b>theirs.md").write_text("Nothing was said on the way home.")
    found = run_cli(*command, "--html", tmp_path / "report.html")
    assert found.code == 0, found.err
    assert "Comparison of 2 drafts written elsewhere" in found.out
    assert "tokens" not in found.out
    page = (tmp_path / "report.html").read_text()
    assert "mine" in page
    assert "<b>theirs" not in page
    facts = json.loads(run_cli(*command, "--json").out)["facts"]
    assert [one["pipeline"] for one in facts["pipelines"]] == ["<b>theirs", "mine"]
    (folder / "mine.md").write_text("Twice.")
    assert "two drafts named mine" in run_cli(*command).err


@pytest.mark.local_model
def test_a_blind_sheet_goes_out_and_comes_back(demo_project, run_cli, tmp_path):
    folder = tmp_path / "drafts"
    folder.mkdir()
    for name, text in (("ours", "Harriet trusted Len."), ("theirs", "Nothing was said.")):
        (folder / f"{name}.txt").write_text(text)
    report, sheet, key = (tmp_path / name for name in ("report.json", "sheet.csv", "key.json"))
    run_cli("compare", demo_project, "They meet.", "--chapter", 9, "--drafts", folder, "--out", report)
    made = run_cli("bench", "sheet", report, "--out", sheet, "--key", key)
    assert made.code == 0, made.err
    assert "1 pair on" in made.out
    assert "ours" not in sheet.read_text()
    assert "no pair has a choice" in run_cli("bench", "tally", sheet, "--key", key).err
    ours = json.loads(key.read_text())["pairs"]["p001"]["a"] == "ours"
    sheet.write_text(sheet.read_text().replace(",,\n", f",{'a' if ours else 'b'},\n"))
    told = run_cli("bench", "tally", sheet, "--key", key)
    assert told.code == 0, told.err
    assert told.out.splitlines()[2].startswith("ours")
    assert "two files" in run_cli("bench", "sheet", report, "--out", key, "--key", key).err
    assert "what compare --out wrote" in run_cli("bench", "sheet", key, "--out", sheet, "--key", key).err
    assert "cannot be read" in run_cli("bench", "tally", tmp_path / "none", "--key", key).err
