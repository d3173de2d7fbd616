from types import SimpleNamespace

import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import values

from experiments.user_view import asked_questions as asked
from experiments.user_view import modern_prose as modern
from experiments.user_view import novel_gold
from experiments.user_view import novel_scores as scores
from fabula.core.types import Span


def test_an_answer_is_held_where_all_its_telling_words_stand():
    assert asked.holds("“It was the Admiral Benbow,” he said.", "The Admiral Benbow")
    assert asked.holds("She had two brothers.", "two brother")
    assert not asked.holds("It was the Admiral.", "The Admiral Benbow")
    assert not asked.holds("Anything at all.", "")


class _Fake:
    def __init__(self, text, told=True, spans=()):
        cited = tuple(SimpleNamespace(span=Span(*span)) for span in spans)
        self._given = SimpleNamespace(text=text, told=told, citations=cited, short="")

    def ask(self, question, *, model):
        assert model is False
        return self._given


def test_a_short_answer_is_right_where_its_sentence_is():
    quote = SimpleNamespace(span=Span(10, 20), quote="He kept bees.")
    for answer, place, right in (("bees", [], True), ("cats", [(10, 20)], True), ("cats", [(40, 50)], False)):
        given = SimpleNamespace(text="He kept bees.", told=True, citations=(quote,), short="bees")
        asker = SimpleNamespace(ask=lambda *_, given=given, **__: given)
        (row,) = asked.ask_all(asker, [("What did he keep?", answer, (), place)])
        assert row["short"] is right


@pytest.mark.parametrize(("given", "answer", "verdict"), values(__file__, "verdicts.tsv"))
def test_verdicts(given, answer, verdict):
    (row,) = asked.ask_all(_Fake(**given), [("What did he keep?", answer, (), [(10, 20)] if answer else [])])
    assert row["verdict"] == verdict


def test_shares_of_answers_are_of_those_that_the_text_answers():
    rows = [
        {"novel": "a", "answerable": True, "verdict": verdict}
        for verdict in ("right", "right", "wrong", "refused")
    ]
    rows += [{"novel": "a", "answerable": False, "verdict": verdict} for verdict in ("right", "wrong")]
    found = asked.summed_answers(rows, group="novel")
    assert [found[name]["mean"] for name in ("right", "wrong", "refused")] == [0.5, 0.25, 0.25]
    assert found["unanswerable, refused"]["mean"] == 0.5


PLANTED = ("explicit", "age_date", (10, 20), (50, 60))


@pytest.mark.parametrize(("offsets", "counts", "expected"), values(__file__, "findings_met.tsv"))
def test_a_finding_meets_a_contradiction_where_it_touches_both_sides(offsets, counts, expected):
    found = {"rule": "r", "severity": "error", "counts": counts, "offsets": offsets}
    row = modern._met(PLANTED, [found])
    assert (row["found"], row["hinted"]) == expected
    assert modern._meets(found, [PLANTED]) is expected[1]


def gold(**given):
    people = [
        {"id": "ann", "name": "Ann Hale", "also": ["Ann"], "main": True, "fate": "alive", "fate_at": None},
        {"id": "bob", "name": "Bob Hale", "also": ["Bob"], "main": True, "fate": "dead", "fate_at": [0, 1]},
    ]
    parts = {"characters": people, "relations": [], "events": [], "turning_points": [], "questions": []}
    about = {"narrator": "third", "sha256": "", "century": 19}
    return novel_gold.NovelGold("a-novel", "dev", about, **{**parts, **given})


def test_a_card_is_right_where_one_entity_is_one_character():
    story = StoryBuilder().mention("Ann Hale").mention("Ann", as_=StoryBuilder.id("Ann Hale"))
    story.mention("Bob Hale")
    rows = scores.cast_of(story.view(), gold()).rows
    assert [(row["character"], row["right"], row["why"]) for row in rows] == [("ann", 1, ""), ("bob", 1, "")]
    split = StoryBuilder().mention("Ann Hale").mention("Ann", as_="somebody").mention("Bob Hale")
    assert [row["why"] for row in scores.cast_of(split.view(), gold()).rows] == ["in two", ""]
    one = StoryBuilder().mention("Ann Hale").mention("Bob Hale", as_=StoryBuilder.id("Ann Hale"))
    assert {row["why"] for row in scores.cast_of(one.view(), gold()).rows} == {"two in one"}
    assert [row["why"] for row in scores.cast_of(StoryBuilder().mention("Ann Hale").view(), gold()).rows][
        1
    ] == "missing"


@pytest.mark.parametrize(("told", "type_", "expected"), values(__file__, "relations_by_type_by_sign_and.tsv"))
def test_relations_by_type_by_sign_and_as_any_tie(told, type_, expected):
    one = gold(relations=[{"a": "ann", "type": type_, "b": "bob", "rank": 1, "at": [0, 1]}])
    view = StoryBuilder().bond(*told).view()
    (row,) = scores.relations(view, one, scores.cast_of(view, one))
    assert (row["shown_typed"], row["shown_signed"], row["shown_pair"]) == expected


def test_fates_and_false_deaths():
    view = StoryBuilder().mention("Bob Hale").event("DIES", patient="Ann Hale").view()
    rows = {row["character"]: row for row in scores.fates(view, gold(), scores.cast_of(view, gold()))}
    assert (rows["ann"]["right"], rows["ann"]["false_death"]) == (False, True)
    assert (rows["bob"]["right"], rows["bob"]["false_death"]) == (False, False)
