import json

import docx
import pytest
from tests.scripted import ScriptedGenerator

from fabula.story.continuity.critic import RULES

DRAFT = "Wilf hated Len. He said nothing more that night."


@pytest.fixture
def draft(tmp_path):
    path = tmp_path / "draft.txt"
    path.write_text(DRAFT, encoding="utf-8")
    return path


def against(draft, *more):
    return ("--draft", draft, "--as-of", "5", "--rule", "relationship_conflict", *more)


def test_text_shows_both_sides_by_severity(demo_project, run_cli, draft):
    said = run_cli("check", demo_project, *against(draft)).out
    assert said.startswith("  1. Len Bray is a friend of Wilf")
    assert "(ch. 1)" in said and "“Wilf hated Len.” (the draft)" in said
    assert "to fix:" in said and "unless:" in said
    assert "relationship_conflict, sure (0.8" in said and "--suspects 10" in said
    assert "1 finding in 9 words (score 0.90)" in said and "per 10,000" not in said
    assert "exact Poisson" in run_cli("check", demo_project).out


def test_json_holds_the_report_and_what_follows_from_it(demo_project, run_cli, draft):
    data = json.loads(run_cli("check", demo_project, *against(draft, "--json")).out)
    (found,) = data["violations"]
    assert found["origin"] == "rules" and len(found["fingerprint"]) == 16
    assert data["consistency"] == 0.9 and data["counted"] == 1
    rate = data["violations_per_10k_words"]
    assert rate["poisson_95"][0] < rate["value"] < rate["poisson_95"][1]
    assert [rule["name"] for rule in data["rules"]] == ["relationship_conflict"]
    same = run_cli("check", demo_project, *against(draft, "--format", "json")).out
    assert json.loads(same) == data
    whole = json.loads(run_cli("check", demo_project, "--json").out)
    assert sum(words for _, words in whole["chapter_words"]) == whole["words"]
    assert {rule["name"] for rule in whole["rules"]} == {rule.__name__ for rule in RULES}


