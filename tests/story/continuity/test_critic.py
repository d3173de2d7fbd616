import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.strategies import stories

from fabula.core.types import Document, Evidence, Span
from fabula.errors import UsageError
from fabula.story.continuity.critic import RULES, ContinuityCritic, chosen_rules
from fabula.story.continuity.rules.dead_then_acts import dead_then_acts
from fabula.story.continuity.rules.relationship_conflict import relationship_conflict
from fabula.story.model.findings import CheckReport, Severity, Violation
from fabula.story.model.types import Modality

TWO = (dead_then_acts, relationship_conflict)
SCENE = (
    "{}:; Tom; Anna; {}:; Tom LOVES Anna; Tom TRUSTS Bert; "
    "draft {}:; Tom HATES Anna; Tom TRUSTS Bert; Tom MEETS Cora"
)


def check(story, only="draft", rules=TWO):
    draft = Document(only, only, "", ()) if only else None
    return ContinuityCritic(rules).check(StoryBuilder.of(story).view(), words=1000, draft=draft)


def scene(tom="Tom", anna="Anna", shift=0):
    told = SCENE.replace("Tom", tom).replace("Anna", anna)
    return told.format(1 + shift, 2 + shift, 3 + shift)


def test_a_draft_is_counted_by_its_own_facts():
    report = check(scene())
    (found,) = report.violations
    assert found.rule == "relationship_conflict"
    assert (report.facts_checkable, report.facts_checked, report.words) == (3, 2, 1000)
    assert (report.consistency, report.coverage, report.per_10k_words) == (1 - 0.1, 2 / 3, 10.0)


def test_what_somebody_says_of_what_never_changes_is_counted_where_it_is_found():
    story = StoryBuilder().fact("Ann", "eyes", "green").chapter(2)
    story.fact("Ann", "eyes", "blue", modality=Modality.REPORTED)
    report = ContinuityCritic().check(story.view(), words=1000)
    assert (report.facts_checkable, report.facts_checked, report.consistency) == (2, 1, 0.9)


def test_facts_that_the_text_does_not_vouch_for_are_not_counted():
    assert check(f"{scene()}; Tom HATES Bert / imagined").facts_checkable == 3
    report = check("Tom; draft 2:; Tom")
    assert report == CheckReport((), 0, 0, 1000)
    assert report.consistency is report.coverage is None


def test_rules_are_chosen_by_name():
    assert chosen_rules() == RULES
    assert chosen_rules(["relationship_conflict"]) == (relationship_conflict,)
    assert {*RULES} - {*chosen_rules(without=["relationship_conflict"])} == {relationship_conflict}
    for wrong in ({"only": ["no_such"]}, {"without": ["no_such"]}):
        with pytest.raises(UsageError, match="no_such"):
            chosen_rules(**wrong)


def test_only_the_drafts_findings_are_reported():
    told = "Tom LOVES Anna; Tom HATES Anna; draft 2:; Tom"
    assert len(check(told, only=None).violations) == 1
    assert check(told).violations == ()


def quote(start, chapter=1):
    return Evidence("book", chapter, Span(start, start + 1), "x")


def violation(rule, severity, who, *quotes):
    sure = {"error": 0.9, "warning": 0.6, "info": 0.3}[severity]
    return Violation(rule, Severity(severity), f"{rule} {who}", (who,), quotes, confidence=sure)


def reported(found):
    """Of a rule that finds these in whatever order."""
    view = StoryBuilder.of("X").view()
    orders = (found, found[::-1], found[2:] + found[:2])
    reports = [ContinuityCritic([lambda *_, o=o: iter(o)]).check(view, words=1).violations for o in orders]
    assert reports[0] == reports[1] == reports[2]
    return reports[0]


def test_the_surest_come_first_then_the_earliest_told():
    found = (
        violation("b", "info", "x", quote(1)),
        violation("b", "error", "x", quote(2, 5)),
        violation("a", "error", "y", quote(3, 5)),
        violation("a", "error", "x", quote(4, 5)),
        violation("c", "error", "z", quote(5, 2)),
        violation("a", "warning", "x", quote(6)),
    )
    told = [f"{one.severity} {one.rule} {one.entities[0]}" for one in reported(found)]
    assert told == ["error c z", "error a x", "error a y", "error b x", "warning a x", "info b x"]


def test_findings_that_share_a_quote_are_one_with_all_quotes():
    bonds = "Tom LOVES Anna; Tom FRIEND_OF Anna", "Tom HATES Anna; Tom ENEMY_OF Anna"
    (found,) = check(f"{bonds[0]}; 2:; draft 3:; {bonds[1]}").violations
    assert "; ".join(one.quote.rstrip(".") for one in found.evidence) == "; ".join(bonds)
    apart = check("Tom LOVES Anna; Tom TRUSTS Bess; Tom HATES Anna; Tom DISTRUSTS Bess", only=None)
    assert len(apart.violations) == 2


def test_chained_findings_merge_whatever_the_order():
    one, two, three, four = (quote(start) for start in (1, 2, 3, 4))
    chain = [(one, two), (three, four), (two, three)]
    (merged,) = reported(tuple(violation("a", "info", "x", *quotes) for quotes in chain))
    assert merged.evidence == (one, two, three, four)


def test_the_critic_cannot_be_told_who_wrote():
    assert {*inspect.signature(ContinuityCritic.check).parameters} == {"self", "view", "words", "draft"}
    for rule in RULES:
        assert set(inspect.signature(rule).parameters) == {"view", "draft"}
        assert rule.__doc__
        assert rule.__name__ == rule.__module__.rsplit(".", 1)[-1]


def test_other_names_and_other_chapters_change_nothing_else():
    plain, renamed = check(scene()), check(scene("Zoe", "Yann"))
    for other in (renamed, check(scene(shift=10))):
        assert (other.facts_checkable, other.facts_checked) == (plain.facts_checkable, plain.facts_checked)
        assert [one.rule for one in other.violations] == [one.rule for one in plain.violations]
    said = renamed.violations[0].message.replace("Zoe", "Tom").replace("Yann", "Anna")
    assert said == plain.violations[0].message


def test_a_well_made_story_has_no_findings():
    report = check(
        "Tom LOVES Anna; Bert ENEMY_OF Tom; Bert wants be rid of Tom; "
        "2:; Bert DECEIVES Anna; Anna DISTRUSTS Tom; "
        "3:; Bert ATTACKS Tom; Anna SAVES Tom; Anna TRUSTS Tom; "
        "4:; Tom LEARNS; Tom HATES Bert; Tom KILLS Bert; Tom MARRIES Anna; Tom MARRIED_TO Anna",
        only=None,
        rules=RULES,
    )
    assert (report.violations, report.consistency) == ((), 1.0)
    assert report.facts_checked > 0


@given(stories(), st.integers(0, 12))
def test_every_finding_stands_on_both_sides_and_on_nothing_later(story, chapter):
    view = story.view(chapter)
    report = ContinuityCritic().check(view, words=100)
    assert report.facts_checked <= report.facts_checkable
    for found in report.violations:
        assert len(found.evidence) >= 2
        assert list(found.evidence) == sorted(found.evidence, key=view.place)
        assert all(one.chapter <= chapter for one in found.evidence)
        assert found.suggestion
        assert found.unless
