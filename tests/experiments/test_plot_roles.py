from tests.stories.builder import StoryBuilder

from experiments.common.plot_roles import plot_roles


def test_roles_by_presence_deeds_and_bonds():
    story = StoryBuilder().mention("Hero").mention("Hero").mention("Hero").mention("Hero")
    story.bond("Hero", "LOVES", "Anna").bond("Hero", "TRUSTS", "Bert").event("HELPS", "Bert", "Hero")
    story.event("ATTACKS", "Dan", "Hero").event("HELPS", "Cora", "Anna")
    found = plot_roles(story.view())
    assert (found.hero, found.lover, found.villain, found.sidekick) == ("hero", "anna", "dan", "bert")
    assert [quote.quote for quote in found.evidence] == ["Hero LOVES Anna.", "Dan Hero ATTACKS."]
    kind = StoryBuilder().event("HELPS", "Dan", "Anna")
    assert plot_roles(kind.view()).villain is None
    assert plot_roles(StoryBuilder().view()).hero is None
