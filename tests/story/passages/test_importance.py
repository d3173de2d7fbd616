from fabula.core.types import Span
from fabula.story.model.chapter_reading import ChapterReading, Happening
from fabula.story.model.types import Modality
from fabula.story.passages.chunk_facts import importance, key_events

TOLD = "Mara killed Tom. Mara nearly killed Tom."
KILLED, NEARLY = Span(0, 16), Span(17, len(TOLD))


def happening(predicate, agent=0, patient=1, modality=Modality.FACT, confidence=0.9, at=KILLED):
    return Happening(predicate, agent, patient, None, (at,), modality, confidence)


def test_what_befalls_people_counts_where_it_is_told_whom():
    for told, grave in (
        (happening("KILLS"), True),
        (happening("KILLS", agent=None), True),
        (happening("DIES", agent=None), True),
        (happening("DIES", agent=None, modality=Modality.FLASHBACK), True),
        (happening("FORGIVES", modality=Modality.FLASHBACK), False),
        (happening("ATTACKS", agent=None), False),
    ):
        assert key_events(TOLD, ChapterReading(happenings=(told,))) == [(KILLED, grave)], told


def test_what_is_unsure_or_small_is_no_key_event():
    for told in (
        happening("KILLS", modality=Modality.PLANNED),
        happening("KILLS", modality=Modality.REPORTED),
        happening("KILLS", confidence=0.4),
        happening("KILLS", patient=None),
        happening("MARRIES", patient=None),
        happening("MARRIES", agent=None),
        happening("MEETS"),
        happening("KILLS", at=NEARLY),
    ):
        assert key_events(TOLD, ChapterReading(happenings=(told,))) == [], told


def test_importance_is_a_sum():
    for given, points in (
        ({"characters": 0}, 1),
        ({"characters": 1}, 1 + 1),
        ({"characters": 3}, 1 + 1 + 1),
        ({"characters": 2, "dialogue": True}, 1 + 1 + 1),
        ({"characters": 1, "revelation": True, "action": True}, 1 + 1 + 2 + 1),
        ({"characters": 1, "events": 2}, 1 + 1 + 1),
        ({"characters": 1, "events": 2, "grave": True}, 1 + 1 + 3),
        (dict.fromkeys(("revelation", "dialogue", "action", "grave"), True) | {"characters": 9}, 10),
    ):
        assert importance(**given) == points, (given, points)
