import re

import pytest

from experiments.common.demo_notes import Gold, gold
from fabula.demo import default_prompt, prompts, story_text

HEADING = re.compile(r"^## Chapter (\d+): \S.*$", re.MULTILINE)


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


def test_quotes_and_names_stand_where_noted(notes, chapters):
    wrong = [(n, quote) for n, quote in quotes(notes) if chapters[n].count(quote) != 1]
    assert wrong == []
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


def test_questions_and_prompts_name_nobody_unknown(notes):
    assert len({q.question for q in notes.questions}) == len(notes.questions) == 30
    assert {q.kind for q in notes.questions} == {"factual", "conceptual"}
    assert len(prompts()) == 6
    assert [p.default for p in prompts()].count(True) == 1
    assert default_prompt().chapter == 9


def test_the_default_prompt_names_nobody_unknown_at_its_horizon(notes: Gold) -> None:
    later = {c.name for c in notes.characters if c.first_chapter > default_prompt().chapter}
    assert not any(name in default_prompt().prompt for name in later)
    assert all(m.told > default_prompt().chapter for m in notes.merges)
