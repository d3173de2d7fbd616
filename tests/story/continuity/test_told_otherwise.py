"""Counts, looks, secrets, times and harm told by constructions of other kinds, and what comes near them."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.attribute_conflict import AttributeConflict
from fabula.story.continuity.rules.count_conflict import CountConflict
from fabula.story.continuity.rules.knowledge_leak import KnowledgeLeak
from fabula.story.continuity.rules.orphaned_event import OrphanedEvent
from fabula.story.continuity.rules.timeline.timeline_conflict import TimelineConflict
from fabula.story.time.calendar import follows, lapse_of, time_of

from .told_story import FILLER, story


def apart(rule, early, late):
    return list(rule.find(story(f"{FILLER}\n\n{early}", FILLER, f"{FILLER}\n\n{late}")))


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("Marcus looked on while his four boys played at marbles.", "Marcus had two sons."),
        ("“I have a pair of sisters in Bath,” said Marcus.", "Marcus's five sisters wrote to him."),
        ("Marcus had five children.", "Marcus looked at his two children, who were all he had ever had."),
        ("Elena had neither brother nor sister; her mother had died in giving birth to her.",
         "Elena's two brothers came home."),
    ],
)  # fmt: skip
def test_kin_are_counted(early, late):
    assert len(apart(CountConflict(), early, late)) == 1


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("Marcus had two sons.", "Marcus taught his four boys in the school."),
        ("Marcus had two sisters.", "Marcus met a pair of sisters in Bath."),
        ("Marcus had five children.", "Marcus called his two children who were in the garden."),
    ],
)
def test_others_and_some_of_them_are_no_count(early, late):
    assert apart(CountConflict(), early, late) == []


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("Marcus had eyes of a dark brown.", "Marcus's blue eyes narrowed."),
        ("Elena shook down her hair, and it was the colour of ripe wheat.", "Elena's hair was black."),
        ("Marcus, who stood six feet four, bowed his head.", "Marcus was a short man."),
        ("Marcus was a Londoner by birth.", "Marcus had been born in Cork."),
        ("Marcus was a stout man.", "Marcus was as thin as a rake."),
    ],
)
def test_looks_and_trades(early, late):
    assert len(apart(AttributeConflict(), early, late)) == 1


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("Marcus stood six feet from the wall.", "Marcus was a short man."),
        ("Marcus was a little man of five feet three.", "Marcus was thirty years old."),
        ("Elena shook down her hair, and it was the work of a moment.", "Elena's hair was black."),
        ("Marcus was a stout man.", "Marcus was not as thin as his brother."),
        ("Marcus had never practised law.", "Marcus, being a physician, was called in."),
    ],
)
def test_what_is_no_look(early, late):
    assert apart(AttributeConflict(), early, late) == []


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("Marcus had never learned that his uncle had been hanged.", "Marcus forgot his uncle's umbrella."),
        ("Marcus knew nothing of the duel.", "Marcus had heard of the duel from Elena."),
        ("Marcus knew nothing of the duel.",
         "“You should know of the duel,” said Elena to Marcus. Marcus described the duel to him."),
    ],
)  # fmt: skip
def test_a_secret_is_kept_or_told(early, late):
    assert apart(KnowledgeLeak(), early, late) == []


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("The farm was sold before the fever came to the village.",
         "It was after the fever that the farm was sold."),
        ("The sale of the farm was long before the fever.", "The farm was sold when the fever was over."),
        ("The great flood, following upon the fire at the mill, had ruined Marcus.",
         "First there had been the great flood, and then the fire at the mill."),
        ("The mill burned down in 1843.", "The mill had burned down in the spring of 1851."),
        ("The trial of Marcus's partner opened on the 5th of March.",
         "The trial of Marcus's partner had opened on the 19th of April."),
    ],
)  # fmt: skip
def test_times(early, late):
    assert len(apart(TimelineConflict(), early, late)) == 1


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("The mill burned down in 1843.", "The mill burned down again in 1851."),
        ("The mill burned down in 1843.", "The brewery burned down in 1851."),
        (
            "The farm was sold before the fever came to the village.",
            "After the farm was sold the fever came.",
        ),
        (
            "Marcus went to the fair on the 5th of March.",
            "Marcus went to the fair every year on the 5th of May.",
        ),
    ],
)
def test_other_times_and_other_happenings(early, late):
    assert apart(TimelineConflict(), early, late) == []


KNOWN = "Marcus walked to the bridge. Elena waved her hand to Marcus, and he called to her."


@pytest.mark.parametrize(
    "deed",
    [
        "Marcus took Elena by the hand and led her down the stairs.",
        "Elena pushed Marcus's chair to the edge of the table.",
        "Marcus put the sugar into Elena's tea.",
        "A look from Marcus laid Elena's fears to rest.",
        "Marcus told Elena's secret to nobody.",
        "Marcus would have given evidence against Elena if he had dared.",
        "Elena dreamt that she gave Marcus a kick.",
        "Marcus knocked at Elena's door.",
        "Marcus took a knife to the grinder.",
        "Marcus had Elena announced.",
        "Elena held Marcus's head in her lap.",
        "Maddened by a whole day of Elena's insults, Marcus took Elena by the throat.",
        "Marcus struck Elena to punish her.",
    ],
)
def test_what_is_no_harm(deed):
    assert list(OrphanedEvent().find(story(KNOWN, KNOWN, KNOWN, f"{FILLER}\n\n{deed}"))) == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (
            "It was Sunday, and Marcus was at church.",
            "The next day was Thursday, and Marcus went up to town.",
        ),
        ("It was Tuesday.", "The next day, being Friday, Marcus went up to town."),
    ],
)
def test_days_that_do_not_follow(first, then):
    assert len(list(TimelineConflict().find(story(f"{first} Elena laughed. {then}")))) == 1


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("It was Sunday, and Marcus was at church.", "The next day was Monday, and Marcus went up to town."),
        ("It was Sunday.", "The next week, being ill, Marcus kept his bed."),
    ],
)
def test_days_that_follow(first, then):
    assert list(TimelineConflict().find(story(f"{first} Elena laughed. {then}"))) == []


def test_the_day_after_january_is_not_in_may():
    day, may = lapse_of("P1D"), time_of("XXXX-05-01")
    assert follows(time_of("XXXX-01"), day, may) is False
    assert follows(time_of("XXXX-04"), day, may) is True
