"""What the command line answers, as data for programs and as text for people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ..core.files.atomic import replace_file
from ..core.files.plain_json import plain
from ..engine import Project
from ..errors import UsageError
from ..project.comparing import read_drafts
from ..project.indexing import Progress
from ..project.searching import chapter_range
from ..story.comparison.engine import ComparisonEvent
from ..story.graph_rag.story_graph import StoryView
from ..story.model.aspects import ASPECTS, fact_words, holds
from ..story.model.types import EntityKind, Relation
from ..views.comparison_page import Section, render_html
from ..views.found import characters_asked, found_entity
from ..views.text.comparison import render_json, render_text
from ..views.text.render import (
    Answer,
    arcs_text,
    entities_text,
    findings_text,
    quote_text,
    relations_text,
)
from ..views.times import event_label, time_words
from ..views.wording import fact_written, names_written

if TYPE_CHECKING:
    from ..core.types import Evidence
    from ..project.parts import SearchHow
    from ..story.model.types import PresenceTold

_SPEECHES = 8


def world(project: Project, *, kind: str | None, sure: float | None, as_of: int | None, limit: int) -> Answer:
    """Who and what the story tells of, most mentioned first, and how the most mentioned stand: their ties,
    then relations told with confidence ``sure`` or more (by default ``SURE_ENOUGH``: most are right)."""
    view = project.view(as_of)
    entities = view.entities(EntityKind(kind) if kind else None)[:limit]
    shown = {entity.id for entity in entities}
    relations = [r for r in _told(view, None, sure) if r.subject in shown and r.object in shown][:limit]
    text = f"{entities_text(entities)}\n\n{relations_text(view, relations)}"
    return Answer({"entities": entities, "relations": relations}, text)


def _told(view: StoryView, entity: str | None, sure: float | None) -> list[Relation]:
    from ..story.graph_rag.views.ties import shown_relations
    from ..story.model.predicates import SURE_ENOUGH

    ties, others = shown_relations(view, entity, least_confidence=SURE_ENOUGH if sure is None else sure)
    return [*ties, *others]


def entity_facts(project: Project, name: str, *, sure: float | None, as_of: int | None, limit: int) -> Answer:
    """One entity: typed facts and relations with quotes, and the events it takes part in; ``sure`` as for
    ``world``."""
    view = project.view(as_of)
    entity = found_entity(view, name)
    facts = [fact for fact in view.facts(entity.id) if holds(fact)][:limit]
    relations = _told(view, entity.id, sure)[:limit]
    events = view.events(entity.id)[:limit]
    lines, names = [entities_text([entity]), ""], names_written(view)
    for fact in facts:
        said = "" if fact.modality.happened else ", said by somebody"
        words = f" {fact_words(fact, person=entity.kind is EntityKind.CHARACTER)}"
        thing = ASPECTS[fact.aspect].thing if fact.aspect in ASPECTS else False
        words = words.replace(" : ", " " if thing else f" {fact.aspect}: ")
        words = fact_written(words, fact.aspect, fact.evidence, names).strip()
        lines += [f"{words}  [ch. {fact.told}{said}]", *(map(quote_text, fact.evidence[:1]))]
    lines.append(relations_text(view, relations))
    for event in events:
        lines.append(f"{event_label(view, event)}  [ch. {event.told}, {event.modality.value}]")
        lines += [quote_text(evidence) for evidence in event.evidence[:1]]
    data = {"entity": entity, "facts": facts, "relations": relations, "events": events}
    return Answer(data, "\n".join(lines))


def rated(
    project: Project, query: str, passage: int, rating: float, *, k: int | None, **how: Unpack[SearchHow]
) -> Answer:
    """Keeps a rating of the search's passage of that number, and says what the ratings teach so far."""
    result = project.search(query, k, **how)
    if passage > len(result.passages):
        raise UsageError(f"the search gives {len(result.passages)} passages, there is no number {passage}")
    chunk = result.passages[passage - 1].chunk
    kept = project.rate(query, chunk.id, rating, k=k, **how)
    decision = project.search(query, k, **how).decision
    reasons = decision.reasons if decision else ()
    text = f"rated {rating:g}: chapter {chunk.chapter}, {chunk.span.start}-{chunk.span.end}\n"
    text += "\n".join(f"  {reason}" for reason in reasons)
    data = {"chunk": chunk.id, "rating": kept.rating, "query_class": kept.query_class, "next": decision}
    return Answer(data, text)


