import re
from itertools import combinations

import pytest

from fabula.demo import gold, story_text
from fabula.story.model.predicates import PREDICATES, opposed

HEADING = re.compile(r"^## Chapter (\d+): \S.*$", re.MULTILINE)
MAIN_ARCS = {"harriet", "wilfred", "len", "agnes"}


@pytest.fixture(scope="module")
def notes():
    return gold()


@pytest.fixture(scope="module")
def text():
    return story_text()


@pytest.fixture(scope="module")
def chapters(text):
    """Heading and body of each chapter, by number."""
    starts = list(HEADING.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return {int(m[1]): text[m.start() : end] for m, end in zip(starts, ends, strict=True)}


def quotes(notes):
    """Every (chapter, quote) that the notes stand on."""
    found = [(c.first_chapter, c.introduced_by) for c in notes.characters]
    found += [(c.dies.chapter, c.dies.quote) for c in notes.characters if c.dies]
    found += [(h.from_chapter, h.quote) for o in notes.objects for h in o.holders]
    found += [(r.told, r.quote) for r in notes.relations]
    found += [(k.since_chapter, k.quote) for k in notes.knowledge]
    found += [(e.chapter, e.quote) for e in (*notes.events, *notes.arcs, *notes.denials, *notes.questions)]
    for flashback in notes.flashbacks:
        found += [(flashback.chapter, flashback.start_quote), (flashback.chapter, flashback.end_quote)]
    for report in notes.false_reports:
        found += [(report.chapter, report.quote), (report.exposed_chapter, report.exposed_quote)]
    for plan in notes.plans:
        found += [(plan.chapter, plan.quote), (plan.dropped_chapter, plan.dropped_quote)]
    return found + [(m.told, m.quote) for m in notes.merges]


def chapters_with(name, chapters):
    return [n for n, body in chapters.items() if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", body)]


def test_story_is_plain_markdown_of_the_promised_size(text, chapters):
    assert text.startswith("# The Bloom Line\n")
    assert list(chapters) == list(range(1, 14))
    assert 10_000 <= len(text.split()) <= 11_500
    assert not re.search(r" {2,}|\t|\r", text)


def test_every_quote_stands_once_in_its_chapter(notes, chapters):
    wrong = [(n, quote) for n, quote in quotes(notes) if chapters[n].count(quote) != 1]
    assert wrong == []


def test_turning_quotes_stand_once_in_the_story(notes, text):
    turns = [r.turned_by for r in notes.relations if r.turned_by is not None]
    assert len(turns) >= 10
    assert [quote for quote in turns if text.count(quote) != 1] == []


def test_names_and_aliases_occur_and_first_do_so_where_noted(notes, chapters):
    for entity in (*notes.characters, *notes.places):
        told = [chapters_with(name, chapters) for name in (entity.name, *entity.aliases)]
        assert all(told), entity.id
        assert min(first[0] for first in told) == entity.first_chapter, entity.id


def test_ids_are_unique_and_resolve(notes):
    people = [c.id for c in notes.characters]
    things = [p.id for p in notes.places] + [o.id for o in notes.objects]
    known = set(people + things)
    assert len(known) == len(people) + len(things)
    assert {end for r in notes.relations for end in (r.subject, r.object)} <= known
    assert {who for e in notes.events for _, who in e.participants} <= known
    assert {role for e in notes.events for role, _ in e.participants} <= {"agent", "patient", "place"}
    who = {h.holder for o in notes.objects for h in o.holders} | {k.who for k in notes.knowledge}
    who |= {c for p in notes.presence for c in p.characters} | {a.character for a in notes.arcs}
    who |= {r.said_by for r in notes.false_reports} | {d.who for d in notes.denials}
    who |= {end for m in notes.merges for end in (m.pseudonym, m.character)}
    assert who <= set(people)
    assert {p.place for p in notes.presence} - {None} <= {p.id for p in notes.places}


def test_causes_are_events_and_come_first(notes):
    when = {e.id: (0 if e.story_time == "flashback" else e.chapter) for e in notes.events}
    assert len(when) == len(notes.events) >= 20
    for event in notes.events:
        assert all(when[cause] <= when[event.id] for cause in event.caused_by), event.id


def test_predicates_and_intervals(notes):
    assert len(notes.relations) >= 35
    assert {r.predicate for r in notes.relations} | {e.predicate for e in notes.events} <= set(PREDICATES)
    for relation in notes.relations:
        assert 0 <= relation.from_chapter <= relation.told <= 13, relation
        assert relation.to_chapter is None or relation.from_chapter <= relation.to_chapter <= 13, relation
        assert relation.turned_by is None or relation.to_chapter is not None, relation


def test_opposite_relations_never_hold_in_the_same_chapter(notes):
    for one, other in combinations(notes.relations, 2):
        same = (one.subject, one.object) == (other.subject, other.object)
        if same and opposed(one.predicate, other.predicate):
            start = max(one.from_chapter, other.from_chapter, 1)
            assert start > min(one.to_chapter or 13, other.to_chapter or 13), (one, other)


def test_every_scene_has_its_people(notes, chapters):
    scenes = [(n, i) for n, body in chapters.items() for i in range(len(body.split("\n***\n")))]
    assert [(p.chapter, p.scene) for p in notes.presence] == scenes
    names = {c.id: (c.name, *c.aliases) for c in notes.characters}
    unnamed = {("len", 4, 0)}  # "the man from the train"
    for scene in notes.presence:
        assert scene.characters, scene
        body = chapters[scene.chapter].split("\n***\n")[scene.scene]
        for who in scene.characters:
            told = any(name in body for name in names[who])
            assert told or (who, scene.chapter, scene.scene) in unnamed, (who, scene)


def test_the_dead_stay_dead_in_the_main_line(notes):
    deaths = {c.id: c.dies.chapter for c in notes.characters if c.dies}
    assert deaths == {"barnaby": 6}
    for who, chapter in deaths.items():
        seen = [p for p in notes.presence if who in p.characters]
        assert any(p.chapter < chapter for p in seen)
        assert any(p.chapter > chapter for p in seen)
        assert all(p.chapter <= chapter or p.story_time == "flashback" for p in seen)
        acted = [e for e in notes.events if ("agent", who) in e.participants]
        assert all(e.chapter <= chapter or e.story_time == "flashback" for e in acted)


def test_arcs_cover_the_main_characters_wherever_they_are_present(notes):
    assert {a.character for a in notes.arcs} == MAIN_ARCS
    assert all(-1 <= a.valence <= 1 for a in notes.arcs)
    for who in MAIN_ARCS:
        present = sorted({p.chapter for p in notes.presence if who in p.characters})
        assert [a.chapter for a in notes.arcs if a.character == who] == present, who


def test_flashback_scenes_lie_between_its_quotes(notes, chapters):
    (flashback,) = notes.flashbacks
    body = chapters[flashback.chapter]
    start, end = body.index(flashback.start_quote), body.index(flashback.end_quote)
    starts = [0, *(m.end() for m in re.finditer(r"\n\*\*\*\n", body))]
    inside = {i for i, at in enumerate(starts) if start - 2 <= at <= end}
    assert inside == {p.scene for p in notes.presence if p.story_time == "flashback"} == {1, 2, 3}


def test_lies_are_exposed_and_plans_dropped_no_earlier_than_told(notes):
    assert notes.false_reports
    assert notes.plans
    assert all(r.chapter <= r.exposed_chapter for r in notes.false_reports)
    assert all(p.chapter <= p.dropped_chapter for p in notes.plans)


def test_questions_and_prompts(notes):
    assert len({q.question for q in notes.questions}) == len(notes.questions) == 30
    assert {q.kind for q in notes.questions} == {"factual", "conceptual"}
    assert len(notes.prompts) == 6
    assert [p.default for p in notes.prompts].count(True) == 1
    assert notes.default_prompt.chapter == 9


def test_the_default_prompt_names_nobody_unknown_at_its_horizon(notes):
    later = {c.name for c in notes.characters if c.first_chapter > notes.default_prompt.chapter}
    assert not any(name in notes.default_prompt.prompt for name in later)
    assert all(m.told > notes.default_prompt.chapter for m in notes.merges)
