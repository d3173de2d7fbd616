"""Slips of which a side is told by a turn of phrase and not by a verb of its own, and what comes near one."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.abandoned_goal import AbandonedGoal
from fabula.story.continuity.rules.count_conflict import CountConflict
from fabula.story.continuity.rules.object_conflict import ObjectConflict
from fabula.story.continuity.rules.orphaned_event import OrphanedEvent
from fabula.story.continuity.rules.timeline.timeline_conflict import TimelineConflict
from fabula.story.continuity.rules.two_places_at_once import TwoPlacesAtOnce

from .told_story import FILLER, OPENING, document, story, told


def apart(rule, early, late):
    """What the rule finds between two sentences, a chapter between them."""
    return list(rule.find(story(f"{FILLER}\n\n{early}", FILLER, f"{FILLER}\n\n{late}")))


PLAYED = "Marcus played upon the silver flute for an hour."
SOLD = "Marcus had sold the silver flute to a dealer."


@pytest.mark.parametrize(
    ("gone", "had"),
    [
        ("Marcus had almost lost the silver flute.", PLAYED),
        ("Marcus feared that the silver flute was gone for ever.", PLAYED),
        ("Marcus could not part with the silver flute.", PLAYED),
        ("The silver flute lay in its case among pieces of music, and Marcus looked at it.", PLAYED),
        ("Marcus fetched the silver flute out of the canoe, and carried it to the house.", PLAYED),
        ("Marcus pawned the silver flute. In March he redeemed it.", PLAYED),
        (SOLD, "If Marcus had had the silver flute in his hand he would have played it."),
        (SOLD, "Marcus wished for the silver flute."),
        (SOLD, "Elena put the silver flute to her lips."),
    ],
)
def test_what_is_near_a_loss_or_a_use_is_neither(gone, had):
    assert apart(ObjectConflict(), gone, had) == []


THREE_CHILDREN = "Marcus had three children."
THREE_BROTHERS = "Marcus had three brothers."


@pytest.mark.parametrize(
    ("counted", "other"),
    [
        ("Five children had been born to Marcus.", THREE_CHILDREN),
        ("Five children called Marcus father.", THREE_CHILDREN),
        ("Marcus's children, five in all, were sent to bed.", THREE_CHILDREN),
        ("Marcus had a houseful of five children.", THREE_CHILDREN),
        ("Marcus was childless.", THREE_CHILDREN),
        ("Marcus had a single child.", THREE_CHILDREN),
        ("Both of Marcus's brothers were at sea.", THREE_BROTHERS),
        ("Marcus had been brought up alone, without brother or sister.", THREE_BROTHERS),
        ("Marcus had lived among five brothers.", THREE_BROTHERS),
    ],
)
def test_kin_are_counted_by_a_turn_of_phrase(counted, other):
    [finding] = apart(CountConflict(), counted, other)
    assert [quote.chapter for quote in finding.evidence] == [2, 4]


@pytest.mark.parametrize(
    ("counted", "other"),
    [
        (THREE_CHILDREN, "Marcus had five children in his class."),
        (THREE_CHILDREN, "Marcus had five children's books."),
        (THREE_CHILDREN, "At that time Marcus had only one child."),
        (THREE_CHILDREN, "Marcus dreamt that five children had been born to him."),
        (THREE_CHILDREN, "Five children of the village ran after Marcus."),
        (THREE_CHILDREN, "There were five children in Mr. Reed's house, and Marcus knew them all."),
        (THREE_BROTHERS, "Marcus had five brothers in arms."),
        (THREE_BROTHERS, "Marcus felt as if he were an only child."),
    ],
)
def test_other_children_and_other_times_are_no_count(counted, other):
    assert apart(CountConflict(), counted, other) == []


FARM_LAST = "The sale of the farm came a full year after the great flood."
MAY = "Marcus was married on the third of May."
THREE_YEARS = "Marcus lived in Vienna for exactly three years."


@pytest.mark.parametrize(
    ("early", "late"),
    [
        (FARM_LAST, "Hardly was the sale of the farm over when the great flood came."),
        (FARM_LAST, "At the time of the sale of the farm the great flood was still a year off."),
        (FARM_LAST, "By the time of the great flood the sale of the farm was forgotten."),
        (FARM_LAST, "“The sale of the farm was first,” said Marcus, “and the great flood after.”"),
        (MAY, "Marcus and Elena were married on the ninth of October."),
        (MAY, "Marcus took a wife on the ninth of October."),
        (MAY, "“What day were you married?” asked Elena. “The ninth of October,” said Marcus."),
        (THREE_YEARS, "Marcus's seven years in Vienna had made him grave."),
        (THREE_YEARS, "Vienna held Marcus for seven years."),
        (THREE_YEARS, "Marcus came home from Vienna after seven years."),
        (THREE_YEARS, "“I was seven years in Vienna,” said Marcus."),
    ],
)
def test_times_are_told_by_a_turn_of_phrase(early, late):
    assert len(apart(TimelineConflict(), early, late)) == 1


@pytest.mark.parametrize(
    ("early", "late"),
    [
        (FARM_LAST, "Before the sale of the farm came the great flood."),
        (FARM_LAST, "If the sale of the farm had come before the great flood, all would have been well."),
        (MAY, "Marcus was to be married on the ninth of October."),
        (MAY, "Marcus went to a wedding on the ninth of October."),
        (MAY, "Marcus's son was married on the ninth of October."),
        (THREE_YEARS, "Marcus was seven years in Paris."),
        (THREE_YEARS, "Seven years ago Marcus was in Vienna."),
        (THREE_YEARS, "Marcus went back to Vienna and stayed another seven years."),
    ],
)
def test_other_happenings_other_people_and_plans_are_no_conflict(early, late):
    assert apart(TimelineConflict(), early, late) == []


HAMBURG = "On the night of the great storm Marcus was in Hamburg."


@pytest.mark.parametrize(
    "seen",
    [
        "Marcus did not leave Boston on the night of the great storm.",
        "Elena danced with Marcus in Boston on the night of the great storm.",
        "Boston was where Marcus was on the night of the great storm.",
        "Marcus's bed in Boston had been slept in on the night of the great storm.",
        "“I was in Boston on the night of the great storm,” said Marcus.",
    ],
)
def test_somebody_is_elsewhere_at_one_moment(seen):
    assert len(apart(TwoPlacesAtOnce(), seen, HAMBURG)) == 1


@pytest.mark.parametrize(
    "seen",
    [
        "Marcus told the police that he had been in Boston on the night of the great storm.",
        "Marcus was in Boston the day after the night of the great storm.",
        "On the night of the great storm Marcus dreamt that he was in Boston.",
        "On the night of the great storm Marcus had a letter from Boston.",
        "On the night of the great storm Marcus's brother was in Boston.",
    ],
)
def test_who_claims_dreams_or_writes_is_not_there(seen):
    assert apart(TwoPlacesAtOnce(), seen, HAMBURG) == []


def beside(aside):
    """What is found where a scene is told around the sentence."""
    before = "Marcus came into the room and sat down. Elena gave him his tea. “I was kept,” said Marcus."
    after = "Marcus laughed and put down his cup. “I will,” said Marcus, and held out his cup."
    return list(TwoPlacesAtOnce().find(story(FILLER, f"{before}\n\n{aside}\n\n{after}\n\n{FILLER}")))


@pytest.mark.parametrize(
    "aside",
    [
        "Marcus was then in Vienna, where he stayed till the spring.",
        "All that week Marcus had not left Vienna.",
        "Marcus had been in Vienna since Monday.",
        "It was not until a week later that Marcus returned from Vienna.",
        "Nobody in the house knew that Marcus was in Vienna.",
    ],
)
def test_who_plays_in_a_scene_is_told_to_be_away(aside):
    assert len(beside(aside)) == 1


@pytest.mark.parametrize(
    "aside",
    [
        "Marcus had been in Vienna the year before.",
        "Marcus remembered how he had been in Vienna at that hour a year ago.",
        "It seemed to Marcus that he was still in Vienna.",
        "Marcus had come from Vienna that evening.",
        "Elena's brother was then in Vienna.",
    ],
)
def test_who_remembers_or_comes_from_there_is_here(aside):
    assert beside(aside) == []


LATER = (
    "Marcus came in and sat down. Elena laughed. Marcus drank his tea and looked at Tobias. "
    "“Well,” said Marcus."
)


def forgotten(vow):
    return list(AbandonedGoal().find(told(document(OPENING, f"{FILLER}\n\n{vow}", *[LATER] * 8))))


@pytest.mark.parametrize(
    "vow",
    [
        "From that day Marcus had one purpose: to find the man who had stolen the golden chalice.",
        "“Before I die,” said Marcus, “I will find the thief of the golden chalice.”",
        "“As I live,” said Marcus, “the thief of the golden chalice shall hang for it.”",
        "“I have made up my mind to find the thief of that golden chalice,” said Marcus.",
    ],
)
def test_a_purpose_is_told_by_a_turn_of_phrase_and_forgotten(vow):
    assert len(forgotten(vow)) == 1


@pytest.mark.parametrize(
    "vow",
    [
        "Marcus dreamt that he had sworn to find the thief of the golden chalice.",
        "Marcus refused to promise that he would find the thief of the golden chalice.",
        "Elena told Marcus that nobody had sworn to find the thief of the golden chalice.",
        "“One day the golden chalice will shine in the chapel window,” said Marcus.",
        "Marcus set himself to wait for tea.",
    ],
)
def test_what_nobody_means_to_do_is_no_vow(vow):
    assert forgotten(vow) == []


ON_STAGE = f"{LATER} Tobias rose and opened the window. “It is cold,” said Tobias."


def out_of_nowhere(deed):
    return list(
        OrphanedEvent().find(
            told(document(OPENING, *[ON_STAGE] * 4, f"{FILLER}\n\n{deed}\n\n{FILLER}", ON_STAGE))
        )
    )


@pytest.mark.parametrize(
    "deed",
    [
        "Marcus threw himself upon Tobias's mercy.",
        "Marcus fell upon Tobias's neck and wept.",
        "Marcus handed Tobias over to his mother.",
        "Marcus locked Tobias's door for him.",
    ],
)
def test_what_looks_like_harm_is_none(deed):
    assert out_of_nowhere(deed) == []
