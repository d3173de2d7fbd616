from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.stories.reading import reading

from fabula.core.documents import read_document
from fabula.core.formats.fountain import fountain_document

FERRY = Path(__file__).parents[2] / "stories" / "books" / "ferry.fountain"


def test_sections_are_chapters_and_acts_are_parts():
    said = "# Act One\n\n## Leaving\n\nINT. A - DAY\n\nOne.\n\nINT. B - DAY\n\nTwo.\n\n## Rowing\n\nThree.\n"
    found = fountain_document(said)
    assert [(one.title, one.body.of(found.text)) for one in found.chapters] == [
        ("Act One, Leaving", "INT. A - DAY\n\nOne.\n\n***\n\nINT. B - DAY\n\nTwo."),
        ("Act One, Rowing", "Three."),
    ]


def test_the_reader_of_stories_finds_the_speakers():
    document = read_document(FERRY)
    found = []
    for chapter in document.chapters:
        body = chapter.body.of(document.text)
        read = reading(body)
        for quotation in read.quotations:
            who = [read.mentions[voice.mention].span.of(body) for voice in quotation.speakers]
            found.append((quotation.pieces[0].of(body), who))
    assert found == [
        ("\u201cYou will be late.\u201d", []),
        ("\u201cI am never late.\u201d", ["Anna"]),
        ("\u201cWho is there?\u201d", ["McBride"]),
        ("\u201cOnly me, 'Mac'.\u201d", ["Anna"]),
        ("\u201cIt is done.\u201d", ["Bo"]),
    ]


@given(st.text("ABab.:@#>!~=*_[]()/ \n'", max_size=200))
def test_any_text_is_read_or_blank(said):
    found = fountain_document(said)
    assert fountain_document(said) == found
    assert all(one.body.of(found.text).strip() for one in found.chapters)
    assert bool(found.text.strip()) == bool(found.chapters)


def test_hostile_screenplays_cost_no_time():
    for said in ("/*" * 200_000, "[[" * 200_000, "*a" * 200_000, "A (" * 200_000, "ANNA\nx\n\n" * 50_000):
        fountain_document(said)
