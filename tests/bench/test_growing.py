"""A story grows by the drafts that are heard, the first one and its revision apart."""

from fabula.bench.growing import GrowingStory
from fabula.errors import HorizonError
from fabula.story.comparison_engine import ComparisonEvent


def hear(growing, stage, *pieces):
    growing.hear(ComparisonEvent("fused", stage))
    for piece in pieces:
        growing.hear(ComparisonEvent("fused", stage, piece))
    growing.hear(ComparisonEvent("fused", "check"))


def test_each_draft_is_appended_when_its_last_word_has_come():
    now = iter(range(100))
    growing = GrowingStory(lambda text: f"graph of {text}", clock=lambda: next(now))
    hear(growing, "generate", "It ", "rained.")
    hear(growing, "revise", "It ", "snowed.")
    assert growing.grown("It rained.").graph == "graph of It rained."
    assert growing.grown("It snowed.").graph == "graph of It snowed."
    assert growing.grown("It snowed.").seconds == 1  # one tick of the clock after the last piece
    assert growing.grown("Nobody wrote this.") is None


def test_a_text_that_makes_no_chapter_is_not_held():
    def refuse(text):
        raise HorizonError(text)

    growing = GrowingStory(refuse)
    hear(growing, "generate", "***")
    assert growing.grown("***") is None
