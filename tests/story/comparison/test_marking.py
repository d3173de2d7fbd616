"""Marks of drafts: from texts alone, by a reading of the draft."""

import pytest
from tests.stories.comparison_fakes import FakeEmbedder
from tests.tables import values

from fabula.core.types import Generation, Prompt
from fabula.story.comparison.report import Marker
from fabula.story.writing.pipelines import Draft, Written

SCENE = "Anna counted the fares. She was afraid."
BODY = "Anna Reed hated Bob Cole. Anna Reed was happy."
ORDER = "Write that Anna goes down to the mill alone at night."


@pytest.mark.parametrize(("text", "said"), values(__file__, "what_anybody_sees_in_a_draft.tsv"))
def test_what_anybody_sees_in_a_draft_is_said(text, said):
    marker = Marker(FakeEmbedder(), scene=SCENE, characters=(), prompt=ORDER, known=BODY)
    written = Written((Draft(Prompt("", "", "v"), Generation(text, "m", 1, 1, 0.0), None),))
    assert marker.result("x", context=None, written=written, seconds=()).notice == said
