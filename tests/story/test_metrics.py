import math

import numpy as np
import pytest
from tests.tables import values

from fabula.core.types import Context, Generation
from fabula.story import metrics
from fabula.story.comparison.report import GenerationMetrics
from fabula.story.metrics import distinct_2, useful_diversity
from fabula.story.model.findings import CheckReport, Severity, Violation
from fabula.story.writing.context import Source, StoryContext


def unit(*degrees):
    return np.array([[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in degrees], np.float32)


def test_scores_of_a_check_beside_nothing_to_judge():
    finding = Violation("rule", Severity.ERROR, "m", (), ())
    scores = (metrics.consistency, metrics.violations_per_10k_words, metrics.coverage)
    for findings, expected in ((3, (1 - 0.1 * 3, 10_000 * 3 / 200, 4 / 5)), (12, (0.0, 600, 4 / 5))):
        report = CheckReport((finding,) * findings, 5, 4, 200)
        assert [score(report).value for score in scores] == pytest.approx(expected)
        assert not metrics.violations_per_10k_words(report).higher_is_better
    for nothing in (CheckReport((), 0, 0, 0), None):
        assert {score(nothing).value for score in scores} == {None}


def test_coherence_is_the_mean_cosine():
    score = metrics.scene_coherence(unit(45, 105), scene=unit(0, 90))
    assert score.value == pytest.approx((1 + math.cos(math.radians(60))) / 2, abs=1e-6)
    assert metrics.scene_coherence(unit(45), scene=unit(0)).value is None
    assert metrics.scene_coherence(unit(1, 2), scene=unit()[:0].reshape(0, 2)).value is None
    assert metrics.scene_coherence(unit(1, 2), scene=unit(0, 180)[:, :1].repeat(2, 1)).value is None


def context(*sources, text=""):
    """What a writer was given: passages by chapter, tokens and text."""
    made = tuple(Source("passage", "World", "l", *given, ()) for given in sources)
    return StoryContext(Context(tokens=42), None, made, text, 100)


def test_repeated_and_copied_4_grams():
    # 9 words, 6 four-grams; "the bell rang twice" comes twice
    repeated = metrics.repetition("The bell rang twice; the bell rang TWICE! Then")
    assert repeated.value == pytest.approx(1 - 5 / 6)
    assert repeated.n == 6 and not repeated.higher_is_better
    assert metrics.repetition("All words differ here").value == 0.0
    given = context(text="[Previous Scene] The bell rang twice, and then")
    # the bell rang twice | bell rang twice she | rang twice she left
    score = metrics.copied("The bell rang TWICE. She left.", context=given)
    assert (score.value, score.n, score.higher_is_better) == (pytest.approx(1 / 3), 3, False)
    few = "Too few words"
    assert metrics.copied(few, context=given).value is metrics.repetition(few).value is None


def test_presence_wants_whole_words():
    names = (("Anna", "Ann"), ("Bela",), ("Mr. Dove",))
    assert metrics.presence("Ann met Mr. Dove.", characters=names).value == pytest.approx(2 / 3)
    assert metrics.presence("Annabel and Belas", characters=names).value == 0.0
    assert metrics.presence("Anna", characters=()).value is None


def test_costs():
    calls = [Generation("a", "m", 100, 7, 0.1), Generation("b", "m", 150, 5, 0.1)]
    assert (metrics.prompt_tokens(calls).value, metrics.completion_tokens(calls).value) == (100 + 150, 7 + 5)
    cost = metrics.context_tokens(context())
    assert (cost.value, cost.n) == (42, 100)
    assert GenerationMetrics((), (("retrieve", 0.25), ("generate", 2.0))).response_time.value == 0.25 + 2.0
    assert GenerationMetrics().response_time.value is None


PEOPLE = (("Anna Reed", "Anna"), ("Tom",))


@pytest.mark.parametrize(("sources", "named", "score"), values(__file__, "diversity.tsv"))
def test_recall_times_the_diversity_of_what_was_recalled(sources, named, score):
    found = useful_diversity(context(*sources), characters=PEOPLE if named else ())
    assert found.value == (score if score is None else pytest.approx(score))
    assert not found.value or found.n == 2  # passages of use


def test_distinct_is_the_share_of_different_n_grams():
    # the bell rang the bell: 5 words of 3 kinds; pairs: the bell, bell rang, rang the, the bell
    assert distinct_2("The bell rang. THE bell!").value == pytest.approx(3 / 4)
    assert distinct_2("bell").value is None
