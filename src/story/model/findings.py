"""What the critic finds in a text: violations with the quotes of both sides, and how much was checked."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ...core.types import Evidence

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


LEAST_CHAPTERS = 5
"""Chapters below which a bootstrap over chapters says nothing."""

_DRAWS = 2000
_TAIL = 0.025
_Z = 1.959963984540054


def poisson_interval(count: int) -> tuple[float, float]:
    """The exact 95 % interval of a Poisson mean that a count of events leaves, (0, …) for a count of 0.

    Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28 (1936): the lower end is the mean
    at which ``count`` or more has probability 0.025, the upper the mean at which ``count`` or
    fewer has. It takes findings as independent, which those of one slip are not: read it as the least
    uncertainty there is.
    """
    from scipy.special import gammaincinv  # of a count k: P(X >= k) at a mean m is gammainc(k, m)

    low = float(gammaincinv(count, _TAIL)) if count else 0.0
    return low, float(gammaincinv(count + 1, 1.0 - _TAIL))


def chapter_interval(counts: Sequence[int], *, words: Sequence[int]) -> tuple[float, float] | None:
    """The 95 % percentile interval of the rate in 10,000 words when whole chapters are drawn again.

    ``counts`` and ``words`` stand chapter by chapter. Findings crowd in some chapters, so the chapter is the
    block (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 8 and 13; 2,000 draws, the rate
    a ratio of sums). None for fewer than ``LEAST_CHAPTERS`` chapters or no words. Same input, same interval.
    """
    if len(counts) < LEAST_CHAPTERS or sum(words) == 0:
        return None
    low, high = _resampled(counts, words)
    return 10_000.0 * low, 10_000.0 * high


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % score interval of a share, ``hits`` of ``n`` (Wilson 1927), within 0 and 1, to four places;
    all of it where ``n`` is 0."""
    if n == 0:
        return 0.0, 1.0
    share, spread = hits / n, _Z * _Z / n
    middle, reach = share + spread / 2, _Z * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    return round(max(0.0, low), 4), round(min(1.0, high), 4)


def bootstrap_interval(
    values: Sequence[float], *, groups: Sequence[str], seed: int = 0
) -> tuple[float, float]:
    """95 % percentile interval of the mean (Efron & Tibshirani 1993, ch. 13), resampling whole groups, so
    that several runs of one prompt do not count as several prompts."""
    import numpy as np

    _, own = np.unique(np.asarray(groups), return_inverse=True)
    sums = np.bincount(own, np.asarray(values, dtype=np.float64))
    low, high = _resampled(sums, np.bincount(own), seed=seed)
    return round(low, 4), round(high, 4)


def _resampled(sums: ArrayLike, sizes: ArrayLike, *, seed: int = 0) -> tuple[float, float]:
    """The percentile interval of a ratio of sums over blocks that are drawn again."""
    import numpy as np

    found, size = np.asarray(sums, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(found), size=(_DRAWS, len(found)))
    total = size[drawn].sum(axis=1)
    rates = found[drawn].sum(axis=1)[total > 0] / total[total > 0]
    low, high = np.percentile(rates, [2.5, 97.5])
    return float(low), float(high)


_DOUBLE = re.compile("[\u00ab\u00bb\u201c-\u201f\u2033]")
_SINGLE = re.compile("[\u2018-\u201b\u2032`\u00b4]")
_DASH = re.compile("[\u2010-\u2015]")


