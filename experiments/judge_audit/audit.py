"""What a judge's findings are worth: do its quotes stand in the texts, does it agree with itself, with other
judges, and with the rules?

Agreement of runs is told twice. *Jaccard* is the share of findings that both of two runs have, of all that
either has; findings are the same where a quote of the one covers half of a quote of the other. It knows no
chance. *Krippendorff's alpha* is taken over the sentences of the texts, each marked or not by each run, since
that gives agreed "nothing here" its place, takes any number of runs, and does not mind a run that left a text
out; Cohen's kappa takes two runs and no gaps. Over findings alone neither would make sense: what nobody found
is not a finding.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fabula.core.text.sentences import sentences
from fabula.core.types import Span
from fabula.story.model.findings import CheckReport, normalised_quote

from .agreement import flipped_pairs, kendall_tau, krippendorff_alpha, matches
from .quote_search import NEAR, FoundQuote, QuoteSearch, likeness
from .report import CriticAgreement, JudgeAudit, JudgePair, JudgeQuotes, RunAgreement, SystemRate
from .table import JudgeFinding, JudgeTable, Reading

__all__ = ["audit_judges"]

TextKey = tuple[str, str]
"""System and text id."""


@dataclass(frozen=True, slots=True)
class _Located:
    """A finding and where its quotes stand, the later first."""

    finding: JudgeFinding
    found: tuple[FoundQuote, ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(one.span for one in self.found if one.span is not None)

    @property
    def grounded(self) -> bool:
        return bool(self.found) and all(one.how != "absent" for one in self.found)

    def same(self, other: _Located) -> bool:
        """Do the two point to the same words?"""
        if self.spans and other.spans:
            return any(_covers(one, two) for one in self.spans for two in other.spans)
        one, two = (normalised_quote(each.finding.quote).casefold() for each in (self, other))
        return one in two or two in one or likeness(one, two) >= NEAR


def audit_judges(
    table: JudgeTable,
    *,
    texts: Mapping[TextKey, str],
    critic: Callable[[str], CheckReport] | None = None,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> JudgeAudit:
    """The audit. ``texts`` by system and text id; ``critic`` checks a text by the rules (left out: no
    comparison), and ``progress`` hears how many texts of how many it has done. Costs a search of each quote
    in its text, and the critic's time."""
    work = _Work(table, texts)
    judges = sorted({reading.judge for reading in table.readings})
    rates = tuple(rate for judge in judges for rate in work.rates(judge))
    return JudgeAudit(
        readings=len(table.readings),
        findings=len(table.findings),
        texts=len({_key(reading) for reading in table.readings} & set(texts)),
        damaged=table.damaged,
        quotes=tuple(map(work.quotes, judges)),
        runs=tuple(run for judge in judges if (run := work.runs(judge)) is not None),
        rates=rates,
        pairs=tuple(work.pair(one, other, rates) for one, other in combinations(judges, 2)),
        critic=work.beside(critic, judges, progress) if critic is not None else (),
    )


