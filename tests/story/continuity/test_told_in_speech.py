"""Secrets that a speaker means to keep, and what the words of one who should not know take for granted."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak

from .told_story import FILLER, story

AT_HOME = "Marcus Hale sat by the fire. Tobias Crane read the paper. "
KEPT = "Marcus had never told Elena that he had once forged a cheque."
BETRAYED = "“You once forged a cheque, Marcus,” said Elena."


def leaks(early: str, late: str) -> bool:
    view = story(f"{AT_HOME}\n\n{early}\n\n{FILLER}", FILLER, f"Elena Voss came in.\n\n{late}\n\n{FILLER}")
    return bool(list(KnowledgeLeak().find(view)))


@pytest.mark.parametrize(
    "late",
    [
        "Elena told Tobias that Marcus had once forged a cheque.",
        "Elena hinted that Marcus had forged a cheque in his youth.",
        "“Did they pay you well when you forged a cheque?” Elena asked Marcus.",
        "“Tell me about the days when you forged a cheque, Marcus,” said Elena.",
    ],
)
def test_what_is_taken_for_granted(late) -> None:
    assert leaks(KEPT, late)


@pytest.mark.parametrize(
    ("early", "late"),
    [
        (KEPT, "“Did you ever forge a cheque, Marcus?” said Elena."),
        (KEPT, "“I wish that you would find the man who forged the cheque,” said Elena."),
        (KEPT, "Elena asked Marcus whether he had forged a cheque."),
        ("“Do not let me hear another word about the forged cheque,” said Elena.", BETRAYED),
        ("“If I told Elena that I forged a cheque, would she not tell Marcus?” said Tobias.", BETRAYED),
    ],
)
def test_what_is_not(early, late) -> None:
    assert not leaks(early, late)
