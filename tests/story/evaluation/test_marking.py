"""Marks from texts, and what is embedded while the next draft is being written."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.stories.comparison_fakes import FakeEmbedder, make_engine

from fabula.core.types import Horizon
from fabula.errors import ModelError
from fabula.story.evaluation.marking import Marker

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
