import re
from pathlib import Path

import pytest
from tests.stories.examples import rows
from tests.stories.reading import log_of

MILLER = (
    'The old miller, Julian Moreau, stood by the well. "Good day," said Julian. He saw Annabel Colbert '
    'at the gate and waved to Annabel. "Good day," said Annabel. She gave Julian the letter. "Read it," '
    'Annabel told him. Then Julian read it, and Annabel wept. "It is from Margery," said Julian. "I '
    "know Margery's hand.\"",
    "Julian was Annabel's brother. Margery hated Julian. Annabel was married to Pierre Colbert. "
    'Julian\'s eyes were brown. "Go home," said Pierre to Annabel.',
)
SHOP = (
    'Walter Hart closed the shop at six. Gertrude Lindqvist was waiting outside with Martha. "You are '
    'late," said Gertrude. Walter shrugged and locked the door. Martha took his arm. "We waited an '
    'hour," Martha said. Walter looked at Gertrude, and Gertrude looked away. "Where is Helen?" asked '
    'Walter. "Helen went home," said Martha. Gertrude told Walter about the house. Helen met them on '
    "the bridge.",
    "Walter married Gertrude in the spring. Martha was Gertrude's sister. Martha hated Walter. Helen "
    'was Walter\'s mother. "I trust Gertrude," Helen said. Martha wept, and Walter thanked Helen and '
    "Martha.",
)
MILL = (
    'Norman Fletcher stood in the rain. "Come in," Albert said. Fletcher shook his coat. "Thank you," '
    'said Norman Fletcher. Albert smiled at Fletcher. "Sit down," said Albert to Fletcher. Stephen '
    'Barker was late. "Sorry," said Barker.',
    "Fletcher hated Barker. Martha Hill was married to Norman Fletcher. Albert trusted Fletcher.",
)
OTHER_NAMES = [
    (MILLER, {"Julian": "Jean-Luc", "Annabel": "Anne-Marie", "Margery": "Mary-Kate"}),
    (MILLER, {"Julian": "Jean\u2011Luc", "Annabel": "Anne\u2011Marie", "Margery": "Mary\u2011Kate"}),
    (MILLER, {"Julian": "Karl\u2010Heinz", "Annabel": "Eva\u2010Lotta", "Margery": "Marie\u2010Claire"}),
    (MILLER, {"Julian": "Ji-Woo", "Annabel": "Min-Ji", "Margery": "Soo-Ah"}),
    (SHOP, {"Walter": "Will", "Gertrude": "Grace", "Martha": "May", "Helen": "Hope"}),
    (SHOP, {"Walter": "Hunter", "Gertrude": "Faith", "Martha": "Summer", "Helen": "Dawn"}),
    (SHOP, {"Walter": "Chase", "Gertrude": "Joy", "Martha": "June", "Helen": "Sky"}),
    (MILL, {"Norman Fletcher": "Omar al-Rashid", "Fletcher": "al-Rashid"}),
    (MILL, {"Norman Fletcher": "Pieter van der Berg", "Fletcher": "van der Berg"}),
    (MILL, {"Norman Fletcher": "Seán Ó Briain", "Fletcher": "Ó Briain"}),
    (MILL, {"Norman Fletcher": "Nguyễn Thị Mai", "Fletcher": "Mai"}),
    (MILL, {"Norman Fletcher": "Łukasz Brontë-Żak", "Fletcher": "Łukasz"}),
    (MILL, {"Norman Fletcher": "J.R.R. Fletcher"}),
    (MILL, {"Albert": "T.J."}),
]
Facts = tuple[list[list[tuple[str, int]]], list[tuple[str, str, str]]]


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


@pytest.mark.parametrize(("chapters", "names"), OTHER_NAMES)
def test_people_stay_the_same_under_other_names(chapters, names):
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


def test_an_engine_called_by_a_womans_name_is_a_thing_in_every_chapter():
    one = "They had an engine called Clementine. Clementine was old. Anna Reed drove Clementine."
    log = log_of(
        one, "Clementine leaned into her load. Clementine sighed. Anna laughed. Clementine stood still."
    )
    assert {m.kind for m in log.mentions if m.surface == "Clementine"} == {"object"}
    assert {m.kind for m in log.mentions if m.surface == "Anna"} == {"character"}


def test_a_place_that_turns_out_to_be_somebody_is_one_with_her():
    first = "They rode from Thorvald to the sea. They came to Thorvald at night. He lived in Thorvald."
    later = "Thorvald Hurd laughed. Thorvald said nothing. Thorvald smiled, and Thorvald ran out. " * 3
    assert len(next(ids(log_of(first, later, later), "Thorvald = Thorvald Hurd"))) == 1
