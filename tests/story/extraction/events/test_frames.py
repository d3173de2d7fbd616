"""Every clause that tells an event, typed or not, with how it is vouched for."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import SURE, name_in, read_behind

from fabula.story.model.types import Modality

HERE = Path(__file__).parent


def told(text):
    """(clause, modality) of what is told behind the paragraph in which everybody is named."""
    found = read_behind(text)
    for one in found.happenings:
        if one.at.start >= len(SURE):
            yield f"{name_in(found, one.agent)} {one.verb} {name_in(found, one.patient)}", one.modality


def events(text):
    yield from (f"{clause} {how.value}" for clause, how in told(text))


def happened(text):
    yield from (clause for clause, how in told(text) if how.happened)


def test_a_clause_is_an_event():
    assert_read(HERE / "events.tsv", events, whole=False)


def test_states_habits_speech_and_strangers_are_none():
    assert_read(HERE / "no_events.tsv", happened)


def test_happenings_come_in_order_of_the_text_with_their_verb_and_place():
    text = "Elena opened the door, killed Marcus and sang in London."
    found, body = read_behind(text), f"{SURE}\n\n{text}"
    places = [happening.at.start for happening in found.happenings]
    assert places == sorted(places)
    assert [h.at.of(body) for h in found.happenings[-3:]] == ["opened", "killed", "sang"]
    assert [h.predicate for h in found.happenings[-3:]] == ["DOES", "KILLS", "DOES"]
    assert name_in(found, found.happenings[-1].place) == "London"
    assert all(h.evidence[0].of(body).strip() for h in found.happenings)


def test_what_is_denied_in_speech_is_not_denied_of_the_speaker():
    assert Modality.NEGATED not in {how for _, how in told("“He did not!” roared Mr. Reed.")}


def test_a_letter_reports():
    letter = "Dear Anna,\n\nMarcus danced with Elena.\n\n"
    signed = {clause.split()[1]: how for clause, how in told(f"{letter}Yours truly, Mr. Reed\n\nElena sang.")}
    assert (signed["dance"], signed["sing"]) == (Modality.REPORTED, Modality.FACT)
    assert {clause.split()[1]: how for clause, how in told(letter)}["dance"] is Modality.FACT
