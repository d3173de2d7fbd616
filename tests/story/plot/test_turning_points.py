"""The five turning points of a plot, with vectors made by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fabula.core.types import Span
from fabula.story.model.chapter_reading import ChapterReading, Happening, Mention
from fabula.story.model.types import EntityKind, Modality
from fabula.story.plot.prototypes import BACKGROUND, TURNING_POINTS
from fabula.story.plot.turning_points import (
    POSITIONS,
    ROLES,
    PlotPointFinder,
    _clauses,
    _marginals,
    _ordered_best,
    event_weights,
    fixed_points,
    introductions,
    placed_points,
    without_names,
)


class Worded:
    """Sentences that name a role, or stand in its table, point its way; all others point nowhere much."""

    name, dimension = "worded", 8

    def embed_documents(self, texts):
        rows = []
        for text in texts:
            row = np.full(8, 0.05)
            row[7] = 1.0 if text in BACKGROUND else 0.3
            for k, (role, sentences) in enumerate(TURNING_POINTS.items()):
                if f"<{role}>" in text or text in sentences:
                    row[k] = 1.0
            rows.append(row / np.linalg.norm(row))
        return np.array(rows, dtype=np.float32)

    def embed_query(self, text):
        return self.embed_documents([text])[0]


def plot(n: int, **marked: int) -> list[str]:
    """``n`` plain pieces, those at ``marked`` places naming a role."""
    pieces = [f"They went on to place {i}." for i in range(n)]
    for role, place in marked.items():
        pieces[place] += f" <{role.replace('_', ' ')}>"
    return pieces


def test_the_table_has_the_five_roles_with_enough_sentences_each_once() -> None:
    assert ROLES == ("opportunity", "change of plans", "point of no return", "major setback", "climax")
    every = [sentence for told in (*TURNING_POINTS.values(), BACKGROUND) for sentence in told]
    assert len(every) == len(set(every)) == 6 * 60
    assert all(sentence.endswith(".") and sentence == sentence.strip() for sentence in every)


def test_where_nothing_tells_them_apart_they_stand_about_their_places() -> None:
    assert fixed_points(21) == (2, 5, 10, 15, 18)
    found = PlotPointFinder(Worded()).find(["They went on."] * 21)
    assert [point.piece for point in found] == [2, 6, 10, 15, 19]
    assert [point.role for point in found] == list(ROLES)


def test_what_is_like_a_role_and_near_its_place_is_chosen() -> None:
    places = {
        "opportunity": 3,
        "change_of_plans": 6,
        "point_of_no_return": 12,
        "major_setback": 17,
        "climax": 20,
    }
    found = PlotPointFinder(Worded()).find(plot(23, **places))
    assert [point.piece for point in found] == list(places.values())
    assert all(0 < point.probability <= 1 for point in found)


def test_likeness_far_from_the_place_does_not_count() -> None:
    found = PlotPointFinder(Worded()).find(plot(41, climax=2))
    assert found[4].piece > 30


def test_a_death_draws_the_climax_but_not_the_opportunity() -> None:
    pieces = ["They went on."] * 41
    events = [0.0] * 41
    events[38] = events[2] = 1.0
    found = PlotPointFinder(Worded()).find(pieces, events=events)
    plain = PlotPointFinder(Worded()).find(pieces)
    assert (plain[4].piece, found[4].piece) == (37, 38)
    assert found[0].piece == plain[0].piece


def test_fewer_than_five_pieces_have_no_five_turning_points() -> None:
    assert PlotPointFinder(Worded()).find(["Once.", "Twice."]) == ()
    assert [point.piece for point in PlotPointFinder(Worded()).find(["Once."] * 5)] == [0, 1, 2, 3, 4]


def test_marginals_and_the_best_order_agree_with_counting_all_ways() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(5, 8))
    ways = list(itertools.combinations(range(8), 5))
    weights = np.exp([sum(scores[k, i] for k, i in enumerate(way)) for way in ways])
    chances = np.zeros((5, 8))
    for way, weight in zip(ways, weights, strict=True):
        for k, i in enumerate(way):
            chances[k, i] += weight / weights.sum()
    assert _marginals(scores) == pytest.approx(chances)
    best = max(ways, key=lambda way: sum(chances[k, i] for k, i in enumerate(way)))
    assert _ordered_best(chances) == best


def test_events_weigh_in_the_piece_that_tells_them() -> None:
    def happening(predicate: str, start: int, modality: Modality = Modality.FACT) -> Happening:
        return Happening(predicate, None, None, None, (Span(start, start + 3),), modality, 0.8)

    reading = ChapterReading(
        happenings=(
            happening("MEETS", 2),
            happening("KILLS", 12),
            happening("HELPS", 15),
            happening("KILLS", 25, Modality.PLANNED),
            happening("DOES", 26),
        )
    )
    spans = [Span(0, 9), Span(10, 19), Span(20, 29)]
    assert event_weights(reading, spans) == (0.4, 1.0, 0.0)
    assert event_weights(reading, []) == ()


def test_names_give_way_to_pronouns_and_asides_go() -> None:
    text = "Tom Hale (the actor) meets Anna. Anna's Tom Hale leaves Lynn."

    def mention(surface: str, start: int, kind=EntityKind.CHARACTER, gender: str = "") -> Mention:
        span = Span(start, start + len(surface))
        return Mention(span, surface, kind, gender, 0, Span(0, len(text)), True)

    reading = ChapterReading(
        mentions=(
            mention("Tom Hale", 0),
            mention("Anna", 27, gender="f"),
            mention("Anna", 33),
            mention("Tom Hale", 40),
            mention("Lynn", 56, EntityKind.LOCATION),
        )
    )
    spans = [Span(0, 32), Span(33, len(text))]
    assert without_names(text, reading, spans) == ("He meets she.", "Her he leaves Lynn.")
    assert without_names(text, ChapterReading(), spans)[1] == "Anna's Tom Hale leaves Lynn."


def test_a_role_named_in_one_clause_of_a_long_piece_counts() -> None:
    long = "They went on to the next place, " * 6
    assert _clauses("He came home, and she told him the truth when it was late.") == [
        "she told him the truth",
    ]
    assert len(_clauses("one two three four, " * 40)) == 12
    pieces = [long + "they went on to the end." for _ in range(23)]
    pieces[12] = long + "there it is <point of no return>."
    assert PlotPointFinder(Worded()).find(pieces)[2].piece == 12


def test_names_do_not_count_where_the_nameless_pieces_say_otherwise() -> None:
    pieces = plot(23, point_of_no_return=12)
    plain = ["They went on."] * 23
    assert PlotPointFinder(Worded()).find(pieces)[2].piece == 12
    assert PlotPointFinder(Worded()).find(plain, nameless=pieces)[2].piece == 12
    assert PlotPointFinder(Worded()).find(plain, nameless=plain)[2].piece == 11


def test_who_is_named_for_the_first_time_is_introduced() -> None:
    def mention(surface: str, start: int, kind=EntityKind.CHARACTER) -> Mention:
        return Mention(Span(start, start + 3), surface, kind, "", 0, Span(0, 30), True)

    reading = ChapterReading(
        mentions=(
            mention("Tom", 0),
            mention("Ann", 5),
            mention("Tom", 12),
            mention("Rye", 15, EntityKind.LOCATION),
            mention("Bob", 22),
        )
    )
    assert introductions(reading, [Span(0, 9), Span(10, 19), Span(20, 29)]) == (2.0, 0.0, 1.0)


def test_introductions_count_against_the_early_roles_alone() -> None:
    pieces = ["They went on."] * 41
    introduced = [0.0] * 41
    plain = [point.piece for point in PlotPointFinder(Worded()).find(pieces)]
    introduced[plain[0]] = introduced[plain[4]] = 3.0
    found = [point.piece for point in PlotPointFinder(Worded()).find(pieces, introduced=introduced)]
    assert found[0] != plain[0]
    assert found[1:] == plain[1:]


def test_of_two_alike_the_one_that_tells_more_is_chosen() -> None:
    pieces = ["They went on."] * 41
    plain = PlotPointFinder(Worded()).find(pieces)[2].piece
    pieces[plain + 1] = "They went on and on, by day and by night, over the hills and through the woods."
    assert PlotPointFinder(Worded()).find(pieces)[2].piece == plain + 1


def test_pieces_of_which_only_the_weight_is_known_play_the_part_that_is_near_their_place() -> None:
    weights = [0.0] * 21
    plain = [point.piece for point in placed_points(weights)]
    assert plain == [2, 6, 10, 15, 19]
    weights[12] = weights[14] = 0.9
    found = {point.role: point.piece for point in placed_points(weights)}
    assert (found["point of no return"], found["major setback"]) == (12, 14)
    assert found["opportunity"] < found["change of plans"] < 12 and found["climax"] > 14
    assert placed_points([1.0] * 4) == ()


def test_positions_ascend() -> None:
    assert list(POSITIONS) == sorted(POSITIONS)