class _Work:
    """Findings located once, by reading."""

    def __init__(self, table: JudgeTable, texts: Mapping[TextKey, str]) -> None:
        self._texts = texts
        self._read: dict[Reading, list[_Located]] = {reading: [] for reading in table.readings}
        self._starts: dict[TextKey, list[int]] = {}
        searches: dict[TextKey, QuoteSearch] = {}
        for finding in table.findings:
            key = _key(finding.reading)
            if key in texts and key not in searches:
                searches[key] = QuoteSearch(texts[key])
            quotes = [quote for quote in (finding.quote, finding.other_quote) if quote]
            found = tuple(searches[key].find(quote) for quote in quotes) if key in searches else ()
            self._read[finding.reading].append(_Located(finding, found))

    def quotes(self, judge: str) -> JudgeQuotes:
        located = [one for reading, found in self._read.items() if reading.judge == judge for one in found]
        known = [one for one in located if one.found]
        how = [quote.how for one in known for quote in one.found]
        return JudgeQuotes(
            judge=judge,
            findings=len(known),
            grounded=sum(one.grounded for one in known),
            quotes=len(how),
            exact=how.count("exact"),
            normalised=how.count("normalised"),
            near=how.count("near"),
            absent=how.count("absent"),
            without_text=len(located) - len(known),
        )

    def runs(self, judge: str) -> RunAgreement | None:
        """None where no text was read twice."""
        by_text = self._by_text(judge)
        twice = {key: readings for key, readings in by_text.items() if len(readings) > 1}
        if not twice:
            return None
        pairs = [pair for readings in twice.values() for pair in combinations(readings, 2)]
        shared, either = self._shared(pairs)
        units = self._units(twice)
        return RunAgreement(
            judge=judge,
            runs=len({reading.run for readings in twice.values() for reading in readings}),
            texts=len(twice),
            shared=shared,
            either=either,
            jaccard=shared / either if either else None,
            sentences=len(units),
            alpha=krippendorff_alpha(units),
        )

    def rates(self, judge: str) -> list[SystemRate]:
        by_system: dict[str, list[Reading]] = defaultdict(list)
        for reading in self._read:
            if reading.judge == judge:
                by_system[reading.system].append(reading)
        return [self._rate(judge, system, by_system[system]) for system in sorted(by_system)]

    def _rate(self, judge: str, system: str, readings: Sequence[Reading]) -> SystemRate:
        known = [reading for reading in readings if _key(reading) in self._texts]
        words = sum(len(self._texts[_key(reading)].split()) for reading in known)
        found = sum(len(self._read[reading]) for reading in known)
        grounded = sum(one.grounded for reading in known for one in self._read[reading])
        return SystemRate(
            judge=judge,
            system=system,
            texts=len({reading.text_id for reading in readings}),
            per_text=sum(len(self._read[reading]) for reading in readings) / len(readings),
            rate=10_000 * found / words if words else None,
            grounded_rate=10_000 * grounded / words if words else None,
        )

    def pair(self, one: str, other: str, rates: Sequence[SystemRate]) -> JudgePair:
        mine, theirs = self._by_text(one), self._by_text(other)
        both = {key: (mine[key][0], theirs[key][0]) for key in mine if key in theirs}
        shared, either = self._shared(both.values())
        all_known = all(rate.rate is not None for rate in rates if rate.judge in (one, other))
        first, second = (
            {
                rate.system: rate.rate if all_known and rate.rate is not None else rate.per_text
                for rate in rates
                if rate.judge == judge
            }
            for judge in (one, other)
        )
        return JudgePair(
            one=one,
            other=other,
            jaccard=shared / either if either else None,
            alpha=krippendorff_alpha(self._units(both)),
            systems=len(set(first) & set(second)),
            tau=kendall_tau(first, second),
            flips=flipped_pairs(first, second),
        )

    def beside(
        self,
        critic: Callable[[str], CheckReport],
        judges: Sequence[str],
        progress: Callable[[int, int], None],
    ) -> tuple[CriticAgreement, ...]:
        keys = sorted({_key(reading) for reading in self._read} & set(self._texts))
        ours: dict[TextKey, list[tuple[Span, ...]]] = {}
        for number, key in enumerate(keys, start=1):
            report = critic(self._texts[key])
            ours[key] = [tuple(quote.span for quote in one.evidence) for one in report.violations]
            progress(number, len(keys))
        return tuple(self._beside(judge, ours) for judge in judges)

    def _beside(self, judge: str, ours: Mapping[TextKey, Sequence[tuple[Span, ...]]]) -> CriticAgreement:
        read = {key: readings[0] for key, readings in self._by_text(judge).items() if key in ours}
        counts = [0, 0, 0, 0]
        for key, reading in read.items():
            theirs = [one.spans for one in self._read[reading] if one.grounded]
            counts[0] += len(theirs)
            counts[1] += sum(any(_touch(spans, own) for own in ours[key]) for spans in theirs)
            counts[2] += len(ours[key])
            counts[3] += sum(any(_touch(own, spans) for spans in theirs) for own in ours[key])
        return CriticAgreement(judge, len(read), *counts)

    def _by_text(self, judge: str) -> dict[TextKey, list[Reading]]:
        """Readings by text, runs in order of name."""
        found: dict[TextKey, list[Reading]] = defaultdict(list)
        for reading in sorted(self._read, key=lambda one: (one.system, one.text_id, one.run)):
            if reading.judge == judge:
                found[_key(reading)].append(reading)
        return dict(found)

    def _shared(self, pairs: Iterable[Sequence[Reading]]) -> tuple[int, int]:
        shared = either = 0
        for one, other in pairs:
            left, right = self._read[one], self._read[other]
            both = len(matches(left, right, same=_Located.same))
            shared += both
            either += len(left) + len(right) - both
        return shared, either

    def _units(self, texts: Mapping[TextKey, Sequence[Reading]]) -> list[list[int]]:
        """For each sentence of the texts the marks of all readings: 1 where a quote touches it."""
        units: list[list[int]] = []
        for key, readings in sorted(texts.items()):
            if key not in self._texts:
                continue
            if key not in self._starts:
                self._starts[key] = [span.start for span in sentences(self._texts[key])]
            starts = self._starts[key]
            marked = [self._marked(reading, starts) for reading in readings]
            units += [[int(number in marks) for marks in marked] for number in range(len(starts))]
        return units

    def _marked(self, reading: Reading, starts: Sequence[int]) -> set[int]:
        return {
            number
            for one in self._read[reading]
            for span in one.spans
            for number in range(max(0, bisect_right(starts, span.start) - 1), bisect_left(starts, span.end))
        }


def _key(reading: Reading) -> TextKey:
    return reading.system, reading.text_id


def _covers(one: Span, other: Span) -> bool:
    """Do they share at least half of the shorter?"""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return shared > 0 and 2 * shared >= min(len(one), len(other))


def _touch(some: Iterable[Span], others: Sequence[Span]) -> bool:
    return any(_covers(one, other) for one in some for other in others)
