import inspect
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.builder import StoryBuilder
from tests.stories.strategies import stories

from fabula.core.types import Document, Evidence
from fabula.errors import UsageError
from fabula.story.continuity.critic import RULES, ContinuityCritic, chosen_rules
from fabula.story.continuity.rules.orphaned_event import orphaned_event
from fabula.story.continuity.rules.relationship_conflict import relationship_conflict
from fabula.story.continuity.rules.rule import Record, Rule
from fabula.story.graph_rag.story_graph import StoryView
from fabula.story.model.findings import CheckReport, Severity, Violation
from fabula.story.model.types import Modality


def fixed(violations: Sequence[Violation]) -> Rule:
    """A rule that finds what it is given."""

    def rule(view: StoryView, draft: str | None = None) -> Iterator[Record | Violation]:
        yield from violations

    return rule


TWO = (orphaned_event, relationship_conflict)


def check(
    story: StoryBuilder, only: str | None = None, words: int = 1000, rules: Sequence[Rule] = TWO
) -> CheckReport:
    draft = None if only is None else Document(only, only, "", ())
    return ContinuityCritic(rules).check(story.view(), words=words, draft=draft)


def scene(tom: str = "Tom", anna: str = "Anna", shift: int = 0) -> StoryBuilder:
    story = StoryBuilder().chapter(1 + shift).mention(tom).mention(anna).chapter(2 + shift)
    story.bond(tom, "LOVES", anna).bond(tom, "TRUSTS", "Bert")
    story.document("draft", chapter=3 + shift)
    return story.bond(tom, "HATES", anna).bond(tom, "TRUSTS", "Bert").event("MEETS", tom, "Cora")


def test_a_draft_is_counted_by_its_own_facts() -> None:
    report = check(scene(), "draft")
    (found,) = report.violations
    assert found.rule == "relationship_conflict"
    assert (report.facts_checkable, report.facts_checked, report.words) == (3, 2, 1000)
    assert report.consistency == 1 - 0.1
    assert report.coverage == 2 / 3
    assert report.per_10k_words == 10.0


def test_facts_that_the_text_does_not_vouch_for_are_not_counted() -> None:
    story = scene().bond("Tom", "HATES", "Bert", modality=Modality.IMAGINED)
    assert check(story, "draft").facts_checkable == 3


def test_a_draft_with_nothing_to_check_has_no_score() -> None:
    story = StoryBuilder().mention("Tom").document("draft", chapter=2).mention("Tom")
    report = check(story, "draft")
    assert report == CheckReport((), 0, 0, 1000)
    assert report.consistency is None
    assert report.coverage is None


def test_rules_are_chosen_by_name() -> None:
    assert chosen_rules() == RULES
    assert chosen_rules(["relationship_conflict"]) == (relationship_conflict,)
    assert {*RULES} - {*chosen_rules(without=["relationship_conflict"])} == {relationship_conflict}
    for wrong in ({"only": ["no_such"]}, {"without": ["no_such"]}):
        with pytest.raises(UsageError, match="no_such"):
            chosen_rules(**wrong)


def test_only_the_drafts_findings_are_reported() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "HATES", "Anna")
    story.document("draft", chapter=2).mention("Tom")
    assert len(check(story).violations) == 1
    assert check(story, "draft").violations == ()


def quote(start: int, chapter: int = 1, document: str = "book") -> Evidence:
    from fabula.core.types import Span

    return Evidence(document, chapter, Span(start, start + 1), "x")


SURE = {Severity.ERROR: 0.9, Severity.WARNING: 0.6, Severity.INFO: 0.3}


def violation(rule: str, severity: Severity, who: tuple[str, ...], *quotes: Evidence) -> Violation:
    return Violation(rule, severity, f"{rule} {who}", who, quotes, confidence=SURE[severity])


