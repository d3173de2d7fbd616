"""What the command line answers, as data for programs and as text for people."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.files.atomic import replace_file
from ..core.runtime.memory_monitor import MemoryMonitor
from ..demo import gold, save_story
from ..engine import Project, config_of, index_book, make_monitor
from ..errors import UsageError
from ..project.comparing import read_drafts
from ..project.indexing import IndexReport, Progress
from ..story.comparison_engine import ComparisonEvent
from ..story.graph_rag.story_graph import StoryView
from ..story.model.aspects import fact_words
from ..story.model.types import EntityKind, Relation
from ..story.passages.filter import SearchFilter
from ..views.comparison_page import render_html
from ..views.found import found_entity
from ..views.text.comparison import render_json, render_text
from ..views.text.render import Answer, entities_text, index_text, quote_text, relations_text

__all__ = [
    "DEMO_SETTINGS",
    "entity_facts",
    "forgotten",
    "found_entity",
    "rated",
    "run_comparison",
    "run_demo",
    "world",
]

# Enough to see what each pipeline does, short enough that a small machine is done within a minute.
DEMO_SETTINGS = ("comparison.budget=520", "comparison.max_tokens=160")


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
    from ..story.model.calibration import SURE_ENOUGH

    ties, others = shown_relations(view, entity, least_confidence=SURE_ENOUGH if sure is None else sure)
    return [*ties, *others]


def entity_facts(project: Project, name: str, *, sure: float | None, as_of: int | None, limit: int) -> Answer:
    """One entity: typed facts and relations with quotes, and the events it takes part in; ``sure`` as for
    ``world``."""
    view = project.view(as_of)
    entity = found_entity(view, name)
    facts = [fact for fact in view.facts(entity.id) if fact.modality.happened][:limit]
    relations = _told(view, entity.id, sure)[:limit]
    events = view.events(entity.id)[:limit]
    lines = [entities_text([entity]), ""]
    for fact in facts:
        lines += [f"{fact_words(fact)}  [told ch. {fact.told}]", *(map(quote_text, fact.evidence[:1]))]
    lines.append(relations_text(view, relations))
    for event in events:
        who = ", ".join(f"{role} {view.name(part)}" for role, part in event.participants)
        lines.append(f"{event.predicate}: {who}  [told ch. {event.told}, {event.modality.value}]")
        lines += [quote_text(evidence) for evidence in event.evidence[:1]]
    data = {"entity": entity, "facts": facts, "relations": relations, "events": events}
    return Answer(data, "\n".join(lines))


def rated(
    project: Project,
    query: str,
    passage: int,
    rating: float,
    *,
    k: int | None,
    as_of: int | None,
    wanted: SearchFilter | None,
) -> Answer:
    """Keeps a rating of the search's passage of that number, and says what the ratings teach so far."""
    result = project.search(query, k, as_of=as_of, wanted=wanted)
    if passage > len(result.passages):
        raise UsageError(f"the search gives {len(result.passages)} passages, there is no number {passage}")
    chunk = result.passages[passage - 1].chunk
    kept = project.rate(query, chunk.id, rating, k=k, as_of=as_of, wanted=wanted)
    decision = project.search(query, k, as_of=as_of, wanted=wanted).decision
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
    project.searcher.manager.reset()
    return Answer({"ratings": 0}, "all ratings are forgotten")


def run_comparison(
    project: Project,
    prompt: str,
    *,
    chapter: int | None,
    html: Path | None,
    out: Path | None,
    drafts: Path | None = None,
    progress: Progress = lambda *_: None,
) -> Answer:
    """The three pipelines on one prompt, or the ``drafts`` in a folder scored for it; also writes the HTML
    page and the JSON file that were asked for."""
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
        replace_file(html, render_html(report, memory=memory))
    return Answer(json.loads(data), render_text(report, memory=memory))


def run_demo(
    folder: Path, *, assignments: Sequence[str] = (), progress: Progress = lambda *_: None
) -> Answer:
    """Indexes the demo story into ``folder/project``, runs its default prompt, writes the story itself,
    report.html and report.json beside it."""
    prompt = gold().default_prompt
    place = folder / "project"
    assignments = (*DEMO_SETTINGS, *assignments)
    config, _ = config_of(place, assignments=assignments)
    with make_monitor(config) as monitor:
        indexed = index_book(save_story(folder), place, config=config, monitor=monitor, progress=progress)
    with Project.open(place, assignments=assignments) as project:
        answer = run_comparison(
            project,
            prompt.prompt,
            chapter=prompt.chapter,
            html=folder / "report.html",
            out=folder / "report.json",
            progress=progress,
        )
    return _demo_answer(answer, indexed, monitor, folder)


def _demo_answer(answer: Answer, indexed: IndexReport, monitor: MemoryMonitor, folder: Path) -> Answer:
    head = index_text(indexed, folder=str(folder / "project"))
    called = _called()
    tail = (
        f"Written: {folder / 'report.html'} (open it in a browser) and {folder / 'report.json'}\n"
        f'Next: {called} search {folder / "project"} "your question" --as-of 5, or {called} app'
    )
    data = {"index": indexed, "index_peak_bytes": monitor.report.peak, "comparison": answer.data}
    return Answer(data, f"{head}\n\n{answer.text}\n\n{tail}")


def _called() -> str:
    """The command as it can be typed here: that of a virtual environment need not be on the path."""
    script = Path(sys.executable).with_name("fabula")
    if shutil.which("fabula") or not script.exists():
        return "fabula"
    here = Path.cwd()
    return str(script.relative_to(here) if script.is_relative_to(here) else script)


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
