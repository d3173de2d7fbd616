import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stories.logs import all_evidence, cut, is_prefix
from tests.stories.reading import with_headings

from fabula.core.types import Horizon, Span
from fabula.errors import EvidenceError, HorizonError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.timeline import standing
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading, Mention, Statement
from fabula.story.model.types import EntityKind, Interval, Modality, Open

STORY = (
    "Elena smiled at Mr. Hale. Marcus was Elena's brother. Marcus trusted Elena. He lived in London.",
    "Elena Voss betrayed Marcus because Marcus had killed Anna. Elena was not happy.\n\nMrs. Hale wept.",
    "Marcus arrived at the castle. The Voss family slept. Marcus did not trust Elena. Elena decided to flee.",
    "Mr. Hale died. Marcus helped Elena. The stranger was really Anna. Hale's real name was George Reed.",
)


def linked(reader, bodies):
    story, linker = with_headings(*bodies), Linker()
    for chapter in story.chapters:
        linker.add(story, chapter, reader.read(chapter.body.of(story.text)))
    return story, linker


SENTENCES = (
    "Elena trusted Marcus.", "Mr. Hale killed Anna.", "Elena Voss smiled.", "Voss laughed.",
    "Anna lived in London.",
    "Mrs. Hale was Anna's sister.", "She hated him.", "Marcus Hale wept.", "Miss Voss was really Anna.",
    "Hale said that Marcus died.", "He was angry.", "Marcus wanted to find the ring.",
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4),
)
def test_what_comes_later_changes_nothing(reader, chapters, later):
    bodies = [" ".join(sentences) for sentences in chapters]
    _, part = linked(reader, bodies)
    whole_story, whole = linked(reader, [*bodies, " ".join(later)])
    assert part.log == cut(whole.log, len(bodies))
    assert is_prefix(part.log, whole.log)
    for evidence in all_evidence(whole.log):
        evidence.verify(whole_story.text)
    assert whole.log == linked(reader, [*bodies, " ".join(later)])[1].log


def test_what_the_story_says(reader):
    _, linker = linked(reader, STORY)
    log = linker.log
    said = {(r.subject, r.predicate, r.object, r.told, r.modality) for r in log.relations}
    assert ("marcus", "SIBLING_OF", "elena", 1, Modality.FACT) in said
    assert ("marcus", "TRUSTS", "elena", 1, Modality.FACT) in said
    assert ("marcus", "DISTRUSTS", "elena", 3, Modality.FACT) in said
    events = {(e.predicate, e.participants, e.told): e for e in log.events}
    betrayal = events["BETRAYS", (("agent", "elena"), ("patient", "marcus")), 2]
    murder = events["KILLS", (("agent", "marcus"), ("patient", "anna")), 2]
    assert betrayal.holds == Interval(2, 2)
    assert murder.holds == Interval(Open.UNKNOWN, Open.UNBOUNDED)
    assert murder.modality is Modality.FLASHBACK
    assert events["DIES", (("patient", "mr-hale"),), 4].holds == Interval(4, Open.UNBOUNDED)
    states = {(s.entity, s.aspect, s.value) for s in log.states}
    assert ("elena", "emotion", "sadness") in states
    assert ("elena", "goal", "flee") in states
    assert ("marcus", "location", "the-castle") in states


def test_relations_hold_and_one_person_keeps_one_id(reader):
    _, linker = linked(reader, STORY)
    holds = {r.predicate: r.holds for r in linker.log.relations}
    assert holds["SIBLING_OF"] == Interval(Open.UNBOUNDED, Open.UNBOUNDED)
    assert holds["TRUSTS"] == Interval(1, Open.UNKNOWN)
    _, linker = linked(reader, STORY)
    assert {m.entity for m in linker.log.mentions if "Elena" in m.surface} == {"elena"}
    assert {m.entity for m in linker.log.mentions if m.surface == "Mrs. Hale"} == {"mrs-hale"}


def test_an_identity_told_late_is_a_merge_told_there(reader):
    bodies = (
        "Strider nodded. Strider laughed. Aragorn smiled. Aragorn said nothing.",
        "Strider laughed. Strider was really Aragorn. Aragorn trusted Mr. Reed.",
        "Strider smiled.",
    )
    _, linker = linked(reader, bodies)
    merges = [(m.entity, m.into, m.told) for m in linker.log.merges]
    assert merges == [("aragorn", "strider", 2)]
    assert {m.entity for m in linker.log.mentions if m.told == 1} == {"strider", "aragorn"}
    assert {m.entity for m in linker.log.mentions if m.told == 3} == {"strider"}


