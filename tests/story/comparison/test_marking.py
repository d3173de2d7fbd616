"""Marks of drafts: from texts alone, by a reading of the draft, and blind to names."""

from __future__ import annotations

import pytest
from tests.stories.comparison_fakes import FakeEmbedder, make_engine

from fabula.core.types import Generation, Horizon, Prompt
from fabula.errors import ModelError
from fabula.story.comparison.report import Marker
from fabula.story.writing.pipelines import Draft, Written

SCENE, TEXT = "Anna counted the fares. She was afraid.", "Bela came. The mill was shut. He sat down."


def test_an_embedder_that_fails_costs_coherence_alone():
    marker = Marker(FakeEmbedder(ModelError("no memory")), scene=SCENE, characters=())
    scores = {score.name: score.value for score in marker.text_scores(TEXT, check=None)}
    assert scores["scene_coherence"] is None and scores["repetition"] is not None
    assert marker.notices == ("coherence was not measured: no memory",)


BODY = "Anna Reed hated Bob Cole. Anna Reed was happy."


def marker(**parts):
    return Marker(FakeEmbedder(), scene=SCENE, characters=(), **parts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Anna went down to the mill.", ""),
        ("Anna went down to the mill and", "it breaks off"),
        ("Write that Anna goes down to the mill alone at night. She went.", "it repeats the instruction"),
        ("So Anna met Cora, and old Dunstan.", "names that the story has not: Cora, Dunstan"),
    ],
)
def test_what_anybody_sees_in_a_draft_is_said(text, said):
    told = marker(prompt="Write that Anna goes down to the mill alone at night.", known=BODY)
    written = Written((Draft(Prompt("", "", "v"), Generation(text, "m", 1, 1, 0.0), None),))
    assert told.result("x", context=None, written=written, seconds=()).notice == said


def test_marks_do_not_depend_on_the_name_that_a_draft_bears():
    results = make_engine().compare("Anna meets Bela at the mill.", horizon=Horizon(2)).results
    told = Marker(FakeEmbedder(), scene=SCENE, characters=())

    def marked(label, each):
        written = Written(each.drafts, each.kept, each.error, each.notice)
        return told.result(label, context=each.context, written=written, seconds=()).metrics

    for each in reversed(results):
        assert marked(each.pipeline, each) == marked("fused", each) == marked("another", each)
