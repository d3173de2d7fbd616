"""What ratings teach about the weight between the semantic and the lexical list.

A rating is turned into a direction when it is given: :func:`pull` is the derivative, with respect to the
semantic weight, of the rated answer's gain 1 / log2(1 + rank), where the rank is smoothed over the passages
shown beside it (ApproxNDCG: Qin, Liu & Li, "A general approximation framework for direct optimization of
information retrieval measures", Information Retrieval 13, 2010). It is positive where the semantic list
placed the answer better. A rating above what its class usually gets credits that direction, one below
debits it, as in a policy gradient with a baseline (Williams, REINFORCE, 1992).

The sum is judged against its own standard error: ``z`` is about ±1 for ratings that have nothing to do
with the answers. What is left of it after ``z - 1/z``, 0 below 1, moves the weight (the positive-part form
of James & Stein's shrinkage, "Estimation with quadratic loss", 1961, for a single mean). Five ratings that
all say one thing have a z of about 1.7, and move the weight by .06.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...errors import ConfigError
from ..fusion.presets import COVERAGE, NEARNESS
from ..types import Horizon, Passage
from .router import QueryClass

REMEMBERED = 20  # the report's window: its mean is what a reader is shown
USUAL = 0.5  # what an answer is expected to be rated before anyone did: either is as likely
_USUAL_COUNT = 10.0  # ratings that this expectation counts as
_LEAST_VARIANCE = 0.04  # of ratings about their baseline: constant ratings must not count as certain ones
_SHARPNESS = 16.0  # of the smoothed rank: scores 1/16 apart are ordered with odds e : 1


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the two lists put a passage: ranks from 1 (None: not in the list), scores normalised to about
    0..1, higher is better, 0 where there is none: cosine, and what the lexical weight is given to (BM25
    over the query's ceiling; with evidence its mean with coverage and nearness)."""

    chunk_id: str
    lexical_rank: int | None
    lexical: float
    semantic_rank: int | None
    semantic: float

    @classmethod
    def of(cls, passage: Passage, *, ceiling: float, evidence: bool = False) -> Placement:
        """From a fused passage's shares; ``ceiling`` is ``LexicalIndex.ceiling`` of the query, ``evidence``
        whether the preset shares the lexical weight with coverage and nearness."""
        found = {share.retriever: share for share in passage.shares}
        lexical, semantic = found.get("lexical"), found.get("semantic")
        score = lexical.score / ceiling if lexical and ceiling > 0 else 0.0
        if evidence:
            others = (found.get(COVERAGE), found.get(NEARNESS))
            score = (score + sum(share.score for share in others if share)) / 3
        return cls(
            passage.chunk.id,
            lexical.rank if lexical else None,
            score,
            semantic.rank if semantic else None,
            semantic.score if semantic else 0.0,
        )


