from collections.abc import Callable

import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import rows, values

from fabula.story.continuity.critic import RULES
from fabula.story.continuity.rules.attribute_conflict import attribute_conflict
from fabula.story.continuity.rules.dead_then_acts import dead_then_acts
from fabula.story.continuity.rules.orphaned_event import orphaned_event
from fabula.story.continuity.rules.relationship_conflict import relationship_conflict
from fabula.story.model.findings import Severity, Violation

Tale = Callable[[StoryBuilder], object]


def findings(rule, view, draft=None):
    return [one for one in rule(view, draft) if isinstance(one, Violation)]


def found(rule, tale):
    story = StoryBuilder()
    tale(story)
    return findings(rule, story.view())


NAMED = {rule.__name__: rule for rule in RULES}


@pytest.mark.parametrize(("rule", "story", "wanted"), rows(__file__, "found.tsv"))
def test_what_a_rule_finds(rule, story, wanted):
    only = "draft" if "draft" in story else None
    told = findings(NAMED[rule], StoryBuilder.of(story).view(), only)
    assert bool(told) is (wanted == "yes")
    for one in told:
        assert one.rule == rule and one.entities and one.suggestion and one.unless
        assert one.confidence > 0.5 or rule == "orphaned_event"
        assert list(one.evidence) == sorted(one.evidence, key=lambda quote: quote.chapter)
        assert only is None or [quote.document_id for quote in one.evidence][-1] == "draft"


def test_love_and_hatred_in_one_chapter_conflict():
    story = StoryBuilder.of("Tom LOVES Anna; Tom HATES Anna")
    (found,) = findings(relationship_conflict, story.view())
    assert found.severity is Severity.ERROR and found.confidence == 1.0
    assert found.entities == ("anna", "tom")
    assert [quote.quote for quote in found.evidence] == ["Tom LOVES Anna.", "Tom HATES Anna."]
    assert found.message.startswith("Tom loves Anna (chapter 1), yet Tom hates Anna (chapter 1)")


def test_a_draft_is_held_against_the_bond_as_it_stands():
    view = StoryBuilder.of("Tom LOVES Anna; 7:; Tom is m; draft 8:; Tom HATES Anna").view()
    (found,) = findings(relationship_conflict, view, "draft")
    assert [quote.document_id for quote in found.evidence] == ["book", "draft"]
    assert not findings(relationship_conflict, view)  # as one story it is a change


def test_what_stands_in_one_sentence_or_is_told_as_a_bond_explains_itself():
    story = StoryBuilder()
    both = story.say("Mixed.")
    story.bond("Tom", "LOVES", "Anna", quote=both).bond("Tom", "HATES", "Anna", quote=both)
    turned = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Anna", "BETRAYS", "Tom")
    for one in (story, turned.bond("Tom", "HATES", "Anna")):
        assert not findings(relationship_conflict, one.view())


def test_what_is_checkable_and_what_comes_out_of_nothing():
    story = StoryBuilder.of("Tom LOVES Anna; Tom OWNS *Hat; draft 2:; Tom LOVES Anna; Tom LOVES Cora")
    (fact,) = relationship_conflict(story.view(), "draft")
    assert (fact.object, fact.told) == ("anna", 2)
    story = StoryBuilder.of("Tom is m; Anna is f; 2:").event("ATTACKS", "Tom", "Anna", id="blow")
    assert findings(orphaned_event, story.view())


@pytest.mark.parametrize(
    ("what", "clashes"), [("", 0), ("Tom learns that Anna lied", 0), ("Tom learns to swim", 1)]
)
def test_what_is_learnt_turns_a_bond_where_it_bears_on_the_two(what, clashes):
    story = StoryBuilder.of("Tom LOVES Anna").event("LEARNS", "Tom", what=what)
    story.bond("Tom", "HATES", "Anna")
    assert len(findings(relationship_conflict, story.view())) == clashes


@pytest.mark.parametrize(("fact", "verb", "later", "clashes"), values(__file__, "what_a_fact_rules_out.tsv"))
def test_what_a_fact_rules_out(fact, verb, later, clashes):
    def tale(s, between=""):
        s.fact("Anna", *fact).chapter(3)
        if between:
            s.event("DOES", "Anna", quote=s.say(between), verb="find")
        s.event("DOES", "Anna", quote=s.say(later), verb=verb)

    assert bool(found(attribute_conflict, tale)) is clashes
    assert (
        found(attribute_conflict, lambda s: tale(s, f"Anna found the {fact[1]} and learnt to {fact[1]}."))
        == []
    )


def _walks(*between, said="Marcus peeled an apple by the window.", named=()):
    def tale(s):
        s.event("DIES", "", "Marcus").chapter(4)
        for one in between:
            one(s)
        s.event("DOES", "Marcus", quote=s.say(said), verb="peel", beside=[s.say(one) for one in named])

    return tale


def test_the_dead_who_act():
    story = _walks(lambda s: s.say("The rain went on all night. " * 15))
    (finding,) = found(dead_then_acts, story)
    assert [quote.chapter for quote in finding.evidence] == [1, 4] and finding.severity == "error"
    long = (lambda s: s.say("The rain went on all night. " * 15),)
    assert found(dead_then_acts, _walks(*long, said="Ruth remembered how Marcus peeled an apple.")) == []
    he = _walks(*long, said="He peeled an apple by the window.", named=("Nobody had known Marcus.",))
    assert found(dead_then_acts, he) == []
    alive = _walks(*long, lambda s: s.fact("Marcus", "life", "alive"))
    assert found(dead_then_acts, alive) == []
    widow = lambda s: (s.fact("Marcus", "life", "dead"), s.chapter(4), _walks(*long)(s))  # noqa: E731
    assert len(found(dead_then_acts, widow)) == 1
