"""Events of clauses, what joins them, and the order in which they happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.story.extraction.clauses.aspect import Aspect, aspect_of
from fabula.story.extraction.events.order import Lies, lies
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.views.fabula_order import fabula_order, sorted_by_links
from fabula.story.graph_rag.views.story_view import StoryView
from fabula.story.linking.linker import Linker
from fabula.story.model.types import EventOrder, Modality

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed coughed. Anna laughed.\n\n"
FACT, NEGATED, PLANNED = Modality.FACT, Modality.NEGATED, Modality.PLANNED
IMAGINED, REPORTED, FLASHBACK = Modality.IMAGINED, Modality.REPORTED, Modality.FLASHBACK


@pytest.fixture(scope="session")
def reader():
    return StoryReader()


def read(reader, text):
    return reader.read(SURE + text)


def frames(reader, text):
    """(verb, agent, patient, modality) of what the text tells behind SURE, typed or not."""
    reading = read(reader, text)

    def name(index):
        return None if index is None else reading.mentions[index].surface

    return [
        (h.verb, name(h.agent), name(h.patient), h.modality)
        for h in reading.happenings
        if h.at.start >= len(SURE)
    ]


def test_happenings_come_in_order_of_the_text_with_their_verb_and_place(reader):
    text = "Elena opened the door, killed Marcus and sang in London."
    reading = read(reader, text)
    places = [happening.at.start for happening in reading.happenings]
    assert places == sorted(places)
    body = SURE + text
    assert [body[h.at.start : h.at.end] for h in reading.happenings[-3:]] == ["opened", "killed", "sang"]
    assert [h.predicate for h in reading.happenings[-3:]] == ["DOES", "KILLS", "DOES"]
    place = reading.happenings[-1].place
    assert place is not None
    assert reading.mentions[place].surface == "London"
    assert all(h.evidence[0].of(body).strip() for h in reading.happenings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena opened the door.", ("open", "Elena", None, FACT)),
        ("Elena looked at Marcus.", ("look", "Elena", "Marcus", FACT)),
        ("Elena kissed Marcus.", ("kiss", "Elena", "Marcus", FACT)),
        ("Marcus was kissed by Elena.", ("kiss", "Elena", "Marcus", FACT)),
        ("Marcus was dragged away.", ("drag", None, "Marcus", FACT)),
        ("Elena threw herself down.", ("throw", "Elena", None, FACT)),
        ("Elena began to sing.", ("sing", "Elena", None, FACT)),
        ("Elena did not open the door.", ("open", "Elena", None, NEGATED)),
        ("Elena had never in her life opened a book.", ("open", "Elena", None, NEGATED)),
        ("Elena wanted to open the door.", ("open", "Elena", None, PLANNED)),
        ("Elena rose to open the door.", ("open", "Elena", None, PLANNED)),
        ("Elena was glad to open the door.", ("open", "Elena", None, FACT)),
        ("Marcus dreamed that Elena opened the door.", ("open", "Elena", None, IMAGINED)),
        ("It was as if Elena opened a door.", ("open", "Elena", None, IMAGINED)),
        ("Marcus said that Elena opened the door.", ("open", "Elena", None, REPORTED)),
        ("Marcus liked the fact that Elena opened the door.", ("open", "Elena", None, FACT)),
        ("There was a rumour that Elena opened the grave.", ("open", "Elena", None, REPORTED)),
        ("Elena had opened the door.", ("open", "Elena", None, FLASHBACK)),
        ("Elena sang; Marcus had not slept.", ("sing", "Elena", None, FACT)),
        ("Anna heard Elena open the door.", ("open", "Elena", None, FACT)),
        ("“I hope,” stammered Mr. Reed and kissed Elena, “I hope.”", ("kiss", "Mr. Reed", "Elena", FACT)),
        ("Elena was wet, she had opened the door, he thought.", ("open", "Elena", None, IMAGINED)),
        ("Elena cried: “Will you come?” and opened the door.", ("open", "Elena", None, FACT)),
    ],
)
def test_a_clause_is_an_event(reader, text, expected):
    assert expected in frames(reader, text)


@pytest.mark.parametrize(
    "text",
    [
        "Elena was tall.",
        "Elena had a dog.",
        "Elena seemed tired.",
        "Elena knew the way.",
        "The door opened.",
        "Elena often sang.",
        "Elena sang every morning.",
        "Elena looked like a queen.",
        "“Elena opened the door,” said Marcus.",
        "Did Elena open the door?",
    ],
)
def test_states_habits_speech_and_strangers_are_none(reader, text):
    assert [event for event in frames(reader, text) if event[3].happened] == []


def test_what_is_denied_in_speech_is_not_denied_of_the_speaker(reader):
    assert NEGATED not in {how for *_, how in frames(reader, "“He did not!” roared Mr. Reed.")}


def causes(reader, text):
    reading = read(reader, text)
    return [(reading.happenings[c.effect].verb, reading.happenings[c.cause].verb) for c in reading.causes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena ran because Marcus shouted.", ("run", "shout")),
        ("Elena punished Marcus, for he had stolen the ring.", ("punish", "steal")),
        ("Elena wept so bitterly that Marcus fled.", ("flee", "weep")),
        ("Marcus shouted, so Elena ran.", ("run", "shout")),
        ("Marcus shouted, and therefore Elena ran.", ("run", "shout")),
        ("Marcus shouted. As a result, Elena ran.", ("run", "shout")),
        ("Elena thanked Marcus for saving Anna.", ("thank", "save")),
        ("Marcus broke the vase. Elena scolded him.", ("scold", "break")),
    ],
)
def test_one_event_causes_another(reader, text, expected):
    assert causes(reader, text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Elena ran when Marcus shouted.",
        "Elena ran in order to catch Marcus.",
        "Elena ran so that Marcus would follow.",
        "Elena waited for Marcus to come.",
        "Elena had sung since Marcus came.",
        "So Elena ran. Marcus shouted.",
        "Marcus broke the vase. Elena scolded Anna.",
        "Elena did not run because Marcus shouted.",
    ],
)
def test_a_time_or_a_goal_is_no_cause(reader, text):
    assert causes(reader, text) == []


def orders(reader, text):
    reading = read(reader, text)
    return [
        (reading.happenings[o.earlier].verb, reading.happenings[o.later].verb)
        for o in reading.orders
        if min(reading.happenings[k].at.start for k in (o.earlier, o.later)) >= len(SURE)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena sang after Marcus danced.", [("dance", "sing")]),
        ("Elena sang before Marcus danced.", [("sing", "dance")]),
        ("Before Marcus danced, Elena sang.", [("sing", "dance")]),
        ("As soon as Marcus danced, Elena sang.", [("dance", "sing")]),
        ("Elena laughed when Marcus stumbled.", [("stumble", "laugh")]),
        ("Elena waited until Marcus arrived.", [("wait", "arrive")]),
        ("Elena sang. Then Marcus danced.", [("sing", "dance")]),
        ("Elena sang. The next morning Marcus danced.", [("sing", "dance")]),
        ("Elena sang. Ten years earlier Marcus danced.", [("dance", "sing")]),
        ("Elena sang. Marcus had danced.", [("dance", "sing")]),
        ("Elena sang. Marcus danced.", []),
        ("Elena sang while Marcus danced.", []),
        ("Elena sang and Marcus did not dance then.", []),
    ],
)
def test_a_word_or_a_tense_tells_the_order(reader, text, expected):
    assert orders(reader, text) == expected


def test_a_flashback_scene_lies_before_the_scene_around_it(reader):
    found = orders(
        reader, "Elena sang.\n\n***\n\nTen years earlier, Marcus danced. Anna wept.\n\n***\n\nElena fled."
    )
    assert ("dance", "sing") in found
    assert ("weep", "sing") in found
    assert ("weep", "flee") in found


def words(reader, text, one, other):
    doc = reader.parse(text).paragraphs[0].doc
    first, second = (next(token for token in doc if token.text == word) for word in (one, other))
    return lies(first, second).lies


@pytest.mark.parametrize(
    ("text", "one", "other", "expected"),
    [
        ("The fox ran and the dog barked.", "ran", "barked", Lies.BEFORE),
        ("The fox was sleeping when the dog barked.", "sleeping", "barked", Lies.INCLUDES),
        ("The fox slept. The dog barked.", "slept", "barked", Lies.INCLUDES),
        ("The fox ran because the dog barked.", "ran", "barked", Lies.AFTER),
        ("The fox saw a dog coming.", "saw", "coming", Lies.INCLUDED),
        ("The fox ran, and the dog, which had slept, barked.", "ran", "slept", Lies.AFTER),
        ("Having eaten the grapes, the fox ran.", "eaten", "ran", Lies.BEFORE),
        ("The fox jumped in, taking the dog with him.", "jumped", "taking", Lies.INCLUDES),
        ("The fox slept for an hour. One day the dog barked.", "slept", "barked", Lies.BEFORE),
        ("The fox was terrified at the barking.", "terrified", "barking", Lies.AFTER),
    ],
)
def test_how_two_events_lie(reader, text, one, other, expected):
    assert words(reader, text, one, other) is expected


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("The fox ran.", "ran", Aspect.EVENT),
        ("The fox loved grapes.", "loved", Aspect.STATE),
        ("The fox was running.", "running", Aspect.PROGRESS),
        ("The fox had run.", "run", Aspect.PERFECT),
        ("The fox was terrified.", "terrified", Aspect.REACTION),
        ("The fox was soon asleep.", "asleep", Aspect.EVENT),
    ],
)
def test_aspect(reader, text, word, expected):
    doc = reader.parse(text).paragraphs[0].doc
    assert aspect_of(next(token for token in doc if token.text == word)) is expected


# --- the fabula ---------------------------------------------------------------------------------------

QUOTE = Evidence("tale", 1, Span(0, 1), "x")


def link(earlier, later, confidence=0.8):
    return EventOrder(earlier, later, 1, (QUOTE,), confidence)


def test_an_earlier_event_moves_to_right_before_what_follows_it():
    assert sorted_by_links("abcd", [link("d", "b")]) == ["a", "d", "b", "c"]
    assert sorted_by_links("abcd", [link("d", "c"), link("c", "b")]) == ["a", "d", "c", "b"]
    assert sorted_by_links("abcd", [link("a", "b"), link("x", "a"), link("b", "b")]) == [*"abcd"]


def test_of_links_in_a_circle_the_least_sure_gives_way():
    circle = [link("c", "a", 0.9), link("a", "b", 0.9), link("b", "c", 0.5)]
    assert sorted_by_links("abc", circle) == ["c", "a", "b"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.5, 0.8])), max_size=25))
def test_every_event_comes_once_and_links_without_circles_hold(pairs):
    events = [str(n) for n in range(10)]
    found = sorted_by_links(events, [link(str(a), str(b), c) for a, b, c in pairs])
    assert sorted(found) == events
    forward = [(str(max(a, b)), str(min(a, b))) for a, b, _ in pairs if a != b]  # one way only: no circle
    found = sorted_by_links(events, [link(a, b) for a, b in forward])
    assert all(found.index(a) < found.index(b) for a, b in forward)


def test_the_fabula_of_a_text(reader):
    body = SURE + "Elena sang. Marcus had danced. Anna wept."
    document = Document("tale", "tale", body, (Chapter(1, "1", Span(0, 0), Span(0, len(body))),))
    linker = Linker()
    linker.add(document, document.chapters[0], reader.read(body))
    view = StoryView(linker.log, Horizon(None))
    verbs = {event.id: event.verb for event in view.events(untyped=True)}
    told = [verbs[event] for event in fabula_order(view)]
    assert told[-3:] == ["dance", "sing", "weep"]
    unsure = [verbs[event] for event in fabula_order(view, min_confidence=1.0)]
    assert unsure[-3:] == ["sing", "dance", "weep"]
    order = linker.log.orders[0]
    assert all(quote.quote == quote.span.of(body) for quote in order.evidence)


# --- scenes and letters -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opening", "modality"),
    [
        ("Ten years earlier, Marcus danced.", FLASHBACK),
        ("It was ten years before. Marcus danced.", FLASHBACK),
        ("When Marcus was a boy, he danced.", FLASHBACK),
        ("Elena dreamed. Marcus danced.", IMAGINED),
        ("Elena never dreamed of it. Marcus danced.", FACT),
        ("Elena rose early. Marcus danced.", FACT),
    ],
)
def test_a_scene_is_told_as_it_opens(reader, opening, modality):
    found = frames(reader, "Anna wept.\n\n***\n\n" + opening)
    assert ("dance", modality) in {(verb, how) for verb, *_, how in found}


def test_a_letter_reports(reader):
    letter = "Dear Anna,\n\nMarcus danced with Elena.\n\nYours truly, Mr. Reed\n\nElena sang."
    found = {verb: how for verb, *_, how in frames(reader, letter)}
    assert (found["dance"], found["sing"]) == (REPORTED, FACT)
    unsigned = {verb: how for verb, *_, how in frames(reader, "Dear Anna,\n\nMarcus danced with Elena.")}
    assert unsigned["dance"] is FACT
