import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scripted import ScriptedGenerator
from tests.stories.logs import all_evidence, cut, is_prefix
from tests.stories.reading import linked, linker_of, reading, view_at, with_headings
from tests.stories.speech import CAST
from tests.stories.speech import story as speech

from fabula.core.documents import document_from_text
from fabula.core.types import Horizon, Span
from fabula.errors import EvidenceError, HorizonError, UsageError
from fabula.project.indexing import link
from fabula.story.corrections import Correction, Corrections
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.combined_reader import combined
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.graph_rag.views.timeline import standing
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import (
    NOTHING_BEFORE,
    ChapterReading,
    KnownName,
    Mention,
    Statement,
    ToldBefore,
)
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


def test_the_story_knows_a_gender_that_the_chapter_does_not():
    first = "Miss Sable Quint arrived. Miss Sable sat down. Mr. Orrin Vale arrived. Orrin nodded."
    second = 'Orrin nodded. Sable laughed and looked at Orrin. Sable took a seat. "It rains," he said.'
    _, log = speech(first, second)
    assert [quotation.speaker for quotation in log.quotations] == ["mr-orrin-vale"]


def test_evidence_of_what_is_said_and_nothing_changed_by_what_follows():
    tale, log = speech(CAST + '"It rains," said Elena.\n\n"It does," said Marcus.\n\n"Well."')
    for quotation in log.quotations:
        assert len(quotation.evidence) > quotation.pieces >= 1
        for evidence in quotation.evidence:
            assert evidence.span.of(tale.text) == evidence.quote
        assert 0 <= quotation.confidence <= 1
    first = CAST + '"It rains," said Elena.\n\n"It does."'
    later = 'Miss Hale sighed. "It snows," she said to Marcus.'
    _, part = speech(first)
    _, whole = speech(first, later)
    assert whole.quotations[: len(part.quotations)] == part.quotations
    assert len(whole.quotations) > len(part.quotations)


TOLD = (
    "# Chapter 1\n\nAnn Dale came in. Bea Holt sat down. Nell laughed.\n\n"
    "# Chapter 2\n\nAnn Dale rose again. Bea Holt stayed. Nell went home.\n"
)


def by_model(body, *listed, before=NOTHING_BEFORE):
    """What a model reads that lists these: quote, name, other names, kind."""
    named = [dict(zip(("quote", "name", "also", "kind"), one, strict=True)) for one in listed]
    generator = ScriptedGenerator([json.dumps({"named": named})], context_tokens=20_000)
    return ModelReader(generator).read(body, before)


def who_is_nell(*cast):
    """Of each chapter: whom the model lists with the name Nell."""
    document = document_from_text(TOLD, id="x", title="x")
    readings = []
    for chapter, owners in zip(document.chapters, cast, strict=True):
        body = chapter.body.of(TOLD)
        quotes = zip(("Ann Dale", "Bea Holt"), body.split(". "), strict=False)
        listed = ((quote, name, ["Nell"] if name in owners else [], "person") for name, quote in quotes)
        readings.append(by_model(body, *listed))
    view = StoryKnowledgeGraph.from_log(link(document, readings).log).as_of(Horizon())
    nells = [view.name(one.entity) for one in view.log.mentions if one.surface == "Nell"]
    return {one.name for one in view.entities()}, nells


@pytest.mark.parametrize("owners", [["Bea Holt"], ["Ann Dale", "Bea Holt"]])
def test_whom_a_model_lists_as_two_stay_two(owners):
    assert who_is_nell(owners, owners)[0] == {"Ann Dale", "Bea Holt"}


def test_a_name_goes_over_to_whom_the_model_gives_it():
    assert who_is_nell(["Ann Dale"], ["Bea Holt"]) == ({"Ann Dale", "Bea Holt"}, ["Ann Dale", "Bea Holt"])


