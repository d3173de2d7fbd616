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
SENTENCES = st.sampled_from(
    "Elena trusted Marcus./Mr. Hale killed Anna./Elena Voss smiled./Voss laughed./Anna lived in London./"
    "Mrs. Hale was Anna's sister./She hated him./Marcus Hale wept./Miss Voss was really Anna./"
    "Hale said that Marcus died./He was angry./Marcus wanted to find the ring.".split("/")
)


def add(linker, story, chapter, reader):
    linker.add(story, story.chapter(chapter), reader.read(story.chapter(chapter).body.of(story.text)))
    return linker


def linked(reader, bodies):
    story, linker = with_headings(*bodies), Linker()
    for chapter in story.chapters:
        add(linker, story, chapter.number, reader)
    return story, linker


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(SENTENCES, min_size=1, max_size=4),
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
    log = linked(reader, STORY)[1].log
    bonds = {(r.subject, r.predicate, r.object, r.told): r for r in log.relations if r.modality == "fact"}
    kin, trust = bonds["marcus", "SIBLING_OF", "elena", 1], bonds["marcus", "TRUSTS", "elena", 1]
    assert (kin.holds, trust.holds) == (Interval(Open.UNBOUNDED, Open.UNBOUNDED), Interval(1, Open.UNKNOWN))
    assert ("marcus", "DISTRUSTS", "elena", 3) in bonds
    events = {(e.predicate, e.participants, e.told): e for e in log.events}
    assert events["BETRAYS", (("agent", "elena"), ("patient", "marcus")), 2].holds == Interval(2, 2)
    murder = events["KILLS", (("agent", "marcus"), ("patient", "anna")), 2]
    assert murder.holds == Interval(Open.UNKNOWN, Open.UNBOUNDED)
    assert murder.modality is Modality.FLASHBACK
    assert events["DIES", (("patient", "mr-hale"),), 4].holds == Interval(4, Open.UNBOUNDED)
    states = {f"{s.entity} {s.aspect} {s.value}" for s in log.states}
    assert {"elena emotion sadness", "elena goal flee", "marcus location the-castle"} <= states
    assert {m.entity for m in log.mentions if "Elena" in m.surface} == {"elena"}
    assert {m.entity for m in log.mentions if m.surface == "Mrs. Hale"} == {"mrs-hale"}


def test_an_identity_told_late_is_a_merge_told_there(reader):
    bodies = (
        "Strider nodded. Strider laughed. Aragorn smiled. Aragorn said nothing.",
        "Strider laughed. Strider was really Aragorn. Aragorn trusted Mr. Reed.",
        "Strider smiled.",
    )
    log = linked(reader, bodies)[1].log
    assert [(m.entity, m.into, m.told) for m in log.merges] == [("aragorn", "strider", 2)]
    assert {m.entity for m in log.mentions if m.told == 1} == {"strider", "aragorn"}
    assert {m.entity for m in log.mentions if m.told == 3} == {"strider"}


def test_a_copy_is_a_world_of_its_own(reader):
    _, linker = linked(reader, STORY[:2])
    before = linker.log
    draft = with_headings("", "", "Elena Reed killed Marcus. Zora smiled.", name="draft")
    trial = add(linker.copy(), draft, 3, reader).log
    assert is_prefix(before, trial) and trial != before
    assert linker.log == before
    assert add(linker.copy(), draft, 3, reader).log == trial


def mention(surface, start=0, *, strong=True, kind=EntityKind.CHARACTER, gender=""):
    span = Span(start, start + len(surface))
    return Mention(span, surface, kind, gender, 0, span, strong)


def named_in(body, *mentions):
    story, linker = with_headings(body), Linker()
    linker.add(story, story.chapter(1), ChapterReading(mentions))
    return [one.entity for one in linker.log.mentions]


def test_weak_names_count_from_the_third_and_ids_are_never_twice():
    story, linker = with_headings("Zorn. Zorn.", "Zorn. Zorn."), Linker()
    reading = ChapterReading((mention("Zorn", strong=False), mention("Zorn", 6, strong=False)))
    linker.add(story, story.chapter(1), reading)
    assert linker.log.mentions == ()
    linker.add(story, story.chapter(2), reading)
    starts = [m.evidence.span.start - story.chapter(2).body.start for m in linker.log.mentions]
    assert starts == [0, 6]
    both = mention("Alex", gender="m"), mention("Alex", 6, gender="f")
    assert named_in("Alex. Alex.", *both) == ["alex", "alex-2"]


def test_a_place_that_is_once_taken_for_a_person_stays_one():
    place = mention("Meryton", kind=EntityKind.LOCATION)
    assert {*named_in("Meryton. Meryton. Meryton.", place, mention("Meryton", 9))} == {"meryton"}


def test_order_and_text_are_checked(reader):
    story, linker = linked(reader, STORY[:2])
    reading = reader.read(story.chapter(2).body.of(story.text))
    for chapter in (1, 2):
        with pytest.raises(HorizonError, match="order of telling"):
            linker.add(story, story.chapter(chapter), reading)
    with pytest.raises(EvidenceError, match="read its body again"):
        Linker().add(story, story.chapter(1), reading)


def test_what_is_told_to_be_over_is_over_however_often_it_was_told():
    body = "Elena Voss and Marcus Hale."
    people = (mention("Elena Voss"), mention("Marcus Hale", 15))
    friends = ("FRIEND_OF", 1, 0, (Span(0, len(body)),))
    stands = ChapterReading(people, (Statement(*friends, Modality.FACT, 0.9),))
    over = ChapterReading(people, (Statement(*friends, Modality.FLASHBACK, 0.9, ended=True),))
    story, linker = with_headings(*[body] * 4), Linker()
    for chapter, each in zip(story.chapters, (stands, stands, over, stands), strict=True):
        linker.add(story, chapter, each)
    graph = StoryKnowledgeGraph(linker.log)
    held = [bool(standing(graph.as_of(Horizon(n)), "elena-voss", "marcus-hale")) for n in range(1, 5)]
    assert held == [True, True, False, True]
    assert linker.log.relations[2].holds == Interval(1, 2)
    alone = Linker()
    alone.add(story, story.chapters[0], over)
    assert alone.log.relations[0].holds == Interval(Open.UNKNOWN, 0)
