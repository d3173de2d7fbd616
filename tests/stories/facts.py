"""What a sentence tells of people who are known already: bonds, acts, happenings."""

from tests.stories.reading import reading

SURE = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna laughed."


def read_behind(text):
    """The reading of a text behind a paragraph in which everybody is named."""
    return reading(f"{SURE}\n\n{text}")


def name_in(found, mention):
    return "?" if mention is None else found.mentions[mention].surface


def facts_of(text):
    """Statements and happenings that have a predicate, each with how the text vouches for it."""
    found = read_behind(text)
    for one in found.statements:
        ends = f"{name_in(found, one.subject)} {name_in(found, one.object)}"
        yield f"{one.predicate} {ends} {one.modality.value}"
    for one in found.happenings:
        if one.predicate != "DOES":
            ends = f"{name_in(found, one.agent)} {name_in(found, one.patient)}"
            yield f"{one.predicate} {ends} {one.modality.value}"


def happened_in(text):
    """Of these, what the text says to be so."""
    found = read_behind(text)
    yield from (one.predicate for one in found.statements if one.modality.happened)
    for one in found.happenings:
        if one.predicate != "DOES" and one.modality.happened:
            yield one.predicate
