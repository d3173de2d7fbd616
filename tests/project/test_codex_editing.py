import pytest
from tests.tables import file_text

from fabula.demo import save_story
from fabula.engine import Project
from fabula.errors import DocumentError, UsageError
from fabula.project.codex_editing import CodexDesk, codex_text, with_entry
from fabula.project.recalling import recall

CODEX = file_text(__file__, "len_bray.yaml")


def held(folder):
    with Project.open(folder) as project:
        return project.codex and project.codex.document.text


def test_what_is_written_is_the_codex_at_once_and_after_indexing_again(folder, done, tmp_path):
    with Project.open(folder) as project:
        first = codex_text(project)
        assert first.endswith('title: "The Bloom Line"\n') and project.codex is None
    made = CodexDesk(folder).save(CODEX, instead_of=first)
    assert [one.text for one in made.rules] == ["nobody can fly"]
    assert held(folder) == CODEX == (folder / "codex.yaml").read_text()
    with Project.open(folder) as project:
        [rule, *_] = recall(project, "May people fly?", collections=("codex",)).codex
        assert rule.memory.text == "nobody can fly."
    done("index", save_story(tmp_path), "-o", folder)
    assert held(folder) == CODEX


def test_what_is_refused_changes_nothing(folder):
    desk = CodexDesk(folder)
    desk.save(CODEX)
    with pytest.raises(DocumentError, match=r"line 4: characters\.0\.describing"):
        desk.save(CODEX.replace("description", "describing"))
    with pytest.raises(UsageError, match="changed in the meantime"):
        desk.save("title: x\n", instead_of="title: y\n")
    assert held(folder) == CODEX == (folder / "codex.yaml").read_text()


def test_a_codex_that_lies_elsewhere_is_not_written(folder, tmp_path):
    (tmp_path / "mine.yaml").write_text(CODEX)
    with pytest.raises(UsageError, match="outside the project"):
        CodexDesk(folder, settings=[{"codex": "../mine.yaml"}]).save("title: x\n")
    assert (tmp_path / "mine.yaml").read_text() == CODEX


def test_an_entry_is_added_and_all_else_stays_as_it_was_written():
    text = with_entry(CODEX, "characters", 'Anna "Ann" Vale', "A pilot:\n with a scar")
    anna = '  - name: "Anna \\"Ann\\" Vale"\n    description: "A pilot: with a scar"\n'
    assert text == CODEX.replace("characters:\n", f"characters:\n{anna}")
    assert with_entry("title: x\n", "places", "Lima").endswith('places:\n  - name: "Lima"\n')
    flat = with_entry("places:\n# near\n- name: Lima\n", "places", "Cusco")
    assert flat == 'places:\n- name: "Cusco"\n# near\n- name: Lima\n'
    for codex, table, name, said in (
        ("places: [{name: Lima}]\n", "places", "Cusco", "by hand"),
        (CODEX, "places", "Len Bray", "already"),
        (CODEX, "rules", "x", "tables"),
    ):
        with pytest.raises((UsageError, DocumentError), match=said):
            with_entry(codex, table, name)
