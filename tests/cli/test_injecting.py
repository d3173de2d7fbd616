"""``fabula inject`` as a person meets it."""

from __future__ import annotations

import json


def test_a_copy_with_slips(demo_project, run_cli, tmp_path) -> None:
    out = tmp_path / "copy"
    call = ("inject", demo_project, "-o", out, "--family", "attribute_conflict", "--controls", "1")
    done = run_cli(*call)
    assert done.code == 0 and "slips:" in done.out
    gold = json.loads((out / "gold.json").read_text(encoding="utf-8"))
    text = next(path for path in out.iterdir() if path.stem == "the-bloom-line").read_text(encoding="utf-8")
    for one in gold["injections"]:
        for edit in one["edits"]:
            assert text[edit["placed"]["start"] : edit["placed"]["end"]] == edit["words"]
    assert run_cli(*call).code == 2  # the folder is full now
    again = tmp_path / "again"
    run_cli("inject", demo_project, "-o", again, "--family", "attribute_conflict", "--controls", "1")
    assert (again / "gold.json").read_bytes() == (out / "gold.json").read_bytes()
    assert run_cli("inject", demo_project, "-o", tmp_path / "x", "--family", "no_such").code == 2
