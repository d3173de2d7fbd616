import pytest
from tests.stories.builder import StoryBuilder
from tests.tables import values

from fabula import errors
from fabula.core.types import Book, Evidence, Horizon, Span
from fabula.errors import ConfigError, HorizonError
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.model.types import Presence
from fabula.story.passages.chunk_facts import ChunkFacts, ChunkFactsTable
from fabula.story.passages.filter import SearchFilter, select
from fabula.story.passages.scenes_and_tones import SceneKind, Tone

TALK, DEED, PAST = SceneKind.DIALOGUE, SceneKind.ACTION, SceneKind.FLASHBACK


def row(chapter, who, kind=TALK, tone=Tone.NEUTRAL, points=3):
    return ChunkFacts(chapter, tuple(who), kind, tone, points)


ROWS = [
    row(1, ["anna", "tom"]),
    row(1, ["anna"], DEED, Tone.TENSE, 5),
    row(2, ["drone"], PAST, Tone.SAD, 8),
    row(2, []),
    row(3, ["tom", "vera"], DEED, Tone.TENSE, 2),
    row(4, ["vera"], TALK, Tone.ANGRY, 9),
]

TABLE = ChunkFactsTable.from_facts(ROWS)
BOOKS = (Book("one", "One", 1, 2, 0), Book("two", "Two", 3, 4, 99))


def graph():
    story = StoryBuilder()
    story.mention("Anna").mention("Tom").mention("@Marl")
    story.chapter(2).mention("Drone")
    story.chapter(3).mention("Vera").merge("Drone", "Anna")
    story.chapter(4).mention("Vera Quill", as_="vera")
    return story.graph


def found(horizon=None, **wanted):
    limit = sum(row.chapter <= (horizon or 99) for row in ROWS)
    view = graph().as_of(Horizon(horizon))
    return let_through(TABLE, view, limit, BOOKS, **wanted)


def let_through(table, view, limit=None, series=(), /, **wanted):
    limit = len(table) if limit is None else limit
    chosen = select(SearchFilter(**wanted), table, view=view, limit=limit, books=series)
    return [ordinal for ordinal in range(len(table)) if ordinal in chosen]


def test_all_that_is_set_must_hold():
    for wanted, rows in [
        ({"scene_types": ("flashback", DEED)}, [1, 2, 4]),
        *values(__file__, "all_that_is_set_must_hold.tsv"),
    ]:
        assert found(**wanted) == rows, (wanted, rows)


def test_names_mean_whom_a_reader_there_takes_them_for():
    """That Drone is Anna is told in chapter 3."""
    assert found(2, characters=("Anna",)) == [0, 1]
    assert found(2, characters=("Drone",)) == [2]
    assert found(3, characters=("Anna",)) == found(3, characters=("Drone",)) == [0, 1, 2]
    assert found(4, characters=("Vera Quill",)) == [4, 5]


def test_nothing_past_the_horizon_is_found_or_spoken_of():
    assert found(2) == [0, 1, 2, 3]
    with pytest.raises(ConfigError, match="no character called 'Vera Quill'") as error:
        found(2, characters=("Vera Quill",))
    assert "did you mean" not in str(error.value)
    assert str(error.value).endswith("use one of Anna, Drone, Tom")
    with pytest.raises(HorizonError, match="the horizon is chapter 2, so ask for chapters 1 to 2"):
        found(2, chapters=(2, 3))
    assert found(2, without_chapters=(3,)) == [0, 1, 2, 3]


def test_what_cannot_be_meant_is_refused_with_the_way_out():
    for wanted, error, message in values(__file__, "what_cannot_be_meant.tsv"):
        with pytest.raises(getattr(errors, error), match=message):
            found(**wanted)
    view = graph().as_of(Horizon(0))
    with pytest.raises(ConfigError, match="nobody is known yet"):
        let_through(TABLE, view, 0, characters=("Anna",))


def test_later_rows_and_people_change_nothing():
    longer = TABLE.appended([row(5, ["zoe", "anna"], DEED, Tone.TENSE, 9)])
    view = graph().as_of(Horizon(3))
    for wanted in ({}, {"characters": ("Anna",)}, {"scene_types": ("action",)}, {"min_importance": 5}):
        assert let_through(TABLE, view, 5, **wanted) == let_through(longer, view, 5, **wanted)


def test_a_book_that_is_not_begun_is_not_spoken_of():
    assert found(3, books=(2,)) == [4]
    with pytest.raises(HorizonError, match="book 2 cannot be searched: ask for books 1 to 1"):
        found(2, books=(2,))
    view = graph().as_of(Horizon(None))
    with pytest.raises(ConfigError, match="is one book, no series"):
        select(SearchFilter(books=(1,)), TABLE, view=view, limit=len(TABLE))


def test_equal_filters_have_equal_keys():
    one = SearchFilter(
        scene_types=("flashback", "action"), characters=("b", "a", "b"), without_chapters=(2, 1)
    )
    other = SearchFilter(scene_types=(DEED, PAST), characters=("a", "b"), without_chapters=(1, 2, 2))
    assert one == other
    assert one.key() == other.key()
    assert one.key() != SearchFilter(scene_types=(DEED,)).key()
    assert SearchFilter().is_empty
    assert not one.is_empty


def test_what_somebody_knows_is_what_he_was_by_to_know(monkeypatch):
    """Anna is on stage in the first chapter alone: what stands two chunks from her there she knows; of the
    second, where she is only spoken of, nothing. Nor of what she may only be named in: a letter that says "I
    will not tell Anna"."""
    view, quote = graph().as_of(Horizon()), Evidence("book", 1, Span(0, 4), "Anna")
    told = [(1, []), (1, []), (1, ["anna"]), (1, []), (1, []), (1, []), (2, ["drone"])]
    table = ChunkFactsTable.from_facts([row(*one) for one in told])
    for sure, known in ((0.6, []), (0.9, [0, 1, 2, 3, 4])):
        stage = {1: (Presence("anna", 0, None, quote, sure, told=1),)}
        monkeypatch.setattr(StoryView, "on_stage", lambda _, chapter, stage=stage: stage.get(chapter, ()))
        assert let_through(table, view, known_to="Anna") == known
    assert let_through(table, view, known_to="Tom") == []
    with pytest.raises(ConfigError, match="no character called 'Zoe'"):
        let_through(table, view, known_to="Zoe")
