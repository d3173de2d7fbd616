import json

import pytest
from tests.scripted import ScriptedGenerator

from fabula.engine import Project
from fabula.errors import UsageError
from fabula.project.checking import calibrate

NOTHING = '{"findings": []}'


def test_it_measures_keeps_and_says_it(demo_copy, done):
    with Project.open(demo_copy.project) as project:
        heard = []
        (power,) = calibrate(project, copies=2, words=3000, on_copy=lambda *one: heard.append(one))
        again = calibrate(project, copies=2, words=3000)
        assert again == (power,) and heard == [(1, 2), (2, 2)]
        assert sum(one.n for one in power.slips.values()) == 21
        assert 3000 <= power.words < len(project.document.text.split())
        project.__dict__["generator"] = ScriptedGenerator([])
        score = project.score({"mine": "Harriet sat down."}, prompt="They meet.")
        assert any("copies of this book" in notice for notice in score.notices)
    assert "calibrated on this book" in done("check", demo_copy.project)
    assert json.loads(done("check", demo_copy.project, "--json"))["calibration"][0]["critic"] == "rules"
    said = done("calibrate", demo_copy.project, "--copies", 1, "--words", 1000, "--json")
    assert json.loads(said)[0]["copies"] == 1


def test_without_it_a_comparison_says_that_nothing_is_known(demo_project):
    with Project.open(demo_project) as project:
        project.__dict__["generator"] = ScriptedGenerator([])
        score = project.score({"mine": "Harriet sat down."}, prompt="They meet.")
    assert any("was not measured" in notice for notice in score.notices)


def test_a_model_is_measured_beside_the_rules_and_its_cost_said_first(demo_copy):
    with Project.open(demo_copy.project) as project:
        project.__dict__["generator"] = ScriptedGenerator(lambda _: NOTHING, context_tokens=32_768)
        plans = []
        powers = calibrate(project, copies=1, words=1000, model=True, confirm=plans.append)
        assert [power.critic for power in powers] == ["rules", "model:scripted"]
        assert powers[1].recall.found == 0 and plans[0].requests > 0

        def refuse(plan):
            raise UsageError("too dear")

        with pytest.raises(UsageError, match="too dear"):
            calibrate(project, copies=1, words=1000, model=True, confirm=refuse)
