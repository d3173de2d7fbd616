from pathlib import Path

import pytest
from tests.stories.builder import StoryBuilder
from tests.stories.examples import assert_read
from tests.stories.reading import FILLER, document, linker_of, told, view_at
from tests.tables import file_text, rows, values

from fabula.core.types import Horizon
from fabula.story.codex.codex import CODEX_ID, Codex
from fabula.story.continuity.critic import RULES, ContinuityCritic
from fabula.story.continuity.rules.attribute_conflict import attribute_conflict
from fabula.story.continuity.rules.canon_conflict import canon_conflict
from fabula.story.continuity.rules.dead_then_acts import dead_then_acts
from fabula.story.continuity.rules.relationship_conflict import relationship_conflict
from fabula.story.model.findings import Severity, Violation


def findings(rule, view, draft=None):
    return [one for one in rule(view, draft) if isinstance(one, Violation)]


NAMED = {rule.__name__: rule for rule in RULES}


@pytest.mark.parametrize(("rule", "story", "wanted"), rows(__file__, "found.tsv"))
def test_what_a_rule_finds(rule, story, wanted):
    only = "draft" if "draft" in story else None
    told = findings(NAMED[rule], StoryBuilder.of(story).view(), only)
    assert bool(told) is (wanted == "yes")
    for one in told:
        assert one.rule == rule and one.entities and one.suggestion and one.unless
        assert one.confidence > 0.5
        assert list(one.evidence) == sorted(one.evidence, key=lambda quote: quote.chapter)
        assert only is None or [quote.document_id for quote in one.evidence][-1] == "draft"


@pytest.mark.parametrize(("year", "aged"), [(2008, ["10 years"]), (2017, [])])
def test_a_child_grows_no_faster_than_the_years_between_dated_chapters(year, aged):
    child = "It was the third of March 1998, and Ida Marsh was twelve that day. Ida Marsh laughed."
    grown = f"In the winter of {year} Ida Marsh was thirty-one. Ida Marsh laughed."
    found = findings(NAMED["timeline_conflict"], told(document(child, grown)))
    assert [one.message.split("at most ")[1].removesuffix(" have passed.") for one in found] == aged


def test_love_and_hatred_in_one_chapter_conflict():
    (found,) = findings(relationship_conflict, StoryBuilder.of("Tom LOVES Anna; Tom HATES Anna").view())
    assert (found.severity, found.confidence, found.entities) == (Severity.ERROR, 1.0, ("anna", "tom"))
    assert [quote.quote for quote in found.evidence] == ["Tom LOVES Anna.", "Tom HATES Anna."]
    assert found.message.startswith("Tom loves Anna (chapter 1), yet Tom hates Anna (chapter 1)")


@pytest.mark.parametrize(("said", "found"), rows(__file__, "changes_told_in_one_sentence.tsv"))
def test_a_sentence_that_tells_both_tells_a_change(said, found):
    story = StoryBuilder.of("Dev has hair black; Dev has home bristol; 5:")
    aspect, value, words = said.split(" ", 2)
    told = findings(
        NAMED["attribute_conflict"], story.fact("Dev", aspect, value, quote=story.say(words)).view()
    )
    assert bool(told) is (found == "yes")


def test_a_draft_is_held_against_the_bond_as_it_stands():
    view = StoryBuilder.of("Tom LOVES Anna; 7:; Tom is m; draft 8:; Tom HATES Anna").view()
    (found,) = findings(relationship_conflict, view, "draft")
    assert [quote.document_id for quote in found.evidence] == ["book", "draft"]
    assert not findings(relationship_conflict, view)  # as one story it is a change


def test_what_stands_in_one_sentence_or_is_told_as_a_bond_explains_itself():
    story, turned = StoryBuilder(), StoryBuilder.of("Tom LOVES Anna").bond("Anna", "BETRAYS", "Tom")
    both = {"quote": story.say("Mixed.")}
    story.bond("Tom", "LOVES", "Anna", **both).bond("Tom", "HATES", "Anna", **both)
    for one in (story, turned.bond("Tom", "HATES", "Anna")):
        assert not findings(relationship_conflict, one.view())


def test_what_is_checkable_and_what_comes_out_of_nothing():
    story = StoryBuilder.of("Tom LOVES Anna; Tom OWNS *Hat; draft 2:; Tom LOVES Anna; Tom LOVES Cora")
    (fact,) = relationship_conflict(story.view(), "draft")
    assert (fact.object, fact.told) == ("anna", 2)


@pytest.mark.parametrize(
    ("what", "clashes"), [("", 0), ("Tom learns that Anna lied", 0), ("Tom learns to swim", 1)]
)
def test_what_is_learnt_turns_a_bond_where_it_bears_on_the_two(what, clashes):
    story = StoryBuilder.of("Tom LOVES Anna").event("LEARNS", "Tom", what=what)
    story.bond("Tom", "HATES", "Anna")
    assert len(findings(relationship_conflict, story.view())) == clashes


