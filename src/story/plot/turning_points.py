"""The five turning points of a plot: which pieces of a text (sentences of a synopsis, scenes) they are.

Opportunity, change of plans, point of no return, major setback and climax (Papalampidi, Keller and Lapata,
EMNLP 2019). Where they stand is screenwriting theory (10, 25, 50, 75 and 90 % of the way: Hauge,
"Storytelling Made Easy", 2017) drawn towards the means that those authors report for films (11, 32, 51, 74
and 89 %), what they are like is a table of sentences (``plot.prototypes``), and what makes a piece weigh is
how much of the text around it and of the whole speaks of the same, how much it tells, how strongly it is
felt, and who is killed, saved or betrayed in it. The weights are round figures set by hand: weights learned
from 22 of 23 labelled synopses do no better on the one left out.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.interfaces import Embedder
from ...core.types import Span
from ..graph_rag.views.gravity import GRAVITY
from ..lexicon.emotions import tone
from ..model.chapter_reading import ChapterReading
from ..model.types import EntityKind
from .prototypes import BACKGROUND, TURNING_POINTS

__all__ = [
    "POSITIONS",
    "ROLES",
    "PlotPoint",
    "PlotPointFinder",
    "event_weights",
    "fixed_points",
    "introductions",
    "placed_points",
    "without_names",
]

ROLES: tuple[str, ...] = tuple(TURNING_POINTS)
POSITIONS = (0.10, 0.25, 0.50, 0.75, 0.90)
"""Where theory puts the five, as parts of the whole."""

_PLACES = (
    0.11,
    0.28,
    0.50,
    0.75,
    0.90,
)  # where they are looked for: theory and the means of films, half each
_SPREAD = 0.14  # standard deviation about the place, as a part of the whole
_KIND, _CENTRAL, _LOCAL, _FELT, _EVENT, _TOLD = 0.4, 0.3, 0.3, 0.3, 0.3, 0.15
_AROUND = 3  # pieces on either side that count as around
_INTRODUCED = 0.3
_EARLY = 1  # introductions count against the roles up to this one
_LATE = 3  # events weigh from this role on: what befalls people sets back or decides
_PRONOUNS = (("he", "his"), ("she", "her"))
_POSSESSIVE = ("'s", "’s")
_JOINTS = re.compile(r"[,;:]\s|\b(?:and|but|when|while|after|before|who|which|where|as)\b")
_CLAUSE_WORDS, _MOST_CLAUSES = 4, 12
_ASIDE = re.compile(r"\s?\([^()]{0,200}\)")

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """``piece`` (from 0) is where the plot turns in this ``role``; ``probability`` 0 to 1 is what the model
    itself gives it among all pieces (not calibrated)."""

    role: str
    piece: int
    probability: float


class PlotPointFinder:
    """Finds the turning points by sentence vectors; ``embedder`` embeds the table once, at the first text."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kinds: Vector | None = None

    def find(
        self,
        pieces: Sequence[str],
        *,
        events: Sequence[float] | None = None,
        introduced: Sequence[float] | None = None,
        nameless: Sequence[str] | None = None,
    ) -> tuple[PlotPoint, ...]:
        """The five in order of the plot, each in a piece of its own; none where there are fewer than five.

        ``events`` gives each piece the weight of what happens in it (see ``event_weights``), ``introduced``
        how many people it names for the first time (see ``introductions``), 0 where None;
        ``nameless`` the pieces without names (see ``without_names``), so that likeness to a role is not
        likeness to a name; the pieces themselves where None.
        The score of a piece for a role is ``-(distance / 0.14)² / 2`` from the role's place, plus z-scores
        within the text: 0.4 of how much nearer it is to the role's sentences than to plain background, 0.4
        of the same of its nearest clause (a long sentence may turn in one), 0.3 each of its likeness to the
        whole and to the three pieces on either side, of the strength of its tone, and, for setback and
        climax, of its events, 0.15 of the logarithm of its words; for opportunity and change of plans 0.3 of
        those it introduces count against it, since the plot turns once people are presented. With these as
        the weights of an ordered chain, the five are those that promise most hits: the greatest sum of
        marginal probabilities in order.
        Costs an embedding of each piece, of each nameless one and of its clauses, and O(n²) for their
        likeness.
        """
        if len(pieces) < len(ROLES):
            return ()
        told = pieces if nameless is None else nameless
        scores = self._scores(pieces, told, _known(events, len(pieces)), _known(introduced, len(pieces)))
        return _chosen(scores)

    def _scores(
        self, pieces: Sequence[str], nameless: Sequence[str], events: Vector, introduced: Vector
    ) -> Vector:
        vectors = self._vectors(pieces)
        tones = np.abs(np.array([tone(piece) for piece in pieces]))
        weight = _CENTRAL * _z(vectors @ _unit(vectors.mean(0))) + _LOCAL * _z(_likeness_around(vectors))
        weight += _FELT * _z(tones) + _TOLD * _z(np.log([1 + len(piece.split()) for piece in pieces]))
        whole, clause = self._kind_scores(nameless)
        happens, presents = _EVENT * _z(events), _INTRODUCED * _z(introduced)
        return np.stack(
            [
                _prior(len(pieces), place)
                + weight
                + _KIND * (_z(whole[:, k]) + _z(clause[:, k]))
                + (happens if k >= _LATE else -presents if k <= _EARLY else 0.0)
                for k, place in enumerate(_PLACES)
            ]
        )

    def _kind_scores(self, pieces: Sequence[str]) -> tuple[Vector, Vector]:
        """How much nearer each piece, and its nearest clause, is to each role than to the background."""
        texts, owners = [], []
        for owner, piece in enumerate(pieces):
            told = [piece, *_clauses(piece)]
            texts += told
            owners += [owner] * len(told)
        scores = self._vectors(texts) @ self._directions().T
        first = np.searchsorted(owners, np.arange(len(pieces)))
        return scores[first], np.maximum.reduceat(scores, first)

    def _vectors(self, texts: Sequence[str]) -> Vector:
        return _unit(np.asarray(self._embedder.embed_documents(list(texts)), float))

    def _directions(self) -> Vector:
        """A row a role: the mean of its sentences less the mean of the background, both made unit length."""
        if self._kinds is None:
            means = [_unit(self._vectors(told).mean(0)) for told in (*TURNING_POINTS.values(), BACKGROUND)]
            self._kinds = np.stack([mean - means[-1] for mean in means[:-1]])
        return self._kinds


