import math
from dataclasses import replace

import numpy as np
import pytest

from fabula.core.types import Context, Generation
from fabula.story import metrics
from fabula.story.comparison.report import GenerationMetrics
from fabula.story.metrics import distinct_2, useful_diversity
from fabula.story.model.findings import CheckReport, Severity, Violation
from fabula.story.writing.context import Source, StoryContext


def check(violations, *, checked=4, checkable=5, words=200):
    finding = Violation("rule", Severity.ERROR, "m", (), ())
    return CheckReport((finding,) * violations, checkable, checked, words)


def context():
    return StoryContext(Context(tokens=42), None, (), "text", 100)


def unit(*degrees):
    return np.array(
        [[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in degrees], dtype=np.float32
    )


def test_scores_of_a_check_beside_nothing_to_judge():
    report = check(3)
    assert metrics.consistency(report).value == pytest.approx(1 - 0.1 * 3)
    assert metrics.violations_per_10k_words(report).value == pytest.approx(10_000 * 3 / 200)
    assert metrics.coverage(report).value == pytest.approx(4 / 5)
    assert metrics.consistency(check(12)).value == 0.0
    assert not metrics.violations_per_10k_words(report).higher_is_better
    empty = check(0, checked=0, checkable=0, words=0)
    for score in (metrics.consistency, metrics.violations_per_10k_words, metrics.coverage):
        assert score(empty).value is None
        assert score(None).value is None


def test_coherence_is_the_mean_cosine():
    score = metrics.scene_coherence(unit(45, 105), scene=unit(0, 90))
    assert score.value == pytest.approx((1 + math.cos(math.radians(60))) / 2, abs=1e-6)
    assert metrics.scene_coherence(unit(45), scene=unit(0)).value is None
    assert metrics.scene_coherence(unit(1, 2), scene=unit()[:0].reshape(0, 2)).value is None
    assert metrics.scene_coherence(unit(1, 2), scene=unit(0, 180)[:, :1].repeat(2, 1)).value is None


def test_repeated_and_copied_4_grams():
    # 9 words, 6 four-grams; "the bell rang twice" comes twice
    text = "The bell rang twice; the bell rang TWICE! Then"
    grams = 9 - 3
    assert metrics.repetition(text).value == pytest.approx(1 - (grams - 1) / grams)
    assert metrics.repetition(text).n == grams and not metrics.repetition(text).higher_is_better
    assert metrics.repetition("All words differ here").value == 0.0
    assert metrics.repetition("Too few words").value is None
    given = replace(context(), text="[Previous Scene] The bell rang twice, and then")
    # the bell rang twice | bell rang twice she | rang twice she left
    score = metrics.copied("The bell rang TWICE. She left.", context=given)
    assert (score.value, score.n, score.higher_is_better) == (pytest.approx(1 / 3), 3, False)
    assert metrics.copied("Too few words", context=given).value is None


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
    seconds = (("retrieve", 0.25), ("generate", 2.0))
    assert GenerationMetrics((), seconds).response_time.value == 0.25 + 2.0
    assert GenerationMetrics().response_time.value is None


PEOPLE = (("Anna Reed", "Anna"), ("Tom",))


def passages(*sources):
    made = tuple(
        Source("passage", "World", "l", chapter, tokens, text, ()) for chapter, tokens, text in sources
    )
    return StoryContext(Context(tokens=1), None, made, "text", 100)


def test_recall_times_the_diversity_of_what_was_recalled():
    # Anna in ch. 1 (30 tokens) and ch. 2 (10), nobody in ch. 3; Tom nowhere
    score = useful_diversity(
        passages((1, 30, "Anna came."), (2, 10, "Miss Anna Reed went."), (3, 60, "It rained.")),
        characters=PEOPLE,
    )
    assert score.value == pytest.approx(1 / 2 * (1 - (0.75**2 + 0.25**2)))
    assert score.n == 2


def test_scraps_of_no_use_win_nothing_and_nothing_is_no_score():
    whole = passages((1, 50, "Anna and Tom."), (2, 50, "Tom and Anna."))
    scraps = passages(*((n, 10, "It rained.") for n in range(1, 10)), (10, 10, "Anna."))
    assert useful_diversity(scraps, characters=PEOPLE).value == 0.0
    assert useful_diversity(whole, characters=PEOPLE).value == pytest.approx(0.5)
    assert useful_diversity(passages((1, 9, "Anna.")), characters=()).value is None
    assert useful_diversity(passages(), characters=PEOPLE).value is None
    assert useful_diversity(passages((1, 9, "Rain.")), characters=PEOPLE).value == 0.0


def test_distinct_is_the_share_of_different_n_grams():
    # the bell rang the bell: 5 words of 3 kinds; pairs: the bell, bell rang, rang the, the bell
    text = "The bell rang. THE bell!"
    assert distinct_2(text).value == pytest.approx(3 / 4)
    assert distinct_2("bell").value is None
