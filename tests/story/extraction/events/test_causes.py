"""Which event causes another, and which comes first, by words that join them and by tense."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import SURE, read_behind

HERE = Path(__file__).parent


def causes(text):
    found = read_behind(text)
    for one in found.causes:
        yield f"{found.happenings[one.effect].verb} because {found.happenings[one.cause].verb}"


def orders(text):
    found = read_behind(text)
    for one in found.orders:
        first, then = found.happenings[one.earlier], found.happenings[one.later]
        if min(first.at.start, then.at.start) >= len(SURE):
            yield f"{first.verb} then {then.verb}"


def test_one_event_causes_another_and_a_time_or_a_goal_does_not():
    assert_read(HERE / "causes.tsv", causes)


def test_a_word_or_a_tense_tells_the_order():
    assert_read(HERE / "orders.tsv", orders)


def test_causes_join_acts_that_have_a_predicate():
    found = read_behind("Marcus betrayed Elena because Elena had killed Anna.")
    (cause,) = found.causes
    assert found.happenings[cause.effect].predicate == "BETRAYS"
    assert found.happenings[cause.cause].predicate == "KILLS"


def test_a_flashback_scene_lies_before_the_scene_around_it():
    scenes = ("Elena sang.", "Ten years earlier, Marcus danced. Anna wept.", "Elena fled.")
    assert {"dance then sing", "weep then sing", "weep then flee"} <= set(orders("\n\n***\n\n".join(scenes)))
