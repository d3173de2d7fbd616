"""Kinship words that stand as names."""

from tests.stories.reading import log_of

from fabula.story.model.types import EntityKind


def people(log):
    return {m.surface for m in log.mentions if m.kind is EntityKind.CHARACTER}


def test_kin_called_by_what_they_are():
    log = log_of(
        "I went home and pap sat by the fire. Then pap got up and pap said nothing. I was afraid of pap.",
    )
    assert "pap" in people(log)
    assert len({m.entity for m in log.mentions if m.surface == "pap"}) == 1


def test_somebody_s_mother_is_no_name():
    log = log_of(
        "Elena Voss went home. Her mother sat by the fire. The father laughed and Elena's mother rose. "
        "“Mother is ill,” said Elena. “Mother is very ill.” A mother fears and a father waits.",
    )
    assert not {name.casefold() for name in people(log)} & {"mother", "father"}
