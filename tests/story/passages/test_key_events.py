"""Key events of a chapter: what befalls people and things, and how it is worded."""

from fabula.core.documents import document_from_text
from fabula.core.types import Span
from fabula.story.model.chapter_reading import ChapterReading, Happening, Mention
from fabula.story.model.types import EntityKind, Modality
from fabula.story.passages.chunk_facts import spoken_spans
from fabula.story.passages.key_events import HAPPENS, key_events
from fabula.story.prose.paragraphs import scenes_of

TOLD = (
    "Mara killed Tom. The old bridge collapsed. “The barn burned down,” he said. "
    "If the mill exploded, what then?"
)


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
    found = key_events(document, chapter, reading, spoken_spans(body, reading))
    for event in found:
        event.evidence.verify(document.text)
    return found


def happening(predicate, agent=0, patient=1, modality=Modality.FACT, confidence=0.9):
    at = TOLD.index("Mara")
    return Happening(predicate, agent, patient, None, (Span(at + 1, at + 17),), modality, confidence)


def test_what_befalls_things_is_read_from_the_narration_alone():
    (event,) = events_of([])
    assert (event.wording, event.predicate) == ("The old bridge collapsed", HAPPENS)
    assert event.evidence.quote == "The old bridge collapsed."


def test_the_wording_of_what_befalls_people():
    for told, wording in (
        (happening("KILLS"), "Mara killed Tom"),
        (happening("KILLS", agent=None), "Tom was killed"),
        (happening("DIES", agent=None), "Tom died"),
        (happening("DIES", agent=None, modality=Modality.FLASHBACK), "Tom had died"),
        (happening("FORGIVES", modality=Modality.FLASHBACK), "Mara had forgiven Tom"),
        (happening("KILLS", agent=None, modality=Modality.FLASHBACK), "Tom had been killed"),
    ):
        assert wording in [event.wording for event in events_of([told])], (told, wording)


def test_what_is_unsure_or_small_is_no_key_event():
    for told in (
        happening("KILLS", modality=Modality.PLANNED),
        happening("KILLS", modality=Modality.REPORTED),
        happening("KILLS", confidence=0.4),
        happening("MARRIES", patient=None),
        happening("MEETS"),
    ):
        assert [event.predicate for event in events_of([told])] == [HAPPENS], told
