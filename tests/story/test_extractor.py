"""Reading one chapter: names, statements, modality, moods and goals, on sentences written for it."""

import importlib.util
from itertools import pairwise

import pytest

from fabula.core.types import Span
from fabula.errors import ModelMissing, ProjectError
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind, Modality
from fabula.story.prose.paragraphs import paragraphs, scenes_of

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed.\n\n"


@pytest.fixture(scope="session")
def reader():
    return StoryReader()


def told(reader, text):
    """Everything said by a predicate of the table, as (predicate, subject, object, modality) in surfaces."""
    reading = reader.read(SURE + text)

    def name(index):
        return None if index is None else reading.mentions[index].surface

    said = [(s.predicate, name(s.subject), name(s.object), s.modality) for s in reading.statements]
    done = [
        (h.predicate, name(h.agent), name(h.patient), h.modality)
        for h in reading.happenings
        if h.predicate != "DOES"
    ]
    return set(said) | set(done)


FACT, NEGATED, PLANNED = Modality.FACT, Modality.NEGATED, Modality.PLANNED
IMAGINED, REPORTED, FLASHBACK = Modality.IMAGINED, Modality.REPORTED, Modality.FLASHBACK


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena killed Marcus.", ("KILLS", "Elena", "Marcus", FACT)),
        ("Marcus was killed by Elena.", ("KILLS", "Elena", "Marcus", FACT)),
        ("Mr. Reed died.", ("DIES", None, "Mr. Reed", FACT)),
        ("Elena trusted Marcus and Anna.", ("TRUSTS", "Elena", "Anna", FACT)),
        ("Elena trusted Marcus. She loved Mr. Reed.", ("LOVES", "Elena", "Mr. Reed", FACT)),
        ("Elena and Marcus were enemies.", ("ENEMY_OF", "Elena", "Marcus", FACT)),
        ("Marcus was Elena's brother.", ("SIBLING_OF", "Marcus", "Elena", FACT)),
        ("Anna, Elena's sister, sat down.", ("SIBLING_OF", "Anna", "Elena", FACT)),
        ("Marcus sat down. His sister Anna wept.", ("SIBLING_OF", "Anna", "Marcus", FACT)),
        ("Elena was in love with Marcus.", ("LOVES", "Elena", "Marcus", FACT)),
        ("Marcus was afraid of Elena.", ("FEARS", "Marcus", "Elena", FACT)),
        ("Marcus lived in London.", ("LIVES_IN", "Marcus", "London", FACT)),
        ("Marcus arrived at the castle.", ("LOCATED_AT", "Marcus", "the castle", FACT)),
        ("Marcus gave the silver locket to Elena.", ("OWNS", "Elena", "the silver locket", FACT)),
        ("Elena did not kill Marcus.", ("KILLS", "Elena", "Marcus", NEGATED)),
        ("Elena never trusted Marcus.", ("DISTRUSTS", "Elena", "Marcus", FACT)),
        ("Elena failed to save Marcus.", ("SAVES", "Elena", "Marcus", NEGATED)),
        ("Elena planned to kill Marcus.", ("KILLS", "Elena", "Marcus", PLANNED)),
        ("Elena would betray Marcus.", ("BETRAYS", "Elena", "Marcus", PLANNED)),
        ("If Elena killed Marcus, Anna would weep.", ("KILLS", "Elena", "Marcus", IMAGINED)),
        ("Anna dreamed that Elena killed Marcus.", ("KILLS", "Elena", "Marcus", IMAGINED)),
        ("Anna's first thought was that Elena killed Marcus.", ("KILLS", "Elena", "Marcus", IMAGINED)),
        ("The rumour was that Elena killed Marcus.", ("KILLS", "Elena", "Marcus", REPORTED)),
        ("Anna said that Elena killed Marcus.", ("KILLS", "Elena", "Marcus", REPORTED)),
        ('"Elena killed Marcus," said Anna.', ("KILLS", "Elena", "Marcus", REPORTED)),
        ("Elena had killed Marcus.", ("KILLS", "Elena", "Marcus", FLASHBACK)),
        ("Elena and Marcus had been rivals since the fair.", ("ENEMY_OF", "Elena", "Marcus", FACT)),
        ("Elena hated Marcus.", ("HATES", "Elena", "Marcus", FACT)),
        ("Elena could not bear Marcus.", ("HATES", "Elena", "Marcus", FACT)),
        ("Elena was terrified of Marcus.", ("FEARS", "Elena", "Marcus", FACT)),
        ("Marcus fell in love with Elena.", ("LOVES", "Marcus", "Elena", FACT)),
        ("Elena saved Marcus's life.", ("SAVES", "Elena", "Marcus", FACT)),
        ("Elena took care of Marcus.", ("HELPS", "Elena", "Marcus", FACT)),
        ("Elena and Anna loved each other.", ("LOVES", "Anna", "Elena", FACT)),
        ("Elena and Marcus met in London.", ("MEETS", "Elena", "Marcus", FACT)),
        ("Marcus breathed his last at dawn.", ("DIES", None, "Marcus", FACT)),
        ("Mr. Reed passed away in the night.", ("DIES", None, "Mr. Reed", FACT)),
        ("Elena forsook Marcus.", ("LEAVES", "Elena", "Marcus", FACT)),
        ("Marcus lived above the post office.", ("LIVES_IN", "Marcus", "the post office", FACT)),
        ("Anna was Elena's sister. Marcus hated her sister.", ("SIBLING_OF", "Anna", "Elena", FACT)),
        ("Anna was Elena's sister. Elena trusted her sister.", ("TRUSTS", "Elena", "Anna", FACT)),
        ('"I love Marcus," said Anna.', ("LOVES", "Anna", "Marcus", REPORTED)),
        ('"I never lied to you, Marcus," said Anna.', ("TELLS", "Anna", "Marcus", FACT)),
        ('"I forgive you, Marcus," said Anna.', ("FORGIVES", "Anna", "Marcus", REPORTED)),
        ('"I will kill Marcus," said Anna.', ("KILLS", "Anna", "Marcus", PLANNED)),
        ("***\n\nThree years earlier, Marcus met Elena.", ("MEETS", "Marcus", "Elena", FLASHBACK)),
    ],
)
def test_says(reader, text, expected):
    assert expected in told(reader, text)


