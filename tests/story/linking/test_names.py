import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stories.examples import rows
from tests.stories.reading import linked, log_of, roots, with_headings
from tests.tables import file_text

from fabula.core.types import Chapter, Document, Span
from fabula.story.linking.linker import Linker
from fabula.story.linking.records import ON_STAGE
from fabula.story.model.chapter_reading import ChapterReading, Mention
from fabula.story.model.types import EntityKind

TEXT = "Callum Reddy met Maxine Reddy. Reddy laughed."


@pytest.mark.parametrize("meant", ["Maxine Reddy", "Callum Reddy"])
def test_whom_a_reader_means_by_a_short_name_is_whom_it_names(meant):
    def mention(name, at, meant=""):
        span = Span(at, at + len(name))
        return Mention(span, name, EntityKind.CHARACTER, "", 0, Span(0, len(TEXT)), True, meant=meant)

    mentions = (mention("Callum Reddy", 0), mention("Maxine Reddy", 17), mention("Reddy", 31, meant))
    chapter, linker = Chapter(1, "1", Span(0, 0), Span(0, len(TEXT))), Linker()
    linker.add(Document("book", "B", TEXT, (chapter,)), chapter, ChapterReading(mentions))
    last = linker.log.mentions[-1]
    assert (last.entity, last.surface) == (meant.lower().replace(" ", "-"), "Reddy")


SENTENCES = st.sampled_from(
    [
        "Elena arrived in London.",
        "Marcus smiled at Elena.",
        '"Come, Anna," said Mr. Reed.',
        '"Come, Anna, said Mr. Reed',
        "* * *",
        "The next day Anna left London.",
        "They entered the library.",
        "I saw Marcus at the church.",
    ]
)


@settings(max_examples=20)
@given(st.lists(st.lists(SENTENCES, min_size=1, max_size=5), min_size=1, max_size=3))
def test_the_presences_of_a_prefix_are_a_prefix(chapters):
    bodies = ["\n\n".join(sentences) for sentences in chapters]
    tale = with_headings(*bodies)
    presences = linked(tale).presences
    shorter = linked(with_headings(*bodies[:-1])).presences
    assert [_bare(p) for p in presences if p.told < len(bodies)] == [_bare(p) for p in shorter]
    for presence in presences:
        assert ON_STAGE <= presence.confidence <= 1.0
        assert presence.evidence.span.of(tale.text) == presence.evidence.quote
        assert presence.where is None or presence.where.span.of(tale.text) == presence.where.quote
    order = [(p.told, p.scene) for p in presences]
    assert order == sorted(order)


def _bare(presence):
    return presence.entity, presence.scene, presence.place, presence.told, presence.evidence.quote


TOLD = json.loads(file_text(__file__, "other_names.json"))


def facts(log, old):
    """The people by how often they are named and how, and what they are to each other; ``old`` gives the
    names to be put in the place of those in the text."""
    named: dict[str, Counter[str]] = {}
    root = roots(log)
    for mention in log.mentions:
        named.setdefault(root(mention.entity), Counter())[replaced(mention.surface, old)] += 1
    called = {entity: max(names, key=lambda name: (len(name), name)) for entity, names in named.items()}
    bonds = {
        (called[root(bond.subject)], bond.predicate, called[root(bond.object)]) for bond in log.relations
    }
    return sorted(sorted(names.items()) for names in named.values()), sorted(bonds)


def replaced(text, names):
    if not names:
        return text
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", lambda found: names[found[0]], text)


@pytest.mark.parametrize(("story", "names"), TOLD["other_names"])
def test_people_stay_the_same_under_other_names(story, names):
    chapters = TOLD["stories"][story]
    control = facts(log_of(*chapters), {})
    assert len(control[0]) >= 4 and len(control[1]) >= 3
    log = log_of(*(replaced(text, names) for text in chapters))
    people, bonds = facts(log, {new: old for old, new in names.items()})
    short = {"T.J": "Albert"}  # a name ends before the full stop of its sentence
    assert [[(short.get(name, name), n) for name, n in person] for person in people] == control[0]
    assert bonds == control[1]


def whose(log):
    found: dict[str, set[str]] = {}
    for mention in log.mentions:
        found.setdefault(mention.surface, set()).add(roots(log)(mention.entity))
    return found


@pytest.mark.parametrize(("text", "people"), rows(Path(__file__).with_name("people.tsv")))
def test_one_and_two(text, people):
    known = whose(log_of(*text.split("§")))
    found = [set().union(*(known[name] for name in names.split(" = "))) for names in people.split(" / ")]
    assert [len(each) for each in found] == [1] * len(found)
    assert len(set().union(*found)) == len(found)


HEARD = "Anna loved {}./Anna hated {}./Anna was married to {}./Nobody trusted {}./Leo was {}'s brother."


@pytest.mark.parametrize("sentence", HEARD.split("/"))
@pytest.mark.parametrize("name", ["Dorian Pike", "Brannock"])
def test_whom_one_only_hears_of_is_somebody(sentence, name):
    assert name in whose(log_of("Anna sat by the window. Leo came in. " + sentence.format(name)))


def test_things_and_places_of_a_name_stay_one():
    one = "They had an engine called Clementine. Clementine was old. Anna Reed drove Clementine."
    two = "Clementine leaned into her load. Clementine sighed. Anna laughed. Clementine stood still."
    kinds = {(m.surface, m.kind) for m in log_of(one, two).mentions if m.surface in ("Clementine", "Anna")}
    assert kinds == {("Clementine", "object"), ("Anna", "character")}
    first = "They rode from Thorvald to the sea. They came to Thorvald at night. He lived in Thorvald."
    later = "Thorvald Hurd laughed. Thorvald said nothing. Thorvald smiled, and Thorvald ran out. " * 3
    known = whose(log_of(first, later, later))
    assert len(known["Thorvald"] | known["Thorvald Hurd"]) == 1
