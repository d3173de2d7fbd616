"""Slips told in passing: behind a pronoun, beside a word on who somebody is, in somebody's mouth."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.dead_then_acts import DeadThenActs
from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak
from fabula.story.continuity.rules.object_conflict import ObjectConflict
from fabula.story.continuity.rules.orphaned_event import OrphanedEvent
from fabula.story.extraction.patterns.masking import readings

from .told_story import FILLER, story

SCENE = "Marcus Hale met Elena Voss by the gate. “Good evening,” said Elena. Marcus bowed to Elena."


def test_a_particular_thing_is_known_whoever_a_pronoun_means():
    gone = "The brass pocket compass that Tobias was so proud of was burned that night."
    used = (
        "Marcus looked at Tobias. He had the brass pocket compass in his hand, and took his bearings by it."
    )
    (violation,) = ObjectConflict().find(story(gone, used))
    assert violation.evidence[0].quote == gone


@pytest.mark.parametrize(
    "death",
    [
        "Mrs. Reed the midwife's heart, never strong, stopped that night, between one breath and the next.",
        "By nightfall Mrs. Reed the midwife, who had lain ill since Sunday, was no more.",
    ],
)
def test_who_somebody_is_does_not_hide_a_death(death):
    (violation,) = DeadThenActs().find(story(f"{FILLER} {death}", f"{FILLER} Mrs. Reed opened the gate."))
    assert violation.evidence[0].quote == death


@pytest.mark.parametrize(
    ("words", "core"),
    [
        ("§0, who had lain ill since sunday, was no more.", "§0 was no more."),
        ("§0's heart, never strong, stopped that night.", "§0's heart stopped that night."),
        ("§0, the old schoolmaster, died.", "§0 died."),
    ],
)
def test_what_stands_between_commas_may_be_passed_over(words, core):
    assert readings(words) == (words, core)


@pytest.mark.parametrize(
    "words", ["§0, and then the others, rose.", "§0, who died in june, and §1 were friends.", "§0 died."]
)
def test_nothing_else_is_passed_over(words):
    assert readings(words) == (words,)


AWAY = "“Tobias is in Bristol to-day,” said Elena, “and will not be here before Friday.”"


@pytest.mark.parametrize(
    "deed",
    [
        "It was then that Marcus stabbed Elena in the arm with a paper-knife.",
        "“Marcus has tried to poison me,” said Elena, and it was the truth.",
    ],
)
def test_harm_out_of_nothing(deed):
    assert list(OrphanedEvent().find(story(SCENE, SCENE, f"{FILLER} {deed}")))


def test_harm_in_play_accounts_for_none():
    deed = f"{FILLER} It was then that Marcus stabbed Elena in the arm with a paper-knife."
    played, fought = "Marcus pelted Elena with roses.", "Marcus pelted Elena with stones."
    assert list(OrphanedEvent().find(story(SCENE, SCENE, f"{played} {FILLER}", deed)))
    assert not list(OrphanedEvent().find(story(SCENE, SCENE, f"{fought} {FILLER}", deed)))


@pytest.mark.parametrize(
    "deed",
    [
        "“That is for your treachery,” said Marcus, and stabbed Elena in the arm.",
        "Marcus stabbed Elena, who had betrayed him, in the arm.",
        "Marcus merrily struck Elena with a paper fan.",
        "It was then that Marcus stabbed Elena in the arm with a paper-knife, for she was late.",
    ],
)
def test_harm_with_a_reason_or_in_play(deed):
    assert not list(OrphanedEvent().find(story(SCENE, SCENE, f"{FILLER} {deed}")))


@pytest.mark.parametrize(
    "said",
    [
        "“I rather doubt the prison walls,” said Elena.",
        "Elena remembered the prison on the hill above the harbour where her aunt had sung to the sailors.",
        "Elena knew that the prison by the old harbour had once been a convent with a garden and a well.",
    ],
)
def test_one_word_in_common_betrays_no_secret(said):
    kept = "Tobias had taken good care that Elena should not learn of his years in prison."
    assert not list(KnowledgeLeak().find(story(kept, f"{FILLER} {said}")))


def test_a_wife_is_no_rival_for_her_husbands_name():
    wife = "Mrs. Reed poured the tea. Mrs. Reed smiled. Mrs. Reed sat down, and Mrs. Reed sighed."
    death, act = "Mr. Reed died in the night.", "Mr. Reed opened the gate and bowed."
    (violation,) = DeadThenActs().find(story(wife, f"{FILLER} {death}", f"{FILLER} {act}"))
    assert [quote.quote for quote in violation.evidence] == [death, act]


def test_what_is_handed_over_is_not_stolen():
    taken = "Marcus took the parcel from Elena and carried it upstairs."
    assert not list(OrphanedEvent().find(story(SCENE, SCENE, f"{FILLER} {taken}")))


@pytest.mark.parametrize(
    "quiet",
    [
        "And as two or three days passed away in this manner, Marcus began almost to hope.",
        "Something stood between her eyes and the light, which showed that Marcus had gone inside the room.",
    ],
)
def test_nobody_dies_of_days_or_doors(quiet):
    assert not list(DeadThenActs().find(story(f"{FILLER} {quiet}", f"{FILLER} Marcus opened the gate.")))
