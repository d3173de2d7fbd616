"""States that cannot both be so, and things used after their end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Span
from fabula.story.continuity.state_conflict import CLAIM, STORY, StateConflict
from fabula.story.continuity.thing_conflicts import thing_conflicts
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.opposites import (
    ADJECTIVES_OPPOSED,
    VERBS_OPPOSED,
    scale_of_adjective,
    scale_of_verb,
)
from fabula.story.graph_rag.thing_states import Fresh, Moment
from fabula.story.model.findings import Severity, Violation


@pytest.fixture(scope="module")
def states() -> StateConflict:
    return StateConflict(StoryReader(), tones=False)


def claimed(states: StateConflict, story: str, claim: str) -> tuple[Violation, ...]:
    found = states.check_claim(story, claim)
    for one in found:
        first, second = one.evidence
        assert (first.document_id, second.document_id) == (STORY, CLAIM)
        first.verify(story)
        second.verify(claim)
    return found


@pytest.mark.parametrize(
    ("story", "claim"),
    [
        ("Helen wanted to leave the farm. It rained.", "Helen did not want to leave the farm."),
        ("Helen failed to open the gate. It rained.", "Helen opened the gate."),
        ("Helen was married. She lived by the sea.", "Helen was unmarried."),
        ("Helen hated the soup. She ate bread.", "Helen liked the soup."),
        ("The gate was open. Helen walked in.", "The gate was closed."),
        ("Helen could not find the key. It rained.", "Helen found the key."),
        ("Helen was a student. She read a lot.", "Helen was not a student."),
        ("Helen forgot her umbrella. It rained.", "Helen remembered her umbrella."),
    ],
)
def test_a_claim_that_the_text_denies(states: StateConflict, story: str, claim: str) -> None:
    assert [one.severity for one in claimed(states, story, claim)] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("story", "claim"),
    [
        ("Helen wanted to leave the farm. It rained.", "Helen wanted to leave the farm."),
        ("Helen was not happy. She wept.", "Helen was unhappy."),
        ("The gate was closed. Helen waited. In the evening the gate was open.", "The gate was open."),
        ("Marcus was a student. Helen laughed.", "Helen was not a student."),
        ("Helen hoped to win the race. It rained.", "Helen did not win the race."),
        ("“I was married,” said Helen. It rained.", "Helen was unmarried."),
        ("Helen thought that Marcus was married.", "Marcus was unmarried."),
        ("Helen liked the soup.", ""),
        ("", "Helen liked the soup."),
    ],
)
def test_a_claim_that_it_does_not_deny(states: StateConflict, story: str, claim: str) -> None:
    assert claimed(states, story, claim) == ()


def test_moods_and_tones_are_hints(states: StateConflict) -> None:
    story = "Helen waited for hours. Then Helen was overjoyed."
    assert [one.severity for one in claimed(states, story, "Helen was miserable.")] == [Severity.INFO]
    toned = StateConflict(states.parser)
    ends = "Helen lost the race. The crowd cheered and everyone loved the wonderful evening."
    assert states.check_claim(ends, "It was a horrible, miserable night.") == ()
    found = claimed(toned, ends, "It was a horrible, miserable night.")
    assert [one.severity for one in found] == [Severity.INFO]
    assert found[0].evidence[0].quote.startswith("The crowd")


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Helen threw away the lamp. Marcus read the news. Helen put the lamp on the shelf.", "lamp"),
        ("Marcus ate the pear. Then Marcus cut the pear for Helen and put the pear on a plate.", "pear"),
        ("Helen smashed the vase. Helen put flowers in the vase.", "vase"),
        ("Helen left her coat at home. In the park Helen put on her coat.", "coat"),
        ("Helen took the radio and threw it away. Helen carried the radio to the barn.", "radio"),
        ("Helen unplugged the heater. Helen used the heater all evening.", "heater"),
        ("Helen sold her bicycle. Helen rode her bicycle to school.", "bicycle"),
        ("Marcus ate the last pear. Marcus cut pears for Helen.", "pear"),
        ("Marcus finished the bottle of milk. Marcus drank from the bottle.", "bottle"),
        ("Helen pulled at the drawer but it was locked. Helen took a pen from the drawer.", "drawer"),
    ],
)
def test_what_is_gone_is_not_used(states: StateConflict, text: str, thing: str) -> None:
    found = states.check(text)
    assert [one.entities for one in found[:1]] == [(thing,)]
    for one in found:
        for quote in one.evidence:
            quote.verify(text)


@pytest.mark.parametrize(
    "text",
    [
        "Helen threw away the lamp. Helen found the lamp again and put the lamp on the shelf.",
        "Helen threw away the lamp. Helen bought a lamp and put the lamp on the shelf.",
        "Helen threw away the lamp. Helen put another lamp on the shelf.",
        "Helen threw away the old lamp. Helen put the new lamp on the shelf.",
        "Helen smashed the vase. Helen threw the vase away.",
        "Helen smashed the vase. Marcus glued the vase. Helen put flowers in the vase.",
        "Helen wanted to sell her bicycle. Helen rode her bicycle to school.",
        "Helen did not sell her bicycle. Helen rode her bicycle to school.",
        "Helen sold her bicycle. Marcus rode his bicycle to school.",
        "Helen unplugged the heater. Helen plugged in the heater and used the heater.",
        "Marcus ate the pear. Helen thought of the pear.",
        "Helen turned off the stove. Helen put the pan on the stove.",
        "",
    ],
)
def test_what_comes_back_or_is_another_is(states: StateConflict, text: str) -> None:
    assert states.check(text) == ()


def test_sleepers_do_not_act_until_they_wake(states: StateConflict) -> None:
    assert len(states.check("Marcus fell asleep. Marcus wrote a letter.")) == 1
    assert states.check("Marcus fell asleep. Helen wrote a letter.") == ()
    assert states.check("Marcus fell asleep. Marcus woke up. Marcus wrote a letter.") == ()
    assert states.check("Marcus fell asleep. The next morning Marcus wrote a letter.") == ()


def moment(act: str, at: int, thing: str = "cup", **given) -> Moment:
    span = Span(at, at + 9)
    return Moment(
        thing,
        frozenset(given.get("marks", ())),
        given.get("fresh", Fresh.KNOWN),
        given.get("whole", False),
        act,
        given.get("who", ()),
        given.get("sentence", span),
        at,
    )


@pytest.mark.parametrize(
    ("acts", "clashes"),
    [
        ("destroyed used", 1),
        ("destroyed mended used", 0),
        ("destroyed back used", 1),  # found in pieces
        ("lost back used", 0),
        ("eaten new used", 0),
        ("off used", 0),
        ("off run", 1),
        ("off on run", 0),
        ("destroyed thrown-away used", 1),
        ("destroyed damaged", 0),
        ("emptied used", 0),
        ("emptied drawn", 1),
        ("emptied filled drawn", 0),
        ("asleep acts acts", 1),
        ("used destroyed", 0),
    ],
)
def test_one_thing_through_its_moments(acts: str, clashes: int) -> None:
    told = [moment(act.replace("-", " "), 10 * i) for i, act in enumerate(acts.split())]
    assert len(list(thing_conflicts(told))) == clashes


def test_a_thing_of_the_kind_is_another_unless_all_are_gone() -> None:
    for whole, fresh, clashes in ((False, Fresh.ANY, 0), (True, Fresh.ANY, 1), (True, Fresh.OTHER, 0)):
        told = [moment("destroyed", 0, whole=whole), moment("used", 20, fresh=fresh)]
        assert len(list(thing_conflicts(told))) == clashes


def test_far_apart_or_marked_otherwise_is_another_thing() -> None:
    assert list(thing_conflicts([moment("destroyed", 0), moment("used", 4000)])) == []
    assert (
        list(thing_conflicts([moment("destroyed", 0, marks=["red"]), moment("used", 20, marks=["blue"])]))
        == []
    )
    assert list(thing_conflicts([moment("lost", 0, who=("tom",)), moment("used", 20, who=("ann",))])) == []
    assert list(thing_conflicts([moment("destroyed", 0, who=("tom",)), moment("used", 20, who=("ann",))]))


@given(st.lists(st.sampled_from(["used", "run", "drawn", "damaged", "on", "back", "mended", "new", "acts"])))
def test_without_an_end_nothing_clashes(acts: list[str]) -> None:
    assert list(thing_conflicts([moment(act, 10 * i) for i, act in enumerate(acts)])) == []


@pytest.mark.parametrize("table", [ADJECTIVES_OPPOSED, VERBS_OPPOSED])
def test_every_scale_has_two_poles(table) -> None:
    poles: dict[str, set[int]] = {}
    for scale, pole in table.values():
        poles.setdefault(scale, set()).add(pole)
    assert all(found == {1, -1} for found in poles.values())


@pytest.mark.parametrize(
    ("one", "other"),
    [("open", "closed"), ("happy", "unhappy"), ("large", "small"), ("reliable", "unreliable")],
)
def test_opposed_adjectives(one: str, other: str) -> None:
    assert scale_of_adjective(one)[0] == scale_of_adjective(other)[0]
    assert scale_of_adjective(one)[1] == -scale_of_adjective(other)[1]


def test_what_has_no_opposite_stands_alone() -> None:
    assert scale_of_adjective("wooden") == ("wooden", 1)
    assert scale_of_adjective("under") == ("under", 1)
    assert scale_of_verb("love")[0] == scale_of_verb("hate")[0] == scale_of_verb("enjoy")[0]
    assert scale_of_verb("love")[1] == -scale_of_verb("hate")[1]
