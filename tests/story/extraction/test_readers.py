from __future__ import annotations

import logging

import pytest
from click.testing import CliRunner
from tests.contracts.reader_contract import check_reader
from tests.stories.facts import SURE, name_in, read_behind
from tests.stories.reading import OPENING, document, linked, reading
from tests.story.extraction.test_examples import events

from fabula.cli.commands import cli
from fabula.demo import story_text
from fabula.story.extraction import draft, inner_life
from fabula.story.extraction.pipeline import READERS, read_chapter
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.chapter_reading import ChapterReading, ReaderFailure


def test_evidence_names_whom_a_pronoun_means():
    (deed,) = read_behind("Elena came in. She killed Marcus.").happenings[-1:]
    first, second = (span.start for span in deed.evidence)
    assert first > second, "the deed's own sentence first, then the one that names her"
    assert deed.confidence < 0.9


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_spans_survive_wrapped_lines_and_emphasis(newline):
    text = f"{SURE}\n\n_Elena_\nkilled\n   Marcus\nHale.".replace("\n", newline)
    found = reading(text)
    for mention in found.mentions:
        assert mention.span.of(text).split() == mention.surface.split()
    assert found.happenings[-1].evidence[0].of(text).split() == ["Elena_", "killed", "Marcus", "Hale."]


def test_happenings_come_in_order_of_the_text_with_their_verb_and_place():
    text = "Elena opened the door, killed Marcus and sang in London."
    found, body = read_behind(text), f"{SURE}\n\n{text}"
    places = [happening.at.start for happening in found.happenings]
    assert places == sorted(places)
    told = [f"{happening.predicate} {happening.at.of(body)}" for happening in found.happenings[-3:]]
    assert told == ["DOES opened", "KILLS killed", "DOES sang"]
    assert name_in(found, found.happenings[-1].place) == "London"
    assert all(h.evidence[0].of(body).strip() for h in found.happenings)


def test_what_somebody_cries_out_is_not_the_narrators_denial():
    assert not [event for event in events("“He did not!” roared Mr. Reed.") if event.endswith("negated")]


def test_the_log_tells_times_with_their_entity_and_event():
    tale = document(f"{SURE}\n\nElena was sixteen. The next morning she kissed Marcus.")
    log = linked(tale)
    age, shift = log.times
    assert (age.kind, age.value, age.entity) == ("age", "P16Y", "elena-voss")
    kissed = next(event for event in log.events if event.verb == "kiss")
    assert (shift.event, kissed.when) == (kissed.id, "The next morning")
    assert shift.evidence.quote == shift.evidence.span.of(tale.text) == "The next morning"


def test_a_couple_and_the_animals_of_a_fable():
    text = "Mr. and Mrs. Bennet smiled. The Bennets were happy."
    mentions = {m.surface: m.span.of(text) for m in reading(text).mentions}
    assert mentions["Mr. Bennet"] == "Mr. and Mrs. Bennet"
    found = reading(
        "A Badger was once asleep when a Heron stepped upon his tail. The Badger seized the Heron. "
        "“Pardon me,” said the Heron, “and one day I will thank the Badger.” So the Badger released the "
        "Heron."
    )
    (saved,) = [each for each in found.happenings if each.predicate == "SAVES"]
    assert (name_in(found, saved.agent), name_in(found, saved.patient)) == ("the badger", "the heron")


STORY = "Anna Dahl rowed home. Anna hated Bela. Bela saw the zebra. Bela Voss died."


@pytest.fixture
def zebras(monkeypatch):
    """A reader of moods that fails wherever a zebra is told of."""
    look = inner_life.InnerLifeReader._tone

    def broken(self, paragraph, sentence):
        if "zebra" in paragraph.tokens(sentence).text:
            raise LookupError("zebra")
        return look(self, paragraph, sentence)

    monkeypatch.setattr(inner_life.InnerLifeReader, "_tone", broken)


