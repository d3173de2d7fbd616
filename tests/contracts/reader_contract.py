"""What every reader of a chapter keeps to: it adds and takes nothing away, it quotes, it can be left out."""

from dataclasses import fields

from fabula.core.types import Span
from fabula.story.extraction.draft import Draft
from fabula.story.extraction.mentions.finder import find_mentions
from fabula.story.extraction.mentions.narrator import find_narrator
from fabula.story.extraction.pipeline import READERS, read_chapter
from fabula.story.model.chapter_reading import ChapterReading

__all__ = ["check_reader"]

ODD = "“”\n\n…\n\nI.\n\n\n“Anna!”\n\nWho? He? Her's.\n\n* * *\n\nAnna — and Bela, — and\n\nwent\n\n"


_TABLES = [field.name for field in fields(ChapterReading) if field.name != "by_model"]


def check_reader(reader, parser, text):
    """Runs ``reader`` behind those before it."""
    before, after = _up_to(reader, parser, text)
    for kind in _TABLES:
        old, new = list(getattr(before, kind)), list(getattr(after, kind))
        if kind not in ("mentions", "happenings", "scenes"):
            assert all(any(_alike(one, other) for other in new) for one in old), f"{reader.name} takes {kind}"
        for record in new:
            for span in _quotes(record):
                assert 0 <= span.start < span.end <= len(text)
    assert _up_to(reader, parser, text)[1] == after, f"{reader.name} reads otherwise the second time"
    without = read_chapter(parser.parse(text), without=frozenset({reader.name}))
    assert isinstance(without, ChapterReading)
    _up_to(reader, parser, ODD)


def _up_to(reader, parser, text):
    readings = []
    for last in (False, True):
        chapter = parser.parse(text)
        find_mentions(chapter)
        find_narrator(chapter)
        draft = Draft.of(chapter)
        for one in READERS:
            if one is reader and not last:
                break
            one.read(draft)
            if one is reader:
                break
        readings.append(draft.reading())
    return readings[0], readings[1]


def _alike(one, other):
    """The same record, whatever numbers its mentions have got."""
    return type(one) is type(other) and _quotes(one) == _quotes(other)


def _quotes(record):
    evidence = getattr(record, "evidence", ())
    return (evidence,) if isinstance(evidence, Span) else tuple(e for e in evidence if isinstance(e, Span))
