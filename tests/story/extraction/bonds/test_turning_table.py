"""Bonds that turn, told by a turn of phrase: made up, forgiven, fallen out."""

from __future__ import annotations

import pytest
from tests.stories.reading import FILLER, story

from fabula.story.continuity.rules.unearned_change import UnearnedChange

BETWEEN = f"Marcus Hale nodded to Elena Voss. Tobias Crane bowed. {FILLER}"
HATED, LOVED = "Elena hated Marcus with all her heart.", "Elena loved Marcus dearly."


def found(told: str, first: str = HATED, last: str = LOVED):
    view = story(f"{first} {FILLER}", BETWEEN, f"{told} {FILLER}", BETWEEN, f"{last} {FILLER}")
    return list(UnearnedChange().find(view))


@pytest.mark.parametrize(
    "told",
    [
        "Elena and Marcus made it up that night.",
        "Elena begged Marcus's pardon, and it was granted.",
        "The old quarrel between Elena and Marcus was buried.",
        "Elena's heart softened towards Marcus.",
        "Elena's anger against Marcus melted away.",
        "Elena and Marcus laid their quarrel by.",
        "Elena was won over by Marcus.",
        "“I have misjudged you, Marcus,” said Elena.",
        "“Can you forgive me, Marcus?” said Elena.",
    ],
)
def test_peace_is_made(told):
    assert not found(told)


@pytest.mark.parametrize(
    "told",
    [
        "Rain fell.",
        "Elena never forgave Marcus.",
        "Elena's heart softened towards Tobias.",
        "If Elena and Marcus made it up, the town would talk.",
        "Elena's love for Marcus died that night.",
    ],
)
def test_what_is_no_peace(told):
    assert found(told)


def test_companions_need_be_no_friends():
    last = "“My companions, Marcus Hale and Tobias Crane, will come with me,” said Elena."
    assert not found("Rain fell.", last=last)
    assert found("Rain fell.", last=last.replace("companions", "dear friends"))


@pytest.mark.parametrize(
    "told", ["Elena's love for Marcus died that night.", "The friendship of Elena and Marcus was at an end."]
)
def test_they_fall_out(told):
    assert found("Rain fell.", first=LOVED, last=HATED)
    assert not found(told, first=LOVED, last=HATED)
