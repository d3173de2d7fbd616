import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Context, Evidence, Generation, LeftOut, Note, Span
from fabula.story import metrics
from fabula.story.comparison.report import GenerationMetrics
from fabula.story.metrics import (
    distinct_2,
    longest_repeat,
    source_diversity,
    useful_diversity,
)
from fabula.story.model.findings import CheckReport, Severity, Violation
from fabula.story.writing.context import Source, StoryContext


def check(violations, *, checked=4, checkable=5, words=200):
    finding = Violation("rule", Severity.ERROR, "m", (), ())
    return CheckReport((finding,) * violations, checkable, checked, words)


def context(*sources, notes=0, left_out=0, budget=100):
    made = tuple(
        Source(kind, "World", "label", chapter, tokens, "t", ()) for kind, chapter, tokens in sources
    )
    inner = Context(
        notes=(Note("state", "x"),) * notes, left_out=(LeftOut("x", "budget", 3),) * left_out, tokens=42
    )
    return StoryContext(inner, None, made, "text", budget)


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


def test_source_diversity_is_simpsons():
    # passages of ch. 1: 60 tokens, of ch. 2: 20, notes of ch. 2: 20
    mixed = context(("passage", 1, 40), ("passage", 1, 20), ("passage", 2, 20), ("note", 2, 20))
    score = metrics.source_diversity(mixed)
    assert score.value == pytest.approx(1 - (0.6**2 + 0.2**2 + 0.2**2))
    assert score.n == 4
    assert metrics.source_diversity(context(("passage", 1, 40))).value == 0.0
    assert metrics.source_diversity(context()).value is None


def test_coherence_is_the_mean_cosine():
    score = metrics.flow(unit(0, 60, 90))
    assert score.value == pytest.approx((math.cos(math.pi / 3) + math.cos(math.pi / 6)) / 2, abs=1e-6)
    assert score.n == 2
    assert metrics.flow(unit(0)).value is None
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
    given = context(notes=2, left_out=3)
    assert (metrics.retrieved(given).value, metrics.retrieved(given).n) == (2 + 3, 2)
    assert (metrics.context_tokens(given).value, metrics.context_tokens(given).n) == (42, 100)
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
    assert source_diversity(scraps).value > source_diversity(whole).value
    assert useful_diversity(scraps, characters=PEOPLE).value == 0.0
    assert useful_diversity(whole, characters=PEOPLE).value == pytest.approx(0.5)
    assert useful_diversity(passages((1, 9, "Anna.")), characters=()).value is None
    assert useful_diversity(passages(), characters=PEOPLE).value is None
    assert useful_diversity(passages((1, 9, "Rain.")), characters=PEOPLE).value == 0.0


def quote(document, start):
    return Evidence(document, 1, Span(start, start + 10), "x" * 10)


def test_distinct_is_the_share_of_different_n_grams():
    # the bell rang the bell: 5 words of 3 kinds; pairs: the bell, bell rang, rang the, the bell
    text = "The bell rang. THE bell!"
    assert distinct_2(text).value == pytest.approx(3 / 4)
    assert distinct_2("bell").value is None


def test_the_longest_run_that_comes_twice():
    # "the bell rang twice" stands twice; nothing longer does
    score = longest_repeat("The bell rang twice and the bell rang twice, then Anna left.")
    assert (score.value, score.n, score.higher_is_better) == (4.0, 12, False)
    assert longest_repeat("All words differ here").value == 0.0
    assert longest_repeat("...").value is None
    assert longest_repeat("no no no").value == 1.0
    assert longest_repeat("no no no no").value == 2.0


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=24))
def test_as_slow_and_plain_search_finds_it(words):
    def stands_twice(length):
        starts = range(len(words) - length + 1)
        return any(
            words[i : i + length] == words[j : j + length] for i in starts for j in starts if j >= i + length
        )

    longest = max(length for length in range(len(words) // 2 + 1) if length == 0 or stands_twice(length))
    assert longest_repeat(" ".join(words)).value == longest
