from itertools import pairwise
from pathlib import Path

from tests.stories.examples import assert_read

from fabula.story.time.grammar import time_expressions

HERE = Path(__file__).parent


def expressions(text):
    for one in time_expressions(text):
        if one.kind != "bare age":
            yield f"{one.kind} {one.value} ({text[one.start : one.end]})"


def test_a_time_has_a_value_and_long_texts_are_read_in_one_pass():
    assert_read(HERE / "expressions.tsv", expressions, parsed=False)
    text = "On June 4th, 1815, at nine o'clock in the evening, ten years later, aged 50, he slept. " * 50
    found = time_expressions(text)
    assert len(found) == 4 * 50
    assert all(a.end <= b.start for a, b in pairwise(found))