@dataclass(frozen=True, slots=True)
class Rating:
    """One answer to one query, rated 0 (useless) to 1 (just right) by a reader at ``horizon``.

    ``weight`` is the semantic weight of the search that showed it, ``alternatives`` what was shown beside
    it. Raises ConfigError for a rating, weight or score that is not a number in range.
    """

    query: str
    query_class: QueryClass
    answer: Placement
    rating: float
    horizon: Horizon
    weight: float
    alternatives: tuple[Placement, ...] = ()
    pull: float = field(init=False)

    def __post_init__(self) -> None:
        for name, value in (("rating", self.rating), ("weight", self.weight)):
            if not 0 <= value <= 1:  # also refuses NaN
                raise ConfigError(f"a {name} is a number from 0 to 1, not {value}")
        for place in (self.answer, *self.alternatives):
            if not (math.isfinite(place.lexical) and math.isfinite(place.semantic)):
                raise ConfigError(f"scores of {place.chunk_id} are not finite: {place}")
        object.__setattr__(self, "pull", pull(self.answer, self.alternatives, weight=self.weight))


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """``step``: shift of the weight per standard error of evidence from all ratings; ``class_step``: per
    standard error of a class's departure from that. ``bound``: the most a weight may leave its prior.
    ``half_life``: ratings after which one counts half. ``window``: the most ratings that are looked at.

    The report remembers 20 ratings. Their direction alone has a standard error too wide to act on (z of a
    true preference on real queries is about 2 after 200), so ratings fade with a half-life instead.
    """

    step: float = 0.06
    class_step: float = 0.03
    bound: float = 0.3
    half_life: float = 200.0
    window: int = 1000

    def __post_init__(self) -> None:
        fits = self.step >= 0 and self.class_step >= 0 and 0 <= self.bound <= 1
        if not (fits and self.half_life > 0 and self.window >= 1):
            raise ConfigError(f"learning needs steps >= 0, bound in 0..1, half_life > 0, window >= 1: {self}")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned for a class: ``shift`` of the semantic weight, ``z`` of all ratings' evidence for
    it, ``departure`` the z by which this class differs, how many ratings of the class it knows, and their
    mean over the last 20 (None without any)."""

    shift: float
    z: float
    departure: float
    count: int
    recent_mean: float | None


def pull(answer: Placement, alternatives: Sequence[Placement], *, weight: float) -> float:
    """d gain / d semantic weight of the answer among the alternatives, at ``weight``.

    With no alternatives the two ranks must do: the gain at the semantic rank less that at the lexical."""
    others = [other for other in alternatives if other.chunk_id != answer.chunk_id]
    if not others:
        return _gain(answer.semantic_rank) - _gain(answer.lexical_rank)
    ahead, slope = 0.0, 0.0
    for other in others:
        lexical, semantic = other.lexical - answer.lexical, other.semantic - answer.semantic
        lead = _SHARPNESS * ((1 - weight) * lexical + weight * semantic)
        before = 1 / (1 + math.exp(-max(-50.0, min(50.0, lead))))
        ahead += before
        slope += _SHARPNESS * before * (1 - before) * (semantic - lexical)
    place = 2 + ahead  # 1 + smoothed rank
    return -math.log(2) * slope / (place * math.log(place) ** 2)


def learn(ratings: Sequence[Rating], query_class: QueryClass, *, settings: LearningSettings) -> Lesson:
    """``ratings`` newest first, of all classes. Costs one pass over at most ``settings.window`` of them.

    Two lessons are added: what all classes' ratings say together, and how this class departs from them
    (the difference of slopes ``U/V`` over its own standard error), each shrunk by itself."""
    ratings = ratings[: settings.window]
    fade = [0.5 ** (age / settings.half_life) for age in range(len(ratings))]
    usual = _baselines(ratings, fade)
    surprise = [rating.rating - usual[rating.query_class] for rating in ratings]
    squares = sum(f * s * s for f, s in zip(fade, surprise, strict=True))
    variance = (_USUAL_COUNT * USUAL * (1 - USUAL) + squares) / (_USUAL_COUNT + sum(fade))
    rows = [
        (f * s * r.pull, (f * r.pull) ** 2 * max(variance, _LEAST_VARIANCE), r.query_class == query_class)
        for r, f, s in zip(ratings, fade, surprise, strict=True)
    ]
    everyone = _Sums.of(rows)
    own = _Sums.of([row for row in rows if row[2]])
    z, departure = everyone.z, own.departure_from(everyone)
    shift = settings.step * _trusted(z) + settings.class_step * _trusted(departure)
    rated = [rating.rating for rating in ratings if rating.query_class == query_class]
    recent = rated[:REMEMBERED]
    return Lesson(
        max(-settings.bound, min(settings.bound, shift)),
        z,
        departure,
        len(rated),
        sum(recent) / len(recent) if recent else None,
    )


@dataclass(frozen=True, slots=True)
class _Sums:
    """``slope``: of the rated gains; ``variance``: of the slope, were ratings drawn at random."""

    slope: float
    variance: float

    @classmethod
    def of(cls, rows: Sequence[tuple[float, float, bool]]) -> _Sums:
        return cls(math.fsum(r[0] for r in rows), math.fsum(r[1] for r in rows))

    @property
    def z(self) -> float:
        return self.slope / math.sqrt(self.variance) if self.variance > 0 else 0.0

    def departure_from(self, whole: _Sums) -> float:
        """z of the difference to the whole that this is a part of; 0 where it is all there is."""
        if not 0 < self.variance < whole.variance * (1 - 1e-9):
            return 0.0
        difference = self.slope / self.variance - whole.slope / whole.variance
        return difference / math.sqrt(1 / self.variance - 1 / whole.variance)


def _trusted(z: float) -> float:
    """What is left of z once chance has its due."""
    return z - 1 / z if abs(z) > 1 else 0.0


def _baselines(ratings: Sequence[Rating], fade: Sequence[float]) -> dict[QueryClass, float]:
    """What an answer in each class is usually rated, starting from ``USUAL``."""
    sums: dict[QueryClass, tuple[float, float]] = {}
    for rating, f in zip(ratings, fade, strict=True):
        total, n = sums.get(rating.query_class, (_USUAL_COUNT * USUAL, _USUAL_COUNT))
        sums[rating.query_class] = total + f * rating.rating, n + f
    return {name: total / n for name, (total, n) in sums.items()}


def _gain(rank: int | None) -> float:
    return 0.0 if rank is None else 1 / math.log2(1 + rank)
