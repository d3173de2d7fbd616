import json

import pyarrow
import pytest
from pyarrow import parquet
from tests.stories.booknlp_run import booknlp_run

from fabula.engine import Project, index_book
from fabula.errors import DocumentError
from fabula.story.interchange.exporting import FORMATS


@pytest.fixture(scope="module")
def names(demo_project):
    with Project.open(demo_project) as project:
        return [entity.name for entity in project.view().entities()[:2]]


@pytest.mark.parametrize("format", FORMATS)
def test_export_is_the_same_twice_and_keeps_the_horizon(demo_project, run_cli, tmp_path, format):
    def exported(name, *more):
        path = tmp_path / name
        done = run_cli("export", demo_project, "--format", format, "--out", path, *more)
        assert done.code == 0 and "relations" in done.out
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        return b"".join(file.read_bytes() for file in files)

    one = exported("one")
    assert one == exported("two")
    assert len(exported("early", "--as-of", "1")) < len(one)


def test_an_imported_graph_stands_beside_the_storys_own(demo_copy, run_cli, refusal, tmp_path, names):
    project = demo_copy.project
    before = run_cli("graph", project, "--json").out
    run = booknlp_run(tmp_path / "run", demo_copy.book.read_text(encoding="utf-8"), names[0])
    done = run_cli("import", project, run, "--from", "booknlp")
    assert done.code == 0 and "kept 1: mentions" in done.out
    assert run_cli("graph", project, "--json").out == before
    shown = json.loads(run_cli("graph", project, "--graph", "booknlp", "--json").out)
    assert [entity["name"] for entity in shown["entities"]] == [names[0]]
    assert run_cli("export", project, "--graph", "booknlp", "--out", tmp_path / "theirs.json").code == 0
    (mention,) = json.loads((tmp_path / "theirs.json").read_text(encoding="utf-8"))["log"]["mentions"]
    assert mention["evidence"]["quote"] == names[0]
    for name in ("none", "../graphs/booknlp", ""):
        assert "it has booknlp" in refusal("graph", project, "--graph", name)
    assert index_book(demo_copy.book, project).read == 0  # the graphs folder is the project's own
    file = project / "graphs" / "booknlp.json"
    misquoted = file.read_text(encoding="utf-8").replace(f'"quote":"{names[0]}"', '"quote":"Nobody"')
    assert "Nobody" in misquoted
    for damaged in (misquoted, "{", ""):
        file.write_text(damaged, encoding="utf-8")
        assert "import it again" in refusal("graph", project, "--graph", "booknlp")


def test_what_was_kept_is_shown_however_sure_it_is(demo_copy, run_cli, tmp_path):
    with Project.open(demo_copy.project) as project:
        view = project.view()
        pairs = [(r.evidence[0].quote, view.name(r.subject), view.name(r.object)) for r in view.relations()]
        text, one, other = next(each for each in pairs if each[1] in each[0] and each[2] in each[0])
    ids = {"text_unit_ids": ["t"]}
    tables = {
        "text_units": [{"id": "t", "text": text}],
        "entities": [{"title": name, "type": "PERSON", **ids} for name in (one, other)],
        "relationships": [{"source": one, "target": other, "description": "They met.", **ids}],
    }
    for name, rows in tables.items():
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    done = run_cli("import", demo_copy.project, tmp_path, "--from", "graphrag", "--json")
    assert json.loads(done.out)["kept"]["relations"] == 1
    asked = ("graph", demo_copy.project, "--graph", "graphrag", "--json")
    assert [each["confidence"] for each in json.loads(run_cli(*asked).out)["relations"]] == [0.3]
    assert json.loads(run_cli(*asked, "--min-confidence", "0.8").out)["relations"] == []


def test_a_codex_goes_into_the_index(demo_copy, run_cli, tmp_path, names):
    folder, codex = demo_copy.project, tmp_path / "world.yaml"
    one, other = names
    codex.write_text(
        f"characters:\n  - name: {one}\n    relations:\n      - {{predicate: HATES, to: {other}}}\n"
        f"  - {other}\nrules: [nobody can fly]\n",
        encoding="utf-8",
    )
    assert run_cli("index", demo_copy.book, "-o", folder, "--codex", codex).code == 0
    with Project.open(folder) as project:
        assert project.codex.rules[0].text == "nobody can fly"
        [mine] = [each for each in project.graph.log.relations if each.origin == "codex"]
        assert (mine.predicate, mine.told, mine.confidence) == ("HATES", 0, 1.0)
        for quote in mine.evidence:
            quote.verify(project.codex.document.text)
        assert project.check(as_of=1) is not None
        assert project.check(draft="It rained.") is not None
    assert run_cli("graph", folder, "--as-of", "1").code == 0


@pytest.mark.slow
def test_the_settings_name_a_codex_in_the_projects_folder(tmp_path):
    (tmp_path / "tale.md").write_text("# Tale\n\nAda met Wilf in the mill.\n", encoding="utf-8")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "fabula.toml").write_text('codex = "codex.yaml"\n', encoding="utf-8")
    with pytest.raises(DocumentError, match="codex"):
        index_book(tmp_path / "tale.md", folder)
    for who in ("nobody", "everybody"):
        (folder / "codex.yaml").write_text(f"rules: [{who} can fly]\n", encoding="utf-8")
        index_book(tmp_path / "tale.md", folder)
        with Project.open(folder) as project:
            assert [rule.text for rule in project.codex.rules] == [f"{who} can fly"]


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
    assert "nothing of" in run_cli("bible", demo_project, "--about", "Zorblax").err
