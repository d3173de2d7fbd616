import json
from dataclasses import fields

import pytest

from fabula.demo import save_story
from fabula.engine import Project, index_book
from fabula.errors import DocumentError
from fabula.story.graph_rag.exporting import FORMATS
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
    assert "wrote 6 file(s)" in run_cli(*wiki).out
    card = ("bible", demo_project, "--format", "character-card", "--out", tmp_path / "card.json")
    assert "say of whom" in run_cli(*card).err and run_cli(*card, "--about", "Barnaby").code == 0
    assert json.loads((tmp_path / "card.json").read_text("utf-8"))["data"]["name"] == "Barnaby Pellow"
