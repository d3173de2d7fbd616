"""Marks of drafts: from texts alone, by a reading of the draft."""

import pytest
from tests.stories.comparison_fakes import FakeEmbedder

from fabula.core.types import Generation, Prompt
from fabula.story.comparison.report import Marker
from fabula.story.writing.pipelines import Draft, Written

SCENE = "Anna counted the fares. She was afraid."
BODY = "Anna Reed hated Bob Cole. Anna Reed was happy."
ORDER = "Write that Anna goes down to the mill alone at night."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Anna went down to the mill.", ""),
        ("Anna went down to the mill and", "it breaks off"),
        (f"{ORDER} She went.", "it repeats the instruction"),
        ("So Anna met Cora, and old Dunstan.", "names that the story has not: Cora, Dunstan"),
    ],
)
def test_what_anybody_sees_in_a_draft_is_said(text, said):
    marker = Marker(FakeEmbedder(), scene=SCENE, characters=(), prompt=ORDER, known=BODY)
    written = Written((Draft(Prompt("", "", "v"), Generation(text, "m", 1, 1, 0.0), None),))
    assert marker.result("x", context=None, written=written, seconds=()).notice == said
