"""The weight of the semantic list for one query: a prior of its class, corrected by evidence and feedback."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ..errors import ConfigError
from .queries.router import QueryAnalysis, QueryClass, QueryStatistics
from .queries.weight_learning import REMEMBERED, LearningSettings, Lesson, Placement, Rating, learn
from .types import Horizon

_STEP = 0.05  # the most that one piece of query evidence moves the weight at strength 1


@dataclass(frozen=True, slots=True)
class ClassPriors:
    """The semantic weight of each class before anything else is known, 0..1; the lexical is the rest."""

    keyword: float
    conceptual: float
    mixed: float

    def __post_init__(self) -> None:
        if not all(0 <= w <= 1 for w in (self.keyword, self.conceptual, self.mixed)):
            raise ConfigError(f"a prior weight is a number from 0 to 1: {self}")

    def of(self, query_class: QueryClass) -> float:
        """The prior weight of that class."""
        return float(getattr(self, query_class))


REPORT_PRIORS = ClassPriors(keyword=0.3, conceptual=0.7, mixed=0.5)
DEFAULT_PRIORS = ClassPriors(keyword=0.4, conceptual=0.4, mixed=0.4)  # best fixed weight over six sets


class RatingStore(Protocol):
    """Where ratings are kept; :class:`RatingMemory` and ``FeedbackStore`` are such."""

    def add(self, rating: Rating) -> None:
        """Keeps a rating as the newest. Raises ProjectError where it cannot be kept."""
        ...

    def recent(self, limit: int, *, horizon: Horizon) -> list[Rating]:
        """Newest first, of all classes, only those given at a horizon that ``horizon`` admits."""
        ...

    def postpone(self, later: Mapping[int, int]) -> None:
        """Ratings at a chapter that is a key of ``later`` count from now on as given at the one it gives, a
        later one."""
        ...

    def clear(self, query_class: QueryClass | None = None) -> None:
        """Forgets the ratings of a class, or all."""
        ...

    def stamp(self) -> tuple[int, int]:
        """Differs whenever the ratings do."""
        ...


@dataclass(frozen=True, slots=True)
class WeightEvidence:
    """What the query's terms and the two lists show before they are fused, each in 0..1.

    ``rarity``: the rarest known term's idf over that of a term in one chunk. ``coverage``: share of the
    terms' idf that the text knows. ``*_gap``: the best score's lead over the second, relative to the best.
    ``*_entropy``: of the list's scores as shares, over its maximum. ``overlap``: chunks in both lists over
    the shorter list's length.
    """

    rarity: float
    coverage: float
    lexical_gap: float
    semantic_gap: float
    lexical_entropy: float
    semantic_entropy: float
    overlap: float

    @classmethod
    def of(
        cls,
        statistics: QueryStatistics,
        *,
        lexical: Sequence[tuple[int, float]],
        semantic: Sequence[tuple[int, float]],
    ) -> WeightEvidence:
        """From both lists as (ordinal, score), best first."""
        known = [s.idf for s in statistics.terms if s.df > 0]
        total = sum(s.idf for s in statistics.terms)
        rarest = math.log1p((statistics.chunks - 0.5) / 1.5) if statistics.chunks else 0.0
        shorter = min(len(lexical), len(semantic))
        both = {ordinal for ordinal, _ in lexical} & {ordinal for ordinal, _ in semantic}
        first, second = [s for _, s in lexical], [s for _, s in semantic]
        return cls(
            rarity=min(1.0, max(known, default=0.0) / rarest) if rarest > 0 else 0.0,
            coverage=sum(known) / total if total > 0 else 0.0,
            lexical_gap=_gap(first),
            semantic_gap=_gap(second),
            lexical_entropy=_entropy(first),
            semantic_entropy=_entropy(second),
            overlap=len(both) / shorter if shorter else 0.0,
        )


@dataclass(frozen=True, slots=True)
class Correction:
    """One reason to leave the prior: ``shift`` is added to the semantic weight."""

    name: str
    shift: float
    reason: str


@dataclass(frozen=True, slots=True)
class WeightDecision:
    """``semantic`` = prior + the corrections' shifts, kept in 0..1; ``lexical`` is the rest."""

    semantic: float
    prior: float
    corrections: tuple[Correction, ...]
    reasons: tuple[str, ...]

    @property
    def lexical(self) -> float:
        """``1 - semantic``."""
        return 1 - self.semantic


@dataclass(frozen=True, slots=True)
class WeightSettings:
    """``evidence_strength`` scales the corrections by query evidence, 0 (off: not shown to help) to 1."""

    priors: ClassPriors = DEFAULT_PRIORS
    evidence_strength: float = 0.0
    learning: LearningSettings = field(default_factory=LearningSettings)

    def __post_init__(self) -> None:
        if not 0 <= self.evidence_strength <= 1:
            raise ConfigError(f"evidence_strength is a number from 0 to 1, not {self.evidence_strength}")