class Severity(StrEnum):
    """ERROR is what is surely wrong, WARNING what is probably; INFO is used by models that only suspect."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def normalised_quote(quote: str) -> str:
    """The quote with its signs and spaces made plain: NFKC, straight quotation marks, one kind of dash, one
    blank for any white space. Case stays."""
    text = _DASH.sub("-", _SINGLE.sub("'", _DOUBLE.sub('"', quote)))  # NFKC would take some of them apart
    return " ".join(unicodedata.normalize("NFKC", text).split())


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding of the critic. ``evidence`` holds the quotes of both sides, the earlier one first.

    ``suggestion`` says what would mend it, ``unless`` what evidence would make it go away. ``origin`` is who
    found it: ``"rules"``, or ``"model:NAME"`` for a language model; ``confidence`` how sure that is, 0 to 1.
    """

    rule: str
    severity: Severity
    message: str
    entities: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    suggestion: str = ""
    unless: str = ""
    origin: str = "rules"
    confidence: float = 1.0

    @property
    def fingerprint(self) -> str:
        """16 hex digits that stay when the text around changes: a SHA-256 over rule, entities and the
        normalised quotes, not their places. Two findings on the same words share one."""
        parts = [
            self.rule,
            *sorted(self.entities),
            "",
            *(normalised_quote(one.quote) for one in self.evidence),
        ]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def sureness(finding: Violation) -> str:
    """How sure a finding is, in words, and who read it where that was a language model."""
    sure = finding.confidence
    words = "sure" if sure >= 0.75 else "likely" if sure >= 0.5 else "worth a look"
    return f"{words} ({sure:.2f}{'' if finding.origin == 'rules' else ', as a language model reads it'})"


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that somebody has said is meant, and the reason given."""

    violation: Violation
    reason: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the critic found in one text, and how much there was to find it in.

    ``facts_checkable`` counts the statements extracted from the text under check (relations and events
    that the text vouches for); ``facts_checked`` those that at least one rule could set beside
    something told earlier; ``words`` the length of the text. ``suppressed`` findings stand apart and are
    counted nowhere else. ``chapter_words`` are (chapter, words) pairs where the text has chapters.

    *What counts* into score and rates is in ``counted``: all that the rules found, and what those of
    ``measured`` found: language models of which is known how much they find on this text, and how surely.
    There is no score beside findings that it does not count.
    """

    violations: tuple[Violation, ...]
    facts_checkable: int
    facts_checked: int
    words: int
    suppressed: tuple[Suppressed, ...] = ()
    chapter_words: tuple[tuple[int, int], ...] = ()
    measured: tuple[str, ...] = ()

    @property
    def counted(self) -> tuple[Violation, ...]:
        """The findings that score and rates count."""
        return tuple(one for one in self.violations if one.origin in ("rules", *self.measured))

    @property
    def consistency(self) -> float | None:
        """``max(0, 1 - 0.1 * counted)``; None where nothing could be set side by side, or where
        something is found that does not count.

        It falls with length and is 0 from ten findings on: read it beside the rate and the coverage."""
        return max(0.0, 1.0 - 0.1 * len(self.counted)) if self._judged else None

    @property
    def coverage(self) -> float | None:
        """Share of the checkable facts that were checked, 0 to 1; None where there were none."""
        return self.facts_checked / self.facts_checkable if self.facts_checkable else None

    @property
    def per_10k_words(self) -> float | None:
        """Counted findings per 10,000 words. None where there is no score: no findings there is no
        praise."""
        return 10_000 * len(self.counted) / self.words if self._judged and self.words else None

    @property
    def rate_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of ``per_10k_words``, exact for a Poisson count (Garwood 1936; see
        :func:`poisson_interval`); None where there is no rate."""
        if self.per_10k_words is None:
            return None
        low, high = poisson_interval(len(self.counted))
        return 10_000 * low / self.words, 10_000 * high / self.words

    @property
    def chapter_interval(self) -> tuple[float, float] | None:
        """The same by a bootstrap over chapters, a finding counted in the chapter of its later quote; None
        where there are too few chapters, no rate, or no finding (drawing nothing again shows nothing)."""
        if self.per_10k_words is None or not self.counted:
            return None
        found = Counter(one.evidence[-1].chapter for one in self.counted)
        counts = [found[chapter] for chapter, _ in self.chapter_words]
        return chapter_interval(counts, words=[words for _, words in self.chapter_words])

    @property
    def _judged(self) -> bool:
        return self.facts_checked > 0 and len(self.counted) == len(self.violations)
