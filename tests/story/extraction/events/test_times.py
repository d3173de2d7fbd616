"""Whose age a time is, and what happened then."""

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.facts import SURE, name_in, read_behind
from tests.stories.reading import document, linked

HERE = Path(__file__).parent


def times(text):
    found = read_behind(text)
    for one in found.times:
        of = "" if one.character is None else f" of {name_in(found, one.character)}"
        when = "" if one.happening is None else f", {found.happenings[one.happening].verb}"
        yield f"{one.kind} {one.value}{of}{when}"


def test_whose_age_and_what_is_dated():
    assert_read(HERE / "times.tsv", times)


def test_the_log_tells_times_with_their_entity_and_event():
    tale = document(f"{SURE}\n\nElena was sixteen. The next morning she kissed Marcus.")
    log = linked(tale)
    age, shift = log.times
    assert (age.kind, age.value, age.entity) == ("age", "P16Y", "elena-voss")
    kissed = next(event for event in log.events if event.verb == "kiss")
    assert (shift.event, kissed.when) == (kissed.id, "The next morning")
    assert shift.evidence.quote == shift.evidence.span.of(tale.text) == "The next morning"
