import logging
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.contracts.reader_contract import check_reader
from tests.stories.examples import assert_read
from tests.stories.facts import SURE, facts_of, happened_in, name_in, read_behind
from tests.stories.reading import OPENING, READER, document, linked, reading
from tests.stories.speech import CAST, spoken
from tests.stories.staging import stage

from fabula.cli.commands import cli
from fabula.core.types import Span
from fabula.demo import story_text
from fabula.errors import ModelMissing
from fabula.story.extraction import draft, inner_life
from fabula.story.extraction.clauses.arguments import Arguments
from fabula.story.extraction.clauses.modality import aspect_of
from fabula.story.extraction.combined_reader import CombinedReader, combined
from fabula.story.extraction.events.order import lies
from fabula.story.extraction.mentions.finder import find_mentions
from fabula.story.extraction.pipeline import READERS, read_chapter
from fabula.story.extraction.pronouns import PRONOUNS, PronounReader
from fabula.story.extraction.reader import StoryReader
from fabula.story.model import chapter_reading
from fabula.story.model.chapter_reading import ChapterReading, ReaderFailure
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind, Fact, Modality, Order, Time

HERE = Path(__file__).parent
PEOPLE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed sat down. Mrs. Dale laughed.\n\n* * *\n\n"


def aspect(text, word):
    doc = READER.parse(text).paragraphs[0].doc
    yield aspect_of(next(token for token in doc if token.text == word)).name.lower()


def order(text, one, other):
    doc = READER.parse(text).paragraphs[0].doc
    first, second = (next(token for token in doc if token.text == word) for word in (one, other))
    yield lies(first, second).lies.name.lower()


def events(text):
    """What is told behind the paragraph in which everybody is named, and how it is vouched for."""
    found = read_behind(text)
    for one in found.happenings:
        if one.at.start >= len(SURE):
            sides = f"{name_in(found, one.agent)} {one.verb} {name_in(found, one.patient)}"
            yield f"{sides} {one.modality.value}"


def happened(text):
    for event in events(text):
        clause, _, modality = event.rpartition(" ")
        if Modality(modality).happened:
            yield clause


def orders(text):
    found = read_behind(text)
    for one in found.orders:
        first, then = found.happenings[one.earlier], found.happenings[one.later]
        if min(first.at.start, then.at.start) >= len(SURE):
            yield f"{first.verb} then {then.verb}"


def times(text):
    found = read_behind(text)
    for one in found.times:
        of = "" if one.entity is None else f" of {name_in(found, one.entity)}"
        when = "" if one.event is None else f", {found.happenings[one.event].verb}"
        yield f"{one.kind} {one.value}{of}{when}"


def plain_facts(text):
    found = reading(f"{OPENING}\n\n{text}")
    for fact in found.facts:
        if fact.modality.happened or fact.modality is Modality.REPORTED:
            name = found.mentions[fact.entity].surface
            parts = [name, fact.aspect, fact.value, fact.when.lower(), "change" if fact.change else ""]
            early = fact.modality is Modality.FLASHBACK and fact.aspect == "age"
            parts.append("flashback" if early else "")
            parts.append("reported" if fact.modality is Modality.REPORTED else "")
            yield " ".join(filter(None, parts))


def goals(text):
    for goal in reading(f"{OPENING}\n\n{text}").goals:
        yield f"{goal.turn} {goal.wording}"


def meanings(text):
    """ "pronoun: surface of its antecedent" in order of the text."""
    chapter = READER.parse(PEOPLE + text)
    find_mentions(chapter)
    pronouns = PronounReader.of(chapter)
    Arguments.of(chapter, pronouns)
    told = []
    for paragraph in chapter.paragraphs:
        for token in paragraph.doc:
            if token.lower_ in PRONOUNS:
                meant = pronouns.resolve(paragraph, token)
                if meant is not None:
                    assert 0 < meant.factor <= 1
                    assert meant.gender == PRONOUNS[token.lower_]
                told.append(f"{token.lower_}: {chapter.mentions[meant.mention].surface if meant else '?'}")
    yield ", ".join(told)


def mentions(cast, text):
    known = f"{SURE}\n\n" if cast == "known" else ""
    for one in reading(known + text).mentions:
        if one.span.start >= len(known):
            yield f"{one.surface} {one.kind.value} {one.gender or one.hint}".strip()


