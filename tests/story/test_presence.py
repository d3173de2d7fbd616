"""Who is on stage and where, and who meets whom: little scenes, each with what must not be read from it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.common.co_presence import co_presence, encounters
from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.extraction.presence.places import shifts
from fabula.story.extraction.presence.signs import BASE, chance, log_odds, odds
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.lexicon.stage_words import is_room
from fabula.story.linking.linker import Linker
from fabula.story.linking.presences import ON_STAGE
from fabula.story.model.predicates import PREDICATES

CAST = "Elena Voss was a doctor. Marcus Hale was a clerk. Mr. Reed was a lawyer. Anna Holt was a nurse. "
VOUCHED = "Elena lived in London. Marcus lived in Paris. Anna lived at Milford Hall.\n\n"


@pytest.fixture(scope="session")
def reader():
    return StoryReader()


def document(bodies):
    text, chapters = "", []
    for number, body in enumerate(bodies, 1):
        heading = f"CHAPTER {number}\n\n"
        start = len(text) + len(heading)
        chapters.append(
            Chapter(number, f"CHAPTER {number}", Span(len(text), start - 2), Span(start, start + len(body)))
        )
        text += heading + body + "\n\n"
    return Document("tale", "tale", text, tuple(chapters))


def log_of(reader, *bodies):
    story, linker = document(bodies), Linker()
    for chapter in story.chapters:
        linker.add(story, chapter, reader.read(chapter.body.of(story.text)))
    return story, linker.log


def view_of(reader, *bodies, as_of=None):
    """The first chapter vouches for the names."""
    _, log = log_of(reader, CAST + VOUCHED, *bodies)
    return StoryKnowledgeGraph(log).as_of(Horizon(as_of))


def stage(reader, body):
    """First names of those on stage."""
    view = view_of(reader, body)
    return {view.name(p.entity).split()[0] for p in view.on_stage(2)}


def placed(reader, body):
    """(first name, place) of those on stage."""
    view = view_of(reader, body)
    return {
        (view.name(p.entity).split()[0], view.name(p.place) if p.place else None) for p in view.on_stage(2)
    }


# --- who ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "there", "away"),
    [
        ("Elena opened the door. Marcus smiled at her.", {"Elena", "Marcus"}, set()),
        ('"Sit down, Marcus," said Elena.', {"Elena", "Marcus"}, set()),
        ("Elena whispered to Marcus.", {"Elena", "Marcus"}, set()),
        ("Elena sat down and thought of Marcus.", {"Elena"}, {"Marcus"}),
        ("Elena sat down and wrote to Marcus.", {"Elena"}, {"Marcus"}),
        ("Elena laughed. She remembered Marcus.", {"Elena"}, {"Marcus"}),
        ('"Marcus is in London," said Elena to Anna.', {"Elena", "Anna"}, {"Marcus"}),
        ("Elena looked at a letter of Marcus's mother and wept.", {"Elena"}, {"Marcus"}),
        ("Elena wept. Marcus would come to-morrow.", {"Elena"}, {"Marcus"}),
        ("Elena hoped that Marcus would write.", set(), {"Marcus"}),
        ("Marcus had died long before. Elena wept and closed the book.", {"Elena"}, {"Marcus"}),
        ("Elena took Marcus's hand. She held his arm.", {"Elena", "Marcus"}, set()),
    ],
)
def test_who_acts_speaks_or_is_addressed_is_there_and_who_is_spoken_of_is_not(reader, body, there, away):
    found = stage(reader, body)
    assert there <= found
    assert not away & found


def test_nobody_is_on_stage_by_his_name_alone(reader):
    assert stage(reader, '"It is about Marcus and Mr. Reed," said Elena.') == {"Elena"}


def test_confidence_grows_with_signs_and_is_never_certain(reader):
    view = view_of(
        reader, "Marcus coughed.\n\nElena rose. Elena ran. Elena sat down. She sighed. Elena left the room."
    )
    sure = {view.name(p.entity).split()[0]: p.confidence for p in view.on_stage(2)}
    assert ON_STAGE <= sure["Marcus"] < sure["Elena"] < 1.0


def test_odds_and_chance():
    assert odds({}) == BASE
    assert odds({"acts": 1}) < odds({"acts": 2}) < odds({"acts": 2, "says": 1})
    assert odds({"acts": 1, "thought of": 1}) < odds({"acts": 1})
    assert chance(0.0) == 0.5
    assert log_odds(chance(1.25)) == pytest.approx(1.25)


def test_each_scene_has_its_own_cast(reader):
    view = view_of(reader, "Elena smiled. Marcus nodded.\n\n* * *\n\nAnna laughed. Mr. Reed sat down.")
    scenes = {}
    for presence in view.on_stage(2):
        scenes.setdefault(presence.scene, set()).add(view.name(presence.entity).split()[-1])
    assert scenes == {0: {"Voss", "Hale"}, 1: {"Holt", "Reed"}}


# --- where --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Elena arrived in London.", ("Elena", "London")),
        ("Elena reached London.", ("Elena", "London")),
        ("Elena was at Milford Hall.", ("Elena", "Milford Hall")),
        ("They met in London. Elena smiled.", ("Elena", "London")),
        ("Elena entered the library.", ("Elena", "the library")),
        ("Elena stayed at Milford Hall in London.", ("Elena", "Milford Hall")),
        ("They sat in the library at Milford Hall. Elena smiled.", ("Elena", "Milford Hall")),
        ("They arrived at Milford Hall. Elena entered the library.", ("Elena", "Milford Hall")),
        ("Elena stayed in London.\n\nMarcus smiled.", ("Marcus", "London")),
        ("Elena stayed in London.\n\nThe next morning Marcus smiled.", ("Marcus", None)),
        ("Elena stayed in London.\n\n* * *\n\nMarcus smiled.", ("Marcus", None)),
        ("Elena left London.\n\nMarcus smiled.", ("Marcus", None)),
        ("They stayed in London. Then Elena left London. Marcus smiled.", ("Marcus", None)),
    ],
)
def test_a_place_is_told_carries_through_the_scene_and_ends(reader, body, found):
    assert found in placed(reader, body)


@pytest.mark.parametrize(
    "body",
    [
        "Elena hoped to go to London. She sighed.",
        "Elena would never arrive in London. She sighed.",
        "Elena thought of London. She sighed.",
        '"I was in London," said Elena. She sighed.',
        "Elena often went to London. She sighed.",
        "Elena sighed. London was far away.",
        "Elena had stayed in London in her youth. She sighed.",
    ],
)
def test_no_place_where_the_text_does_not_put_the_scene_there(reader, body):
    assert ("Elena", None) in placed(reader, body)


def test_the_later_place_is_for_those_who_come_later(reader):
    found = placed(reader, "They stayed in London. Marcus smiled.\n\nThey reached Paris. Anna laughed.")
    assert {("Marcus", "London"), ("Anna", "Paris")} <= found
    assert ("Anna", "London") not in found


def test_the_quotes_of_presence_and_place_stand_in_the_text(reader):
    story, log = log_of(reader, CAST, "They stayed in London.\n\nMarcus smiled at Elena.")
    carried = [p for p in log.presences if p.place is not None]
    assert carried
    for presence in log.presences:
        assert presence.evidence.span.of(story.text) == presence.evidence.quote
    assert {p.where.quote for p in carried if p.where} == {"They stayed in London."}


@pytest.mark.parametrize(
    ("text", "is_shift"),
    [
        ("The next morning they rose.", True),
        ("In the evening she wrote.", True),
        ("A few days later he came.", True),
        ("Two weeks passed.", True),
        ("Meanwhile the rain fell.", True),
        ("The door opened.", False),
        ("Marcus came that evening.", False),
        ("", False),
    ],
)
def test_another_time_of_the_day_is_seen_where_a_paragraph_opens(text, is_shift):
    assert shifts(text) is is_shift


def test_rooms_are_within_houses():
    assert is_room("the drawing-room")
    assert is_room("the breakfast room")
    assert not is_room("the church")


# --- who meets whom -----------------------------------------------------------------------------

MEETING = "Elena smiled at Marcus. Marcus nodded."
ELSEWHERE = "Anna laughed.\n\n* * *\n\nElena sat down. Elena smiled."


def names(view, pair):
    return tuple(sorted(view.name(entity).split()[0] for entity in (pair.one, pair.other)))


def test_who_shares_a_scene_meets(reader):
    view = view_of(reader, MEETING, ELSEWHERE)
    assert [names(view, met) for met in encounters(view, 2)] == [("Elena", "Marcus")]
    assert encounters(view, 3) == ()


def test_an_encounter_is_surer_with_words_between_the_two(reader):
    (silent,) = encounters(view_of(reader, MEETING), 2)
    view = view_of(reader, '"Good day, Marcus," said Elena.\n\n"Good day, Elena," said Marcus.')
    (spoken,) = [met for met in encounters(view, 2) if names(view, met) == ("Elena", "Marcus")]
    assert 0.25 <= silent.weight < 1.0
    assert silent.weight <= spoken.weight <= 1.0


def test_pairs_add_up_over_chapters_with_quotes_and_keep_the_horizon(reader):
    bodies = (MEETING, MEETING + " Anna laughed.", ELSEWHERE)
    pairs = co_presence(view_of(reader, *bodies))
    view = view_of(reader, *bodies)
    (first,) = [pair for pair in pairs if names(view, pair) == ("Elena", "Marcus")]
    assert pairs[0] == first
    assert {2, 3} <= set(first.chapters)
    assert 4 not in first.chapters
    assert first.predicate == "APPEARS_WITH"
    assert all(quote.quote for quote in first.evidence)
    assert co_presence(view.as_of(Horizon(2))) == co_presence(view_of(reader, MEETING))


def test_appearing_together_says_nothing_of_how_two_stand():
    row = PREDICATES["APPEARS_WITH"]
    assert (row.sign, row.symmetric, row.lasting, row.turning, row.opposites) == (
        0,
        True,
        False,
        False,
        frozenset(),
    )


# --- what always holds --------------------------------------------------------------------------

SENTENCES = (
    "Elena arrived in London.",
    "Marcus smiled at Elena.",
    '"Come, Anna," said Mr. Reed.',
    '"Come, Anna, said Mr. Reed',
    "* * *",
    "The next day Anna left London.",
    "They entered the library.",
    "I saw Marcus at the church.",
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), min_size=1, max_size=3))
def test_the_presences_of_a_prefix_are_a_prefix(reader, chapters):
    bodies = ["\n\n".join(sentences) for sentences in chapters]
    story, log = log_of(reader, *bodies)
    _, shorter = log_of(reader, *bodies[:-1]) if len(bodies) > 1 else (story, None)
    if shorter is not None:
        assert [_bare(p) for p in log.presences if p.told < len(bodies)] == [
            _bare(p) for p in shorter.presences
        ]
    for presence in log.presences:
        assert ON_STAGE <= presence.confidence <= 1.0
        assert presence.evidence.span.of(story.text) == presence.evidence.quote
        assert presence.where is None or presence.where.span.of(story.text) == presence.where.quote
    order = [(p.told, p.scene) for p in log.presences]
    assert order == sorted(order)


def _bare(presence):
    return presence.entity, presence.scene, presence.place, presence.told, presence.evidence.quote
