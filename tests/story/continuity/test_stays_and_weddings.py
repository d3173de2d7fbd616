"""How long somebody was at a place, and on what day he was married, told twice in other words each time."""

from __future__ import annotations

import pytest

from fabula.story.continuity.rules.timeline.timeline_conflict import TimelineConflict

from .told_story import FILLER, story

YEARS = "Marcus spent three years in Lisbon, neither more nor less."
MARRIED = "Marcus was married on the third of May."


def found(early, late):
    return list(TimelineConflict().find(story(f"{FILLER}\n\n{early}", FILLER, f"{FILLER}\n\n{late}")))


@pytest.mark.parametrize(
    "stay",
    [
        "For six weeks Marcus had lodged in Lisbon over a baker's shop.",
        "The six weeks that Marcus spent in Lisbon were the happiest of his life.",
        "Marcus, who had been six weeks in Lisbon, knew the price of wine.",
        "It was after six weeks of Lisbon that Marcus began to long for rain.",
        "Marcus had known Lisbon for six weeks only, having gone there for his chest.",
        "From first to last Marcus was in Lisbon six weeks.",
        "A sojourn of six weeks in Lisbon had done Marcus good.",
        "“Marcus was in Lisbon for six weeks,” said the colonel.",
        "Marcus's exile in Lisbon was over in a fortnight.",
    ],
)
def test_lengths_of_a_stay(stay):
    (violation,) = found(YEARS, stay)
    assert stay.split()[-1].strip(".”") in violation.evidence[1].quote


@pytest.mark.parametrize(
    "other",
    [
        "Marcus had been six weeks in Lisbon when the letter came.",
        "Marcus's brother spent six weeks in Lisbon.",
        "Marcus would have spent six weeks in Lisbon, but for the fever.",
        "Marcus had left Lisbon six weeks ago.",
        "Marcus hoped to spend six weeks in Lisbon.",
        "Marcus had spent about six weeks in Lisbon before he was put into an office there.",
        "Marcus spent three years in Lisbon.",
        "Marcus spent six weeks in Cadiz.",
        "Elena spent six weeks in Lisbon.",
    ],
)
def test_no_other_length(other):
    assert not found(YEARS, other)


@pytest.mark.parametrize(
    "wedding",
    [
        "It was on the fourteenth of April that Marcus stood at the altar.",
        "Marcus and Elena were joined together on the tenth of November.",
        "Marcus's bachelor days came to an end on the eighth of April.",
        "Marcus had been a husband since the ninth of June.",
        "“We were married on the ninth of June,” said Marcus.",
        "On the fourth of October the parson had made Marcus a husband, in a thunderstorm.",
        "Marcus was wedded, as they say, upon the one-and-twentieth of March.",
    ],
)
def test_days_of_a_wedding(wedding):
    assert found(MARRIED, wedding)


@pytest.mark.parametrize(
    "other",
    [
        "Marcus was to be married on the ninth of June.",
        "Marcus's sister was married on the ninth of June.",
        "Marcus walked up the hill on the ninth of June.",
        "On the ninth of June Marcus quarrelled with his wife.",
        "The bells were rung on the ninth of June, and Marcus stopped his ears.",
        "On the ninth of June Marcus heard of a wedding.",
        "Marcus had stood at the altar on the third of May.",
    ],
)
def test_no_other_wedding(other):
    assert not found(MARRIED, other)
