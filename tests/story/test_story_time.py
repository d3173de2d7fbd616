"""Expressions of time, each with its value, and what is none."""

from itertools import pairwise

import pytest

from fabula.core.types import Chapter, Document, Span
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.linker import Linker
from fabula.story.time.amounts import duration_of, number_of
from fabula.story.time.grammar import time_expressions

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed coughed. Anna laughed.\n\n"


@pytest.fixture(scope="session")
def reader():
    return StoryReader()


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("7", 7),
        ("twelve", 12),
        ("twenty-one", 21),
        ("five-and-twenty", 25),
        ("a hundred", 100),
        ("two hundred and six", 206),
        ("several", None),
        ("five six seven", None),
        ("", None),
    ],
)
def test_numbers(words, number):
    assert number_of(words) == number


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("three weeks", "P3W"),
        ("a fortnight", "P2W"),
        ("half an hour", "PT30M"),
        ("three quarters of an hour", "PT45M"),
        ("a year and a half", "P1Y6M"),
        ("an hour and a quarter", "PT1H15M"),
        ("two centuries", "P200Y"),
        ("a couple of days", "P2D"),
        ("several days", "PXD"),
        ("a day or two", "PXD"),
        ("three miles", ""),
    ],
)
def test_amounts(words, value):
    assert duration_of(words) == value


@pytest.mark.parametrize(
    ("text", "kind", "value", "words"),
    [
        ("On June 4th, 1815, he came.", "date", "1815-06-04", "June 4th, 1815"),
        ("It was the 18th of June 1815.", "date", "1815-06-18", "the 18th of June 1815"),
        ("He left on the first of May.", "date", "XXXX-05-01", "the first of May"),
        ("It was March, 1801.", "date", "1801-03", "March, 1801"),
        ("In March he left.", "date", "XXXX-03", "In March"),
        ("It was in the spring of 1842.", "date", "1842-21", "the spring of 1842"),
        ("In 1842 he left.", "date", "1842", "In 1842"),
        ("On Friday evening they met.", "date", "XXXX-WXX-5TEV", "On Friday evening"),
        ("at half-past nine at night", "date", "T21:30", "half-past nine at night"),
        ("It was a quarter to ten.", "date", "T09:45", "a quarter to ten"),
        ("at three o’clock in the afternoon", "date", "T15:00", "at three o’clock in the afternoon"),
        ("at 9:30 a.m.", "date", "T09:30", "9:30 a.m."),
        ("He came at midnight.", "date", "T00:00", "at midnight"),
        ("He came that night.", "date", "TNI", "that night"),
        ("a girl of twelve, who sang", "age", "P12Y", "girl of twelve"),
        ("He was aged 50.", "age", "P50Y", "aged 50"),
        ("at the age of six", "age", "P6Y", "the age of six"),
        ("a twelve-year-old boy", "age", "P12Y", "twelve-year-old"),
        ("a baby six weeks old", "age", "P6W", "six weeks old"),
        ("He stayed for three weeks.", "duration", "P3W", "for three weeks"),
        ("It rained all day.", "duration", "P1D", "all day"),
        ("a three days’ journey", "duration", "P3D", "three days’"),
        ("Ten years earlier he sang.", "shift", "-P10Y", "Ten years earlier"),
        ("two years ago", "shift", "-P2Y", "two years ago"),
        ("The next morning she rose.", "shift", "P1D", "The next morning"),
        ("Three days later he fell.", "shift", "P3D", "Three days later"),
        ("Three weeks passed.", "shift", "P3W", "Three weeks passed"),
        ("Nine years had come and gone.", "shift", "P9Y", "Nine years had come and gone"),
        ("After an interval of ten years he came.", "shift", "P10Y", "After an interval of ten years"),
        ("The next ten years brought little.", "shift", "P10Y", "ten years brought"),
        ("We pass over ten years.", "shift", "P10Y", "pass over ten years"),
        ("Ten Christmases came and went.", "shift", "P10Y", "Ten Christmases came and went"),
        ("The years went by.", "shift", "PXY", "The years went by"),
        ("Months later he fell.", "shift", "PXM", "Months later"),
        ("Ten years on, he sang.", "shift", "P10Y", "Ten years on"),
        ("the previous evening", "shift", "-P1D", "the previous evening"),
        ("the year before", "shift", "-P1Y", "the year before"),
        ("It was three days before he woke.", "shift", "P3D", "It was three days before"),
        ("the day before yesterday", "shift", "-P2D", "the day before yesterday"),
        ("that same evening", "shift", "P0D", "that same evening"),
        ("on the last day of October", "date", "XXXX-10-31", "the last day of October"),
        ("He came on Christmas Day.", "date", "XXXX-12-25", "Christmas Day"),
        ("It fell at Michaelmas, 1801.", "date", "1801-09-29", "Michaelmas, 1801"),
        ("It took him two years to learn it.", "duration", "P2Y", "took him two years"),
        ("I was eleven years in Peru.", "duration", "P11Y", "was eleven years"),
        ("“Five days,” he said.", "duration", "P5D", "Five days"),
    ],
)
def test_a_time_has_a_value(text, kind, value, words):
    assert [(e.kind, e.value, text[e.start : e.end]) for e in time_expressions(text)] == [
        (kind, value, words)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "She may go in a second.",
        "They march on.",
        "He was ten years older.",
        "Friday saw them.",
        "a man of fifty thousand pounds",
        "a woman of three husbands",
        "He walked twenty miles.",
        "In 900 words he told it.",
        "One day he fell.",
        "It was the second house.",
        "",
    ],
)
def test_what_is_no_time(text):
    assert [e for e in time_expressions(text) if e.kind != "bare age"] == []


