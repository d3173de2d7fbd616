import io
import json
import sys

import docx
import pytest
from tests.scripted import ScriptedGenerator

from fabula.demo import save_story
from fabula.engine import Project, index_book
from fabula.errors import DocumentError
from fabula.story.continuity.critic import RULES
from fabula.story.graph_rag.exporting import FORMATS


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
    assert "Mr. Pellow (" not in done.out  # no name of either is left apart
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
    assert told == "Codex: characters, places and things: 1; names: 2; facts: 0; rules: 1\n"
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


@pytest.mark.parametrize("format", FORMATS)
def test_export_is_the_same_twice_and_keeps_the_horizon(demo_project, run_cli, tmp_path, format):
    for name in ("one", "two"):
        done = run_cli("export", demo_project, "--format", format, "--out", tmp_path / name)
        assert done.code == 0
        assert "relations" in done.out
    run_cli("export", demo_project, "--format", format, "--out", tmp_path / "early", "--as-of", "1")
    one, two, early = (_bytes(tmp_path / name) for name in ("one", "two", "early"))
    assert one == two
    assert len(early) < len(one)


def _bytes(path):
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return b"".join(file.read_bytes() for file in files)


@pytest.mark.slow
def test_the_settings_name_a_codex_in_the_projects_folder(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "fabula.toml").write_text('codex = "codex.yaml"\n', encoding="utf-8")
    book = save_story(tmp_path)
    with pytest.raises(DocumentError, match="codex"):
        index_book(book, folder)
    (folder / "codex.yaml").write_text("rules: [nobody can fly]\n", encoding="utf-8")
    index_book(book, folder)
    with Project.open(folder) as project:
        assert [rule.text for rule in project.codex.rules] == ["nobody can fly"]
    (folder / "codex.yaml").write_text("rules: [everybody can fly]\n", encoding="utf-8")
    index_book(book, folder)
    with Project.open(folder) as project:
        assert [rule.text for rule in project.codex.rules] == ["everybody can fly"]


def test_the_bible_is_shown_as_far_as_was_read_and_written(demo_project, run_cli, tmp_path):
    early = run_cli("bible", demo_project, "--about", "Barnaby", "--as-of", 5)
    assert early.out.startswith("People\n  Barnaby Pellow (also") and "dies" not in early.out
    assert "Barnaby Pellow dies [ch. 6]" in run_cli("bible", demo_project, "--about", "barnaby").out
    data = json.loads(run_cli("bible", demo_project, "--as-of", 5, "--json").out)
    with Project.open(demo_project) as project:
        text = project.document.text
    for quote in (q for one in data["entries"] for line in one["lines"] for q in line["quotes"]):
        assert text[quote["start"] : quote["end"]] == quote["text"] and quote["chapter"] <= 5
    done = run_cli("bible", demo_project, "--out", tmp_path / "vault", "--as-of", 5)
    assert done.code == 0 and (tmp_path / "vault" / "Story bible.md").is_file()
    assert (tmp_path / "vault" / "People" / "Barnaby Pellow.md").is_file()
    assert "nothing about" in run_cli("bible", demo_project, "--about", "Zorblax").err
    assert "add --out" in run_cli("bible", demo_project, "--format", "wiki").err
    wiki = ("bible", demo_project, "--format", "wiki", "--out", tmp_path / "wiki", "--as-of", 3)
    assert "wrote 6 files" in run_cli(*wiki).out
    card = ("bible", demo_project, "--format", "character-card", "--out", tmp_path / "card.json")
    assert "say whom" in run_cli(*card).err and run_cli(*card, "--about", "Barnaby").code == 0
    assert json.loads((tmp_path / "card.json").read_text("utf-8"))["data"]["name"] == "Barnaby Pellow"


HATED = "Wilf hated Len. He said nothing more that night."
RULE = "relationship_conflict"


@pytest.fixture
def check(demo_project, run_cli, tmp_path):
    """Checks the draft, or another file, against the first chapters of the demo story."""
    draft = tmp_path / "draft.txt"
    draft.write_text(HATED, encoding="utf-8")

    def run(*more, project=demo_project, draft=draft):
        return run_cli("check", project, "--draft", draft, "--as-of", "5", "--rule", RULE, *more)

    return run


def test_text_shows_both_sides_by_severity(demo_project, run_cli, check):
    said = check().out
    assert said.startswith("  1. Len Bray is a friend of Wilf")
    for told in ("(ch. 1)", "“Wilf hated Len.” (the draft)", "to fix:", "unless:", "reading side by side"):
        assert told in said
    assert "relationship_conflict, " in said
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


def test_sarif_points_into_the_files(demo_copy, check, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    told = json.loads(check("--format", "sarif", project=demo_copy.project).out)
    (result,) = told["runs"][0]["results"]
    texts = {demo_copy.book.name: demo_copy.book.read_text(encoding="utf-8"), "draft.txt": HATED}
    places = [one["physicalLocation"] for one in (*result["locations"], *result["relatedLocations"])]
    assert {place["artifactLocation"]["uri"] for place in places} == texts.keys()
    for place in places:
        region, text = place["region"], texts[place["artifactLocation"]["uri"]]
        quote = text[region["charOffset"] : region["charOffset"] + region["charLength"]]
        assert quote == region["snippet"]["text"]


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
    said = run_cli("check", demo_copy.project).out.split()  # it is wrapped, and the path is of any length
    assert "0000000000000000 matches nothing" in " ".join(said)
    narrowed = run_cli("check", demo_copy.project, "--as-of", "3")
    assert narrowed.code == 0 and "stale in" not in narrowed.out
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
    made.add_paragraph(HATED)
    made.save(draft)
    assert "--out" in check("--format", "docx", draft=draft).err
    done = check("--format", "docx", "--out", copy, draft=draft)
    assert done.code == 0 and "with 1 comment" in done.err and not done.out
    [comment] = docx.Document(copy).comments
    assert comment.text.startswith("Len Bray is a friend of Wilf") and "Chapter 1: “" in comment.text
    assert run_cli("check", demo_project, "--as-of", 3, "--format", "docx", "--out", copy).code == 0
    styles = [one.style.name for one in docx.Document(copy).paragraphs]
    assert styles.count("Heading 1") == 3  # and no later chapter