def speakers(text):
    yield ", ".join(f"{speaker} {kind}" for _, speaker, _, kind in spoken(text))


def turns(cast, text):
    said = []
    for _, speaker, hearers, _ in spoken(text, CAST if cast == "known" else ""):
        to = f" to {' and '.join(hearers)}" if hearers else ""
        said.append(f"{speaker or '?'}{to}")
    yield from [", ".join(said)] * bool(said)


WHOLE = {
    "clauses/untold.tsv": happened_in,
    "clauses/aspects.tsv": aspect,
    "coreference/pronouns.tsv": meanings,
    "events/order.tsv": order,
    "events/no_events.tsv": happened,
    "events/orders.tsv": orders,
    "events/times.tsv": times,
    "mentions/mentions.tsv": mentions,
    "quotations/speakers.tsv": speakers,
    "quotations/turns.tsv": turns,
    "frames/facts.tsv": plain_facts,
    "goals.tsv": goals,
}
AMONG_OTHERS = {
    "clauses/told.tsv": facts_of,
    "clauses/modality.tsv": facts_of,
    "frames/kinship.tsv": facts_of,
    "events/events.tsv": events,
    "presence/stage.tsv": stage,
}


@pytest.mark.parametrize("table", [*WHOLE, *AMONG_OTHERS])
def test_sentences(table):
    whole = table in WHOLE
    read = WHOLE[table] if whole else AMONG_OTHERS[table]
    assert_read(HERE / table, read, whole=whole, parsed=read not in (plain_facts, goals))


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


def test_reading_is_deterministic_of_odd_texts_too(reader):
    text = f"{SURE}\n\nElena killed Marcus. He had loved her. Anna lived in London."
    reading = reader.read(text)
    tight = StoryReader(kept_chars=60)
    for ahead in (text, text[:90]):
        tight.parse_ahead(ahead)
    assert reading == StoryReader().read(text) == tight.read(text) == reader.read(text)
    assert all(PREDICATES[s.predicate].lasting for s in reading.statements)
    assert all(not PREDICATES[h.predicate].lasting for h in reading.happenings)
    for text in ("", " \n\n ", "***", '"', "‘", "Mr.", "the", "A\x00B.", "😀 Élise!"):
        assert all(scene.span.end <= len(text) for scene in reader.read(text).scenes), text


def test_missing_model_names_the_way_out():
    reader = StoryReader("no_such_model")
    for ask in (lambda: reader.read("A text."), lambda: reader.version):
        with pytest.raises(ModelMissing, match="pip install"):
            ask()


@pytest.mark.slow
@pytest.mark.thorough
def test_a_long_chapter_is_parsed_in_pieces_that_fit_the_memory():
    reader, batches = StoryReader(), []
    reader.load()
    nlp = reader._nlp

    class Recorded:
        def pipe(self, texts):
            batches.append(sum(map(len, texts)))
            return nlp.pipe(texts)

    reader._nlp = Recorded()
    text = "\n\n".join(f"Anna rowed to island {n}. " + "It rained. " * 500 for n in range(20))
    reader.parse(text)
    assert max(batches) <= 60_000
    assert sum(batches) > 100_000


BODY = "Anna loved Tom. Tom loved Anna. Tom helped Mr. Gray. Mr. Gray wept."
FACT = Modality.FACT


def named(start, surface):
    span = Span(start, start + len(surface))
    return chapter_reading.Mention(span, surface, EntityKind.CHARACTER, "", 0, Span(0, 60), True)


def bond(predicate, one, other, start, end, sure=0.9, origin="rules"):
    return chapter_reading.Statement(predicate, one, other, (Span(start, end),), FACT, sure, origin=origin)


def deed(predicate, agent, patient, start, end, **more):
    return chapter_reading.Happening(predicate, agent, patient, None, (Span(start, end),), FACT, 0.8, **more)


BY_RULES = chapter_reading.ChapterReading(
    mentions=(named(0, "Anna"), named(11, "Tom"), named(43, "Mr. Gray")),
    statements=(bond("LOVES", 0, 1, 0, 15),),
    happenings=(deed("HELPS", 1, 2, 32, 52), deed("DOES", 2, None, 53, 67, verb="weep")),
    orders=(Order(0, 1, (Span(32, 67),), 0.7),),
    times=(Time("date", "1800", Span(32, 35), None, 1),),
    scenes=(chapter_reading.Scene(Span(0, 67)),),
)
BY_MODEL = chapter_reading.ChapterReading(
    mentions=(named(0, "Anna"), named(11, "Tom"), named(16, "Tom"), named(26, "Anna")),
    statements=(bond("LOVES", 0, 1, 0, 14, 0.95, "model"), bond("LOVES", 2, 3, 16, 31, 0.5, "model")),
    happenings=(deed("MEETS", 0, 1, 0, 15, origin="model"),),
    scenes=BY_RULES.scenes,
    by_model=True,
)