def test_offsets_never_overlap_and_long_texts_are_read_in_one_pass():
    text = "On June 4th, 1815, at nine o'clock in the evening, ten years later, aged 50, he slept. " * 50
    found = time_expressions(text)
    assert len(found) == 4 * 50
    assert all(a.end <= b.start for a, b in pairwise(found))


def marks(reader, text):
    reading = reader.read(SURE + text)

    def who(mark):
        return None if mark.character is None else reading.mentions[mark.character].surface

    def verb(mark):
        return None if mark.happening is None else reading.happenings[mark.happening].verb

    return [(m.kind, m.value, who(m), verb(m)) for m in reading.times]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena was sixteen.", ("age", "P16Y", "Elena", None)),
        ("Elena was a girl of sixteen.", ("age", "P16Y", "Elena", None)),
        ("Marcus came. He was twenty years old.", ("age", "P20Y", "Marcus", None)),
        ("Anna, aged six, wept.", ("age", "P6Y", "Anna", None)),
        ("Anna sang at the age of six.", ("age", "P6Y", "Anna", None)),
        ("A girl of twelve came in.", ("age", "P12Y", None, None)),
        ("Elena sang on June 4th, 1815.", ("date", "1815-06-04", None, "sing")),
        ("The next morning Elena sang.", ("shift", "P1D", None, "sing")),
        ("The next morning it rained.", ("shift", "P1D", None, None)),
    ],
)
def test_whose_age_and_what_is_dated(reader, text, expected):
    assert marks(reader, text) == [expected]


@pytest.mark.parametrize(
    "text", ["The clock struck. It was sixteen.", "There were sixteen.", "They were ten."]
)
def test_a_bare_number_is_an_age_only_of_somebody(reader, text):
    assert marks(reader, text) == []


def test_the_log_tells_times_with_their_entity_and_event(reader):
    body = SURE + "Elena was sixteen. The next morning she kissed Marcus."
    document = Document("tale", "tale", body, (Chapter(1, "1", Span(0, 0), Span(0, len(body))),))
    linker = Linker()
    linker.add(document, document.chapters[0], reader.read(body))
    age, shift = linker.log.times
    assert (age.kind, age.value, age.entity) == ("age", "P16Y", "elena-voss")
    kissed = next(event for event in linker.log.events if event.verb == "kiss")
    assert (shift.event, kissed.when) == (kissed.id, "The next morning")
    assert shift.evidence.quote == shift.evidence.span.of(body) == "The next morning"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("The great fire came a year after the sale of the farm.", "farm+sell < fire+great"),
        ("The trial of the clerk preceded the great fire.", "clerk+trial < fire+great"),
        ("The great fire was followed by the trial of the clerk.", "fire+great < clerk+trial"),
        ("Two years passed between the great fire and the trial of the clerk.", "fire+great < clerk+trial"),
        ("First there had been the great fire, and then the trial of the clerk.", "fire+great < clerk+trial"),
        (
            "In the year of the great fire nobody had dreamed yet of the trial of the clerk.",
            "fire+great < clerk+trial",
        ),
        ("By the time of the great fire the trial of the clerk was long past.", "clerk+trial < fire+great"),
        (
            "Anna remembered the great fire. The trial of the clerk was not to come till two years later.",
            "fire+great < clerk+trial",
        ),
        (
            "The village had hardly got over the fire at the mill when the great flood came.",
            "fire+mill < flood+great",
        ),
        ("After the fire at the mill came the great flood.", "fire+mill < flood+great"),
    ],
)
def test_which_happening_came_first(reader, text, order):
    assert [time.value for time in reader.read(text).times if time.kind == "order"] == [order]


@pytest.mark.parametrize(
    "text",
    [
        "Anna stood before the house of the clerk.",
        "Did the great fire come after the sale of the farm?",
        "If the great fire came after the sale of the farm, Anna was wrong.",
        "The carriage came after the rain.",
    ],
)
def test_no_order_of_happenings(reader, text):
    assert not [time for time in reader.read(text).times if time.kind == "order"]
