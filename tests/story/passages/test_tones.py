from tests.tables import rows

from fabula.story.passages.scenes_and_tones import Tone, tone_of, tone_scores


def test_each_tone_by_its_cues():
    for text, tone in rows(__file__, "each_tone_by_its_cues.tsv"):
        assert tone_of(text) == tone, (text, tone)


def test_a_denied_cue_does_not_count():
    assert tone_scores("He wept.")[Tone.SAD] > 0
    assert tone_scores("He had never wept.")[Tone.SAD] == 0
