from collections.abc import Callable

import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import rows, values

from fabula.story.continuity.rules.attribute_conflict import AttributeConflict
from fabula.story.continuity.rules.dead_then_acts import DeadThenActs
from fabula.story.continuity.rules.kinship_conflict import KinshipConflict
from fabula.story.continuity.rules.orphaned_event import OrphanedEvent
from fabula.story.continuity.rules.timeline_conflict import TimelineConflict
from fabula.story.continuity.rules.two_places_at_once import TwoPlacesAtOnce
from fabula.story.model.types import Modality

Tale = Callable[[StoryBuilder], object]


def found(rule, tale: Tale, **given) -> list:
    story = StoryBuilder()
    tale(story)
    return list(rule.find(story.view(), **given))


def two(aspect: str, one: str, other: str, **later) -> Tale:
    return lambda s: s.fact("Anna", aspect, one).chapter(9).fact("Anna", aspect, other, **later)


@pytest.mark.parametrize(
    ("aspect", "one", "other"),
    rows(__file__, "two_values_of_one_aspect.tsv"),
)
def test_two_values_of_one_aspect(aspect: str, one: str, other: str) -> None:
    (finding,) = found(AttributeConflict(), two(aspect, one, other))
    assert [quote.chapter for quote in finding.evidence] == [1, 9]
    assert finding.entities == ("anna",) and finding.suggestion and finding.unless
    assert finding.rule == "attribute_conflict" and finding.confidence > 0.5


@pytest.mark.parametrize(
    "tale",
    [
        two("eyes", "brown", "dark"),
        two("eyes", "blue/grey", "grey"),
        two("hair", "black", "fair", change=True),
        two("eyes", "grey", "brown", modality=Modality.IMAGINED),
        two("eyes", "grey", "brown", confidence=0.3),
        two("trade", "nurse", "singer"),
        two("children", "2", "3"),
        two("birthplace", "leeds", "north leeds"),
        two("mark", "scar on the left cheek", "tattoo on the right arm"),
        lambda s: s.fact("Anna", "eyes", "grey").fact("Berta", "eyes", "brown"),
    ],
)
def test_what_can_both_be(tale: Tale) -> None:
    assert found(AttributeConflict(), tale) == []


@pytest.mark.parametrize(
    ("fact", "verb", "later", "clashes"),
    values(__file__, "what_a_fact_rules_out.tsv"),
)
def test_what_a_fact_rules_out(fact, verb: str, later: str, clashes: bool) -> None:
    def tale(s: StoryBuilder, between: str = "") -> None:
        s.fact("Anna", *fact).chapter(3)
        if between:
            s.event("DOES", "Anna", quote=s.say(between), verb="find")
        s.event("DOES", "Anna", quote=s.say(later), verb=verb)

    assert bool(found(AttributeConflict(), tale)) is clashes
    assert (
        found(AttributeConflict(), lambda s: tale(s, f"Anna found the {fact[1]} and learnt to {fact[1]}."))
        == []
    )


@pytest.mark.parametrize(
    ("tale", "clashes"),
    [
        (lambda s: s.bond("Tom", "SIBLING_OF", "Anna").bond("Tom", "PARENT_OF", "Anna"), True),
        (lambda s: s.bond("Tom", "PARENT_OF", "Anna").bond("Anna", "PARENT_OF", "Tom"), True),
        (lambda s: s.bond("Tom", "PARENT_OF", "Anna").bond("Anna", "CHILD_OF", "Tom"), False),
        (lambda s: s.bond("Tom", "COUSIN_OF", "Anna").bond("Tom", "MARRIED_TO", "Anna"), False),
        (lambda s: s.bond("Tom", "MARRIED_TO", "Anna").bond("Tom", "MARRIED_TO", "Ruth"), True),
        (
            lambda s: s.bond("Tom", "MARRIED_TO", "Anna").event("DIES", "", "Anna")
            .bond("Tom", "MARRIED_TO", "Ruth"),
            False,
        ),
        (lambda s: s.fact("Anna", "siblings", "0").bond("Ruth", "SIBLING_OF", "Anna"), True),
        (lambda s: s.fact("Anna", "siblings", "1").bond("Ruth", "SIBLING_OF", "Anna"), False),
        (
            lambda s: s.mention("Tom", gender="m").mention("Karl", gender="m")
            .bond("Tom", "PARENT_OF", "Anna").bond("Karl", "PARENT_OF", "Anna"),
            True,
        ),
        (
            lambda s: s.mention("Tom", gender="m").mention("Ruth", gender="f")
            .bond("Tom", "PARENT_OF", "Anna").bond("Ruth", "PARENT_OF", "Anna"),
            False,
        ),
    ],
)  # fmt: skip
def test_kin_that_cannot_be(tale: Tale, clashes: bool) -> None:
    assert bool(found(KinshipConflict(), tale)) is clashes


