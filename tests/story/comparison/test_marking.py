"""Marks of drafts: from texts alone, ahead of need, by a reading of the draft, and blind to names."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.stories.comparison_fakes import FakeEmbedder, make_engine

from fabula.core.types import Generation, Horizon, Prompt
from fabula.errors import ModelError
from fabula.story.comparison.report import Marker, moved_by_labels
from fabula.story.writing.pipelines import Draft, Written

SCENE, TEXT = "Anna counted the fares. She was afraid.", "Bela came. The mill was shut. He sat down."


class Counting(FakeEmbedder):
    """Remembers what it was asked for."""

    def __init__(self, error=None):
        super().__init__(error)
        self.asked = []
        self.threads = []

    def embed_documents(self, texts):
        self.asked.append(list(texts))
        self.threads.append(threading.current_thread().name)
        return super().embed_documents(texts)


def test_what_was_embedded_ahead_serves_one_marking():
    plain = Marker(FakeEmbedder(), scene=SCENE, characters=()).text_scores(TEXT, check=None)
    embedder = Counting()
    with ThreadPoolExecutor(1) as worker:
        marker = Marker(embedder, scene=SCENE, characters=(), worker=worker)
        marker.ahead(TEXT)
        marker.ahead(TEXT)
        assert marker.text_scores(TEXT, check=None) == plain
        assert len(embedder.asked) == 2, "scene and text, once each"
        assert marker.text_scores(TEXT, check=None) == plain
        assert len(embedder.asked) == 3, "a second marking embeds again, or it would be no check"


def test_an_embedder_that_fails_ahead_costs_coherence_alone():
    with ThreadPoolExecutor(1) as worker:
        marker = Marker(Counting(ModelError("no memory")), scene=SCENE, characters=(), worker=worker)
        marker.ahead(TEXT)
        scores = {score.name: score.value for score in marker.text_scores(TEXT, check=None)}
    assert scores["scene_coherence"] is None
    assert marker.notices == ("coherence was not measured: no memory",)


@pytest.mark.parametrize("broken", [False, True])
def test_a_comparison_embeds_each_text_once_for_its_marks_and_once_for_their_check(broken):
    embedder = Counting(ModelError("no memory") if broken else None)
    report = make_engine(embedder=embedder).compare("Anna meets Bela at the mill.", horizon=Horizon(2))
    drafts = {draft.generation.text for result in report.results for draft in result.drafts}
    assert report.moved_by_labels == ()
    assert bool(report.notices) is broken
    beside = sum(name.startswith("marking") for name in embedder.threads)
    assert beside == len(drafts) + 1, "each draft and the scene, while the next draft is written"
    assert len(embedder.asked) <= 2 * sum(len(r.drafts) for r in report.results) + 1


BODY = "Anna Reed hated Bob Cole. Anna Reed was happy."


def marker(**parts):
    return Marker(FakeEmbedder(), scene=SCENE, characters=(), **parts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Anna went down to the mill.", ""),
        ("Anna went down to the mill and", "it breaks off"),
        ("Write that Anna goes down to the mill alone at night. She went.", "it repeats the instruction"),
        ("So Anna met Cora, and old Dunstan.", "names that the story has not: Cora, Dunstan"),
    ],
)
def test_what_anybody_sees_in_a_draft_is_said(text, said):
    told = marker(prompt="Write that Anna goes down to the mill alone at night.", known=BODY)
    written = Written((Draft(Prompt("", "", "v"), Generation(text, "m", 1, 1, 0.0), None),))
    assert told.result("x", context=None, written=written, seconds=()).notice == said


class Partial(Marker):
    """Marks the fused drafts up."""

    def result(self, pipeline, **given):
        made = super().result(pipeline, **given)
        if pipeline != "fused":
            return made
        scores = tuple(type(s)(s.name, 1.0, s.higher_is_better, s.n) for s in made.metrics.scores)
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


def test_blind_marks_do_not_move():
    made = report()
    assert made.moved_by_labels == ()
    assert made.to_dict()["facts"]["moved_by_labels"] == []


def test_marks_that_favour_a_name_move():
    results = report().results

    def moved(marker):
        marked = [
            marker.result(
                each.pipeline,
                context=each.context,
                written=Written(each.drafts, each.kept, each.error, each.notice),
                seconds=(),
            )
            for each in results
        ]
        return moved_by_labels(marker, marked)

    assert "fused" in moved(Partial(FakeEmbedder(), scene="", characters=()))
    assert moved(Marker(FakeEmbedder(), scene=SCENE, characters=())) == ()


def test_marks_that_remember_move():
    assert report(embedder=Tired()).moved_by_labels
