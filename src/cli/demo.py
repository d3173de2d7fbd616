"""The demo: what there is to see of a story that comes with fabula, in the terminal and as a page."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.types import Evidence
from ..demo import QUESTIONS, default_prompt, reading_settings, save_draft, save_story
from ..engine import Project, config_of, index_book, make_monitor
from ..errors import ModelRefused
from ..project.indexing import Progress
from ..story.continuity.critic import ContinuityCritic
from ..story.graph_rag.story_graph import StoryView
from ..story.graph_rag.views.ties import shown_relations
from ..story.graph_rag.views.timeline import is_over
from ..story.model.predicates import FAMILY, PREDICATES, SURE_ENOUGH
from ..story.model.types import EntityKind, Relation, StoryEntity
from ..story.names.person_record import whose
from ..views.comparison_page import Section
from ..views.quotes import quote_shown
from ..views.text.render import Answer, wrapped
from .answers import run_comparison

_SETTINGS = ("comparison.max_tokens=420",)
# Enough to see what each pipeline does, short enough that a small machine is done within a minute.
_LIVE = ("comparison.budget=520", "comparison.max_tokens=160")
_PEOPLE, _BONDS = 10, 3


def run_demo(
    folder: Path,
    *,
    live: bool = False,
    assignments: Sequence[str] = (),
    progress: Progress = lambda *_: None,
) -> Answer:
    """Indexes the demo story into ``folder/project`` as the recorded strong model read it, unless a model is
    connected; says who is who, answers three questions, checks a draft with three slips in it, and compares
    three drafts of the default prompt, which that model wrote too, or, ``live``, the packaged one writes now;
    writes the story, the draft, report.html and report.json."""
    prompt, place = default_prompt(), folder / "project"
    story, draft = save_story(folder), save_draft(folder)
    config, _ = config_of(place, assignments=assignments)
    read = (*_SETTINGS, *(() if config.model_reads else reading_settings()), *assignments)
    config, _ = config_of(place, assignments=read)
    with make_monitor(config) as monitor:
        indexed = index_book(story, place, config=config, monitor=monitor, progress=progress)
    with Project.open(place, assignments=read) as project:
        model = project.generator.name
        sections = [make(project, prompt.chapter) for make in (_who_is_who, _answers)]
        sections.append(_slips(project, prompt.chapter, draft.read_text(encoding="utf-8")))
    head = (
        f"The Bloom Line, {indexed.chapters} chapters, {indexed.words:,} words, read by {model}. "
        f"Everything below is as a reader of chapters 1 to {prompt.chapter} knows it."
    )
    sections[0] = replace(sections[0], lead=head)
    with Project.open(place, assignments=(*_LIVE, *assignments) if live else read) as project:
        html, out = folder / "report.html", folder / "report.json"
        how: dict[str, Any] = {"chapter": prompt.chapter, "html": html, "out": out, "before": sections}
        compared = run_comparison(project, prompt.prompt, progress=progress, **how)
    called = _called()
    tail = (
        f"Written: {html} (open it in a browser) and {out}\n"
        f'Next: {called} search {place} "your question" --as-of 5, or {called} app\n'
        f"Your own text: {called} index BOOK -o FOLDER; with your own language model: {called} model"
    )
    told = "\n\n".join(map(_text, sections))
    data = {"index": indexed, "index_peak_bytes": monitor.report.peak, "comparison": compared.data}
    data["sections"] = [{"title": one.title, "rows": one.rows} for one in sections]
    return Answer(data, f"{wrapped(head)}\n\n{told}\n\n{compared.text}\n\n{tail}")


def _who_is_who(project: Project, chapter: int) -> Section:
    view = project.view(chapter)
    people = [one for one in view.entities(EntityKind.CHARACTER) if not any(whose(one.name))]
    rows = []
    for entity in people[:_PEOPLE]:
        roles = [one.value for one in view.facts(entity.id) if one.aspect == "role"]
        ties, others = shown_relations(view, entity.id, least_confidence=SURE_ENOUGH)
        holds = [one for one in (*ties, *others) if not is_over(one)]
        told = sorted(holds, key=lambda one: one.predicate not in FAMILY)
        bonds = {words: one for one in told if (words := _bond(view, entity, one))}
        first = list(bonds)[:_BONDS]
        quotes = [bonds[words].evidence[0] for words in first[:1]] or list(entity.evidence[:1])
        rows.append((f"{entity.name}: {'; '.join([*roles[-1:], *first])}", _quoted(quotes)))
    return Section("Who is who", tuple(rows))


def _bond(view: StoryView, entity: StoryEntity, told: Relation) -> str:
    """Seen from the entity; empty where the other is nobody with a name, or it is said of the other alone."""
    row, mine = PREDICATES[told.predicate], told.subject == entity.id
    other = told.object if mine else told.subject
    predicate = told.predicate if mine or row.symmetric else row.inverse
    known = view.entity(other)
    if not (predicate and row.lasting and known and known.kind is EntityKind.CHARACTER):
        return ""
    if any(whose(known.name)) or told.predicate == "KNOWS":
        return ""
    return view.worded(entity.id, predicate, other).removeprefix(f"{entity.name} ").removeprefix("is ")


def _answers(project: Project, chapter: int) -> Section:
    rows = []
    for question in QUESTIONS:
        found = project.ask(question, as_of=chapter, model=False)
        quotes = [(f"ch. {one.chapter}", one.quote) for one in found.citations[:1]]
        rows.append((f"{question} {found.short or found.text}", tuple(quotes)))
    return Section("Three questions", tuple(rows))


def _slips(project: Project, chapter: int, draft: str) -> Section:
    try:
        report = project.check(as_of=chapter, draft=draft)
    except ModelRefused:  # the recording has no answer, as the canon is another on another machine
        report = project.check(as_of=chapter, draft=draft, critic=ContinuityCritic())
    rows = [(one.message, _quoted((one.evidence[0], one.evidence[-1]))) for one in report.violations]
    return Section("Contradictions in draft.md, in which three mistakes were planted", tuple(rows))


def _quoted(quotes: Iterable[Evidence]) -> tuple[tuple[str, str], ...]:
    return tuple((one.place, " ".join(one.text.split())) for one in map(quote_shown, quotes))


def _text(section: Section) -> str:
    lines = [section.title]
    for said, quotes in section.rows:
        lines.append(wrapped(said, indent="  ", hang="      "))
        lines += [wrapped(f"“{quote}” ({place})", indent="      ") for place, quote in quotes]
    return "\n".join(lines)


def _called() -> str:
    """The command as it can be typed here: that of a virtual environment need not be on the path."""
    script = Path(sys.executable).with_name("fabula")
    if shutil.which("fabula") or not script.exists():
        return "fabula"
    here = Path.cwd()
    return str(script.relative_to(here) if script.is_relative_to(here) else script)
