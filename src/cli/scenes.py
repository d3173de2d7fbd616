"""What ``fabula scenes`` answers: who is on stage and where, who speaks to whom, when, and what is learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..engine import Project
from ..errors import UsageError
from ..project.searching import chapter_range
from ..views.text.render import Answer, quote_text
from ..views.times import time_words

if TYPE_CHECKING:
    from ..story.graph_rag.views.story_view import StoryView
    from ..story.model.types import PresenceTold

__all__ = ["staged"]

_SPEECHES = 8


def staged(project: Project, chapters: str | None, *, as_of: int | None) -> Answer:
    """The scenes of these chapters ("3-9", "4-"); of the last one up to the horizon where none are named.
    Raises UsageError for chapters the book does not have."""
    view = project.view(as_of)
    told = [chapter for chapter in project.document.chapters if as_of is None or chapter.number <= as_of]
    last = told[-1].number if told else 0
    first, end = chapter_range(chapters) if chapters is not None else (last, last)
    chosen = [
        chapter for chapter in told if first <= chapter.number and (end is None or chapter.number <= end)
    ]
    if not chosen:
        raise UsageError(f"there is no chapter {chapters or last} up to chapter {last}")
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
    known = [k for k in view.knowledge() if k.told == number]
    lines = []
    for scene in sorted({presence.scene for presence in stage}):
        lines.append(f"  scene {scene + 1}: {_company(view, [p for p in stage if p.scene == scene])}")
    talk = Counter((q.speaker, q.hearers) for q in speeches if q.speaker is not None)
    for (speaker, hearers), count in talk.most_common(_SPEECHES):
        to = f" to {' and '.join(map(view.name, hearers))}" if hearers else ""
        lines.append(f"  {view.name(speaker)} speaks{to}: {count}")
    if unknown := sum(q.speaker is None for q in speeches):
        lines.append(f"  speaker not known: {unknown}")
    for time in times:
        kind = "when" if time.kind in ("date", "shift") else time.kind
        lines.append(f"  {kind}: {time_words(time.value, time.kind)}")
        lines.append(quote_text(time.evidence))
    for item in known:
        source = f" from {view.name(item.source)}" if item.source else ""
        lines.append(f"  {view.name(item.entity)} learns{source}: {item.content}")
        lines += [quote_text(evidence) for evidence in item.evidence]
    found = {"on_stage": stage, "quotations": speeches, "times": times, "knowledge": known}
    return found, lines


def _company(view: StoryView, stage: Sequence[PresenceTold]) -> str:
    """Those whose place is told by place, then the others; nobody twice at one place."""
    at: dict[str | None, dict[str, None]] = {}
    for presence in stage:
        at.setdefault(presence.place, {})[view.name(presence.entity)] = None
    placed = [f"{', '.join(who)} at {view.name(place)}" for place, who in at.items() if place is not None]
    return "; ".join([*placed, *([", ".join(at[None])] if None in at else [])])
