"""What every store of ratings keeps. A subclass gives ``ratings`` as a fixture: an empty one; else they
are those of ``store``."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from fabula.core.queries.weight_learning import Placement, Rating
from fabula.core.store.database import Database
from fabula.core.store.feedback import FeedbackStore
from fabula.core.store.tables import TABLES
from fabula.core.types import Horizon
from fabula.core.weight_manager import AdaptiveWeightManager

ALL = Horizon()
_ANSWER = Placement("chunk — ü", 1, 0.9, None, 0.0)
_BESIDE = (Placement("c2", None, 0.1, 2, 0.1 + 0.2), Placement("c3", 2, 1 / 3, 1, 0.7))


def rating_of(query="q", query_class="mixed", rating=1.0, chapter=None):
    return Rating(query, query_class, _ANSWER, rating, Horizon(chapter), 0.4, _BESIDE)


def manager_of(**how):
    """A manager of weights, with ratings in memory."""
    engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    TABLES.create_all(engine)
    return AdaptiveWeightManager(FeedbackStore(Database(engine, "memory")), **how)


class RatingStoreContract:
    @pytest.fixture
    def ratings(self, store):
        return store.feedback()

    def test_round_trip_to_the_bit_newest_first(self, ratings):
        kept = [rating_of("who?", rating=1 / 3, chapter=2), rating_of("why — “so”?", "keyword", 0.0)]
        for one in kept:
            ratings.add(one)
        assert ratings.recent(5, horizon=ALL) == kept[::-1]
        assert ratings.recent(1, horizon=ALL) == kept[1:]
        assert ratings.recent(0, horizon=ALL) == []

    @pytest.mark.parametrize("chapter", [0, 1, 2, 5, None])
    def test_nothing_rated_after_the_horizon_is_given(self, ratings, chapter):
        rated = [2, None, 1, 5, 0, None, 2]
        for told in rated:
            ratings.add(rating_of(str(told), chapter=told))
        seen = [one for one in rated[::-1] if chapter is None or (one is not None and one <= chapter)]
        for limit in (0, 2, 50):
            found = ratings.recent(limit, horizon=Horizon(chapter))
            assert [one.horizon.chapter for one in found] == seen[:limit]

    def test_clear_and_the_stamp(self, ratings):
        stamps = [ratings.stamp()]
        for query_class in ("mixed", "keyword", "keyword"):
            ratings.add(rating_of(query_class=query_class))
            stamps.append(ratings.stamp())
        ratings.clear()
        assert ratings.recent(9, horizon=ALL) == []
        ratings.add(rating_of())
        stamps.append(ratings.stamp())  # this is no earlier state
        assert len(set(stamps)) == len(stamps)

    def test_threads_lose_nothing(self, ratings):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: ratings.add(rating_of(str(i))), range(40)))
        assert sorted(int(one.query) for one in ratings.recent(99, horizon=ALL)) == list(range(40))
