"""Importance is a sum, and key events are what befalls people and things."""

from fabula.core.documents import document_from_text
from fabula.core.types import Span
from fabula.story.model.chapter_reading import ChapterReading, Happening, Mention
from fabula.story.model.types import EntityKind, Modality
from fabula.story.passages.chunk_facts import spoken_spans
from fabula.story.passages.importance import importance, key_events
from fabula.story.prose.paragraphs import scenes_of

TOLD = (
    "Mara killed Tom. The old bridge collapsed. “The barn burned down,” he said. "
    "If the mill exploded, what then?"
)
FELL = ("The old bridge collapsed.", False)


def events_of(happenings, text=TOLD):
    document = document_from_text(f"## Chapter 1\n\n{text}\n", id="b", title="B")
    (chapter,) = document.chapters
    body = chapter.body.of(document.text)

    def mention(name):
        at = body.index(name)
        return Mention(Span(at, at + len(name)), name, EntityKind.CHARACTER, "", 0, Span(0, len(body)), True)

    reading = ChapterReading(
        mentions=(mention("Mara"), mention("Tom")), happenings=tuple(happenings), scenes=scenes_of(body)
    )
    return [(span.of(body), grave) for span, grave in key_events(body, reading, spoken_spans(body, reading))]


def happening(predicate, agent=0, patient=1, modality=Modality.FACT, confidence=0.9):
    at = TOLD.index("Mara")
    return Happening(predicate, agent, patient, None, (Span(at + 1, at + 17),), modality, confidence)


def test_what_befalls_things_is_read_from_the_narration_alone():
    assert events_of([]) == [FELL]


def test_what_befalls_people_counts_where_it_is_told_whom():
    for told, grave in (
        (happening("KILLS"), True),
        (happening("KILLS", agent=None), True),
        (happening("DIES", agent=None), True),
        (happening("DIES", agent=None, modality=Modality.FLASHBACK), True),
        (happening("FORGIVES", modality=Modality.FLASHBACK), False),
        (happening("ATTACKS", agent=None), False),
    ):
        assert events_of([told]) == [("ara killed Tom. ", grave), FELL], told


def test_what_is_unsure_or_small_is_no_key_event():
    for told in (
        happening("KILLS", modality=Modality.PLANNED),
        happening("KILLS", modality=Modality.REPORTED),
        happening("KILLS", confidence=0.4),
        happening("KILLS", patient=None),
        happening("MARRIES", patient=None),
        happening("MARRIES", agent=None),
        happening("MEETS"),
    ):
        assert events_of([told]) == [FELL], told


def test_importance_is_a_sum():
    for given, points in (
        ({"characters": 0}, 1),
        ({"characters": 1}, 1 + 1),
        ({"characters": 3}, 1 + 1 + 1),
        ({"characters": 2, "dialogue": True}, 1 + 1 + 1),
        ({"characters": 1, "revelation": True, "action": True}, 1 + 1 + 2 + 1),
        ({"characters": 1, "events": 2}, 1 + 1 + 1),
        ({"characters": 1, "events": 2, "grave": True}, 1 + 1 + 3),
        (
            {
                "characters": 9,
                "revelation": True,
                "dialogue": True,
                "action": True,
                "events": 5,
                "grave": True,
            },
            1 + 1 + 1 + 2 + 1 + 1 + 3,
        ),
    ):
        assert importance(**given) == points, (given, points)