@pytest.mark.parametrize(
    "text",
    [
        "Elena loved to dance.",
        "Elena hated the idea.",
        "Elena killed time.",
        "Marcus was dying to go home.",
        "Would Elena kill Marcus?",
        "It struck Marcus as odd.",
        "Elena could not help laughing at Marcus.",
        "Elena and Marcus and Anna and Mr. Reed met Doctor Lane.",
        "Marcus was Elena's brother-in-law.",
        "Elena saw her.",
        '"I did not kill Marcus," said Anna.',
        '"Anna?" said Marcus.',
        "Elena lost her ring.",
        "Elena drew breath.",
        "Elena gave Marcus a look.",
        "Elena held her hat against her chest.",
        "Elena laughed at Marcus.",
    ],
)
def test_says_nothing(reader, text):
    found = {(predicate, modality) for predicate, *_, modality in told(reader, text)}
    assert not {(predicate, modality) for predicate, modality in found if modality.happened}


def test_two_who_fit_leave_a_pronoun_open(reader):
    assert not told(reader, "Marcus sat beside Mr. Reed. Then Anna killed him.")


def test_cause(reader):
    reading = reader.read(SURE + "Marcus betrayed Elena because Elena had killed Anna.")
    (cause,) = reading.causes
    assert reading.happenings[cause.effect].predicate == "BETRAYS"
    assert reading.happenings[cause.cause].predicate == "KILLS"


