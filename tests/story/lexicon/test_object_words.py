"""The tables of what verbs do with things."""

from fabula.story.extraction.objects.handlings import ACTS
from fabula.story.lexicon.object_words import PARTICLES, VERBS


def test_the_tables_name_acts():
    assert {act for act, _ in (*VERBS.values(), *PARTICLES.values())} <= ACTS
    assert all(0 < sure <= 1 for _, sure in (*VERBS.values(), *PARTICLES.values()))
