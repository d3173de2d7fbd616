"""A text cut into windows that a language model can read at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...core.types import Span


def text_windows(
    text: str, sentences: Iterable[Span], *, room: int, count: Callable[[str], int]
) -> Iterator[Span]:
    """Whole sentences, as many as fit into ``room`` tokens (1 or more); one that does not fit alone is cut.
    A token is at least one character."""
    start: int | None = None
    end = used = 0
    for sentence in _bounded(sentences, room):
        cost = count(sentence.of(text)) + 1
        if start is not None and used + cost > room:
            yield Span(start, end)
            start, used = None, 0
        start = sentence.start if start is None else start
        end, used = sentence.end, used + cost
    if start is not None:
        yield Span(start, end)


def _bounded(sentences: Iterable[Span], longest: int) -> Iterator[Span]:
    for sentence in sentences:
        for start in range(sentence.start, sentence.end, longest):
            yield Span(start, min(sentence.end, start + longest))