def test_names_that_a_model_joins_are_one_of_the_kind_that_it_says():
    bodies = (
        "Sunny ran home. Sunny hid. A Film Lot rang.",
        "Sunniva slept in. The Film Trust paid. Rex won it.",
    )
    lot, sunny = ("A Film Lot rang.", "Film Lot", [], "group"), ("Sunny ran home.", "Sunny", [], "person")
    trust = ("The Film Trust paid.", "Film Trust", ["Film Lot"], "group")
    thing = ("Rex won it.", "Rex", [], "thing")
    before = ToldBefore((KnownName("Sunny"), KnownName("Film Lot", (), EntityKind.GROUP)))
    told = ("Sunniva slept in.", "Sunny", ["Sunniva"], "person"), trust, thing
    rules = ChapterReading((mention("Rex", bodies[1].index("Rex")),))
    readings = by_model(bodies[0], lot, sunny), combined(rules, by_model(bodies[1], *told, before=before))
    log = link(with_headings(*bodies), readings).log
    found = StoryKnowledgeGraph.from_log(log).as_of(Horizon()).entities()
    assert {(one.name, one.aliases, one.kind) for one in found} == {
        ("Sunny", ("Sunniva",), EntityKind.CHARACTER),
        ("Film Lot", ("Film Trust",), EntityKind.GROUP),
        ("Rex", (), EntityKind.OBJECT),
    }


FATHER = "Mr. Harrow came down the lane. Mr. Harrow sat down. Mrs. Pole nodded to Mr. Harrow."
SON = "Edmund Harrow rode in. Edmund smiled. Edmund Harrow loved Lucy Vane. Mr. Harrow hated Selby."
BOTH = "Edmund laughed. Mr. Harrow wept. Edmund Harrow killed Mrs. Pole. Lucy Vane wept."
HARROWS = (FATHER, SON, BOTH)
SPLIT = Correction("split", ("Mr. Harrow",), ("Edmund Harrow", "Edmund"))
MERGE = Correction("merge", ("Lucy Vane",), into=("Mrs. Pole",))


def corrected(bodies, *entries):
    return linker_of(with_headings(*bodies), corrections=Corrections.of(entries))


def seen(*entries, bodies=HARROWS, chapter=None):
    """Whom a reader knows, by name."""
    return {one.name: one for one in view_at(corrected(bodies, *entries).log, chapter).entities()}


def test_a_father_and_his_son():
    before, after, view = seen(), seen(SPLIT), view_at(corrected(HARROWS, SPLIT).log)
    assert "Edmund Harrow" in before["Mr. Harrow"].aliases  # what is to be corrected
    father, son = after["Mr. Harrow"], after["Edmund Harrow"]
    assert (father.aliases, son.aliases) == ((), ("Edmund",))
    assert father.mentions + son.mentions == before["Mr. Harrow"].mentions
    assert [r.subject for r in view.relations(predicate="LOVES")] == [son.id]
    assert ("agent", son.id) in [event.participants[0] for event in view.events(son.id)]
    turned = seen(SPLIT, bodies=(SON, BOTH, FATHER))  # who of the two comes first does not matter
    assert (turned["Mr. Harrow"].aliases, turned["Edmund Harrow"].aliases) == ((), ("Edmund",))


def test_what_the_text_says_later_makes_nobody_one():
    bodies = (
        "Strider nodded. Strider laughed. Aragorn smiled. Aragorn said nothing.",
        "Strider laughed. Strider was really Aragorn. Aragorn trusted Mr. Reed. Miss Ann Vane sat down.",
        "Ann Vane smiled at Strider. Miss Ann Vane smiled at Aragorn.",
    )
    strider = Correction("split", ("Strider",), ("Aragorn",))
    ann = Correction("split", ("Miss Ann Vane",), ("Ann Vane",))
    plain = seen(bodies=bodies).keys()
    assert not {"Strider", "Aragorn"} <= plain and not {"Miss Ann Vane", "Ann Vane"} <= plain
    for told in (bodies, bodies[::-1]):
        assert {"Strider", "Aragorn", "Miss Ann Vane", "Ann Vane"} <= seen(strider, ann, bodies=told).keys()