@pytest.mark.parametrize(("fact", "verb", "later", "clashes"), values(__file__, "what_a_fact_rules_out.tsv"))
def test_what_a_fact_rules_out(fact, verb, later, clashes):
    def found(between=""):
        story = StoryBuilder().fact("Anna", *fact).chapter(3)
        if between:
            story.event("DOES", "Anna", quote=story.say(between), verb="find")
        story.event("DOES", "Anna", quote=story.say(later), verb=verb)
        return findings(attribute_conflict, story.view())

    assert bool(found()) is clashes
    assert found(f"Anna found the {fact[1]} and learnt to {fact[1]}.") == []


PEELED = "Marcus peeled an apple by the window."


def walking(said=PEELED, named=(), death="- DIES Marcus; 4:", rain=15):
    """What the rule finds where Marcus is dead, and it rains, and he peels an apple."""
    story = StoryBuilder.of(death)
    story.say("The rain went on all night. " * rain)
    beside = [story.say(one) for one in named]
    story.event("DOES", "Marcus", quote=story.say(said), verb="peel", beside=beside)
    return findings(dead_then_acts, story.view())


def test_the_dead_who_act():
    (finding,) = walking()
    assert [quote.chapter for quote in finding.evidence] == [1, 4] and finding.severity == "error"
    assert walking("Ruth remembered how Marcus peeled an apple.") == []
    assert walking("He peeled an apple by the window.", named=["Nobody had known Marcus."]) == []
    assert walking(death="- DIES Marcus; 4:; Marcus has life alive") == []
    assert len(walking(death="Marcus has life dead; 4:")) == 1


HERE = Path(__file__).parent
CODEX = file_text(__file__, "canon_conflict.yaml")

OPENING = "Elena smiled at Marcus. Orlok and Mina laughed. Queen Ada wept."


def told_view(*bodies, codex=CODEX):
    return view_at(linker_of(document(OPENING, *bodies), canon=Codex.parse(codex).log).log)


def of_canon(told_view, draft=None):
    return [one for one in canon_conflict(told_view, draft) if isinstance(one, Violation)]


def against(text):
    """Each finding by its severity, held against the codex and the text."""
    for violation in of_canon(told_view(text)):
        laid, told = violation.evidence[:2]
        assert laid.document_id == CODEX_ID and laid.quote in CODEX
        assert told.quote == text
        yield violation.severity.value


def test_against_the_codex_in_its_chapters_and_in_keeping_with_it():
    assert_read(HERE / "canon_conflict.tsv", against)
    assert of_canon(told_view("The ice went out.", "Elena entered the tower.")) == []


def test_only_the_draft_is_charged_and_a_death_before_its_chapter():
    told = told_view("Marcus died in the snow.", "The ice went out.", "Elena wept.")
    (violation,) = of_canon(told)
    assert "dies in chapter 4" in violation.message
    assert not of_canon(told_view("The ice went out.", "Elena wept.", "Marcus died in the snow."))
    assert not of_canon(told.as_of(Horizon(3)))  # the codex tells it at 4
    whole = told_view("Elena looked up with her brown eyes.")
    assert of_canon(whole, "tale")
    assert not list(canon_conflict(whole, "draft"))
    assert whole.facts()[-1] in set(canon_conflict(whole, "tale"))


def test_laws_are_words_for_a_writer_too():
    rules = [rule.text for rule in Codex.parse(CODEX).rules]
    assert rules == [
        "nobody can fly",
        "The Vampires: never cross running water",
        "Nobody may enter the tower",
        "Only Queen Ada may wear the crown",
        "Mina: always pray at night",
        "Mina: never lie",
    ]


ORIGIN = "places: [Leeds]\ncharacters: [{name: Marcus, relations: [{predicate: COMES_FROM, to: Leeds}]}]"


def test_descriptions_origins_and_deaths_lay_down_too():
    codex = "characters: [{name: Elena, description: Her eyes are green.}]"
    (violation,) = of_canon(told_view("Elena looked up with her brown eyes.", codex=codex))
    assert (violation.severity, violation.evidence[0].quote) == ("error", "Her eyes are green.")
    (violation,) = of_canon(told_view("Marcus was born in Bristol.", codex=ORIGIN))
    assert violation.severity == "warning"
    assert not of_canon(told_view("Marcus was born in Leeds.", codex=ORIGIN))
    laid = "characters:\n  - {name: Elena, death: {chapter: 2}}\n"
    told = told_view(FILLER, f"{FILLER} Elena came in with her boots full of sand.", codex=laid)
    [by_codex] = ContinuityCritic([dead_then_acts]).check(told, words=99).violations
    assert (by_codex.severity, by_codex.evidence[0].document_id) == ("error", CODEX_ID)
