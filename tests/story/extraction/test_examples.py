from pathlib import Path

import pytest
from tests.stories.examples import assert_read
from tests.stories.facts import SURE, facts_of, happened_in, name_in, read_behind
from tests.stories.reading import OPENING, READER, reading
from tests.stories.speech import CAST, spoken
from tests.stories.staging import stage

from fabula.story.extraction.clauses.arguments import Arguments
from fabula.story.extraction.clauses.modality import aspect_of
from fabula.story.extraction.events.order import lies
from fabula.story.extraction.mentions.finder import find_mentions
from fabula.story.extraction.pronouns import PRONOUNS, PronounReader
from fabula.story.model.types import Modality

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
