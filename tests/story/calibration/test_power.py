import json
import textwrap
from dataclasses import replace

import pytest
from tests.tables import values

from fabula.core.documents import document_from_text
from fabula.core.types import Chapter, Document, Span
from fabula.demo import story_text
from fabula.story.calibration.planting import SLIPS, SOUND, manner_of, plant, scenarios
from fabula.story.calibration.power import (
    POWER_FILE,
    Found,
    Power,
    kept_powers,
    power_notice,
    power_of,
    save_powers,
)
from fabula.story.model.findings import Severity, Violation
from fabula.views.text.check import power_data, power_line, power_text

BOOK = document_from_text(story_text(), id="demo", title="Demo")


def planted(seed, book=BOOK):
    return plant(book, seed=seed, slips=2, sound=4)


def test_scenarios_are_whole_and_each_stands_once():
    told = scenarios()
    assert len(told) == len({one["earlier"] for one in told}) == 150
    assert all(one[name].strip() for one in told for name in (*SLIPS, *SOUND))


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_both_sides_stand_where_it_is_said_and_the_book_stays(seed):
    made = planted(seed)
    assert made == planted(seed) and made.pairs != planted(seed + 1).pairs
    assert sorted(pair.name for pair in made.pairs) == sorted([*SLIPS, *SLIPS, *SOUND])
    text = made.document.text
    for pair in made.pairs:
        assert pair.earlier.span.end <= pair.later.span.start
        for side in (pair.earlier, pair.later):
            side.verify(text)
            assert made.document.chapter(side.chapter).body.contains(side.span)
            assert "\n\n" not in side.quote and text[side.span.start - 2 : side.span.start] == "\n\n"
    for pair in sorted(made.pairs, key=lambda one: one.later.span, reverse=True):
        for side in (pair.later, pair.earlier):
            text = text.replace("\n\n" + side.quote, "", 1)
    assert text == BOOK.text
    short = document_from_text("## 1\n\nOne line.\n\nAnother line.\n", id="s", title="S")
    assert planted(seed, short).pairs == ()  # there is no room


class Critic:
    """Finds every planted pair of these names, and something else besides."""

    def __init__(self, *names, sides=2):
        self.names, self.sides, self.seen = names, sides, 0

    def __call__(self, document):
        made = planted(self.seen)
        self.seen += 1
        assert made.document == document
        found = [(pair.earlier, pair.later)[-self.sides :] for pair in made.pairs if pair.name in self.names]
        found.append((made.pairs[0].earlier, made.pairs[-1].later))
        return [Violation("r", Severity.WARNING, "m", (), sides) for sides in found]


def power(critic, copies):
    return power_of("rules", BOOK, critic, copies=copies, slips=2, sound=4)


def test_recall_counts_both_sides_and_alarms():
    told = power(Critic("explicit", "trap"), 3)
    assert told.slips == {"explicit": Found(6, 6), "paraphrase": Found(0, 6), "implicit": Found(0, 6)}
    assert (told.sound["trap"], told.misled) == (Found(3, 3), Found(3, 12))
    assert (told.recall, told.copies) == (Found(6, 18), 3)
    (data,) = power_data([told])
    assert data["recall"]["share"] == pytest.approx(1 / 3)
    assert "33 %" in power_line(told) and "told openly" in power_text([told])
    told = power(Critic(*SLIPS, sides=1), 2)
    assert told.recall.found == 0
    assert "says nothing about the book" in power_text([told])


@pytest.mark.parametrize(("found", "words", "said"), values(__file__, "notices.tsv"))
def test_the_notice_refuses_what_the_power_does_not_suffice_for(found, words, said):
    recall = None if found is None else Power("rules", 1, 1, {"explicit": Found(found, 20)}, {})
    assert said in power_notice(recall, words=words)


def test_what_was_measured_is_kept_for_its_own_text(tmp_path):
    one, other = power(Critic("explicit"), 1), Power("model:m", 1, 1, {"explicit": Found(1, 2)}, {})
    for each in (one, other):
        save_powers(tmp_path, [each], of="a")
    assert kept_powers(tmp_path, of="a") == (other, one)
    assert kept_powers(tmp_path, of="b") == ()
    save_powers(tmp_path, [one], of="b")
    assert kept_powers(tmp_path, of="b") == (one,)
    for broken in ("", "[]", "{}", "[" * 9000, json.dumps({"schema": 1, "of": "b", "critics": [3]})):
        (tmp_path / POWER_FILE).write_text(broken)
        assert kept_powers(tmp_path, of="b") == ()


def _book(text):
    return Document("b", "B", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))


RAIN = (
    "The rain fell upon the house and the farm, and the road was empty as far as the hill, where a cart had\n"
    "stood since the morning with nobody near it, and so the day went."
)
TALK = '"It will rain," said Mr. Hale. "It always does at the farm, Robert\'s or another\'s."'
TYPED = manner_of(_book("\n\n".join([textwrap.fill(RAIN, 68), textwrap.fill(TALK, 68)] * 20)))


GRAY = "“Gray, is it?” said Mr Hale—and he was gone. It’s gray, he thought; it had been gray. " * 3
SINGLE = "'Come,' says Anna. 'It is late.' She goes to the door and is gone. 'No,' says he. He sees her.\n"


def test_books_in_each_kind_of_quotes():
    manner = TYPED
    assert (manner.opening, manner.closing, manner.apostrophe, manner.newline) == ('"', '"', "'", "\n")
    assert 60 <= manner.width <= 70
    manner = manner_of(_book("\r\n\r\n".join([GRAY] * 4)))
    assert (manner.opening, manner.closing, manner.apostrophe, manner.dash) == ("“", "”", "’", "—")
    assert manner.newline == "\r\n" and manner.width is None
    manner = manner_of(_book(SINGLE * 5))
    assert (manner.opening, manner.closing) == ("'", "'")
    assert manner.dress("“No,” says he.") == "'No,' says he."


def test_lines_are_broken_within_the_width_and_hold_the_words():
    words = ["a" * (1 + 7 * n % 12) for n in range(60)] + ["b" * 80, "well-known"]
    told = replace(TYPED, width=70).broken(" ".join(words))
    assert told.split() == words
    assert all(len(line) <= 70 or " " not in line for line in told.split("\n"))
    assert "\n" not in replace(TYPED, width=None).broken(" ".join(words))
