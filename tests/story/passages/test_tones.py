"""Tones by their cues."""

from fabula.story.passages.tones import Tone, tone_of, tone_scores


def test_each_tone_by_its_cues():
    for text, tone in (
        ("He crept on, gun in hand, and held his breath. A scream. Something was in the dark.", "tense"),
        ("They buried him in the rain. She wept at the grave, alone, and grief made her old.", "sad"),
        ("Everyone laughed and cheered, the children danced for joy, and he grinned.", "happy"),
        ("“How dare you!” he roared, shaking his fist. “Liar! Thief!” He slammed the door.", "angry"),
        ("A strange shadow crossed the mist and vanished. Nobody knew whose ghost it was.", "mysterious"),
        ("He kissed her tenderly. “My darling,” he said, “I love you. Marry me.”", "romantic"),
        ("The office is on the second floor. It has three desks and a press for letters.", "neutral"),
        ("", "neutral"),
    ):
        assert tone_of(text) == tone, (text, tone)


def test_a_denied_cue_does_not_count():
    assert tone_scores("He wept.")[Tone.SAD] > 0
    assert tone_scores("He had never wept.")[Tone.SAD] == 0