def ratings_told(project: Project, as_of: int | None) -> Answer:
    """What readers rated at the horizon or before it."""
    from ..views.text.kept import ratings_shown, ratings_text

    shown = ratings_shown(project.ratings(as_of))
    return Answer(shown, ratings_text(shown))


def forgotten(project: Project) -> Answer:
    """Forgets all ratings."""
    project.searcher.forget_ratings()
    return Answer({"ratings": 0}, "all ratings are forgotten")


def run_comparison(
    project: Project,
    prompt: str,
    *,
    chapter: int | None,
    html: Path | None,
    out: Path | None,
    drafts: Path | None = None,
    before: Sequence[Section] = (),
    progress: Progress = lambda *_: None,
) -> Answer:
    """The three pipelines on one prompt, or the ``drafts`` in a folder scored for it; also writes the HTML
    page, with what stands ``before`` them, and the JSON file that were asked for."""
    with project.monitor as monitor:
        if drafts is not None:
            report = project.score(read_drafts(drafts), prompt=prompt, chapter=chapter)
        else:
            report = project.compare(prompt, chapter=chapter, on_event=_as_progress(project, progress))
    memory = monitor.report
    data = render_json(report, memory=memory)
    if out:
        replace_file(out, data)
    if html:
        replace_file(html, render_html(report, memory=memory, before=before))
    return Answer(json.loads(data), render_text(report, memory=memory))


def _as_progress(project: Project, progress: Progress) -> Callable[[ComparisonEvent], None]:
    """Streamed pieces as a bar a stage; pieces are tokens, near enough."""
    counts: dict[str, int] = {}

    def show(event: ComparisonEvent) -> None:
        if event.stage not in ("generate", "revise"):
            return
        stage = f"{event.pipeline}: {event.stage}"
        counts[stage] = counts.get(stage, 0) + bool(event.text)
        total = project.config.comparison.max_tokens
        progress(stage, min(counts[stage], total), total)

    return show


def discoveries(project: Project, *, as_of: int | None, limit: int) -> Answer:
    """Conflict triangles and implied hostilities, each with its quotes; at most ``limit`` of each."""
    view, discovery = project.view(as_of), project.discovery(as_of)
    groups: dict[str, Sequence[Any]] = {
        "conflict_triangles": discovery.conflict_triangles()[:limit],
        "implied_hostilities": discovery.implied_hostilities()[:limit],
    }
    return _answer(view, groups)


def ways_between(project: Project, a: str, b: str, *, as_of: int | None, limit: int) -> Answer:
    """The most surprising ways between two."""
    view, discovery = project.view(as_of), project.discovery(as_of)
    one, other = found_entity(view, a).id, found_entity(view, b).id
    return _answer(view, {"hidden_connections": discovery.hidden_connections(one, other, limit=limit)})


def arcs_of(project: Project, names: Sequence[str], *, as_of: int | None) -> Answer:
    """States and transitions by character: those named, or the five most present."""
    view, tracker = project.view(as_of), project.arcs(as_of)
    chosen = characters_asked(view, tuple(names))
    arcs = {one.id: (tracker.arc(one.id), tracker.transitions(one.id)) for one in chosen}
    data = {entity: {"states": states, "transitions": moves} for entity, (states, moves) in arcs.items()}
    return Answer(data, arcs_text(view, arcs))


