"""Runs that come twice, and how many n-grams differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.story.metrics import distinct, longest_repeat


def test_distinct_is_the_share_of_different_n_grams():
    # the bell rang the bell: 5 words of 3 kinds; pairs: the bell, bell rang, rang the, the bell
    text = "The bell rang. THE bell!"
    assert distinct(text, n=1).value == pytest.approx(3 / 5)
    assert distinct(text, n=2).value == pytest.approx(3 / 4)
    assert distinct(text, n=2).name == "distinct_2"
    assert distinct("bell", n=2).value is None


def test_the_longest_run_that_comes_twice():
    # "the bell rang twice" stands twice; nothing longer does
    score = longest_repeat("The bell rang twice and the bell rang twice, then Anna left.")
    assert (score.value, score.n, score.higher_is_better) == (4.0, 12, False)
    assert longest_repeat("All words differ here").value == 0.0
    assert longest_repeat("...").value is None


def test_a_run_does_not_repeat_itself():
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