class RatingMemory:
    """Ratings kept for as long as the process lives."""

    def __init__(self) -> None:
        self._ratings: list[Rating] = []
        self._changes = 0

    def add(self, rating: Rating) -> None:
        self._ratings.append(rating)
        self._changes += 1

    def recent(self, limit: int, *, horizon: Horizon) -> list[Rating]:
        admitted = (r for r in reversed(self._ratings) if _counts(r, horizon))
        return [rating for _, rating in zip(range(limit), admitted, strict=False)]

    def postpone(self, later: Mapping[int, int]) -> None:
        self._ratings = [
            replace(one, horizon=Horizon(later.get(one.horizon.chapter or 0, one.horizon.chapter)))
            for one in self._ratings
        ]
        self._changes += 1

    def clear(self, query_class: QueryClass | None = None) -> None:
        self._ratings = [r for r in self._ratings if query_class is not None and r.query_class != query_class]
        self._changes += 1

    def stamp(self) -> tuple[int, int]:
        return self._changes, len(self._ratings)


class AdaptiveWeightManager:
    """Decides weights and learns from ratings. Nothing is learned twice: what a class was taught is kept
    until the store's stamp changes, so a decision costs one look at the stamp."""

    def __init__(self, store: RatingStore | None = None, *, settings: WeightSettings | None = None) -> None:
        self.settings = settings or WeightSettings()
        self._store: RatingStore = store if store is not None else RatingMemory()
        self._lessons: dict[tuple[tuple[int, int], int | None, QueryClass], Lesson] = {}

    def decide(
        self, analysis: QueryAnalysis, evidence: WeightEvidence | None = None, *, horizon: Horizon
    ) -> WeightDecision:
        """Counts only ratings given at a horizon that this one admits. Raises ProjectError where the
        store cannot be read."""
        prior = self.settings.priors.of(analysis.query_class)
        found: list[Correction] = []
        strength = self.settings.evidence_strength
        if evidence is not None and strength > 0:
            found.extend(_by_evidence(evidence, strength))
        lesson = self.lesson(analysis.query_class, horizon=horizon)
        if lesson.shift:
            found.append(Correction("feedback", lesson.shift, _taught(lesson, analysis.query_class)))
        semantic = max(0.0, min(1.0, prior + sum(c.shift for c in found)))
        start = f"{analysis.query_class} queries start at {prior:.2f} semantic, {1 - prior:.2f} lexical"
        return WeightDecision(semantic, prior, tuple(found), (start, *(c.reason for c in found)))

    def rate(
        self,
        query: str,
        answer: Placement,
        rating: float,
        *,
        query_class: QueryClass,
        weight: float,
        horizon: Horizon,
        alternatives: Sequence[Placement] = (),
    ) -> Rating:
        """Keeps a rating of 0 to 1; it is stored for good when this returns. ``weight`` and ``horizon``
        are those of the search that showed the answer, ``alternatives`` the passages shown with it.
        Raises ConfigError for values out of range, ProjectError where it cannot be stored."""
        kept = Rating(query, query_class, answer, rating, horizon, weight, tuple(alternatives))
        self._store.add(kept)
        return kept

    def lesson(self, query_class: QueryClass, *, horizon: Horizon) -> Lesson:
        """What the ratings that count at the horizon teach about the class."""
        stamp = self._store.stamp()
        key = stamp, horizon.chapter, query_class
        lesson = self._lessons.get(key)
        if lesson is None:
            ratings = self._store.recent(self.settings.learning.window, horizon=horizon)
            lesson = learn(ratings, query_class, settings=self.settings.learning)
            self._lessons = {k: v for k, v in self._lessons.items() if k[0] == stamp} | {key: lesson}
        return lesson

    def reset(self, query_class: QueryClass | None = None) -> None:
        """Forgets the ratings of a class, or all."""
        self._store.clear(query_class)


def _counts(rating: Rating, horizon: Horizon) -> bool:
    given = rating.horizon.chapter
    return horizon.chapter is None or (given is not None and given <= horizon.chapter)


def _taught(lesson: Lesson, query_class: QueryClass) -> str:
    side = "semantic" if lesson.shift > 0 else "lexical"
    text = (
        f"ratings favour the {side} list (z = {lesson.z:+.1f} over all queries, {lesson.departure:+.1f} by "
        f"which {query_class} ones differ; {lesson.count} of these rated"
    )
    if lesson.recent_mean is not None:
        text += f", mean of the last {min(lesson.count, REMEMBERED)} {lesson.recent_mean:.2f}"
    return text + f"): {lesson.shift:+.3f}"


def _by_evidence(e: WeightEvidence, strength: float) -> list[Correction]:
    """Small and bounded; the more the lists agree, the less any weight matters and the less is done."""
    scale = _STEP * strength * (1 - e.overlap)
    raw = (
        ("rarity", -e.rarity, f"the rarest term stands at {e.rarity:.2f} of the greatest rarity"),
        ("coverage", 1 - e.coverage, f"the text knows {e.coverage:.0%} of the terms by weight"),
        ("gap", e.semantic_gap - e.lexical_gap, "the list with the clearer winner gains"),
        ("entropy", e.lexical_entropy - e.semantic_entropy, "the list that is more decided gains"),
    )
    return [Correction(n, scale * x, f"{why}: {scale * x:+.3f}") for n, x, why in raw if scale * x]


def _gap(scores: Sequence[float]) -> float:
    if not scores or scores[0] <= 0:
        return 0.0
    return min(1.0, (scores[0] - max(scores[1], 0.0)) / scores[0]) if len(scores) > 1 else 1.0


def _entropy(scores: Sequence[float]) -> float:
    positive = [s for s in scores if s > 0]
    if len(positive) < 2:
        return 0.0
    total = sum(positive)
    return -sum(s / total * math.log(s / total) for s in positive) / math.log(len(positive))