def placed_points(weights: Sequence[float]) -> tuple[PlotPoint, ...]:
    """The five among pieces (chapters, say) of which no more is known than how much each turns: the z-score
    of its weight takes the place of what ``PlotPointFinder`` reads in the text. None of fewer than five."""
    if len(weights) < len(ROLES):
        return ()
    turns = _z(np.asarray(weights, float))
    return _chosen(np.stack([_prior(len(turns), place) + turns for place in _PLACES]))


def fixed_points(pieces: int) -> tuple[int, ...]:
    """Where theory alone puts the five among so many pieces: the baseline."""
    return tuple(round(position * (pieces - 1)) for position in POSITIONS)


def event_weights(reading: ChapterReading, spans: Sequence[Span]) -> tuple[float, ...]:
    """For each span (in order, of the text that was read) the gravest event that happened in it, 0 to 1."""
    starts = [span.start for span in spans]
    weights = [0.0] * len(spans)
    for happening in reading.happenings:
        at = bisect.bisect_right(starts, happening.evidence[0].start) - 1
        if at >= 0 and happening.modality.happened:
            weights[at] = max(weights[at], GRAVITY.get(happening.predicate, 0.0))
    return tuple(weights)


def introductions(reading: ChapterReading, spans: Sequence[Span]) -> tuple[float, ...]:
    """For each span (in order, of the text that was read) how many names of characters stand in it that
    stand in none before."""
    starts = [span.start for span in spans]
    counts = [0.0] * len(spans)
    seen: set[str] = set()
    for mention in reading.mentions:
        at = bisect.bisect_right(starts, mention.span.start) - 1
        if at >= 0 and mention.kind is EntityKind.CHARACTER and mention.surface not in seen:
            seen.add(mention.surface)
            counts[at] += 1.0
    return tuple(counts)


