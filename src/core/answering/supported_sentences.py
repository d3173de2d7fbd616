"""A model's answer, sentence by sentence as it is written: only what stands on the sources is given on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..types import Span
from .grounding import answer_sentences, ground
from .sources import AnswerSource

SEARCH = "search:"
"""How a line begins with which a model asks for passages instead of answering."""

MOST_SEARCHES = 4


class SupportedSentences:
    """:meth:`take` takes the pieces of a text as they come; a sentence that is whole and has support in
    ``sources`` (see :mod:`.answering.grounding`) goes to ``on_text``, any other goes nowhere. While nothing
    can be given on, ``on_text`` gets an empty piece, so that whoever has left can say so by an exception.

    A text that begins with ``not_told`` says that the sources do not answer, and nothing else of it counts.
    One that begins with ``search:`` asks for passages with such words, a line each: see :attr:`searches`.
    """

    def __init__(
        self,
        sources: Sequence[AnswerSource],
        *,
        question: str,
        not_told: str,
        on_text: Callable[[str], None] | None = None,
    ) -> None:
        self._sources = sources
        self._question = question
        self._not_told = not_told
        self._on_text = on_text
        self._waiting = ""
        self._asks: list[str] | None = None
        self.text = ""
        """What has support, so far."""
        self.written = 0
        """Sentences that were looked at."""
        self.supported = 0
        """Those of them that are in ``text``."""
        self.told = True

    def take(self, piece: str) -> None:
        """The next piece of the text. Its last sentence is held back, since it may go on. What ``on_text``
        raises is passed on."""
        if self._asks is not None or self._asks_for(self._waiting + piece):
            self._asks = [*(self._asks or ()), self._waiting + piece]
            self._waiting = ""
            self._tick()
            return
        self._waiting += piece
        spans = answer_sentences(self._waiting)
        held = 1  # the last one may go on,
        if spans and self._waiting[spans[-1].start] == "[":  # or be the mark of the one before it
            held = 2
        self._look_at(spans[: max(0, len(spans) - held)])
        self._tick()

    @property
    def searches(self) -> tuple[str, ...]:
        """What a text that asks for passages wants to be looked for, each wording once, :data:`MOST_SEARCHES`
        at most."""
        lines = "".join(self._asks or ()).splitlines()
        wanted = (line.partition(":")[2].strip() for line in lines if self._asks_for(line))
        return tuple(dict.fromkeys(one for one in wanted if one))[:MOST_SEARCHES]

    def cut(self) -> None:
        """The text broke off: the sentence that is not whole is forgotten."""
        self._waiting = ""

    def end(self) -> None:
        """Nothing more will come. A text that only asked for passages says that the sources do not answer."""
        if self._asks is not None and self.told:
            self.told = False
            self._give(self._not_told)
        self._look_at(answer_sentences(self._waiting))
        self._waiting = ""

    def _asks_for(self, text: str) -> bool:
        return not self.written and text.lstrip(" \t\n-*•").casefold().startswith(SEARCH)

    def _tick(self) -> None:
        if self._on_text is not None:
            self._on_text("")

    def _look_at(self, spans: Sequence[Span]) -> None:
        done = 0
        for span in spans:
            gap, sentence = self._waiting[done : span.start], span.of(self._waiting)
            done = span.end
            if not self.told:
                continue
            self.written += 1
            if self.written == 1 and sentence.casefold().startswith(self._not_told.rstrip(".").casefold()):
                self.told = False
                self._give(self._not_told)
            elif ground(sentence, self._sources, question=self._question).supported == 1:
                self.supported += 1
                self._give((("\n" if "\n" in gap else " ") if self.text else "") + sentence)
        self._waiting = self._waiting[done:]

    def _give(self, piece: str) -> None:
        self.text += piece
        if self._on_text is not None:
            self._on_text(piece)
