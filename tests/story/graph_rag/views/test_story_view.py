from tests.stories.builder import StoryBuilder

from fabula.story.model.types import Modality


def test_find_by_name_alias_and_unique_first_words():
    story = StoryBuilder().mention("Jane Bennet", as_="jane").mention("Miss Bennet", as_="jane")
    story.mention("Elizabeth Bennet", as_="lizzy").mention("Elizabeth Bennet", as_="lizzy")
    story.mention("Elizabeth Hall", as_="hall")
    view = story.view()
    assert view.find("jane  BENNET").id == "jane"
    assert view.find("miss bennet").id == "jane"
    assert view.find("Jane").id == "jane"
    assert view.find("Elizabeth") is None  # two start so
    assert view.find("Bennet") is None
    assert view.find(" ") is None


def test_a_merge_counts_from_the_chapter_that_tells_it():
    story = StoryBuilder().bond("Stranger", "FRIEND_OF", "Anna").bond("Stranger", "KNOWS", "Tom")
    story.event("ATTACKS", "Stranger", "Anna").at("Anna", "Stranger")
    story.chapter(3).merge("Stranger", "Tom")

    before, after = story.view(2), story.view(3)
    assert before.resolve("stranger") == "stranger"
    assert [relation.subject for relation in before.relations()] == ["stranger", "stranger"]
    assert after.entity("stranger") == after.entity("tom")
    assert after.entity("tom").aliases == ("Stranger",) or after.entity("tom").name == "Stranger"
    friend = after.relations()
    assert [(one.subject, one.object) for one in friend] == [("tom", "anna")]  # the self-loop is gone
    assert after.events("tom")[0].participants == (("agent", "tom"), ("patient", "anna"))
    assert after.states("anna", "location")[0].value == "tom"


def test_merges_in_a_chain_or_a_ring_resolve():
    story = StoryBuilder().mention("A").mention("B").mention("C").merge("A", "B").merge("B", "C")
    story.merge("C", "A")
    view = story.view()
    assert [view.resolve(one) for one in "abc"] == ["c", "c", "c"]
    assert [entity.id for entity in view.entities()] == ["c"]


def test_repeated_tellings_group_on_request():
    story = StoryBuilder().bond("Tom", "FRIEND_OF", "Anna", confidence=0.4)
    story.chapter(2).bond("Anna", "FRIEND_OF", "Tom", confidence=0.9)
    story.bond("Bert", "PARENT_OF", "Tom").bond("Tom", "CHILD_OF", "Bert")
    story.bond("Tom", "FRIEND_OF", "Anna", modality=Modality.PLANNED)
    view = story.view()
    assert len(view.relations()) == 4
    friend, kin = view.relations(distinct=True)
    assert (friend.subject, friend.told, friend.confidence, len(friend.evidence)) == ("tom", 1, 0.9, 2)
    assert (kin.predicate, len(kin.evidence)) == ("PARENT_OF", 2)
    assert len(view.relations(happened=False, distinct=True)) == 3
    assert view.relations("bert", predicate="PARENT_OF")[0].object == "tom"


def test_bonds_and_presence():
    story = StoryBuilder().bond("Tom", "LOVES", "Anna").bond("Anna", "KILLS", "Tom")
    story.bond("Tom", "LOVES", "Bert")
    story.bond("Anna", "HATES", "Tom", modality=Modality.IMAGINED)
    assert [bond.predicate for bond in story.view().bonds("anna", "tom")] == ["LOVES"]
    story = StoryBuilder().mention("Bert").mention("Anna").mention("Bert").chapter(2).mention("Anna")
    view = story.view()
    assert view.presence(1) == ("bert", "anna")
    assert view.presence(2) == ("anna",)
    assert story.view(1).presence(2) == ()


def test_place_puts_a_draft_after_its_source():
    story = StoryBuilder("tale").mention("Tom").chapter(2).bond("Tom", "LOVES", "Anna")
    story.document("draft", chapter=2).bond("Tom", "HATES", "Anna")
    view = story.view()
    love, hate = view.relations()
    assert hate.evidence[0].span.start < love.evidence[0].span.start
    assert view.place(love) < view.place(hate)
    assert view.place(love) == view.place(love.evidence[0])
