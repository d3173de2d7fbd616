import json

import docx
import pytest
from tests.scripted import ScriptedGenerator

from fabula.story.continuity.critic import RULES

DRAFT = "Wilf hated Len. He said nothing more that night."
RULE = "relationship_conflict"


@pytest.fixture
def check(demo_project, run_cli, tmp_path):
    """Checks the draft, or another file, against the first chapters of the demo story."""
    draft = tmp_path / "draft.txt"
    draft.write_text(DRAFT, encoding="utf-8")

    def run(*more, project=demo_project, draft=draft):
        return run_cli("check", project, "--draft", draft, "--as-of", "5", "--rule", RULE, *more)

    return run


def test_text_shows_both_sides_by_severity(demo_project, run_cli, check):
    said = check().out
    assert said.startswith("  1. Len Bray is a friend of Wilf")
    for told in ("(ch. 1)", "“Wilf hated Len.” (the draft)", "to fix:", "unless:", "--suspects 10"):
        assert told in said
    assert "relationship_conflict, sure (0.8" in said
    assert "1 finding in 9 words (score 0.90)" in said and "per 10,000" not in said
    whole = run_cli("check", demo_project).out
    assert whole.startswith("0 findings") and "exact Poisson" in whole  # for all its flashbacks


def test_json_holds_the_report_and_what_follows_from_it(demo_project, run_cli, check):
    data = json.loads(check("--json").out)
    (found,) = data["violations"]
    assert found["origin"] == "rules" and len(found["fingerprint"]) == 16
    assert data["consistency"] == 0.9 and data["counted"] == 1
    rate = data["violations_per_10k_words"]
    assert rate["poisson_95"][0] < rate["value"] < rate["poisson_95"][1]
    assert [rule["name"] for rule in data["rules"]] == [RULE]
    assert json.loads(check("--format", "json").out) == data
    whole = json.loads(run_cli("check", demo_project, "--json").out)
    assert sum(words for _, words in whole["chapter_words"]) == whole["words"]
    names = {rule["name"] for rule in whole["rules"]}
    assert names == {rule.__name__ for rule in RULES}
    left = json.loads(run_cli("check", demo_project, "--json", "--without-rule", RULE).out)
    assert {rule["name"] for rule in left["rules"]} == names - {RULE}
    for how, wrong, said in (("", "no_such", "no rule 'no_such'"), ("without-", RULE, "no rule is left")):
        refused = check(f"--{how}rule", wrong)
        assert refused.code == 2 and said in refused.err