def arc_of(project: Project, name: str, *, as_of: int | None) -> Answer:
    """One character's states, moves, turning points and shape."""
    from ..story.graph_rag.arc_moves import shape_of
    from ..story.plot.turning_points import character_turning_points

    view, tracker = project.view(as_of), project.arcs(as_of)
    entity = found_entity(view, name)
    arc, moves = tracker.arc(entity.id), tracker.transitions(entity.id)
    points = character_turning_points(tracker, view, entity.id)
    shape = shape_of(arc)
    data: dict[str, Any] = {"character": entity, "shape": shape, "turning_points": points}
    data |= {"states": arc, "transitions": moves}
    form = f"{shape.name} (fit {shape.fit:.2f})" if shape.name else "none (too little is told)"
    lines = [arcs_text(view, {entity.id: (arc, moves)}), "", f"shape: {form}"]
    said = {"turning_points": [(point.sentence(view), point.evidence) for point in points]}
    return Answer(data, "\n".join([*lines, findings_text(said)]))


def _answer(view: StoryView, groups: Mapping[str, Sequence[Any]]) -> Answer:
    data: dict[str, Any] = {}
    said: dict[str, list[tuple[str, Sequence[Evidence]]]] = {}
    for title, found in groups.items():
        data[title] = [{"sentence": item.sentence(view), **plain(item)} for item in found]
        said[title] = [(item.sentence(view), item.evidence) for item in found]
    return Answer(data, findings_text(said))


def staged(project: Project, chapters: str, *, as_of: int | None) -> Answer:
    """The scenes of these chapters ("3-9", "4-"). Raises UsageError for chapters the book does not have."""
    view = project.view(as_of)
    told = [chapter for chapter in project.document.chapters if as_of is None or chapter.number <= as_of]
    last = told[-1].number if told else 0
    first, end = chapter_range(chapters)
    chosen = [one for one in told if first <= one.number <= (end or last)]
    if not chosen:
        raise UsageError(f"there is no chapter {chapters} up to chapter {last}")
    data, lines = {}, []
    for chapter in chosen:
        found, text = _chapter(view, chapter.number)
        data[str(chapter.number)] = found
        lines += [f"chapter {chapter.number}: {chapter.title}", *text, ""]
    return Answer(data, "\n".join(lines).rstrip())


def _chapter(view: StoryView, number: int) -> tuple[dict[str, Any], list[str]]:
    stage = view.on_stage(number)
    speeches = [q for q in view.quotations() if q.told == number]
    times = [time for time in view.times() if time.told == number]
    events = [one for one in view.events(untyped=True) if one.told == number and one.key and one.what]
    threads = [one for one in view.threads() if one.told == number]
    happened = [(f"happens: {one.what}", one.evidence) for one in events]
    happened += [(f"{one.kind} {one.step}: {one.what}", one.evidence) for one in threads]
    lines = []
    for scene in sorted({presence.scene for presence in stage}):
        lines.append(f"  scene {scene + 1}: {_company(view, [p for p in stage if p.scene == scene])}")
    talk = Counter((q.speaker, q.hearers) for q in speeches if q.speaker is not None)
    for (speaker, hearers), count in talk.most_common(_SPEECHES):
        to = f" to {' and '.join(map(view.name, hearers))}" if hearers else ""
        lines.append(f"  {view.name(speaker)} speaks{to}: {count}")
    if unknown := sum(q.speaker is None for q in speeches):
        lines.append(f"  speaker not known: {unknown}")
    for told, quotes in happened:
        lines += [f"  {told}", *map(quote_text, quotes[:1])]
    for time in times:
        kind = "when" if time.kind in ("date", "shift") else time.kind
        lines.append(f"  {kind}: {time_words(time.value, time.kind)}")
        lines.append(quote_text(time.evidence))
    data = {"on_stage": stage, "quotations": speeches, "times": times, "events": events, "threads": threads}
    return data, lines


def _company(view: StoryView, stage: Sequence[PresenceTold]) -> str:
    """Those whose place is told by place, then the others; nobody twice at one place."""
    at: dict[str | None, dict[str, None]] = {}
    for presence in stage:
        at.setdefault(presence.place, {})[view.name(presence.entity)] = None
    placed = [f"{', '.join(who)} at {view.name(place)}" for place, who in at.items() if place is not None]
    return "; ".join([*placed, *([", ".join(at[None])] if None in at else [])])
