import math
import random
import statistics

import pytest
from tests.contracts.rating_contract import manager_of

from fabula.core.queries.router import QueryAnalysis
from fabula.core.queries.weight_learning import LearningSettings, Placement, Rating, learn, pull
from fabula.core.types import Chunk, Horizon, Passage, Share, Span
from fabula.errors import ConfigError

BOOK = Horizon()
BY_WORDS = Placement("a", 1, 0.9, 9, 0.2)  # the lexical list placed it well
BY_SENSE = Placement("b", 9, 0.2, 1, 0.9)
BETWEEN = Placement("c", 2, 0.5, 2, 0.5)


def _analysis(query_class="mixed"):
    return QueryAnalysis("", "factual", query_class, ())


def _rate(manager, answer, rating, *, query_class="mixed", horizon=BOOK, weight=0.4, beside=(BETWEEN,)):
    return manager.rate(
        "q", answer, rating, query_class=query_class, weight=weight, horizon=horizon, alternatives=beside
    )


def _weight(manager, query_class="mixed", horizon=BOOK):
    return manager.decide(_analysis(query_class), horizon=horizon).semantic


def test_every_class_starts_at_the_best_fixed_weight():
    manager = manager_of()
    for query_class in ("keyword", "conceptual", "mixed"):
        decision = manager.decide(_analysis(query_class), horizon=BOOK)
        assert (decision.semantic, decision.lexical, decision.corrections) == (0.4, 0.6, ())
        assert decision.reasons == (f"{query_class} queries start at 0.40 semantic, 0.60 lexical",)
    assert _weight(manager_of(prior=0.7)) == 0.7


def test_settings_out_of_range_are_refused():
    with pytest.raises(ConfigError, match="prior weight"):
        manager_of(prior=1.2)
    with pytest.raises(ConfigError, match="half_life"):
        LearningSettings(half_life=0)


def test_the_pull_is_the_derivative_of_the_smoothed_gain():
    def gain(weight):
        ahead = 0.0
        for other in (BETWEEN, BY_SENSE):
            lead = (1 - weight) * (other.lexical - BY_WORDS.lexical)
            lead += weight * (other.semantic - BY_WORDS.semantic)
            ahead += 1 / (1 + math.exp(-16 * lead))
        return 1 / math.log2(2 + ahead)

    slope = (gain(0.5 + 1e-6) - gain(0.5 - 1e-6)) / 2e-6
    assert pull(BY_WORDS, (BETWEEN, BY_SENSE), weight=0.5) == pytest.approx(slope, rel=1e-4)
    assert pull(Placement("x", None, 0, 1, 0.8), (), weight=0.5) == 1.0  # without others ranks must do


def test_placement_of_a_fused_passage():
    chunk = Chunk("id", "book", 1, 0, Span(0, 3), "abc")
    shares = (Share("graph", 1, 9.0, 0.1), Share("lexical", 2, 3.0, 0.2), Share("semantic", 5, 0.6, 0.3))
    assert Placement.of(Passage(chunk, 0.6, shares), ceiling=12.0) == Placement("id", 2, 0.25, 5, 0.6)
    assert Placement.of(Passage(chunk, 0.1, shares[:1]), ceiling=0.0) == Placement("id", None, 0.0, None, 0.0)
    more = (*shares, Share("coverage", 1, 0.5, 0.1), Share("nearness", 1, 0.15, 0.1))
    mixed = Placement.of(Passage(chunk, 0.6, more), ceiling=12.0, evidence=True)
    assert mixed.lexical == pytest.approx((3 / 12 + 0.5 + 0.15) / 3)


@pytest.mark.parametrize("rating", [-0.1, 1.1, math.nan, math.inf])
def test_a_rating_out_of_range_is_refused_and_not_kept(rating):
    manager = manager_of()
    with pytest.raises(ConfigError, match="from 0 to 1"):
        _rate(manager, BY_WORDS, rating)
    with pytest.raises(ConfigError, match="not finite"):
        _rate(manager, Placement("x", 1, math.nan, 1, 0.5), 1.0)
    assert manager.lesson("mixed", horizon=BOOK).count == 0


def test_the_lesson_by_hand():
    """One class, no fading worth the name: z and shift as arithmetic."""
    settings = LearningSettings(half_life=1e12)
    ratings = [
        Rating("q", "mixed", answer, rating, BOOK, 0.4)  # no alternatives: pulls are differences of gains
        for answer, rating in ((BY_WORDS, 0.0), (BY_SENSE, 1.0)) * 10
    ]
    p = 1 - 1 / math.log2(10)
    usual = (10 * 0.5 + 10) / 30
    surprise = (1 - usual, -usual)
    variance = (10 * 0.25 + 10 * surprise[0] ** 2 + 10 * surprise[1] ** 2) / 30
    z = 10 * p * (surprise[0] - surprise[1]) / math.sqrt(variance * 20 * p * p)
    lesson = learn(ratings, "mixed", settings=settings)
    assert lesson.z == pytest.approx(z)
    assert lesson.shift == pytest.approx(0.06 * (z - 1 / z))
    assert (lesson.count, lesson.recent_mean) == (20, 0.5)