def test_a_copy_is_a_world_of_its_own(reader):
    _, linker = linked(reader, STORY[:2])
    before = linker.log
    draft = with_headings("", "", "Elena Reed killed Marcus. Zora smiled.", name="draft")
    trial = linker.copy()
    trial.add(draft, draft.chapter(3), reader.read(draft.chapter(3).body.of(draft.text)))
    assert is_prefix(before, trial.log)
    assert trial.log != before
    assert linker.log == before
    again = linker.copy()
    again.add(draft, draft.chapter(3), reader.read(draft.chapter(3).body.of(draft.text)))
    assert again.log == trial.log


def mention(surface, *, strong, start=0):
    span = Span(start, start + len(surface))
    return Mention(span, surface, EntityKind.CHARACTER, "", 0, span, strong)


def test_weak_names_count_from_the_third_and_ids_are_never_twice():
    story, linker = with_headings("Zorn. Zorn.", "Zorn. Zorn."), Linker()
    reading = ChapterReading((mention("Zorn", strong=False), mention("Zorn", strong=False, start=6)))
    linker.add(story, story.chapter(1), reading)
    assert linker.log.mentions == ()
    linker.add(story, story.chapter(2), reading)
    starts = [m.evidence.span.start - story.chapter(2).body.start for m in linker.log.mentions]
    assert starts == [0, 6]
    story, linker = with_headings("Alex. Alex."), Linker()
    one = Mention(Span(0, 4), "Alex", EntityKind.CHARACTER, "m", 0, Span(0, 5), True)
    other = Mention(Span(6, 10), "Alex", EntityKind.CHARACTER, "f", 0, Span(6, 11), True)
    linker.add(story, story.chapter(1), ChapterReading((one, other)))
    assert [m.entity for m in linker.log.mentions] == ["alex", "alex-2"]


def test_kind_goes_with_the_majority(reader):
    """A place that is once taken for a person stays one entity, and no person."""
    place = Mention(Span(0, 7), "Meryton", EntityKind.LOCATION, "", 0, Span(0, 8), True)
    person = mention("Meryton", strong=True, start=9)
    story, linker = with_headings("Meryton. Meryton. Meryton."), Linker()
    linker.add(story, story.chapter(1), ChapterReading((place, person)))
    assert {m.entity for m in linker.log.mentions} == {"meryton"}


def test_order_and_text_are_checked(reader):
    story, linker = linked(reader, STORY[:2])
    reading = reader.read(story.chapter(2).body.of(story.text))
    with pytest.raises(HorizonError, match="order of telling"):
        linker.add(story, story.chapter(2), reading)
    with pytest.raises(HorizonError):
        linker.add(story, story.chapter(1), reading)
    with pytest.raises(EvidenceError, match="read its body again"):
        Linker().add(story, story.chapter(1), reading)


def test_what_is_told_to_be_over_is_over_however_often_it_was_told():
    body = "Elena Voss and Marcus Hale."
    people = tuple(
        Mention(Span(start, end), body[start:end], EntityKind.CHARACTER, "", 0, Span(0, len(body)), True)
        for start, end in ((0, 10), (15, 26))
    )

    def reading(**told):
        whole = (Span(0, len(body)),)
        return ChapterReading(
            mentions=people,
            statements=(
                Statement("FRIEND_OF", 1, 0, whole, told.pop("modality", Modality.FACT), 0.9, **told),
            ),
        )

    over = reading(modality=Modality.FLASHBACK, ended=True)
    story, linker = with_headings(*[body] * 4), Linker()
    for chapter, each in zip(story.chapters, (reading(), reading(), over, reading()), strict=True):
        linker.add(story, chapter, each)
    graph = StoryKnowledgeGraph(linker.log)
    held = [bool(standing(graph.as_of(Horizon(n)), "elena-voss", "marcus-hale")) for n in range(1, 5)]
    assert held == [True, True, False, True]
    assert linker.log.relations[2].holds == Interval(1, 2)
    alone = Linker()
    alone.add(story, story.chapters[0], over)
    assert alone.log.relations[0].holds == Interval(Open.UNKNOWN, 0)
