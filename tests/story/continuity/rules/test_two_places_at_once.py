"""Here and there at the same moment; and all that may lie between."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import FILLER, OPENING, document, story, told
from tests.stories.slips import found_apart, found_in

from fabula.story.continuity.rules.two_places_at_once import TwoPlacesAtOnce

HERE = Path(__file__).parent
TRAVELS = "Marcus went to Paris. He returned to London. Elena went to Brighton. Elena returned to London."


def apart(one, other):
    return found_apart(TwoPlacesAtOnce(), one, other)


def beside(here, there):
    """Both in one chapter of a story that knows the towns."""
    return found_in(TwoPlacesAtOnce(), story(TRAVELS, f"The day was hot.\n\n{here}\n\n{there}"), here, there)


def amid(aside):
    """In the midst of a scene in which Marcus plays."""
    before = "Marcus came into the room and sat down. Elena gave him his tea. “I was kept,” said Marcus."
    after = "Marcus laughed and put down his cup. “I will,” said Marcus, and held out his cup."
    scene = (before, aside, after)
    return found_in(TwoPlacesAtOnce(), story(FILLER, "\n\n".join([*scene, FILLER])), *scene)


def alone(chapter):
    return found_in(TwoPlacesAtOnce(), story("They all met again.", chapter), chapter)


def test_two_towns_at_one_moment_however_far_apart_it_is_told():
    assert_read(HERE / "places_apart.tsv", apart)


def test_two_places_in_one_chapter():
    assert_read(HERE / "places_beside.tsv", beside)


def test_who_plays_in_a_scene_is_told_to_be_away():
    assert_read(HERE / "places_amid.tsv", amid)


def test_who_acts_here_and_who_may_well_be_far_off():
    assert_read(HERE / "places_alone.tsv", alone)


def test_a_date_may_be_of_another_year_where_chapters_lie_between():
    here = "Marcus was in Paris on the fourth of June, and went to the opera."
    there = "On the fourth of June Marcus stood on the quay at Cork."
    [finding] = TwoPlacesAtOnce().find(story(f"{FILLER}\n\n{here} {FILLER}\n\n{there}"))
    assert [quote.quote for quote in finding.evidence] == [here, there]
    view = story(f"{FILLER}\n\n{here}", FILLER, FILLER, f"{FILLER}\n\n{there}")
    assert list(TwoPlacesAtOnce().find(view)) == []


def test_a_draft_answers_for_itself():
    draft = "Elena sat in the kitchen. She peeled an apple. At that moment Elena was in the library."
    view = told(document(OPENING), document(draft, title="draft", first=2))
    assert len(list(TwoPlacesAtOnce().find(view, only_document="draft"))) == 1
    assert len(TwoPlacesAtOnce().checkable(view, only_document="draft")) == 1
    assert list(TwoPlacesAtOnce().find(view, only_document="tale")) == []
