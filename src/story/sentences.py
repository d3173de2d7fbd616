"""Where sentences begin and end, by punctuation alone: quick, without a model, the same everywhere."""

from __future__ import annotations

import re

from ..core.types import Span

__all__ = ["sentence_spans", "sentences"]

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s+[\"'“‘«(\[—–-]*[A-Z0-9À-ÖØ-Þ])|\n\s*\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Col|Gen|Lt|Sgt|Rev|Hon|Jr|Sr|Esq|vs|No|Mme|Mlle)|\b[A-Z])\.$"
)


def sentence_spans(text: str) -> list[Span]:
    """Half-open spans of the sentences of ``text``, in order, without surrounding white space.

    A sentence ends at ``. ! ? …`` (closing quotes included) before white space and a capital, or at an
    empty line. Titles (Mr., Dr.) and initials end none. Every character that is not white space lies in
    exactly one span.
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if _ABBREVIATION.search(text, start, match.end()):
            continue
        _push(text, start, match.end(), spans)
        start = match.end()
    _push(text, start, len(text), spans)
    return spans


def sentences(text: str) -> list[str]:
    """The sentences of ``text``, in order."""
    return [span.of(text) for span in sentence_spans(text)]


def _push(text: str, start: int, end: int, spans: list[Span]) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    body = piece.strip()
    if body:
        spans.append(Span(start + left, start + left + len(body)))
