"""Stories out of a project and into it, as a person does it at the command line."""

import json
from dataclasses import fields

import networkx as nx
import pytest

from fabula.demo import save_story
from fabula.engine import Project, index_book
from fabula.errors import DocumentError, ProjectError, UsageError
from fabula.story.interchange.story_json import read_story
from fabula.story.model.types import StoryLog


@pytest.fixture(scope="module")
def names(demo_project):
    with Project.open(demo_project) as project:
        return [entity.name for entity in project.view().entities()[:2]]


@pytest.mark.parametrize("format", ["json", "jsonl", "graphml", "csv", "cytoscape"])
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
        assert read_story((tmp_path / "story.json").read_text(encoding="utf-8")).log == project.graph.log
        known = {f"entity:{entity.id}" for entity in project.view().entities()}
    assert known <= set(nx.read_graphml(tmp_path / "story.graphml").nodes)


def test_an_imported_graph_stands_beside_the_storys_own(demo_copy, run_cli, tmp_path, names):
    project = demo_copy.project
    before = run_cli("graph", project, "--json").out
    run_cli("export", project, "--out", tmp_path / "story.json", "--as-of", "1")
    done = run_cli("import", project, tmp_path / "story.json", "--from", "fabula", "--name", "first-chapter")
    assert done.code == 0
    assert "kept as graph 'first-chapter'" in done.out
    assert run_cli("graph", project, "--json").out == before
    theirs = json.loads(run_cli("graph", project, "--graph", "first-chapter", "--json").out)
    assert len(theirs["entities"]) < len(json.loads(before)["entities"])
    assert run_cli("check", project, "--graph", "first-chapter").code == 0
    with Project.open(project) as opened:
        assert opened.named_graph("first-chapter").last_chapter == 1
    assert run_cli("graph", project, "--graph", "none").code == 2
    assert "it has first-chapter" in run_cli("graph", project, "--graph", "none").err
    again = index_book(demo_copy.book, project)  # the graphs folder is the project's own
    assert again.read == 0


def test_booknlp_of_the_book_through_the_command_line(demo_copy, run_cli, tmp_path, names):
    text = demo_copy.book.read_text(encoding="utf-8")
    start = text.index(names[0])
    words = names[0].split()
    rows, at = [], start
    for number, word in enumerate(words):
        at = text.index(word, at)
        rows.append(f"0\t0\t{number}\t{number}\t{word}\t{word}\t{at}\t{at + len(word)}\tX\tX\tX\t0\tO\n")
        at += len(word)
    head = (
        "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word lemma byte_onset "
        "byte_offset POS_tag fine_POS_tag dependency_relation syntactic_head_ID event"
    ).replace(" ", "\t")
    folder = tmp_path / "booknlp"
    folder.mkdir()
    (folder / "b.tokens").write_text(head + "\n" + "".join(rows), encoding="utf-8")
    (folder / "b.entities").write_text(
        f"COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t0\t{len(words) - 1}\tPROP\tPER\t{names[0]}\n",
        encoding="utf-8",
    )
    done = run_cli("import", demo_copy.project, folder, "--from", "booknlp", "--json")
    assert json.loads(done.out)["entities"] == 1
    with Project.open(demo_copy.project) as project:
        (entity,) = project.named_graph("booknlp").log.mentions
        assert entity.evidence.quote == names[0]


def test_names_of_graphs_are_names_of_files(demo_copy, run_cli, tmp_path):
    run_cli("export", demo_copy.project, "--out", tmp_path / "story.json")
    for name in ("../x", "A", "", "x" * 50):
        done = run_cli(
            "import", demo_copy.project, tmp_path / "story.json", "--from", "fabula", "--name", name or "-"
        )
        assert done.code == 2
        assert "no name for a graph" in done.err


def test_a_graph_of_a_book_that_changed_is_refused(demo_copy, run_cli, tmp_path):
    run_cli("export", demo_copy.project, "--out", tmp_path / "story.json")
    run_cli("import", demo_copy.project, tmp_path / "story.json", "--from", "fabula")
    file = demo_copy.project / "graphs" / "fabula.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["graph"]["log"]["mentions"][0]["evidence"]["quote"] = "Nobody"
    file.write_text(json.dumps(content), encoding="utf-8")
    with Project.open(demo_copy.project) as project:
        with pytest.raises(ProjectError, match="another text"):
            project.named_graph("fabula")
        file.write_text("{", encoding="utf-8")
        with pytest.raises(ProjectError, match="import it again"):
            project.look_at("fabula")
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