def test_both_readings_are_kept_and_agreement_is_said():
    both = combined(BY_RULES, BY_MODEL)
    names = [m.surface for m in both.mentions]
    assert names == ["Anna", "Tom", "Tom", "Anna", "Mr. Gray"]
    assert [(names[s.subject], names[s.object], s.origin, s.confidence) for s in both.statements] == [
        ("Anna", "Tom", "rules+model", 0.95),
        ("Tom", "Anna", "model", 0.5),
    ]
    assert both.by_model
    told = [f"{h.predicate} {h.origin}" for h in both.happenings]
    assert told == ["MEETS model", "HELPS rules", "DOES rules"]
    assert (both.orders[0].earlier, both.orders[0].later) == (1, 2)
    assert both.times[0].event == 2
    assert names[both.happenings[1].patient] == "Mr. Gray"
    assert combined(BY_RULES, chapter_reading.ChapterReading(scenes=BY_RULES.scenes)) == BY_RULES


def test_what_the_model_does_not_say_is_not_guessed():
    guessed = replace(
        BY_RULES,
        statements=(*BY_RULES.statements, bond("HATES", 2, 1, 32, 52)),
        happenings=(deed("DIES", None, 2, 53, 67), *BY_RULES.happenings),
        facts=(Fact(0, "eyes", "blue", (Span(0, 15),), FACT, 0.9),),
        orders=(Order(0, 1, (Span(32, 67),), 0.6), Order(1, 2, (Span(32, 67),), 0.6)),
    )
    both = combined(guessed, BY_MODEL)
    assert {s.predicate for s in both.statements} == {"LOVES"}
    assert both.facts == ()
    assert [h.predicate for h in both.happenings] == ["MEETS", "HELPS", "DOES"]
    assert [(o.earlier, o.later) for o in both.orders] == [(1, 2)]


def test_the_narrator_is_whom_the_rules_have_for_one():
    said = chapter_reading.ChapterReading(
        mentions=(named(0, "Anna"), named(16, "I"), named(43, "Mr. Gray")),
        statements=(
            bond("SIBLING_OF", 1, 2, 16, 52, origin="model"),
            bond("LOVES", 0, 2, 32, 52, origin="model"),
        ),
        by_model=True,
    )
    without = combined(BY_RULES, said)
    assert [s.predicate for s in without.statements] == ["LOVES"]
    assert "I" not in [m.surface for m in without.mentions]
    both = combined(replace(BY_RULES, mentions=(*BY_RULES.mentions, named(60, "I"))), said)
    (kin,) = (s for s in both.statements if s.predicate == "SIBLING_OF")
    assert both.mentions[kin.subject].span.start == 60
    assert [m.surface for m in both.mentions].count("I") == 1


def test_identities_and_failures_of_both_are_kept():
    failed = (chapter_reading.ReaderFailure("by_model", 1),)
    first = replace(BY_RULES, identities=(chapter_reading.Identity(0, 1, Span(0, 15), 0.9),))
    both = combined(
        first,
        replace(BY_MODEL, identities=(chapter_reading.Identity(2, 3, Span(16, 31), 0.8),), failures=failed),
    )
    names = [m.surface for m in both.mentions]
    assert [(names[i.one], names[i.other]) for i in both.identities] == [("Anna", "Tom"), ("Tom", "Anna")]
    assert both.failures == failed


class Fixed:
    def __init__(self, reading, version):
        self.version, self.load = version, lambda: None
        self.read = lambda text, before=chapter_reading.NOTHING_BEFORE: reading


def test_a_reader_of_two_readers():
    reader = CombinedReader(Fixed(BY_RULES, "one"), Fixed(BY_MODEL, "two"))
    assert reader.version == "one|two"
    reader.load()
    both = reader.read(BODY)
    assert both == combined(BY_RULES, BY_MODEL) == chapter_reading.ChapterReading.from_json(both.to_json())