def test_the_tone_of_what_is_said_is_weak_evidence_of_a_mood(reader):
    reading = reader.read(
        '"What a wonderful, beautiful morning!" said Elena.\n\n'
        '"It is a horrible, miserable disaster," said Marcus.'
    )
    moods = {reading.mentions[m.character].surface: m for m in reading.moods}
    assert (moods["Elena"].emotion, moods["Marcus"].emotion) == ("good spirits", "distress")
    assert moods["Marcus"].valence < 0 < moods["Elena"].valence
    assert all(m.confidence < 0.5 for m in moods.values())


def test_moods_know_denial(reader):
    reading = reader.read(SURE + "Elena was happy.\n\nMarcus was not happy.\n\nAnna was angry.")
    moods = [(reading.mentions[m.character].surface, m.emotion) for m in reading.moods]
    assert ("Elena", "joy") in moods
    assert ("Marcus", "sadness") in moods
    assert ("Anna", "anger") in moods
    assert all(-1 <= m.valence <= 1 and 0 <= m.arousal <= 1 for m in reading.moods)


def test_goals(reader):
    reading = reader.read(SURE + "Elena decided to find the ring.\n\nMarcus failed to find it.")
    goals = [(reading.mentions[g.character].surface, g.wording, g.turn) for g in reading.goals]
    assert goals == [("Elena", "find the ring", "adopted"), ("Marcus", "find it", "failed")]


def test_titles_couples_and_families(reader):
    text = "Mr. and Mrs. Bennet smiled. The Bennets were happy. Captain Smollett spoke to Miss Bennet."
    reading = reader.read(text)
    people = {m.surface: m for m in reading.mentions if m.kind is EntityKind.CHARACTER}
    assert people["Mr. Bennet"].gender == "m"
    assert people["Mr. Bennet"].span.of(text) == "Mr. and Mrs. Bennet"
    assert people["Mrs. Bennet"].gender == people["Miss Bennet"].gender == "f"
    assert people["Captain Smollett"].gender == ""
    assert [m.surface for m in reading.mentions if m.kind is EntityKind.GROUP] == ["Bennets"]


def test_common_words_are_no_names(reader):
    text = "Monday came. Suddenly Elena smiled. God knows! Long days passed. Perhaps Long days are best."
    assert {m.surface for m in reader.read(text).mentions} == {"Elena"}


def test_a_name_found_once_is_found_everywhere(reader):
    text = "Darcy bowed. Mr. Darcy left the room. I saw Darcy. To Darcy nothing was said."
    assert [m.surface for m in reader.read(text).mentions] == ["Darcy", "Mr. Darcy", "Darcy", "Darcy"]


def test_places_are_no_people(reader):
    text = "Up at Marl the clover browned. She went from Marl to Cutler's Cross. They sat in Marl churchyard."
    kinds = {(m.surface, m.kind) for m in reader.read(SURE + text).mentions if m.surface[0] in "MC"}
    assert ("Marl", EntityKind.LOCATION) in kinds
    assert ("Cutler's Cross", EntityKind.LOCATION) in kinds
    assert not {surface for surface, kind in kinds if kind is EntityKind.CHARACTER} - {
        "Marcus Hale",
        "Mr. Reed",
    }


@pytest.mark.parametrize(
    "text",
    [
        'The paper came. "Correspondence," said Elena.',
        "It must be done by midnight on St. Bartholomew's Eve.",
        "A cross old Ligurian came out and looked at Elena.",
        "The Weekly Courier came on Fridays.",
        "Elena'll know.",
    ],
)
def test_one_off_capitals_are_nobody(reader, text):
    people = {m.surface for m in reader.read(SURE + text).mentions if m.kind is EntityKind.CHARACTER}
    assert people <= {"Elena Voss", "Elena", "Marcus Hale", "Mr. Reed", "Anna"}


