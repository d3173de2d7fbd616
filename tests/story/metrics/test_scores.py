"""Each metric on an example small enough to do by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Context, Generation, LeftOut, Note
from fabula.story import metrics
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


def test_consistency_beside_rate_and_coverage():
    report = check(3)
    assert metrics.consistency(report).value == pytest.approx(1 - 0.1 * 3)
    assert metrics.violations_per_10k_words(report).value == pytest.approx(10_000 * 3 / 200)
    assert metrics.coverage(report).value == pytest.approx(4 / 5)
    assert metrics.consistency(check(12)).value == 0.0


def test_nothing_to_judge_is_not_zero():
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


def test_flow_is_the_mean_cosine_of_neighbours():
    score = metrics.flow(unit(0, 60, 90))
    assert score.value == pytest.approx((math.cos(math.pi / 3) + math.cos(math.pi / 6)) / 2, abs=1e-6)
    assert score.n == 2
    assert metrics.flow(unit(0)).value is None


def test_scene_coherence_is_the_mean_cosine_with_the_scenes_centre():
    # the centre of 0 and 90 degrees lies at 45; the draft's sentences at 45 and 105
    score = metrics.scene_coherence(unit(45, 105), scene=unit(0, 90))
    assert score.value == pytest.approx((1 + math.cos(math.radians(60))) / 2, abs=1e-6)
    assert metrics.scene_coherence(unit(45), scene=unit(0)).value is None
    assert metrics.scene_coherence(unit(1, 2), scene=unit()[:0].reshape(0, 2)).value is None
    assert metrics.scene_coherence(unit(1, 2), scene=unit(0, 180)[:, :1].repeat(2, 1)).value is None


def test_repetition_is_the_share_of_repeated_4_grams():
    # 9 words, 6 four-grams; "the bell rang twice" comes twice
    text = "The bell rang twice; the bell rang TWICE! Then"
    grams = 9 - 3
    assert metrics.repetition(text).value == pytest.approx(1 - (grams - 1) / grams)
    assert metrics.repetition(text).n == grams
    assert metrics.repetition("All words differ here").value == 0.0
    assert metrics.repetition("Too few words").value is None


def test_copied_is_the_share_of_4_grams_that_stand_in_the_context():
    given = replace(context(), text="[Previous Scene] The bell rang twice, and then")
    # the bell rang twice | bell rang twice she | rang twice she left
    score = metrics.copied("The bell rang TWICE. She left.", context=given)
    assert (score.value, score.n) == (pytest.approx(1 / 3), 3)
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
    assert metrics.response_time(seconds).value == 0.25 + 2.0
    assert metrics.response_time(()).value is None


def test_direction():
    lower = {"violations_per_10k_words", "repetition", "copied"}
    made = [
        metrics.consistency(check(0)),
        metrics.coverage(check(0)),
        metrics.flow(unit(0, 1)),
        metrics.violations_per_10k_words(check(0)),
        metrics.repetition("a b c d"),
        metrics.copied("a b c d", context=context()),
        metrics.presence("", characters=(("A",),)),
        metrics.source_diversity(context()),
    ]
    assert {score.name for score in made if not score.higher_is_better} == lower


@given(
    st.text(alphabet="ab cd.", max_size=60),
    st.lists(st.tuples(st.sampled_from("pn"), st.integers(1, 3), st.integers(0, 50)), max_size=6),
)
def test_ranges(text, sources):
    repeated, diverse = metrics.repetition(text).value, metrics.source_diversity(context(*sources)).value
    assert repeated is None or 0 <= repeated < 1
    assert diverse is None or -1e-9 <= diverse < 1
