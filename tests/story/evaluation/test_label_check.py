"""Marks that look at names are found out."""

from __future__ import annotations

import numpy as np
from tests.stories.comparison_fakes import FakeEmbedder, make_engine

from fabula.core.types import Horizon
from fabula.story.evaluation.label_check import moved_by_labels
from fabula.story.evaluation.marking import Marker


class Partial(Marker):
    """Marks the fused drafts up."""

    def result(self, pipeline, **given):
        made = super().result(pipeline, **given)
        if pipeline != "fused":
            return made
        scores = tuple(type(s)(s.name, 1.0, s.higher_is_better, s.n) for s in made.scores)
        return type(made)(
            **{name: getattr(made, name) for name in made.__dataclass_fields__ if name != "metrics"},
            metrics=type(made.metrics)(scores, made.metrics.seconds),
        )


class Tired(FakeEmbedder):
    """Embeds otherwise the longer it works."""

    calls = 0

    def embed_documents(self, texts):
        self.calls += 1
        return np.roll(super().embed_documents(texts), self.calls, axis=0)


def report(**changes):
    return make_engine(**changes).compare("Anna meets Bela at the mill.", horizon=Horizon(2))


def test_blind_marks_do_not_move() -> None:
    made = report()
    assert made.moved_by_labels == ()
    assert made.to_dict()["facts"]["moved_by_labels"] == []


def test_marks_that_favour_a_name_move() -> None:
    results = report().results
    honest = Marker(FakeEmbedder(), scene="Anna counted the fares. She was afraid.", characters=())
    marked = tuple(
        Partial(FakeEmbedder(), scene="", characters=()).result(
            each.pipeline, context=each.context, written=_written(each), seconds=()
        )
        for each in results
    )
    assert "fused" in moved_by_labels(Partial(FakeEmbedder(), scene="", characters=()), marked)
    again = tuple(
        honest.result(each.pipeline, context=each.context, written=_written(each), seconds=())
        for each in results
    )
    assert moved_by_labels(honest, again) == ()


def test_marks_that_remember_move() -> None:
    assert report(embedder=Tired()).moved_by_labels


def _written(result):
    from fabula.story.writing.pipelines import Written

    return Written(result.drafts, result.kept, result.error, result.notice)
