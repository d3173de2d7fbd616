import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stories.logs import all_evidence, cut, is_prefix
from tests.stories.reading import linked, linker_of, reading, view_at, with_headings

from fabula.core.types import Span
from fabula.errors import EvidenceError, HorizonError
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


@settings(max_examples=25)
@given(
    st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(SENTENCES, min_size=1, max_size=4),
)
def test_what_comes_later_changes_nothing(chapters, later):
    bodies = [" ".join(sentences) for sentences in chapters]
    story = with_headings(*bodies, " ".join(later))
    part, whole = linked(with_headings(*bodies)), linked(story)
    assert part == cut(whole, len(bodies))
    assert is_prefix(part, whole)
    for evidence in all_evidence(whole):
        evidence.verify(story.text)
    assert whole == linked(story)


def test_what_the_story_says():
    log = linked(with_headings(*STORY))
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


def test_an_identity_told_late_is_a_merge_told_there():
    bodies = (
        "Strider nodded. Strider laughed. Aragorn smiled. Aragorn said nothing.",
        "Strider laughed. Strider was really Aragorn. Aragorn trusted Mr. Reed.",
        "Strider smiled.",
    )
    log = linked(with_headings(*bodies))
    assert [(m.entity, m.into, m.told) for m in log.merges] == [("aragorn", "strider", 2)]
    assert {m.entity for m in log.mentions if m.told == 1} == {"strider", "aragorn"}
    assert {m.entity for m in log.mentions if m.told == 3} == {"strider"}


def test_a_copy_is_a_world_of_its_own():
    linker = linker_of(with_headings(*STORY[:2]))
    before, trials = linker.log, [linker.copy(), linker.copy()]
    draft = with_headings("", "", "Elena Reed killed Marcus. Zora smiled.", name="draft")
    for trial in trials:
        trial.add(draft, draft.chapter(3), reading(draft.chapter(3).body.of(draft.text)))
        assert is_prefix(before, trial.log) and trial.log != before == linker.log
    assert trials[0].log == trials[1].log


def mention(surface, start=0, *, strong=True, kind=EntityKind.CHARACTER, gender=""):
    span = Span(start, start + len(surface))
    return Mention(span, surface, kind, gender, 0, span, strong)


def named_in(body, *mentions):
    story, linker = with_headings(body), Linker()
    linker.add(story, story.chapter(1), ChapterReading(mentions))
    return [one.entity for one in linker.log.mentions]


def test_weak_names_count_from_the_third_and_ids_are_never_twice():
    story, linker = with_headings("Zorn. Zorn.", "Zorn. Zorn."), Linker()
    twice = ChapterReading((mention("Zorn", strong=False), mention("Zorn", 6, strong=False)))
    linker.add(story, story.chapter(1), twice)
    assert linker.log.mentions == ()
    linker.add(story, story.chapter(2), twice)
    starts = [m.evidence.span.start - story.chapter(2).body.start for m in linker.log.mentions]
    assert starts == [0, 6]
    both = mention("Alex", gender="m"), mention("Alex", 6, gender="f")
    assert named_in("Alex. Alex.", *both) == ["alex", "alex-2"]


def test_a_place_that_is_once_taken_for_a_person_stays_one():
    place = mention("Meryton", kind=EntityKind.LOCATION)
    assert {*named_in("Meryton. Meryton. Meryton.", place, mention("Meryton", 9))} == {"meryton"}


def test_order_and_text_are_checked():
    story = with_headings(*STORY[:2])
    linker, second = linker_of(story), reading(story.chapter(2).body.of(story.text))
    for chapter in (1, 2):
        with pytest.raises(HorizonError, match="order of telling"):
            linker.add(story, story.chapter(chapter), second)
    with pytest.raises(EvidenceError, match="read its body again"):
        Linker().add(story, story.chapter(1), second)


def test_what_is_told_to_be_over_is_over_however_often_it_was_told():
    body = "Elena Voss and Marcus Hale."
    people = (mention("Elena Voss"), mention("Marcus Hale", 15))
    friends = ("FRIEND_OF", 1, 0, (Span(0, len(body)),))
    stands = ChapterReading(people, (Statement(*friends, Modality.FACT, 0.9),))
    over = ChapterReading(people, (Statement(*friends, Modality.FLASHBACK, 0.9, ended=True),))
    story, linker = with_headings(*[body] * 4), Linker()
    for chapter, each in zip(story.chapters, (stands, stands, over, stands), strict=True):
        linker.add(story, chapter, each)
    held = [bool(standing(view_at(linker.log, n), "elena-voss", "marcus-hale")) for n in range(1, 5)]
    assert held == [True, True, False, True]
    assert linker.log.relations[2].holds == Interval(1, 2)
    alone = Linker()
    alone.add(story, story.chapters[0], over)
    assert alone.log.relations[0].holds == Interval(Open.UNKNOWN, 0)
