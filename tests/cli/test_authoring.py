import json


def test_somebody_is_two_and_one_again(demo_copy, run_cli):
    project = demo_copy.project
    before = run_cli("graph", project, "--json").out
    done = run_cli("correct", "merge", project, "Nat Crewe", "Barnaby Pellow")
    assert done.code == 0
    assert done.out.startswith("corrected: 'Nat Crewe' is 'Barnaby Pellow'  [")
    assert "Nat Crewe (" in done.out and " mentions), " in done.out and " → Barnaby Pellow (" in done.out
    id = done.out.split("[")[1].split("]")[0]
    assert run_cli("correct", "list", project).out.split()[0] == id
    assert run_cli("correct", "list", project, "--json").out.count(id) == 1
    assert "Nat Crewe  " not in run_cli("graph", project).out
    assert "no correction '00000000'" in run_cli("correct", "undo", project, "00000000").err
    undone = json.loads(run_cli("correct", "undo", project, id, "--json").out)
    assert undone["correction"]["id"] == id and len(undone["words"]) == 1
    assert run_cli("graph", project, "--json").out == before
    assert run_cli("correct", "list", project).out == "no corrections\n"


def test_every_kind_has_its_command_and_its_refusal(demo_copy, run_cli):
    project = demo_copy.project
    asked = {
        "split": ("Nat Crewe", "Nobody"),
        "rename": ("Nobody", "Somebody"),
        "retype": ("Nobody", "location"),
        "not-a-character": ("Nobody",),
    }
    for command, arguments in asked.items():
        refused = run_cli("correct", command, project, *arguments)
        assert refused.code == 2 and "Nobody" in refused.err and len(refused.err.splitlines()) == 1
    (project / "corrections.toml").write_text("[[correct]]\nkind = 'merge'\n", encoding="utf-8")
    for command in (("correct", "apply", project), ("index", demo_copy.book, "-o", project)):
        assert "corrections.toml, line 1: merge needs who" in run_cli(*command).err


def test_a_codex_is_checked_at_the_command_line(run_cli, tmp_path):
    file = tmp_path / "codex.yaml"
    file.write_text("characters:\n  - name: Ana\n    aliases: [Annie]\nrules: [no magic]\n", encoding="utf-8")
    done = run_cli("codex", "check", file)
    assert done.out == "Codex: 1 characters, places and things under 2 names, 0 facts, 1 rules\n"
    file.write_text("characters:\n  - nam: Ana\n", encoding="utf-8")
    done = run_cli("codex", "check", file)
    assert done.code == 2
    assert "line 2" in done.err
    assert "did you mean name" in done.err
    assert run_cli("codex", "check", tmp_path / "none.yaml").code == 2
