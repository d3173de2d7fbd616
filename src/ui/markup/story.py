"""HTML of the pages about the story. Names, quotes and findings are untrusted: here they are escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from ...core.text.sentences import in_marks
from ...views.arc_lines import ArcPoint, ArcShown, GoalShown, TurnShown
from ...views.findings_shown import FindingShown, FindingsShown, RuleShown
from ...views.quotes import QuoteInContext, QuoteShown
from ...views.text.check import LEAST_WORDS
from ...views.text.places import ImpactShown, SuspectsShown
from ...views.text.so_far import LedgerShown
from ...views.times import EventShown
from ...views.world import EdgeShown, NodeShown

STORY_STYLE = """
<style>
.s-box { --line: color-mix(in srgb, currentColor 17%, transparent);
  --quiet: color-mix(in srgb, currentColor 74%, transparent);
  --serif: "Source Serif", "Iowan Old Style", Palatino, Charter, Georgia, serif; overflow-wrap: anywhere; }
.s-box h3 { font: 400 1.25rem/1.35 var(--serif); }
.stHtml .s-box h3 { margin: .2rem 0 .1rem; }
.s-clip { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.s-soft { color: var(--quiet); font-size: .875rem; line-height: 1.5; }
.s-sides { display: grid; gap: .9rem 1.4rem; margin-top: .7rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }
.s-quote { margin: 0 !important; padding: 0 0 0 .8rem !important; border: 0;
  border-left: 2px solid var(--line); color: inherit; }
.s-quote p { font: 400 .98rem/1.6 var(--serif); white-space: pre-line; }
.s-quote span { color: var(--quiet); }
.s-quote mark { color: inherit; background: color-mix(in srgb, #b9832f 26%, transparent);
  border-radius: .15rem; padding: .05em .1em; }
.s-quote cite { display: block; font: normal .78rem/1.5 "Source Sans", sans-serif; color: var(--quiet); }
.s-find { border: 1px solid var(--line); border-left: 4px solid var(--quiet); border-radius: .4rem;
  padding: .8rem 1.1rem 1rem; }
.s-find.s-error { border-left-color: #b9483d; }
.s-find.s-warning { border-left-color: #b9832f; }
.s-box h4 { font-size: 1rem; font-weight: 600; line-height: 1.45; }
.stHtml .s-box h4 + .s-list { margin-top: .4rem; }
.s-tags { display: flex; flex-wrap: wrap; gap: .15rem .9rem; color: var(--quiet); font-size: .8rem; }
.s-tags b { font-weight: 600; text-transform: capitalize; color: inherit; }
.s-mend { font-size: .9rem; line-height: 1.5; margin-top: .7rem !important; color: var(--quiet); }
.stHtml .s-list { list-style: none; display: grid; gap: .5rem; }
.stHtml .s-list li { margin: 0; border-top: 1px solid var(--line); padding-top: .45rem; line-height: 1.45;
  font-size: .93rem; }
.s-list small { color: var(--quiet); font-size: .8rem; }
.s-rule { border-top: 1px solid var(--line); padding: .5rem 0; line-height: 1.5; }
.s-rule summary { cursor: pointer; }
.s-rule div { padding: .4rem 0 .2rem 1.1rem; display: grid; gap: .4rem; }
.s-empty { border: 1px dashed var(--line); border-radius: .4rem; padding: 2.2rem 1.2rem; text-align: center;
  color: var(--quiet); line-height: 1.6; }
.s-empty b { display: block; font: 400 1.15rem/1.5 var(--serif); color: var(--st-text-color, inherit); }
</style>
"""
_LONGEST_SIDE = 700  # characters of context on one side of a quote
_FATES = {"open": "still open", "reached": "reached", "lost": "lost or given up"}


def empty(title: str, text: str) -> str:
    """Nothing to show, and what would change that."""
    return f'<div class="s-box s-empty" role="note"><b>{escape(title)}</b>{escape(text)}</div>'


def quotes_in_context(quotes: Iterable[QuoteInContext]) -> str:
    """Quotes side by side where there is room, each marked within the sentences round it."""
    return f'<div class="s-sides">{"".join(map(_quote, quotes))}</div>'


def about_edge(edge: EdgeShown, names: tuple[str, str], quotes: Sequence[QuoteInContext]) -> str:
    """A relation in words, its two clocks, its quotes."""
    told = [f"told in ch. {edge.told}"]
    if edge.since is not None and edge.since == edge.until:
        told.append(f"happened in ch. {edge.since}")
    else:
        told += [f"since ch. {edge.since}"] if edge.since is not None else []
        told += [f"until ch. {edge.until}"] if edge.until is not None else []
    told.append(f"confidence {edge.confidence:.2f}")
    if edge.quote_count > len(quotes):
        told.append(f"{len(quotes)} of {edge.quote_count} quotes")
    words = f"{names[0]} {edge.label} {names[1]}"
    return _box(words, ", ".join(told), quotes_in_context(quotes))


def about_node(node: NodeShown, quotes: Sequence[QuoteInContext]) -> str:
    """Who or what it is, and where it is first named."""
    times = "once" if node.mentions == 1 else f"{node.mentions} times"
    told = [node.kind, f"named {times}, first in ch. {node.first_appearance}"]
    if node.aliases:
        told.append(f"also called {', '.join(node.aliases)}")
    return _box(node.name, "; ".join(told), quotes_in_context(quotes))


def about_event(event: EventShown, quotes: Sequence[QuoteInContext]) -> str:
    """What happens, who takes part, and when."""
    told = [f"told in ch. {event.told}"]
    if event.when:
        told.append(f"“{event.when}”")
    if event.place:
        told.append(f"at {event.place}")
    if event.modality == "flashback":
        told.append("told as past")
    told.append(f"number {event.position + 1} in the telling, {event.rank + 1} in the story")
    return _box(event.label, ", ".join(told), quotes_in_context(quotes))


def about_point(name: str, point: ArcPoint, quotes: Sequence[QuoteInContext]) -> str:
    """A character at the end of a chapter."""
    told = [point.emotion or "no feeling told recently", f"valence {point.valence:+.2f}", point.phase]
    if point.place:
        told.append(f"at {point.place}")
    if point.goals:
        told.append(f"wants: {'; '.join(point.goals)}")
    return _box(f"{name} at the end of ch. {point.chapter}", ", ".join(told), quotes_in_context(quotes))


def goals_list(goals: Sequence[GoalShown]) -> str:
    """Goals in the text's words, and what became of them."""
    rows = []
    for goal in goals:
        when = [f"adopted in ch. {goal.adopted}"] if goal.adopted is not None else []
        when += [f"ended in ch. {goal.ended}"] if goal.ended is not None else []
        fate = _FATES.get(goal.fate, goal.fate)
        rows.append(f"{escape(goal.goal)} <small>{escape(', '.join([fate, *when]))}</small>")
    return _list(rows)


def goals_counted(goals: Sequence[GoalShown]) -> str:
    """How many goals, and what became of them; numbers and fixed words alone."""
    counts = Counter(goal.fate for goal in goals)
    told = ", ".join(f"{counts[fate]} {words}" for fate, words in _FATES.items() if counts[fate])
    return f"Goals: {told}"


def turns_list(turns: Sequence[TurnShown]) -> str:
    """The chapters that turn a character, with the reasons."""
    return _list(
        f"Ch. {turn.chapter} <small>weight {turn.weight:.2f}: {escape('; '.join(turn.reasons))}</small>"
        for turn in turns
    )


_PHASES = {
    "rising": "rising action",
    "falling": "falling action",
}  # of the plot: a mood may fall in the first


def arc_head(arc: ArcShown) -> str:
    """Whose arc it is, and what shape it has."""
    chapters = f"{len(arc.points)} chapter{'' if len(arc.points) == 1 else 's'} with them"
    shape = f"shape: {arc.shape} (fit {arc.fit:.2f})" if arc.shape else "no shape yet: too little is told"
    phase = f"phase: {_PHASES.get(arc.points[-1].phase, arc.points[-1].phase)}" if arc.points else ""
    return _box(arc.name, ", ".join(part for part in (chapters, phase, shape) if part), "")


def titled(title: str, body: str) -> str:
    """A list with its heading; ``body`` is HTML made here."""
    return f'<div class="s-box"><h4>{escape(title)}</h4>{body}</div>'


def sentences(said: Iterable[str]) -> str:
    """One a line."""
    return _list(escape(one) for one in said)


def finding_card(finding: FindingShown) -> str:
    """A finding with both sides in their context, what would mend it, and how sure its rule is."""
    tags = [f"<b>{escape(finding.severity)}</b>", f"<span>{escape(finding.rule.replace('_', ' '))}</span>"]
    tags.append(f"<span>{escape(finding.sureness)}</span>")
    mend = "".join(
        f'<p class="s-mend">{title}: {escape(text)}</p>'
        for title, text in (
            ("To mend", finding.suggestion),
            ("Unless", finding.unless),
            ("Meant", finding.reason),
        )
        if text
    )
    return (
        f'<article class="s-box s-find s-{escape(finding.severity)}"><h4>{escape(finding.message)}</h4>'
        f'<p class="s-tags">{"".join(tags)}</p>{quotes_in_context(finding.sides)}{mend}</article>'
    )


def places(shown: ImpactShown) -> str:
    """Where else the story speaks of a passage, and why it is told there."""
    if not shown.places:
        return empty("Nothing else speaks of it", "Change it without a second look.")
    rows = (
        f"ch. {one.quote.chapter}: {escape(one.quote.text)} <i>{escape(one.why)}</i>" for one in shown.places
    )
    return titled("Look at these too", _list(rows))


def summary_line(shown: FindingsShown) -> str:
    """How much was found, and in how much."""
    score = "no score" if shown.consistency is None else f"consistency {shown.consistency:.2f}"
    parts = [
        f"{shown.words:,} words",
        f"{shown.facts_checked:,} of {shown.facts_checkable:,} facts set beside something told earlier",
        score,
    ]
    if shown.per_10k_words is not None and shown.rate_interval is not None and shown.words >= LEAST_WORDS:
        low, high = shown.rate_interval
        parts.append(f"{shown.per_10k_words:.2f} counted per 10,000 words [{low:.2f}, {high:.2f}]")
    return f'<p class="s-box s-soft">{escape("; ".join(parts))}.</p>'


def rule_help(rule: RuleShown) -> str:
    """What a rule looks for and assumes."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in rule.assumes.splitlines())
    name = escape(rule.name.replace("_", " "))
    return (
        f'<details class="s-box s-rule"><summary><b>{name}</b> {escape(rule.summary)}</summary>'
        f'<div class="s-soft">{lines}</div></details>'
    )


def _box(title: str, told: str, body: str) -> str:
    return (
        f'<section class="s-box"><h3 class="s-clip" title="{escape(title)}">{escape(title)}</h3>'
        f'<p class="s-soft">{escape(told)}</p>{body}</section>'
    )


def _quote(shown: QuoteInContext) -> str:
    quote = shown.quote
    before, after = shown.before[-_LONGEST_SIDE:], shown.after[:_LONGEST_SIDE]
    return (
        f'<blockquote class="s-quote"><cite>{quote.place}</cite>'
        f"<p><span>{escape(_flat(before))}</span><mark>{escape(_flat(quote.words))}</mark>"
        f"<span>{escape(_flat(after))}</span></p></blockquote>"
    )


def _flat(text: str) -> str:
    """Paragraphs stay, line ends within them do not."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    flat = "\n".join(parts)
    left = " " if text[:1].isspace() and not flat.startswith("\n") else ""
    right = " " if text[-1:].isspace() and flat and not flat.endswith("\n") else ""
    return f"{left}{flat}{right}"


def _list(rows: Iterable[str]) -> str:
    return f'<ul class="s-box s-list">{"".join(f"<li>{row}</li>" for row in rows)}</ul>'


def ledger(shown: LedgerShown) -> str:
    """Threads, a box each, every turn with its quote."""
    if not shown.threads:
        return empty("Nothing is planted yet", "The model found nothing that a reader would wait for.")
    boxes = []
    for number, thread in enumerate(shown.threads, start=1):
        turns = [
            f'<span class="s-soft">{turn.step}, chapter {turn.quote.chapter}</span> '
            f'<span dir="auto">{escape(in_marks(" ".join(turn.quote.text.split())))}</span>'
            for turn in thread.turns
        ]
        boxes.append(_box(f"{number}. {thread.what}", f"{thread.kind}, {thread.state}", _list(turns)))
    counted = shown.counted if shown.model else ""
    return f'{"".join(boxes)}<p class="s-soft">{escape(counted)}</p>'


def suspects(shown: SuspectsShown) -> str:
    """Sentences, each in a box with the earlier ones that it may contradict."""
    if not shown.pairs:
        return empty("Nothing to compare", "There are too few sentences.")
    boxes = []
    for number, pair in enumerate(shown.pairs, start=1):
        before = "".join(f"<div>{_placed(side)}</div>" for side in pair.earlier)
        boxes.append(
            f'<div class="s-box"><h3>{number}</h3><div class="s-sides"><div>{_placed(pair.later)}</div>'
            f"<div>{before}</div></div></div>"
        )
    return "".join(boxes)


def _placed(side: QuoteShown) -> str:
    place = "the draft" if side.draft else f"chapter {side.chapter}"
    said = escape(" ".join(side.text.split()))
    return f'<p class="s-soft">{place}</p><p dir="auto">{said}</p>'
