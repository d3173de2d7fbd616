"""``fabula audit-judge`` as a person meets it."""

from __future__ import annotations

import json
import shutil

JUDGED = """text_id,judge,run,system,rule,quote,other_quote,message
a,big,1,x,time,It was cold.,,
a,big,2,x,time,it was cold,Nobody of that name,
b,big,1,y,,,,
"""


def test_an_audit_of_judges(run_cli, tmp_path) -> None:
    file = tmp_path / "judged.csv"
    file.write_text(JUDGED, encoding="utf-8")
    texts = tmp_path / "texts"
    (texts / "y").mkdir(parents=True)
    (texts / "a.txt").write_text("It was cold. Anna ran the ferry.", encoding="utf-8")
    (texts / "y" / "b.txt").write_text("It rained.", encoding="utf-8")
    call = ("audit-judge", file, "--texts", texts, "--no-critic")
    said = run_cli(*call)
    assert said.code == 0 and "Do the quotes stand in the texts?" in said.out
    data = json.loads(run_cli(*call, "--json").out)
    (quotes,) = data["quotes"]
    assert (quotes["quotes"], quotes["exact"], quotes["normalised"], quotes["absent"]) == (3, 1, 1, 1)
    assert data["texts"] == 2 and data["runs"][0]["jaccard"] == 1.0
    none = run_cli("audit-judge", file, "--texts", tmp_path / "y")
    assert none.code == 2 and "no folder" in none.err
    shutil.rmtree(texts)
    texts.mkdir()
    assert "holds none of the texts" in run_cli(*call).err
    assert json.loads(run_cli("audit-judge", file, "--json").out)["texts"] == 0


def test_an_audit_beside_the_rules(run_cli, tmp_path) -> None:
    (tmp_path / "a.txt").write_text("Tom loved Anna. Tom hated Anna.", encoding="utf-8")
    file = tmp_path / "judged.csv"
    file.write_text("text_id,quote,other_quote\na,Tom hated Anna.,Tom loved Anna.\n", encoding="utf-8")
    data = json.loads(run_cli("audit-judge", file, "--texts", tmp_path, "--json").out)
    (beside,) = data["critic"]
    assert (beside["findings"], beside["rule_findings"]) == (1, beside["shared_rules"])
    assert beside["shared_judge"] == 1


def test_hostile_judgements_are_one_line_and_exit_2(run_cli, tmp_path) -> None:
    for data in (b"\0\0\0", b"text_id,quote\n\xff\xfe\n", b"a,b\n1,2\n"):
        file = tmp_path / "judged.csv"
        file.write_bytes(data)
        done = run_cli("audit-judge", file)
        assert done.code == 2 and done.out == "" and done.err.count("\n") == 1


def test_fingerprints_stay_when_a_scene_is_put_in_elsewhere(reader) -> None:
    from fabula.cli.auditing import critic_of_texts

    story = "Tom lived in Ayr.\n\nTom loved Anna. It rained. Tom hated Anna.\n\nNobody said a word."
    check = critic_of_texts()
    plain = check(story).violations
    other = check(story.replace("Nobody", "The ferry bell rang. Bert mended the nets.\n\nNobody")).violations
    moved = check(f"Cora rang the bell twice.\n\n{story}").violations
    assert plain and plain[-1].evidence[-1].span != moved[-1].evidence[-1].span
    for changed in (other, moved):
        assert {one.fingerprint for one in plain} <= {one.fingerprint for one in changed}
