"""What the pages about the story show: each function gives HTML (see :mod:`.markup`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from markupsafe import Markup

from ...views.arc_lines import ArcPoint, ArcShown, GoalShown, TurnShown
from ...views.bible import EntryShown
from ...views.quotes import QuoteInContext
from ...views.text.render import counted
from ...views.text.so_far import NO_THREADS, LedgerShown
from ...views.times import EventShown
from ...views.world import EdgeShown, NodeShown
from . import html

_LONGEST_SIDE = 700  # characters of context on one side of a quote
_FATES = {"open": "still open", "reached": "reached", "lost": "lost or given up"}
_PHASES = {
    "rising": "rising action",
    "falling": "falling action",
}  # of the plot: a mood may fall in the first
_html = partial(html, "story")


def empty(title: str, text: str) -> str:
    """Nothing to show, and what would change that."""
    return _html("empty", title, text)


def quotes_in_context(quotes: Iterable[QuoteInContext]) -> str:
    """Quotes side by side where there is room, each marked within the sentences round it."""
    return _html("quotes", list(map(side_of, quotes)))


def about_edge(edge: EdgeShown, names: tuple[str, str], quotes: Sequence[QuoteInContext]) -> str:
    """A relation in words, its two clocks, its quotes."""
    told = [f"ch. {edge.told}"]
    if edge.since is not None and edge.since == edge.until:
        told.append(f"happened in ch. {edge.since}")
    else:
        told += [f"since ch. {edge.since}"] if edge.since is not None else []
        told += [f"until ch. {edge.until}"] if edge.until is not None else []
    told.append(f"confidence {edge.confidence:.2f}")
    if edge.quote_count > len(quotes):
        told.append(f"{len(quotes)} of {edge.quote_count} quotes")
    return _about(f"{names[0]} {edge.label} {names[1]}", told, quotes)


def about_node(node: NodeShown, quotes: Sequence[QuoteInContext]) -> str:
    """Who or what it is, and where it is first named."""
    times = "once" if node.mentions == 1 else f"{node.mentions} times"
    told = [node.kind, f"named {times}, first in ch. {node.first_appearance}"]
    if node.aliases:
        told.append(f"also called {', '.join(node.aliases)}")
    return _html("about", node.name, "; ".join(told), list(map(side_of, quotes)))


def bible_entry(entry: EntryShown) -> str:
    """What is laid down of one, a line a sentence, with its quotes below."""
    return _html("bible", entry)


def about_event(event: EventShown, quotes: Sequence[QuoteInContext]) -> str:
    """What happens, who takes part, and when."""
    told = [f"ch. {event.told}"]
    if event.when:
        told.append(f"“{event.when}”")
    if event.place:
        told.append(f"at {event.place}")
    if event.modality == "flashback":
        told.append("narrated as past")
    told.append(f"number {event.position + 1} as narrated, {event.rank + 1} as it happened")
    return _about(event.label, told, quotes)


def about_point(name: str, point: ArcPoint, quotes: Sequence[QuoteInContext]) -> str:
    """A character at the end of a chapter."""
    told = [point.emotion or "no recent feelings", f"valence {point.valence:+.2f}", point.phase]
    if point.place:
        told.append(f"at {point.place}")
    if point.goals:
        told.append(f"wants: {'; '.join(point.goals)}")
    return _about(f"{name} at the end of ch. {point.chapter}", told, quotes)


def goals_list(goals: Sequence[GoalShown]) -> str:
    """Goals in the text's words, and what became of them."""
    rows = []
    for goal in goals:
        fate = [_FATES.get(goal.fate, goal.fate)]
        fate += [f"adopted in ch. {goal.adopted}"] if goal.adopted is not None else []
        fate += [f"ended in ch. {goal.ended}"] if goal.ended is not None else []
        rows.append((goal.goal, ", ".join(fate)))
    return _html("goals", rows)


def goals_counted(goals: Sequence[GoalShown]) -> str:
    """How many goals, and what became of them; numbers and fixed words alone."""
    counts = Counter(goal.fate for goal in goals)
    told = ", ".join(f"{counts[fate]} {words}" for fate, words in _FATES.items() if counts[fate])
    return f"Goals: {told}"


def turns_list(turns: Sequence[TurnShown]) -> str:
    """The chapters that turn a character, with the reasons."""
    return _html("turns", turns)


def arc_head(arc: ArcShown) -> str:
    """Whose arc it is, and what shape it has."""
    told = [f"{counted(len(arc.points), 'chapter')} with them"]
    told += [f"phase: {_PHASES.get(arc.points[-1].phase, arc.points[-1].phase)}"] if arc.points else []
    told.append(
        f"shape: {arc.shape} (fit {arc.fit:.2f})" if arc.shape else "no shape yet: too little to go on"
    )
    return _html("about_arc", arc.name, ", ".join(told))


def titled(title: str, body: str) -> str:
    """A list with its heading; ``body`` is HTML made here."""
    return _html("titled", title, Markup(body))  # noqa: S704 (it is made here)


def sentences(said: Iterable[str]) -> str:
    """One a line."""
    return _html("list", list(said))


def ledger(shown: LedgerShown) -> str:
    """Threads, a box each, every turn with its quote."""
    if not shown.threads:
        return empty("Nothing is planted yet", NO_THREADS)
    return _html("ledger", shown)


def _about(title: str, told: Iterable[str], quotes: Sequence[QuoteInContext]) -> str:
    return _html("about", title, ", ".join(told), list(map(side_of, quotes)))


def side_of(shown: QuoteInContext) -> tuple[str, str, str, str, str]:
    """A quote for the templates: its place, the text before it, its words, the text after it, its address."""
    before, after = shown.before[-_LONGEST_SIDE:], shown.after[:_LONGEST_SIDE]
    return shown.quote.place, _flat(before), _flat(shown.quote.words), _flat(after), shown.link


def _flat(text: str) -> str:
    """Paragraphs stay, line ends within them do not."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    flat = "\n".join(parts)
    left = " " if text[:1].isspace() and not flat.startswith("\n") else ""
    right = " " if text[-1:].isspace() and flat and not flat.endswith("\n") else ""
    return f"{left}{flat}{right}"