def test_turns_of_a_dialogue(reader):
    text = '"Good day," said Elena.\n\n"Go away," said Marcus.\n\n"I hate Mr. Reed."\n\n"I love Anna."'
    said = told(reader, text)
    assert ("HATES", "Elena", "Mr. Reed", REPORTED) in said
    assert ("LOVES", "Marcus", "Anna", REPORTED) in said


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_spans_survive_wrapped_lines_and_emphasis(reader, newline):
    text = SURE.replace("\n", newline) + newline.join(["_Elena_", "killed", "   Marcus", "Hale."])
    reading = reader.read(text)
    for mention in reading.mentions:
        assert mention.span.of(text).split() == mention.surface.split()
    (deed,) = [h for h in reading.happenings if h.predicate == "KILLS"]
    assert deed.evidence[0].of(text).split() == ["Elena_", "killed", "Marcus", "Hale."]


def test_evidence_names_whom_a_pronoun_means(reader):
    text = SURE + "Elena came in. She killed Marcus."
    (deed,) = [h for h in reader.read(text).happenings if h.predicate == "KILLS"]
    assert [span.of(text) for span in deed.evidence] == ["She killed Marcus.", "Elena came in."]
    assert deed.confidence < 0.9


def test_scenes_cover_the_text():
    text = "One.\n\n* * *\n\nTwo years before, rain.\n\n\n\n\nThree."
    scenes = scenes_of(text)
    assert [scene.flashback for scene in scenes] == [False, True, False]
    assert scenes[0].span.start == 0
    assert scenes[-1].span.end == len(text)
    assert all(a.span.end == b.span.start for a, b in pairwise(scenes))
    assert [p.text for p in paragraphs(text, scenes)] == ["One.", "Two years before, rain.", "Three."]


def test_a_very_long_paragraph_is_cut_behind_a_full_stop():
    text = "A line of some words. " * 5000
    pieces = paragraphs(text, scenes_of(text))
    assert len(pieces) == 3
    assert all(piece.text.endswith(".") and len(piece.text) <= 50_000 for piece in pieces)
    for piece in pieces:
        assert piece.span(0, 6) == Span(piece.span(0, 6).start, piece.span(0, 6).start + 6)
        assert piece.span(0, 6).of(text).strip() in ("A line", "line o")


def test_single_quotes_are_speech_only_where_they_mark_it():
    text = "‘I killed him,’ said Anna. ‘It wasn’t me.’"
    (piece,) = paragraphs(text, scenes_of(text))
    assert [piece.text[a:b] for a, b in piece.quotes] == ["‘I killed him,’", "‘It wasn’t me.’"]


def test_json_round_trip_and_refusal(reader):
    reading = reader.read(SURE + "Elena killed Marcus because Marcus betrayed Anna. Elena was happy.")
    assert ChapterReading.from_json(reading.to_json()) == reading
    assert ChapterReading.from_json(reading.to_json()).to_json() == reading.to_json()
    with pytest.raises(ProjectError, match="schema"):
        ChapterReading.from_json('{"schema":0,"reading":{}}')
    with pytest.raises(ProjectError, match="damaged"):
        ChapterReading.from_json('{"schema":3}')
    with pytest.raises(ProjectError, match="damaged"):
        ChapterReading.from_json("no json")


def test_reading_is_deterministic_and_uses_known_predicates(reader):
    text = SURE + "Elena killed Marcus. He had loved her. Anna lived in London."
    reading = reader.read(text)
    assert reading == StoryReader().read(text)
    assert all(PREDICATES[s.predicate].lasting for s in reading.statements)
    assert all(not PREDICATES[h.predicate].lasting for h in reading.happenings)


@pytest.mark.parametrize("text", ["", " \n\n ", "***", '"', "‘", "Mr.", "the", "A\x00B.", "😀 Élise!"])
def test_odd_texts(reader, text):
    reading = reader.read(text)
    assert all(scene.span.end <= len(text) for scene in reading.scenes)


def test_missing_model_names_the_way_out():
    assert importlib.util.find_spec("no_such_model") is None
    with pytest.raises(ModelMissing, match="pip install"):
        StoryReader("no_such_model").read("A text.")
    with pytest.raises(ModelMissing):
        _ = StoryReader("no_such_model").version


def test_version_names_rules_and_model(reader):
    assert "reading-" in reader.version
    assert "en_core_web_sm" in reader.version