def _chosen(scores: Vector) -> tuple[PlotPoint, ...]:
    """The five that promise most hits, by the chances that the scores give each piece."""
    chances = _marginals(scores)
    return tuple(
        PlotPoint(role, piece, round(float(chances[k, piece]), 4))
        for k, (role, piece) in enumerate(zip(ROLES, _ordered_best(chances), strict=True))
    )


def _known(values: Sequence[float] | None, n: int) -> Vector:
    return np.zeros(n) if values is None else np.asarray(values, float)


def _clauses(piece: str) -> list[str]:
    """What stands between commas and conjunctions, four words or more each; at most twelve."""
    parts = (part.strip() for part in _JOINTS.split(piece))
    return [part for part in parts if len(part.split()) >= _CLAUSE_WORDS][:_MOST_CLAUSES]


def without_names(text: str, reading: ChapterReading, spans: Sequence[Span]) -> tuple[str, ...]:
    """The pieces at ``spans`` (in order) of the text that was read, with "he" or "she" ("his", "her") for
    the names of characters, by the gender that most mentions of the name tell ("he" where none does), and
    without asides in brackets."""
    genders: dict[str, int] = {}
    for mention in reading.mentions:
        vote = {"f": 1, "m": -1}.get(mention.gender, 0)
        genders[mention.surface] = genders.get(mention.surface, 0) + vote
    named = [m for m in reading.mentions if m.kind is EntityKind.CHARACTER and m.surface[:1].isupper()]
    starts = [mention.span.start for mention in named]
    pieces = []
    for span in spans:
        within = named[bisect.bisect_left(starts, span.start) : bisect.bisect_left(starts, span.end)]
        parts, at = [], span.start
        for mention in within:
            if at <= mention.span.start and mention.span.end <= span.end:
                own = text[mention.span.end : mention.span.end + 2] in _POSSESSIVE
                she = genders[mention.surface] > 0
                parts += [text[at : mention.span.start], _PRONOUNS[she][own]]
                at = mention.span.end + (2 if own else 0)
        piece = _ASIDE.sub("", "".join([*parts, text[at : span.end]]))
        pieces.append(piece[:1].upper() + piece[1:])
    return tuple(pieces)


def _prior(pieces: int, place: float) -> Vector:
    where = np.arange(pieces) / (pieces - 1)
    return np.asarray(-0.5 * ((where - place) / _SPREAD) ** 2)


def _likeness_around(vectors: Vector) -> Vector:
    alike, n = vectors @ vectors.T, len(vectors)
    around = [[j for j in range(max(0, i - _AROUND), min(n, i + _AROUND + 1)) if j != i] for i in range(n)]
    return np.array([alike[i, near].mean() for i, near in enumerate(around)])


def _marginals(scores: Vector) -> Vector:
    """The chance of each piece for each role, over all ways to choose pieces in strict order with chances in
    proportion to exp(sum of scores): forward and backward sums in logarithms."""
    roles, n = scores.shape
    before, after = np.full((roles, n), -np.inf), np.full((roles, n), -np.inf)
    before[0], after[-1] = scores[0], 0.0
    for k in range(1, roles):
        before[k, 1:] = scores[k, 1:] + np.logaddexp.accumulate(before[k - 1])[:-1]
    for k in range(roles - 2, -1, -1):
        ahead = np.logaddexp.accumulate((scores[k + 1] + after[k + 1])[::-1])[::-1]
        after[k, :-1] = ahead[1:]
    both = before + after
    return np.asarray(np.exp(both - np.logaddexp.reduce(both, axis=1)[:, None]))


def _ordered_best(gains: Vector) -> tuple[int, ...]:
    """The column for each row, strictly ascending, with the greatest sum; ties to the earlier column."""
    roles, n = gains.shape
    best = np.full((roles, n), -np.inf)
    came = np.zeros((roles, n), int)
    best[0] = gains[0]
    for k in range(1, roles):
        at = 0
        for i in range(k, n):
            if best[k - 1, i - 1] > best[k - 1, at] or i == k:
                at = i - 1
            best[k, i], came[k, i] = best[k - 1, at] + gains[k, i], at
    path = [int(best[-1].argmax())]
    for k in range(roles - 1, 0, -1):
        path.append(int(came[k, path[-1]]))
    return tuple(reversed(path))


def _z(values: Vector) -> Vector:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))


def _unit(vectors: Vector) -> Vector:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1.0))
