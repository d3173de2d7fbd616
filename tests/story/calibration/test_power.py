import json

import pytest

from fabula.core.documents import document_from_text
from fabula.demo import story_text
from fabula.story.calibration.planting import SLIPS, SOUND, plant, scenarios
from fabula.story.calibration.power import (
    POWER_FILE,
    Found,
    Power,
    kept_powers,
    power_notice,
    power_of,
    save_powers,
    words_needed,
)
from fabula.story.model.findings import Severity, Violation
from fabula.views.text.check import power_data, power_line, power_text

BOOK = document_from_text(story_text(), id="demo", title="Demo")


def test_scenarios_are_whole_and_each_stands_once():
    told = scenarios()
    assert len(told) == len({one["earlier"] for one in told}) == 150
    assert all(one[name].strip() for one in told for name in (*SLIPS, *SOUND))


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_both_sides_stand_where_it_is_said_and_the_book_stays(seed):
    made = plant(BOOK, seed=seed, slips=2, sound=4)
    assert made == plant(BOOK, seed=seed, slips=2, sound=4)
    assert sorted(pair.name for pair in made.pairs) == sorted([*SLIPS, *SLIPS, *SOUND])
    text = made.document.text
    for pair in made.pairs:
        assert pair.earlier.span.end <= pair.later.span.start
        for side in (pair.earlier, pair.later):
            side.verify(text)
            assert made.document.chapter(side.chapter).body.contains(side.span)
            assert "\n\n" not in side.quote and text[side.span.start - 2 : side.span.start] == "\n\n"
    for pair in sorted(made.pairs, key=lambda one: one.later.span, reverse=True):
        text = text.replace("\n\n" + pair.later.quote, "", 1)
        text = text.replace("\n\n" + pair.earlier.quote, "", 1)
    assert text == BOOK.text
    assert plant(BOOK, seed=seed + 1, slips=2, sound=4).pairs != made.pairs


def test_a_book_without_room_takes_fewer():
    short = document_from_text("## 1\n\nOne line.\n\nAnother line.\n", id="s", title="S")
    assert plant(short, seed=0, slips=2, sound=2).pairs == ()


class Critic:
    """Finds every planted pair of these names, and something else besides."""

    def __init__(self, *names, sides=2):
        self.names, self.sides, self.seen = names, sides, 0

    def __call__(self, document):
        made = plant(BOOK, seed=self.seen, slips=2, sound=4)
        self.seen += 1
        assert made.document == document
        found = [(pair.earlier, pair.later)[-self.sides :] for pair in made.pairs if pair.name in self.names]
        others = [(made.pairs[0].earlier, made.pairs[-1].later)]
        return [Violation("r", Severity.WARNING, "m", (), sides) for sides in (*found, *others)]


def test_recall_counts_both_sides_and_alarms():
    power = power_of("rules", BOOK, Critic("explicit", "trap"), copies=3, slips=2, sound=4)
    assert power.slips == {"explicit": Found(6, 6), "paraphrase": Found(0, 6), "implicit": Found(0, 6)}
    assert power.sound["trap"] == Found(3, 3) and power.misled == Found(3, 12)
    assert power.recall == Found(6, 18) and power.copies == 3
    (data,) = power_data([power])
    assert data["recall"]["share"] == pytest.approx(1 / 3)
    assert "33 %" in power_line(power) and "told openly" in power_text([power])
    power = power_of("rules", BOOK, Critic(*SLIPS, sides=1), copies=2, slips=2, sound=4)
    assert power.recall.found == 0
    assert "says nothing of the book" in power_text([power])


@pytest.mark.parametrize(("recall", "words"), [(0.5, 12_000), (0.05, 120_000), (0, None)])
def test_words_needed(recall, words):
    assert words_needed(recall) == words


def test_the_notice_refuses_what_the_power_does_not_suffice_for():
    def with_recall(found):
        return Power("rules", 1, 1, {"explicit": Found(found, 20)}, {})

    assert "not measured" in power_notice(None, words=300)
    assert "say nothing" in power_notice(with_recall(0), words=300)
    assert "12,000 words each" in power_notice(with_recall(10), words=300)
    assert power_notice(with_recall(10), words=20_000).endswith("found 50 %.")


def test_what_was_measured_is_kept_for_its_own_text(tmp_path):
    one = power_of("rules", BOOK, Critic("explicit"), copies=1, slips=2, sound=4)
    other = Power("model:m", 1, 1, {"explicit": Found(1, 2)}, {"trap": Found(0, 2)})
    save_powers(tmp_path, [one], of="a")
    save_powers(tmp_path, [other], of="a")
    assert kept_powers(tmp_path, of="a") == (other, one)
    assert kept_powers(tmp_path, of="b") == ()
    save_powers(tmp_path, [one], of="b")
    assert kept_powers(tmp_path, of="b") == (one,)
    for broken in ("", "[]", "{}", "[" * 9000, json.dumps({"schema": 1, "of": "b", "critics": [3]})):
        (tmp_path / POWER_FILE).write_text(broken)
        assert kept_powers(tmp_path, of="b") == ()
