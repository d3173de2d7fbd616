"""Scores of systems that read: ties by any name, quotes that stand, verdicts by letter."""

from __future__ import annotations

from typing import Any

from experiments.extraction.reading_scores import held_pairs, quotes_of, scores


def test_a_tie_is_held_either_way_round_and_by_any_name_in_any_case() -> None:
    edges = [
        {"a": ['"ANN LEE"'], "b": ['"BOB"'], "says": "married"},
        {"a": ["Bob"], "b": ["Mrs. Lee"], "says": "quarrels"},
        {"a": ["Ann Lee"], "b": ["Cid"], "says": "knows"},
    ]
    pair = {"a": ["Ann Lee", "Mrs Lee"], "type": "spouse", "b": ["Bob"]}
    assert held_pairs(edges, [pair]) == [["married", "quarrels"]]
    assert held_pairs([], [pair]) == [[]]


def test_quotes_are_those_beside_an_answer_and_those_of_four_words_in_it() -> None:
    text = "She said that the boat had left at noon.\nNobody waved."
    said = {
        "text": 'It left: “the boat had  left at noon”, not "the boat left at ten".',
        "cited": ["Nobody waved."],
    }
    assert quotes_of(said, text) == [3, 2]
    assert quotes_of({"text": 'He said "no".', "cited": []}, text) == [0, 0]


class _Judge:
    """Right is what says so."""

    def verdicts(self, system: str, asked: str, said: list[str]) -> dict[str, bool]:
        return {text: "right" in text for text in said}


def test_what_did_not_run_keeps_its_reason_beside_the_scores_of_the_others() -> None:
    question = {"id": "q", "question": "Who?", "answers": ["Ann"]}
    corpora: dict[str, Any] = {
        "novel": {"questions": [question], "pairs": [{"a": ["Ann"], "type": "kin", "b": ["Bob"]}]},
        "musique": {"questions": [], "pairs": []},
    }
    one = {
        "version": "1",
        "mode": "any",
        "answers": [{"id": "q", "text": "right:  Ann", "quotes": [2, 1]}],
        "pairs": [["right"]],
        "edges_in_all": 3,
        "asked": {"index": {"requests": 4}},
        "own_seconds": {"index": 1.0},
        "installed_mb": 5,
    }
    found = scores({"one, novel": one, "two, novel": {"failed": "no such module"}}, corpora, _Judge())  # type: ignore[arg-type]
    assert found["aggregates"]["two, novel"] == {"failed": "no such module"}
    row = found["aggregates"]["one, novel"]
    assert (row["right"], row["holds answer"], row["any tie"], row["typed tie"]) == (1, 1, 1, 1)
    assert (row["quotes"], row["quotes that stand"], row["requests, index"]) == (2, 1, 4)
