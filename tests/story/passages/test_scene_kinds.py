import dataclasses

from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows

from fabula.story.passages.scenes_and_tones import (
    SceneKind,
    Telling,
    Tone,
    scene_scores,
    strongest,
    tone_of,
    tone_scores,
)


def test_each_kind_by_its_cues():
    for narrated, spoken, kind in rows(__file__, "each_kind_by_its_cues.tsv"):
        scores = scene_scores(Telling(narrated, spoken, turns=spoken.count("“")))
        assert strongest(scores) == kind, (narrated, spoken)


def test_what_is_said_aloud_is_no_deed_of_the_narrators():
    deed = "He ran and leapt and seized the rope and hurled it at the wall with all his strength."
    assert scene_scores(Telling(deed))[SceneKind.ACTION] > 1
    assert scene_scores(Telling("", deed, 1))[SceneKind.ACTION] == 0


def test_what_the_reading_saw_counts():
    plain = Telling("They went on in the same way for some time and then it was evening at the farm.")
    for field, value, kind in (
        ("flashback", True, SceneKind.FLASHBACK),
        ("learnt", 2, SceneKind.REVELATION),
        ("deeds", 1, SceneKind.ACTION),
    ):
        more = dataclasses.replace(plain, **{field: value})
        assert scene_scores(more)[kind] > scene_scores(plain)[kind]


@given(st.text(max_size=300), st.text(max_size=300), st.integers(0, 9))
def test_any_text_has_a_kind_and_a_tone(narrated, spoken, turns):
    scores = scene_scores(Telling(narrated, spoken, turns))
    assert set(scores) == set(SceneKind)
    assert min(scores.values()) >= 0
    assert min(tone_scores(narrated).values()) >= 0
    assert tone_of(narrated) in Tone