def test_the_rest_of_the_chapter_is_read_and_the_failure_kept(zebras, reader, caplog):
    with caplog.at_level(logging.WARNING):
        found = reader.read(STORY)
    assert found.failures == (ReaderFailure("moods and goals", 1),)
    assert {"HATES", "ENEMY_OF"} & {statement.predicate for statement in found.statements}
    assert "DIES" in {happening.predicate for happening in found.happenings}
    assert [m.span.of(STORY) for m in found.mentions] == [m.surface for m in found.mentions]
    [line] = [record.getMessage() for record in caplog.records]
    assert line == "moods and goals fails on a chapter (LookupError: 'zebra'): the others read on"
    assert reader.read(STORY) == found == ChapterReading.from_json(found.to_json())
    # colours joined to another noun are no failure
    plain = reader.read("Anna stood there. The leaf and brown of her eyes shone.")
    assert plain.mentions and "failures" not in plain.to_json()


def test_what_all_others_build_on_fails_for_the_chapter(reader, monkeypatch):
    monkeypatch.setattr(draft, "PronounReader", None)
    found = reader.read(STORY)
    assert not found.mentions
    assert len(found.scenes) == 1
    assert found.failures == (ReaderFailure("pipeline", 1),)


def test_the_doctor_says_what_was_passed_over(zebras, tmp_path):
    book, project = tmp_path / "book.txt", tmp_path / "project"
    book.write_text(f"Chapter 1\n\n{STORY}\n\nChapter 2\n\nAnna wept.\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["index", str(book), "-o", str(project)])
    assert done.exit_code == 0, done.output
    said = CliRunner().invoke(cli, ["doctor", str(project)]).output
    assert "readers failed on chapters, which the others read: moods and goals 1" in said


def moods(found):
    return {(found.mentions[mood.character].surface, mood.emotion): mood for mood in found.moods}


def test_the_tone_of_what_is_said_is_weak_evidence_of_a_mood():
    well, ill = "What a wonderful, beautiful morning!", "It is a horrible, miserable disaster,"
    told = moods(reading(f'"{well}" said Elena.\n\n"{ill}" said Marcus.'))
    ill, well = told["Marcus", "distress"], told["Elena", "good spirits"]
    assert ill.valence < 0 < well.valence
    assert all(mood.confidence < 0.5 for mood in told.values())


def test_moods_know_denial():
    found = read_behind("Elena was happy.\n\nMarcus was not happy.\n\nAnna was angry.")
    assert {("Elena", "joy"), ("Marcus", "sadness"), ("Anna", "anger")} <= moods(found).keys()
    assert all(-1 <= m.valence <= 1 and 0 <= m.arousal <= 1 for m in found.moods)


def test_good_words_in_a_loss_are_no_good_spirits():
    found = reading(f"{OPENING}\n\nElena had lost the great prize, the best of all.")
    assert "good spirits" not in {mood.emotion for mood in found.moods if mood.evidence.start > 100}


TEXT = story_text()[:9000]
AFRAID = "Elena Voss was afraid of Marcus Hale. Marcus Hale died.\n\n“Go home, Elena,” said Marcus."


@pytest.fixture(scope="module")
def parser():
    return StoryReader(kept_chars=10**6)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_every_reader_keeps_the_contract(reader, parser):
    check_reader(reader, parser, TEXT)


def test_names_of_readers_are_theirs_alone():
    names = [reader.name for reader in READERS]
    assert len({*names, "mentions", "narrator"}) == len(names) + 2


def test_what_is_left_out_is_not_read(parser):
    def told(*without):
        found = read_chapter(parser.parse(AFRAID), without=frozenset(without))
        bonds = {each.predicate for each in (*found.statements, *found.happenings)}
        return bonds | ({"said"} if found.quotations else set())

    whole = told()
    assert whole >= {"FEARS", "DIES", "said"}
    assert "FEARS" not in told("clauses")
    assert whole - told("quotations") == {"said"}