@pytest.mark.parametrize(
    ("tale", "clashes"),
    [
        (two("age", "30", "24"), True),
        (two("age", "30", "31"), False),
        (lambda s: s.fact("Anna", "age", "19").fact("Anna", "age", "40"), True),
        (two("age", "19", "40"), False),  # twenty years may lie between two chapters
        (two("age", "30", "24", modality=Modality.FLASHBACK), False),
    ],
)
def test_ages(tale: Tale, clashes: bool) -> None:
    assert bool(found(TimelineConflict(), tale)) is clashes


@pytest.mark.parametrize(
    ("when", "other", "clashes"),
    [
        (("on Monday", "the harbour"), ("on Monday", "the school"), True),
        (("on Monday", "the harbour"), ("on Tuesday", "the school"), False),
        (("at noon", "the hotel kitchen"), ("at noon", "the hotel"), False),
        (("", "the harbour"), ("", "the school"), False),
    ],
)
def test_two_places_at_one_time(when, other, clashes: bool) -> None:
    def tale(s: StoryBuilder) -> None:
        for time, place in (when, other):
            s.fact("Anna", "where_at", place, when=time)

    assert bool(found(TwoPlacesAtOnce(), tale)) is clashes


def _walks(*between: Tale, said: str = "Marcus peeled an apple by the window.") -> Tale:
    def tale(s: StoryBuilder) -> None:
        s.event("DIES", "", "Marcus").chapter(4)
        for one in between:
            one(s)
        s.event("DOES", "Marcus", quote=s.say(said), verb="peel")

    return tale


def test_the_dead_who_act() -> None:
    story = _walks(lambda s: s.say("The rain went on all night. " * 15))
    (finding,) = found(DeadThenActs(), story)
    assert [quote.chapter for quote in finding.evidence] == [1, 4] and finding.severity == "error"
    long = (lambda s: s.say("The rain went on all night. " * 15),)
    assert found(DeadThenActs(), _walks(*long, said="Ruth remembered how Marcus peeled an apple.")) == []
    assert found(DeadThenActs(), _walks(*long, said="He peeled an apple by the window.")) == []
    alive = _walks(*long, lambda s: s.fact("Marcus", "life", "alive"))
    assert found(DeadThenActs(), alive) == []
    widow = lambda s: (s.fact("Marcus", "life", "dead"), s.chapter(4), _walks(*long)(s))  # noqa: E731
    assert len(found(DeadThenActs(), widow)) == 1


@pytest.mark.parametrize(
    ("tale", "orphaned"),
    [
        (lambda s: s, True),
        (lambda s: s.bond("Tom", "HATES", "Anna"), False),
        (lambda s: s.bond("Tom", "FRIEND_OF", "Anna"), True),
        (lambda s: s.event("INSULTS", "Anna", "Tom"), False),
    ],
)
def test_harm_out_of_nowhere(tale: Tale, orphaned: bool) -> None:
    def story(s: StoryBuilder) -> None:
        s.mention("Tom").mention("Anna")
        tale(s)
        s.chapter(2).event("ATTACKS", "Tom", "Anna", id="blow")

    assert bool(found(OrphanedEvent(), story)) is orphaned
    with_cause = lambda s: (story(s), s.event("LEARNS", "Tom", id="news"), s.cause("blow", "news"))  # noqa: E731
    assert found(OrphanedEvent(), with_cause) == []


def test_only_what_a_draft_tells_is_found() -> None:
    def tale(s: StoryBuilder) -> None:
        s.fact("Anna", "eyes", "grey").chapter(2).fact("Anna", "eyes", "blue")
        s.document("draft", chapter=3).fact("Anna", "eyes", "brown")

    (finding,) = found(AttributeConflict(), tale, only_document="draft")
    assert finding.evidence[-1].document_id == "draft"
