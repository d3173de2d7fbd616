"""What the pages about the story show: each function gives HTML (see :mod:`.markup`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from markupsafe import Markup

from ...views.bible import EntryShown
from ...views.findings_shown import FindingShown, FindingsShown, RuleShown
from ...views.quotes import QuoteInContext
from ...views.text.check import LEAST_WORDS
from ...views.text.places import ImpactShown, SuspectsShown
from . import html

_LONGEST_SIDE = 700  # characters of context on one side of a quote
_html = partial(html, "story")


def empty(title: str, text: str) -> str:
    """Nothing to show, and what would change that."""
    return _html("empty", title, text)


def quotes_in_context(quotes: Iterable[QuoteInContext]) -> str:
    """Quotes side by side where there is room, each marked within the sentences round it."""
    return _html("quotes", list(map(side, quotes)))


def bible_entry(entry: EntryShown) -> str:
    """What is laid down of one, a line a sentence, with its quotes below."""
    return _html("bible", entry)


def titled(title: str, body: str) -> str:
    """A list with its heading; ``body`` is HTML made here."""
    return _html("titled", title, Markup(body))  # noqa: S704 (it is made here)


def finding_card(finding: FindingShown) -> str:
    """A finding with both sides in their context, what would mend it, and how sure its rule is."""
    return _html("finding", finding, list(map(side, finding.sides)))


def places(shown: ImpactShown) -> str:
    """Where else the story speaks of a passage, and why it is told there."""
    if not shown.places:
        return empty("Nothing else mentions it", "You can change it safely.")
    return titled("Check these places too", _html("places", shown.places))


def summary_line(shown: FindingsShown) -> str:
    """How much was found, and in how much."""
    score = "no score" if shown.consistency is None else f"consistency {shown.consistency:.2f}"
    parts = [
        f"{shown.words:,} words",
        f"{shown.facts_checked:,} of {shown.facts_checkable:,} facts compared with something earlier",
        score,
    ]
    if shown.per_10k_words is not None and shown.rate_interval is not None and shown.words >= LEAST_WORDS:
        low, high = shown.rate_interval
        parts.append(f"{shown.per_10k_words:.2f} counted per 10,000 words [{low:.2f}, {high:.2f}]")
    return _html("summary", "; ".join(parts))


def rule_help(rule: RuleShown) -> str:
    """What a rule looks for and assumes."""
    return _html("rule", rule)


def suspects(shown: SuspectsShown) -> str:
    """Sentences, each in a box with the earlier ones that it may contradict."""
    if not shown.pairs:
        return empty("Nothing to compare", "There are too few sentences.")
    return _html("suspects", shown.pairs)


def side(shown: QuoteInContext) -> tuple[str, str, str, str, str]:
    """Place, text before, quote, text after, address."""
    before, after = shown.before[-_LONGEST_SIDE:], shown.after[:_LONGEST_SIDE]
    return shown.quote.place, _flat(before), _flat(shown.quote.words), _flat(after), shown.link


def _flat(text: str) -> str:
    """Paragraphs stay, line ends within them do not."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    flat = "\n".join(parts)
    left = " " if text[:1].isspace() and not flat.startswith("\n") else ""
    right = " " if text[-1:].isspace() and flat and not flat.endswith("\n") else ""
    return f"{left}{flat}{right}"