@pytest.mark.parametrize("query_class", ["keyword", "conceptual", "mixed"])
@pytest.mark.parametrize("prior", [0.4, 0.5, 0.7])
@pytest.mark.parametrize("rating", [0.0, 1.0])
@pytest.mark.parametrize("answer", [BY_WORDS, BY_SENSE])
def test_five_ratings_of_one_kind_are_felt(query_class, prior, rating, answer):
    manager = manager_of(prior=prior)
    for _ in range(5):
        _rate(manager, answer, rating, query_class=query_class)
    decision = manager.decide(_analysis(query_class), horizon=BOOK)
    toward = 1 if (answer is BY_SENSE) == (rating == 1.0) else -1
    assert 0.05 <= toward * (decision.semantic - prior) <= 0.3
    assert decision.semantic + decision.lexical == 1
    side = "semantic" if toward > 0 else "lexical"
    assert f"ratings favour the {side} list" in decision.reasons[1]
    assert f"mean of the last 5 {rating:.2f}" in decision.reasons[1]
    assert decision.reasons[1].endswith(f"{decision.semantic - prior:+.3f}")


def test_a_shift_is_bounded_and_the_weight_stays_in_range():
    for prior, answer, end in ((0.4, BY_SENSE, 0.7), (0.4, BY_WORDS, 0.1), (0.9, BY_SENSE, 1.0)):
        manager = manager_of(prior=prior)
        for _ in range(300):
            _rate(manager, answer, 1.0)
            _rate(manager, BY_WORDS if answer is BY_SENSE else BY_SENSE, 0.0)
        assert _weight(manager) == pytest.approx(end)


@pytest.mark.parametrize("constant", [0.0, 0.5, 1.0])
def test_constant_ratings_fade_to_nothing(constant):
    manager = manager_of()
    for _ in range(500):
        for answer in (BY_WORDS, BY_WORDS, BY_SENSE):  # two of three answers came by words
            _rate(manager, answer, constant)
    assert abs(_weight(manager) - 0.4) < 0.02


def test_coin_tosses_stay_within_noise():
    shifts = []
    for seed in range(60):
        rng = random.Random(seed)
        tosses = [(rng.choice((BY_WORDS, BY_SENSE)), float(rng.random() < 0.5)) for _ in range(200)]
        ratings = [Rating("q", "mixed", *one, BOOK, 0.4, (BETWEEN,)) for one in reversed(tosses)]
        shifts.append(learn(ratings, "mixed", settings=LearningSettings()).shift)
    assert abs(statistics.mean(shifts)) < 0.02 and statistics.pstdev(shifts) < 0.07
    assert shifts.count(0) >= 30  # most of the time z is under 1


def test_what_is_newer_counts_more():
    manager = manager_of(learning=LearningSettings(half_life=50))
    for good, bad in ((BY_WORDS, BY_SENSE), (BY_SENSE, BY_WORDS)):
        for _ in range(100):
            _rate(manager, good, 1.0)
            _rate(manager, bad, 0.0)
    assert _weight(manager) > 0.6


def test_classes_learn_apart_but_share():
    manager = manager_of()
    for _ in range(10):
        _rate(manager, BY_WORDS, 1.0, query_class="keyword")
        _rate(manager, BY_SENSE, 0.0, query_class="keyword")
        _rate(manager, BY_WORDS, 0.5, query_class="conceptual")
        _rate(manager, BY_SENSE, 0.5, query_class="conceptual")
    keyword, conceptual, mixed = (_weight(manager, c) for c in ("keyword", "conceptual", "mixed"))
    assert keyword < mixed < 0.4
    assert mixed < conceptual
    assert manager.lesson("mixed", horizon=BOOK).count == 0


def test_reset_forgets_all():
    manager = manager_of()
    for query_class in ("keyword", "mixed") * 20:
        _rate(manager, BY_WORDS, 1.0, query_class=query_class)
    assert _weight(manager, "keyword") < 0.4
    manager.reset()
    assert _weight(manager, "keyword") == _weight(manager, "mixed") == 0.4


def test_ratings_count_only_from_their_horizon_on():
    def rated(late):
        manager = manager_of()
        for chapter, good, bad in ((3, BY_WORDS, BY_SENSE), *late):
            for _ in range(20):
                _rate(manager, good, 1.0, horizon=Horizon(chapter))
                _rate(manager, bad, 0.0, horizon=Horizon(chapter))
        return manager

    alone, more = rated(()), rated(((7, BY_SENSE, BY_WORDS), (None, BY_SENSE, BY_WORDS)))
    for chapter in (0, 2, 3, 6):
        at = Horizon(chapter)
        assert more.decide(_analysis(), horizon=at) == alone.decide(_analysis(), horizon=at)
    assert _weight(more, horizon=Horizon(2)) == 0.4
    assert _weight(more, horizon=Horizon(3)) < 0.4
    counts = [more.lesson("mixed", horizon=Horizon(c)).count for c in (2, 3, 7, None)]
    assert counts == [0, 40, 80, 120]