def test_sarif_points_into_the_files(demo_copy, run_cli, draft, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    call = ("check", demo_copy.project, *against(draft, "--format", "sarif", "--book", demo_copy.book))
    first = run_cli(*call).out
    assert run_cli(*call).out == first
    run = json.loads(first)["runs"][0]
    (result,) = run["results"]
    texts = {demo_copy.book.name: demo_copy.book.read_text(encoding="utf-8"), "draft.txt": DRAFT}
    places = [*result["locations"], *result["relatedLocations"]]
    assert len(places) == 2
    for place in places:
        physical = place["physicalLocation"]
        region, text = physical["region"], texts[physical["artifactLocation"]["uri"]]
        quote = text[region["charOffset"] : region["charOffset"] + region["charLength"]]
        assert quote == region["snippet"]["text"]
        assert text.split("\n")[region["startLine"] - 1][region["startColumn"] - 1 :].startswith(quote[:20])
    other = tmp_path / "other.txt"
    other.write_text("Another book.", encoding="utf-8")
    refused = run_cli("check", demo_copy.project, "--format", "sarif", "--book", other)
    assert refused.code == 2 and "not the text that was indexed" in refused.err


def test_out_is_written_whole_and_the_exit_code_is_kept(demo_project, run_cli, draft, tmp_path):
    out = tmp_path / "deep" / "report.sarif"
    done = run_cli(
        "check", demo_project, *against(draft, "--format", "sarif", "--out", out, "--fail-on", "warning")
    )
    assert done.code == 1 and done.out == ""
    assert json.loads(out.read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert [path.name for path in out.parent.iterdir()] == ["report.sarif"]
    assert run_cli("check", demo_project, "--out", tmp_path).code == 2


def test_rules_can_be_chosen(demo_project, run_cli, refusal, draft):
    base = ("check", demo_project, "--draft", draft, "--as-of", "5", "--json")
    left = json.loads(run_cli(*base, "--without-rule", "relationship_conflict").out)
    assert "relationship_conflict" not in {rule["name"] for rule in left["rules"]}
    assert not [one for one in left["violations"] if one["rule"] == "relationship_conflict"]
    assert "no rule 'no_such'" in refusal(*base, "--rule", "no_such")
    name = "relationship_conflict"
    assert "no rule is left" in run_cli(*base, "--rule", name, "--without-rule", name).err


def test_a_meant_finding_is_noted_counted_and_listed_on_demand(
    demo_project, run_cli, refusal, draft, tmp_path
):
    file = tmp_path / "meant.toml"
    check = ("check", demo_project, *against(draft))
    (found,) = json.loads(run_cli(*check, "--json").out)["violations"]
    note = ("--suppress", found["fingerprint"], "--reason", "He is acting.")
    for wished, code in ((note, 0), (("--suppress", "2", *note[2:]), 2), (("--suppress", "1", *note[2:]), 0)):
        file.write_text("", encoding="utf-8")
        assert run_cli(*check, "--suppressions", file, *wished).code == code
    said = run_cli(*check, "--suppressions", file, "--fail-on", "info")
    assert said.code == 0 and "1 more suppressed" in said.out and "Wilf hated" not in said.out
    assert "score 1.00" in said.out
    shown = run_cli(*check, "--suppressions", file, "--show-suppressed").out
    assert "meant: He is acting." in shown and "Wilf hated Len." in shown
    data = json.loads(run_cli(*check, "--suppressions", file, "--json").out)
    assert data["violations"] == [] and data["suppressed"][0]["reason"] == "He is acting."
    assert "already" in refusal(*check, "--suppressions", file, *note)
    assert "found nothing" in refusal(*check, "--suppress", "0" * 16, "--reason", "x")
    assert run_cli(*check, "--suppress", "0" * 16).code == 2


def test_a_projects_own_file_is_taken_and_stale_entries_are_told(demo_copy, run_cli):
    file = demo_copy.project / "suppressions.toml"
    file.write_text(f'[[suppress]]\nfingerprint = "{"0" * 16}"\nreason = "gone"\n', encoding="utf-8")
    assert "0000000000000000 matches nothing" in run_cli("check", demo_copy.project).out
    narrowed = run_cli("check", demo_copy.project, "--as-of", "3")
    assert narrowed.code == 0 and "matches nothing" not in narrowed.out
    file.write_text("[[suppress]]\n", encoding="utf-8")
    damaged = run_cli("check", demo_copy.project)
    assert damaged.code == 2 and "entry 1 has no reason" in damaged.err
    assert damaged.err.count("\n") == 1


def test_a_connected_model_checks_too(demo_project, run_cli, draft, monkeypatch):
    claim = {"line": 0, "earlier": "He said nothing more", "later": "Wilf hated Len.", "sure": 0.9}
    absent = claim | {"earlier": "Nobody ever saw the sea from there"}

    def reply(prompt):
        if prompt.version.startswith("check_chapter/"):
            return json.dumps({"findings": [claim, absent]})
        return json.dumps({"findings": []})

    generator = ScriptedGenerator(reply, name="tiny", context_tokens=100_000)
    monkeypatch.setattr("fabula.project.parts.make_generator", lambda *_: generator)
    connected = ("--set", "generator.provider=openai", "--set", "generator.model=m", "--json")
    plain = json.loads(run_cli("check", demo_project, *against(draft, *connected, "--no-model")).out)
    assert generator.calls == () and plain["model"] is None and plain["consistency"] == 0.9
    data = json.loads(run_cli("check", demo_project, *against(draft, *connected)).out)
    assert data["consistency"] is None  # no score beside findings that it does not count
    assert data["counted"] == plain["counted"] == 1
    assert sorted(one["origin"] for one in data["violations"]) == ["model:tiny", "rules"]
    model = data["model"]
    assert (model["claimed"], model["findings"], model["rule_findings"]) == (2, 1, 1)


def test_nothing_from_outside_acts_on_the_terminal(demo_project, run_cli, tmp_path):
    draft = tmp_path / "draft.txt"
    draft.write_text("Wilf hated Len\x1b[2J\u202e.", encoding="utf-8")
    said = run_cli("check", demo_project, *against(draft)).out
    assert "in 3 words" in said and "\x1b" not in said and "\u202e" not in said


def test_the_demo_story_with_its_flashbacks_has_no_contradiction(demo_project, run_cli):
    told = run_cli("check", demo_project)
    assert told.out.startswith("0 findings"), told.out


def test_comments_stand_in_a_copy_of_the_draft(demo_project, run_cli, tmp_path):
    made = docx.Document()
    made.add_paragraph(DRAFT)
    made.save(tmp_path / "draft.docx")
    call = ("check", demo_project, *against(tmp_path / "draft.docx", "--format", "docx"))
    assert "--out" in run_cli(*call).err
    done = run_cli(*call, "--out", tmp_path / "copy.docx")
    assert done.code == 0 and "with 1 comment" in done.err and not done.out
    [comment] = docx.Document(tmp_path / "copy.docx").comments
    assert comment.text.startswith("Len Bray is a friend of Wilf") and "Chapter 1: “" in comment.text


def test_comments_up_to_a_horizon_stand_in_no_later_chapter(demo_project, run_cli, tmp_path):
    call = ("check", demo_project, "--as-of", 3, "--format", "docx", "--out", tmp_path / "copy.docx")
    assert run_cli(*call).code == 0
    styles = [one.style.name for one in docx.Document(tmp_path / "copy.docx").paragraphs]
    assert styles.count("Heading 1") == 3
