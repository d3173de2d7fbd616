"""Several projects side by side."""

import json
import shutil


def test_two_projects_as_a_table_and_as_json(demo_project, tmp_path, run_cli):
    other = tmp_path / "other"
    shutil.copytree(demo_project, other)
    shown = run_cli("bench", "library", demo_project, other)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.count("The Bloom Line") >= 8
    data = json.loads(run_cli("bench", "library", demo_project, other, "--json").out)
    [one, same] = data["stories"]
    assert one == same
    assert 0 < one["density"] <= 1
    assert len(one["arcs"]) == 3
    assert data["pairs"] == [{"one": one["title"], "other": one["title"], "arc": 1.0, "turns": 1.0}]


def test_one_project_twice_is_refused(demo_project, run_cli):
    refused = run_cli("bench", "library", demo_project, demo_project)
    assert refused.code != 0
    assert "named twice" in refused.err
