"""Quotations of small stories, as the log has them."""

from .reading import document, linked

CAST = "Elena Voss smiled. Marcus Hale nodded. Mr. Reed said nothing. Anna Reed laughed.\n\n"


def story(*bodies):
    tale = document(*bodies)
    return tale, linked(tale)


def spoken(body, cast=CAST):
    """(first words, speaker, hearers, kind) of each quotation behind the cast."""
    tale, log = story(cast + body)
    told = []
    for quotation in log.quotations:
        first = quotation.evidence[0].span.of(tale.text).strip("\"'“”‘’—- ")
        told.append((first.rstrip(".,!?"), quotation.speaker, quotation.hearers, quotation.kind))
    return told
