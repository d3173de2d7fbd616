"""The weight of the semantic list for one query: a prior, moved by the ratings of its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ConfigError
from .queries.router import QueryAnalysis, QueryClass
from .queries.weight_learning import REMEMBERED, LearningSettings, Lesson, Placement, Rating, learn
from .types import Horizon

if TYPE_CHECKING:
    from .store.feedback import FeedbackStore

PRIOR = 0.4
"""The semantic weight before anything is rated: the best fixed one over six sets of questions."""


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


class AdaptiveWeightManager:
    """Decides weights and learns from ratings. Nothing is learned twice: what a class was taught is kept
    until the store's stamp changes, so a decision costs one look at the stamp."""

    def __init__(
        self,
        store: FeedbackStore,
        *,
        prior: float = PRIOR,
        learning: LearningSettings | None = None,
    ) -> None:
        if not 0 <= prior <= 1:
            raise ConfigError(f"a prior weight is a number from 0 to 1, not {prior}")
        self._prior = prior
        self._learning = learning or LearningSettings()
        self._store = store
        self._lessons: dict[tuple[tuple[int, int], int | None, QueryClass], Lesson] = {}

    def decide(self, analysis: QueryAnalysis, *, horizon: Horizon) -> WeightDecision:
        """Counts only ratings given at a horizon that this one admits. Raises ProjectError where the
        store cannot be read."""
        prior = self._prior
        lesson = self.lesson(analysis.query_class, horizon=horizon)
        taught = Correction("feedback", lesson.shift, _taught(lesson, analysis.query_class))
        found = (taught,) if lesson.shift else ()
        semantic = max(0.0, min(1.0, prior + lesson.shift))
        start = f"{analysis.query_class} queries start at {prior:.2f} semantic, {1 - prior:.2f} lexical"
        return WeightDecision(semantic, prior, found, (start, *(one.reason for one in found)))

    def stamp(self) -> tuple[int, int]:
        """Differs whenever the ratings do."""
        return self._store.stamp()

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
            ratings = self._store.recent(self._learning.window, horizon=horizon)
            lesson = learn(ratings, query_class, settings=self._learning)
            self._lessons = {k: v for k, v in self._lessons.items() if k[0] == stamp} | {key: lesson}
        return lesson

    def reset(self) -> None:
        """Forgets all ratings."""
        self._store.clear()


def _taught(lesson: Lesson, query_class: QueryClass) -> str:
    side = "semantic" if lesson.shift > 0 else "lexical"
    text = (
        f"ratings favour the {side} list (z = {lesson.z:+.1f} over all queries, {lesson.departure:+.1f} by "
        f"which {query_class} ones differ; {lesson.count} of these rated"
    )
    if lesson.recent_mean is not None:
        text += f", mean of the last {min(lesson.count, REMEMBERED)} {lesson.recent_mean:.2f}"
    return text + f"): {lesson.shift:+.3f}"