def test_sarif_points_into_the_files(demo_copy, run_cli, check, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (result,) = json.loads(
        check("--format", "sarif", "--book", demo_copy.book, project=demo_copy.project).out
    )["runs"][0]["results"]
    texts = {demo_copy.book.name: demo_copy.book.read_text(encoding="utf-8"), "draft.txt": DRAFT}
    places = [one["physicalLocation"] for one in (*result["locations"], *result["relatedLocations"])]
    assert {place["artifactLocation"]["uri"] for place in places} == texts.keys()
    for place in places:
        region, text = place["region"], texts[place["artifactLocation"]["uri"]]
        quote = text[region["charOffset"] : region["charOffset"] + region["charLength"]]
        assert quote == region["snippet"]["text"]
    refused = run_cli("check", demo_copy.project, "--format", "sarif", "--book", tmp_path / "draft.txt")
    assert refused.code == 2 and "not the text that was indexed" in refused.err


def test_out_is_written_whole_and_the_exit_code_is_kept(check, tmp_path):
    out = tmp_path / "deep" / "report.sarif"
    done = check("--format", "sarif", "--out", out, "--fail-on", "warning")
    assert done.code == 1 and done.out == ""
    assert json.loads(out.read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert [path.name for path in out.parent.iterdir()] == ["report.sarif"]
    assert check("--out", tmp_path).code == 2


def test_a_meant_finding_is_noted_counted_and_listed_on_demand(check, tmp_path):
    file = tmp_path / "meant.toml"
    own = ("--suppressions", file)
    (found,) = json.loads(check("--json").out)["violations"]
    reason = ("--reason", "He is acting.")
    for wished, code in ((found["fingerprint"], 0), ("2", 2), ("0" * 16, 2), ("1", 0)):
        file.write_text("", encoding="utf-8")
        assert check(*own, "--suppress", wished, *reason).code == code
    assert "already" in check(*own, "--suppress", found["fingerprint"], *reason).err
    assert check("--suppress", found["fingerprint"]).code == 2  # without a reason
    said = check(*own, "--fail-on", "info")
    assert said.code == 0 and "1 more suppressed" in said.out and "Wilf hated" not in said.out
    assert "score 1.00" in said.out
    shown = check(*own, "--show-suppressed").out
    assert "meant: He is acting." in shown and "Wilf hated Len." in shown
    data = json.loads(check(*own, "--json").out)
    assert data["violations"] == [] and data["suppressed"][0]["reason"] == "He is acting."


def test_a_projects_own_file_is_taken_and_stale_entries_are_told(demo_copy, run_cli, refusal):
    file = demo_copy.project / "suppressions.toml"
    file.write_text(f'[[suppress]]\nfingerprint = "{"0" * 16}"\nreason = "gone"\n', encoding="utf-8")
    assert "0000000000000000 matches nothing" in run_cli("check", demo_copy.project).out
    narrowed = run_cli("check", demo_copy.project, "--as-of", "3")
    assert narrowed.code == 0 and "matches nothing" not in narrowed.out
    file.write_text("[[suppress]]\n", encoding="utf-8")
    assert "entry 1 has no reason" in refusal("check", demo_copy.project)


def test_a_connected_model_checks_too(check, monkeypatch):
    claim = {"line": 0, "earlier": "He said nothing more", "later": "Wilf hated Len.", "sure": 0.9}
    absent = claim | {"earlier": "Nobody ever saw the sea from there"}

    def reply(prompt):
        found = [claim, absent] if prompt.version.startswith("check_chapter/") else []
        return json.dumps({"findings": found})

    generator = ScriptedGenerator(reply, name="tiny", context_tokens=100_000)
    monkeypatch.setattr("fabula.project.parts.make_generator", lambda *_: generator)
    connected = ("--set", "generator.provider=openai", "--set", "generator.model=m", "--json")
    plain = json.loads(check(*connected, "--no-model").out)
    assert generator.calls == () and plain["model"] is None and plain["consistency"] == 0.9
    data = json.loads(check(*connected).out)
    assert data["consistency"] is None  # no score beside findings that it does not count
    assert data["counted"] == plain["counted"] == 1
    assert sorted(one["origin"] for one in data["violations"]) == ["model:tiny", "rules"]
    model = data["model"]
    assert (model["claimed"], model["findings"], model["rule_findings"]) == (2, 1, 1)


def test_nothing_from_outside_acts_on_the_terminal(check, tmp_path):
    draft = tmp_path / "evil.txt"
    draft.write_text("Wilf hated Len\x1b[2J\u202e.", encoding="utf-8")
    said = check(draft=draft).out
    assert "in 3 words" in said and "\x1b" not in said and "\u202e" not in said


def test_comments_stand_in_a_copy_of_what_is_checked(demo_project, run_cli, check, tmp_path):
    draft, copy = tmp_path / "draft.docx", tmp_path / "copy.docx"
    made = docx.Document()
    made.add_paragraph(DRAFT)
    made.save(draft)
    assert "--out" in check("--format", "docx", draft=draft).err
    done = check("--format", "docx", "--out", copy, draft=draft)
    assert done.code == 0 and "with 1 comment" in done.err and not done.out
    [comment] = docx.Document(copy).comments
    assert comment.text.startswith("Len Bray is a friend of Wilf") and "Chapter 1: “" in comment.text
    assert run_cli("check", demo_project, "--as-of", 3, "--format", "docx", "--out", copy).code == 0
    styles = [one.style.name for one in docx.Document(copy).paragraphs]
    assert styles.count("Heading 1") == 3  # and no later chapter