def test_the_surest_come_first_then_the_earliest_told() -> None:
    found = (
        violation("b", Severity.INFO, ("x",), quote(1)),
        violation("b", Severity.ERROR, ("x",), quote(2, chapter=5)),
        violation("a", Severity.ERROR, ("y",), quote(3, chapter=5)),
        violation("a", Severity.ERROR, ("x",), quote(4, chapter=5)),
        violation("c", Severity.ERROR, ("z",), quote(5, chapter=2)),
        violation("a", Severity.WARNING, ("x",), quote(6)),
    )
    story = StoryBuilder().mention("X")
    orders = [found, found[::-1], found[3:] + found[:3]]
    reports = [ContinuityCritic([fixed(order)]).check(story.view(), words=1).violations for order in orders]
    assert reports[0] == reports[1] == reports[2]
    assert [(one.severity.value, one.rule, one.entities[0]) for one in reports[0]] == [
        ("error", "c", "z"),
        ("error", "a", "x"),
        ("error", "a", "y"),
        ("error", "b", "x"),
        ("warning", "a", "x"),
        ("info", "b", "x"),
    ]


def test_findings_that_share_a_quote_are_one_with_all_quotes() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "FRIEND_OF", "Anna").chapter(2)
    story.document("draft", chapter=3).bond("Tom", "HATES", "Anna").bond("Tom", "ENEMY_OF", "Anna")
    (found,) = check(story, "draft").violations
    assert [one.quote for one in found.evidence] == [
        "Tom LOVES Anna.",
        "Tom FRIEND_OF Anna.",
        "Tom HATES Anna.",
        "Tom ENEMY_OF Anna.",
    ]


def test_findings_that_share_none_stay_apart() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Tom", "TRUSTS", "Bess")
    story.bond("Tom", "HATES", "Anna").bond("Tom", "DISTRUSTS", "Bess")
    assert len(check(story).violations) == 2


def test_chained_findings_merge_whatever_the_order() -> None:
    one, two, three, four = (quote(start) for start in (1, 2, 3, 4))
    found = (
        violation("a", Severity.INFO, ("x",), one, two),
        violation("a", Severity.INFO, ("x",), three, four),
        violation("a", Severity.INFO, ("x",), two, three),
    )
    for order in (found, found[::-1]):
        (merged,) = (
            ContinuityCritic([fixed(order)]).check(StoryBuilder().mention("X").view(), words=1).violations
        )
        assert merged.evidence == (one, two, three, four)


def test_the_critic_cannot_be_told_who_wrote() -> None:
    assert set(inspect.signature(ContinuityCritic.check).parameters) == {"self", "view", "words", "draft"}
    for rule in RULES:
        assert set(inspect.signature(rule).parameters) == {"view", "draft"}
        assert rule.__doc__
        assert rule.__name__ == rule.__module__.rsplit(".", 1)[-1]


def test_other_names_and_other_chapters_change_nothing_else() -> None:
    plain = check(scene(), "draft")
    renamed = check(scene("Zoe", "Yann"), "draft")
    shifted = check(scene(shift=10), "draft")
    for other in (renamed, shifted):
        assert (other.facts_checkable, other.facts_checked) == (plain.facts_checkable, plain.facts_checked)
        assert [one.rule for one in other.violations] == [one.rule for one in plain.violations]
    said = renamed.violations[0].message.replace("Zoe", "Tom").replace("Yann", "Anna")
    assert said == plain.violations[0].message


def test_a_well_made_story_has_no_findings() -> None:
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Bert", "ENEMY_OF", "Tom")
    story.goal("Bert", "be rid of Tom")
    story.chapter(2).event("DECEIVES", "Bert", "Anna", id="lie").bond("Anna", "DISTRUSTS", "Tom")
    story.chapter(3).event("ATTACKS", "Bert", "Tom", id="fight").event("SAVES", "Anna", "Tom")
    story.bond("Anna", "TRUSTS", "Tom").chapter(4).event("LEARNS", "Tom").bond("Tom", "HATES", "Bert")
    story.event("KILLS", "Tom", "Bert").event("MARRIES", "Tom", "Anna").bond("Tom", "MARRIED_TO", "Anna")
    report = check(story, rules=RULES)
    assert report.violations == ()
    assert report.consistency == 1.0
    assert report.facts_checked > 0


@given(stories(), st.integers(0, 12))
def test_every_finding_stands_on_both_sides_and_on_nothing_later(story: StoryBuilder, chapter: int) -> None:
    view = story.view(chapter)
    report = ContinuityCritic().check(view, words=100)
    assert report.facts_checked <= report.facts_checkable
    for found in report.violations:
        assert len(found.evidence) >= 2
        assert list(found.evidence) == sorted(found.evidence, key=view.place)
        assert all(one.chapter <= chapter for one in found.evidence)
        assert found.suggestion
        assert found.unless