def test_from_a_chapter_on():
    late = Correction("split", ("Mr. Harrow",), ("Mr. Harrow",), ("Edmund Harrow",), from_chapter=3)
    mentions = corrected(HARROWS, SPLIT, late).log.mentions
    found = {m.evidence.chapter: m.entity for m in mentions if "Mr." in m.surface}
    assert found == {1: "mr-harrow", 2: "mr-harrow", 3: "edmund-harrow"}


def test_two_are_one_where_the_author_says_so():
    [merge] = corrected(HARROWS, MERGE).log.merges
    assert (merge.entity, merge.into, merge.told) == ("lucy-vane", "mrs-pole", 2)
    assert "Lucy Vane" not in seen(MERGE, chapter=1)
    married = Correction("merge", ("Mr. Harrow",), into=("Mrs. Pole",))
    for who, entry in (("Lucy Vane", MERGE), ("Mr. Harrow", married)):
        [one] = [each for each in seen(entry).values() if "Mrs. Pole" in (each.name, *each.aliases)]
        assert who in (one.name, *one.aliases)


def test_a_name_is_shown_from_where_the_text_has_used_it_or_the_author_says():
    linker = corrected(HARROWS, SPLIT, Correction("rename", ("Mrs. Pole",), to="Lucy Vane"))
    names = [view_at(linker.log, chapter).name("mrs-pole") for chapter in (1, 2, 3)]
    assert names == ["Mrs. Pole", "Lucy Vane", "Lucy Vane"]
    assert "Mrs. Pole" in view_at(linker.log).entity("mrs-pole").aliases
    own = Correction("rename", ("Mr. Harrow",), to="Old Harrow", from_chapter=2)
    assert "Mr. Harrow" in seen(SPLIT, own, chapter=1) and "Old Harrow" in seen(SPLIT, own, chapter=2)
    linker = corrected(HARROWS, Correction("rename", ("Lucy Vane",), to="Lucia"))
    with pytest.raises(UsageError, match=r"correction 1: .*never uses 'Lucia': .*from_chapter = 1"):
        linker.check_corrections()


def test_another_kind():
    place = Correction("retype", ("Mrs. Pole",), to="location")
    assert seen(place)["Mrs. Pole"].kind is EntityKind.LOCATION
    kills = [event for event in view_at(corrected(HARROWS, place).log).events() if event.predicate == "KILLS"]
    assert "mrs-pole" not in str(kills)
    bodies = ("They went to Florence. Florence was full of light. They loved Florence.", "Florence smiled.")
    named = seen(Correction("retype", ("Florence",), to="character"), bodies=bodies)
    assert named["Florence"].kind is EntityKind.CHARACTER


def test_of_nobody_nothing_is_told():
    log = corrected(HARROWS, Correction("not_a_character", ("Mrs. Pole",))).log
    assert not [m for m in log.mentions if "Pole" in m.surface]
    assert "mrs-pole" not in str(log.events) + str(log.relations)


RENAME = Correction("rename", ("Mr. Harrow",), to="Edmund Harrow")
CORRECTIONS = (SPLIT, MERGE, RENAME, Correction("retype", ("Selby",), to="group"))


def test_corrected_what_comes_later_changes_nothing():
    whole = corrected(HARROWS, *CORRECTIONS)
    for count in range(len(HARROWS) + 1):
        part = corrected(HARROWS[:count], *CORRECTIONS)
        assert part.log == cut(whole.log, count)
        assert is_prefix(part.log, whole.log)
    first = str(corrected(HARROWS[:1], *CORRECTIONS).log).lower()
    assert "edmund" not in first and "lucy" not in first


def test_evidence_stands_in_the_text_and_a_draft_leaves_no_trace():
    linker, story = corrected(HARROWS[:2], *CORRECTIONS), with_headings(*HARROWS)
    before = linker.log
    for evidence in all_evidence(before):
        evidence.verify(story.text)
    draft = linker.copy()
    draft.add(story, story.chapter(3), reading(BOTH))
    assert linker.log == before
    assert draft.log == corrected(HARROWS, *CORRECTIONS).log
