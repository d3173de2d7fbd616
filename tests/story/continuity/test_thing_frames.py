"""A thing that is gone by a word of ending in its clause, and what comes near it and is none."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.object_conflict import ObjectConflict

from .told_story import FILLER, story

PLAYED = "Marcus played upon the silver flute for an hour."


def found(*paragraphs):
    bodies = [f"{FILLER}\n\n{paragraph}" for paragraph in paragraphs]
    return list(ObjectConflict().find(story(bodies[0], FILLER, *bodies[1:])))


@pytest.mark.parametrize(
    "kept",
    [
        "Marcus had nearly let the silver flute slip through the grating of a drain.",
        "Marcus dreamt that the silver flute lay under six feet of snow.",
        "If the silver flute went to a broker, Marcus would starve.",
        "Marcus would never let the silver flute go for nine pounds.",
        "No pickpocket had eased Marcus of his silver flute.",
        "Marcus feared the loss of his silver flute.",
        "Marcus slipped the silver flute into its case and snapped the lid.",
        "The silver flute lay at Marcus's feet beside a heap of splinters.",
        "The silver flute was a present from Elena, and Marcus kept it by him.",
        "The silver flute was Marcus's now.",
        "Marcus had not forgotten the silver flute in the train.",
        "Of the silver flute Marcus never spoke but with a smile.",
        "The tune melted in the air, and Marcus laid the silver flute upon the table.",
        "The notes of the silver flute went down to the river, and Marcus listened to them.",
    ],
)
def test_a_thing_is_still_there(kept):
    assert found(kept, PLAYED) == []


@pytest.mark.parametrize(
    "back",
    [
        "Marcus found the silver flute again.",
        "Elena gave the silver flute back to Marcus.",
        "Marcus bought himself another silver flute.",
        "“Here is your silver flute, Marcus,” said Elena.",
        "“Here is your silver flute, Marcus,” said Elena, and gave it back.",
        "The silver flute was mended for Marcus by a clockmaker.",
    ],
)
def test_a_thing_may_come_back(back):
    assert found("Marcus's silver flute had gone to a broker.", back, PLAYED) == []
