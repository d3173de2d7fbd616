"""What the critic found: each function gives HTML (see :mod:`.markup`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from ...views.findings_shown import FindingShown, FindingsShown
from ...views.text.check import LEAST_WORDS
from ...views.text.places import ImpactShown, SuspectsShown
from ...views.text.render import counted
from . import html
from .page import empty, side, titled

_html = partial(html, "findings")
rule_help = partial(_html, "rule")
"""What a rule (RuleShown) looks for and assumes."""


def lead(findings: Sequence[FindingShown], what: str) -> str:
    """How many places there are to look at, and how sure they are."""
    if not findings:
        return _html("lead", f"No contradiction was found in {what}.", "")
    counts = Counter(one.sureness.partition(" (")[0] for one in findings)
    told = ", ".join(f"{counts[one]} {one}" for one in ("sure", "likely", "worth a look") if counts[one])
    return _html(
        "lead", f"{counted(len(findings), 'place')} to check in {what}", f"({told}), the surest first."
    )


def card(finding: FindingShown) -> str:
    """A finding with both sides in their context, what would mend it, and how sure its rule is."""
    return _html("finding", finding, list(map(side, finding.sides)))


def places(shown: ImpactShown, links: Sequence[str]) -> str:
    """Where else the story speaks of a passage, and why it is told there; ``links`` are their addresses."""
    if not shown.places:
        return empty("Nothing else mentions it", "You can change it safely.")
    return titled("Check these places too", _html("places", list(zip(shown.places, links, strict=True))))


def numbers(shown: FindingsShown) -> str:
    """How much was found, and in how much."""
    compared = f"{shown.facts_checked:,} of {shown.facts_checkable:,} facts could be compared"
    said = [f"{shown.words:,} words were checked.", f"{compared} with something earlier."]
    if shown.consistency is None:
        said.append("No score: too little could be compared, or a model found what no score counts.")
    else:
        score = f"Consistency {shown.consistency:.2f}"
        said.append(f"{score}: 1 less a tenth for each of the {shown.counted} findings that count.")
    if shown.per_10k_words is not None and shown.rate_interval is not None and shown.words >= LEAST_WORDS:
        low, high = shown.rate_interval
        rate = f"{shown.per_10k_words:.2f} per 10,000 words"
        said.append(f"{rate} (95 % interval {low:.2f} to {high:.2f}).")
    return _html("numbers", said)


def suspects(shown: SuspectsShown) -> str:
    """Sentences, each in a box with the earlier ones that it may contradict."""
    if not shown.pairs:
        return empty("Nothing to compare", "There are too few sentences.")
    return _html("suspects", shown.pairs)
