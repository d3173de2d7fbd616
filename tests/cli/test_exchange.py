import json
from dataclasses import fields

import networkx as nx
import pyarrow
import pytest
from pyarrow import parquet
from tests.stories.booknlp_run import booknlp_run

from fabula.demo import save_story
from fabula.engine import Project, index_book
from fabula.errors import DocumentError, ProjectError, UsageError
from fabula.story.graph_rag.views.log_json import load_log
from fabula.story.interchange.exporting import FORMATS
from fabula.story.model.types import StoryLog


@pytest.fixture(scope="module")
def names(demo_project):
    with Project.open(demo_project) as project:
        return [entity.name for entity in project.view().entities()[:2]]


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


def test_the_exported_log_is_the_projects(demo_project, run_cli, tmp_path):
    run_cli("export", demo_project, "--out", tmp_path / "story.json")
    run_cli("export", demo_project, "--format", "graphml", "--out", tmp_path / "story.graphml")
    with Project.open(demo_project) as project:
        content = json.loads((tmp_path / "story.json").read_text(encoding="utf-8"))
        saved = json.dumps({"schema": content["schema"], "log": content["log"]})
        assert load_log(saved) == project.graph.log
        known = {f"entity:{entity.id}" for entity in project.view().entities()}
    assert known <= set(nx.read_graphml(tmp_path / "story.graphml").nodes)


@pytest.fixture
def booknlp(demo_copy, tmp_path, names):
    return booknlp_run(tmp_path / "booknlp", demo_copy.book.read_text(encoding="utf-8"), names[0])


def test_an_imported_graph_stands_beside_the_storys_own(demo_copy, run_cli, booknlp, names):
    project = demo_copy.project
    before = run_cli("graph", project, "--json").out
    done = run_cli("import", project, booknlp, "--from", "booknlp", "--name", "theirs")
    assert done.code == 0
    assert "kept as graph 'theirs'" in done.out
    assert run_cli("graph", project, "--json").out == before
    found = json.loads(run_cli("graph", project, "--graph", "theirs", "--json").out)
    assert [entity["name"] for entity in found["entities"]] == [names[0]]
    assert run_cli("check", project, "--graph", "theirs").code == 0
    with Project.open(project) as opened:
        (entity,) = opened.named_graph("theirs").log.mentions
        assert entity.evidence.quote == names[0]
    assert run_cli("graph", project, "--graph", "none").code == 2
    assert "it has theirs" in run_cli("graph", project, "--graph", "none").err
    again = index_book(demo_copy.book, project)  # the graphs folder is the project's own
    assert again.read == 0


def test_what_was_kept_is_shown_however_sure_it_is(demo_copy, run_cli, tmp_path):
    with Project.open(demo_copy.project) as project:
        view = project.view()
        pairs = [(r.evidence[0].quote, view.name(r.subject), view.name(r.object)) for r in view.relations()]
        text, one, other = next(each for each in pairs if each[1] in each[0] and each[2] in each[0])
    tables = {
        "text_units": [{"id": "t", "text": text}],
        "entities": [{"title": name, "type": "PERSON", "text_unit_ids": ["t"]} for name in (one, other)],
        "relationships": [
            {"source": one, "target": other, "description": "They met.", "text_unit_ids": ["t"]}
        ],
    }
    for name, rows in tables.items():
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    done = run_cli("import", demo_copy.project, tmp_path, "--from", "graphrag", "--json")
    kept = dict(json.loads(done.out)["kept"])
    shown = json.loads(run_cli("graph", demo_copy.project, "--graph", "graphrag", "--json").out)["relations"]
    assert len(shown) == kept["relations"] == 1
    assert shown[0]["confidence"] == 0.3
    surer = ("graph", demo_copy.project, "--graph", "graphrag", "--min-confidence", "0.8", "--json")
    assert json.loads(run_cli(*surer).out)["relations"] == []


def test_names_of_graphs_are_names_of_files(demo_copy, run_cli, booknlp):
    for name in ("../x", "A", "", "x" * 50):
        done = run_cli("import", demo_copy.project, booknlp, "--from", "booknlp", "--name", name or "-")
        assert done.code == 2
        assert "no name for a graph" in done.err


def test_a_graph_of_a_book_that_changed_is_refused(demo_copy, run_cli, booknlp):
    run_cli("import", demo_copy.project, booknlp, "--from", "booknlp")
    file = demo_copy.project / "graphs" / "booknlp.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["graph"]["log"]["mentions"][0]["evidence"]["quote"] = "Nobody"
    file.write_text(json.dumps(content), encoding="utf-8")
    with Project.open(demo_copy.project) as project:
        with pytest.raises(ProjectError, match="another text"):
            project.named_graph("booknlp")
        file.write_text("{", encoding="utf-8")
        with pytest.raises(ProjectError, match="import it again"):
            project.look_at("booknlp")
        with pytest.raises(UsageError):
            project.named_graph("no/name")


def test_a_codex_goes_into_the_index(demo_copy, demo_project, run_cli, tmp_path, names):
    folder = demo_copy.project
    codex = tmp_path / "world.yaml"
    codex.write_text(
        f"characters:\n  - name: {names[0]}\n    relations:\n      - {{predicate: HATES, to: {names[1]}}}\n"
        f"  - {names[1]}\nrules: [nobody can fly]\n",
        encoding="utf-8",
    )
    done = run_cli("index", demo_copy.book, "-o", folder, "--codex", codex)
    assert done.code == 0
    with Project.open(folder) as project, Project.open(demo_project) as other:
        assert project.codex.rules[0].text == "nobody can fly"
        assert other.codex is None
        mine = [r for r in project.graph.log.relations if r.origin == "codex"]
        assert [(r.predicate, r.told, r.confidence) for r in mine] == [("HATES", 0, 1.0)]
        for each in fields(StoryLog):
            for record in getattr(project.graph.log, each.name):
                for quote in record.evidence if isinstance(record.evidence, tuple) else (record.evidence,):
                    text = project.codex.document if quote.document_id == "codex" else project.document
                    quote.verify(text.text)
        assert project.view(1).relations(names[0].casefold().replace(" ", "-")) or mine
        assert project.check(as_of=1) is not None
        assert project.check(draft="It rained.") is not None
    assert run_cli("graph", folder, "--as-of", "1").code == 0


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
