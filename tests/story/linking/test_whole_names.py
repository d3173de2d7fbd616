import json
import re
from pathlib import Path

import pytest
from tests.stories.examples import rows
from tests.stories.reading import log_of
from tests.tables import file_text

TOLD = json.loads(file_text(__file__, "other_names.json"))


def facts(log, old):
    """The people by how often they are named and how, and what they are to each other; ``old`` gives the
    names to be put in the place of those in the text."""
    into = {merge.entity: merge.into for merge in log.merges}
    named: dict[str, dict[str, int]] = {}
    for mention in log.mentions:
        names = named.setdefault(root(mention.entity, into), {})
        surface = replaced(mention.surface, old)
        names[surface] = names.get(surface, 0) + 1
    called = {entity: max(names, key=lambda name: (len(name), name)) for entity, names in named.items()}
    people = sorted(sorted(names.items()) for names in named.values())
    bonds = {
        (called[root(bond.subject, into)], bond.predicate, called[root(bond.object, into)])
        for bond in log.relations
    }
    return people, sorted(bonds)


def root(entity, into):
    while entity in into:
        entity = into[entity]
    return entity


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
    told = facts(
        log_of(*(replaced(text, names) for text in chapters)), {new: old for old, new in names.items()}
    )
    short = {"T.J": "Albert"}  # a name ends before the full stop of its sentence
    assert [[(short.get(name, name), n) for name, n in person] for person in told[0]] == control[0]
    assert told[1] == control[1]


def whose(log):
    into = {merge.entity: merge.into for merge in log.merges}
    found: dict[str, set[str]] = {}
    for mention in log.mentions:
        found.setdefault(mention.surface, set()).add(root(mention.entity, into))
    return found


def ids(log, people):
    known = whose(log)
    for names in people.split(" / "):
        yield set().union(*(known[name] for name in names.split(" = ")))


@pytest.mark.parametrize(("text", "people"), rows(Path(__file__).with_name("people.tsv")))
def test_one_and_two(text, people):
    found = list(ids(log_of(text), people))
    assert [len(each) for each in found] == [1] * len(found)
    assert len(set().union(*found)) == len(found)


HEARD = "Anna loved {}./Anna hated {}./Anna was married to {}./Nobody trusted {}./Leo was {}'s brother."


@pytest.mark.parametrize("sentence", HEARD.split("/"))
@pytest.mark.parametrize("name", ["Dorian Pike", "Brannock"])
def test_whom_one_only_hears_of_is_somebody(sentence, name):
    assert name in whose(log_of("Anna sat by the window. Leo came in. " + sentence.format(name)))


def test_things_and_places_of_a_name_stay_one():
    one = "They had an engine called Clementine. Clementine was old. Anna Reed drove Clementine."
    log = log_of(
        one, "Clementine leaned into her load. Clementine sighed. Anna laughed. Clementine stood still."
    )
    assert {m.kind for m in log.mentions if m.surface == "Clementine"} == {"object"}
    assert {m.kind for m in log.mentions if m.surface == "Anna"} == {"character"}
    first = "They rode from Thorvald to the sea. They came to Thorvald at night. He lived in Thorvald."
    later = "Thorvald Hurd laughed. Thorvald said nothing. Thorvald smiled, and Thorvald ran out. " * 3
    assert len(next(ids(log_of(first, later, later), "Thorvald = Thorvald Hurd"))) == 1
