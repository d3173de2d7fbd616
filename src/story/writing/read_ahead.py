"""A draft read while it is being written: what is finished is parsed, so that only the end is left to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

Feed = Callable[[str], None]
"""Takes the next piece of one streamed text."""

Feeds = Callable[[], Feed]
"""Opens a feed for a text that is about to come."""

_BLANK = re.compile(r"(?<![ \t\r])(?:[ \t\r]*+\n){2,}")


def unheard() -> Feed:
    """A feed that nobody listens to."""
    return lambda _: None


class ReadAhead:
    """Calls ``parse`` with finished paragraphs, in a thread of its own, one call at a time.

    The paragraph is the unit, not the sentence: where a sentence ends is for the parser to say, which looks
    at the whole paragraph, and a parse made of less would not be that of the finished chapter. What
    ``parse`` raises is dropped: whoever reads the whole text meets it again. At the end what was not begun
    is forgotten; nothing has to wait for it, since the reader parses what it does not find.
    """

    def __init__(self, parse: Callable[[str], None]) -> None:
        self._parse = parse
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="read-ahead")

    def feed(self) -> Feed:
        """A feed for one text. Each paragraph is handed on once, as soon as a blank line follows it."""
        rest = ""

        def listen(piece: str) -> None:
            nonlocal rest
            rest += piece
            gaps = list(_BLANK.finditer(rest)) if "\n" in piece else []
            if gaps:
                done, rest = rest[: gaps[-1].start()], rest[gaps[-1].end() :]
                if done.strip():
                    self._pool.submit(self._parse, done)

        return listen

    def __enter__(self) -> ReadAhead:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
