"""A language model as the reader of chapters: what it says counts only with a quote from the chapter.

It is asked once a chapter, or in parts where a chapter does not fit into its context, and once more for
quotes that do not stand in the text. What of its answers is kept, :mod:`.verifying` says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ....core.interfaces import Generator
from ....core.prompting import read_answer
from ....core.runtime.model_requests import ModelPlan, ModelReport, answer_all
from ....core.text.sentences import sentences
from ....core.types import Generation, Prompt, Span
from ....errors import ModelRefused
from ...evidence.quote_finder import Tier
from ...evidence.windows import text_windows
from ...model.chapter_reading import NOTHING_BEFORE, ChapterReading, KnownName, ReaderFailure, ToldBefore
from .answer import ChapterAnswer, CopiedAgain, chapter_prompt, copy_prompt, extract_version
from .verifying import LeftOut, Verifier

MODEL_READER = "by_model"
"""Under this name a reading counts among its failures the parts that the model refused to read."""
ANSWER_TOKENS = 6144
_RULES = "model-reading-5"
_SLACK = 64  # tokens of the chat's own markup
_TEXT_TO_ANSWER = 1.5  # of a part's tokens to those of its answer: more text in one part is read less well
_WORDS_BEFORE = 150
_COPY_TOKENS = 1024

Asked = tuple[str, ToldBefore]
"""A chapter's text, and what was told before it."""


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model read in a chapter. ``claimed`` counts the items it stated, ``left_out`` those that were
    not kept; the rest are in ``reading``, repeated ones once. ``tiers`` counts how well its quotes stood.
    ``refusals`` say why some of the ``windows`` were not read."""

    reading: ChapterReading
    windows: int
    claimed: int
    left_out: tuple[LeftOut, ...]
    tiers: Counter[Tier]
    answers: tuple[Generation, ...]
    refusals: tuple[str, ...]
    broken_off: int = 0


class ModelReader:
    """Reads chapters by asking ``generator``, once a window of as much text as its context holds. Costs the
    model's time: the prompt, and ``answer_tokens`` at the most, for each window.

    ``is_answered`` says whether a prompt with an answer of that length was asked before, so that to ask again
    costs nothing. Same model and seed, same reading, where the model can. Not safe in threads.
    """

    def __init__(
        self,
        generator: Generator,
        *,
        answer_tokens: int = ANSWER_TOKENS,
        is_answered: Callable[[Prompt, int], bool] = lambda *_: False,
    ) -> None:
        self._generator = generator
        self._answer_tokens = min(answer_tokens, generator.context_tokens // 3)
        self._is_answered = is_answered
        self._answers: dict[Prompt, Generation | ModelRefused] = {}
        self._found: list[ModelReading] = []

    @property
    def version(self) -> str:
        """Everything that changes a reading of the same text."""
        room = f"{self._generator.context_tokens}:{self._answer_tokens}"
        return f"{_RULES}+{extract_version()}+{self._generator.name}+{room}"

    def load(self) -> None:
        """Loads the model, where it runs in this process."""
        self._generator.count_tokens("ready")

    def plan(self, asked: Iterable[Asked]) -> ModelPlan:
        """What :meth:`ask` will cost, but for quotes that it asks for again. Costs a count of tokens."""
        every, count = self._prompts(asked), self._generator.count_tokens
        due = [prompt for prompt in every if not self._is_answered(prompt, self._answer_tokens)]
        tokens = sum(count(prompt.system) + count(prompt.user) for prompt in due)
        most = len(due) * self._answer_tokens
        return ModelPlan(self._generator.name, len(due), len(every) - len(due), tokens, most)

    def ask(self, asked: Sequence[Asked], progress: Callable[[int, int], None] = lambda *_: None) -> None:
        """Gets the answers for all these chapters, as many at once as the generator allows; :meth:`read`
        takes them from there. Raises ModelError, but for what the model refuses."""
        concurrency = self._generator.concurrency
        self._answers |= answer_all(
            self._prompts(asked), self._answer, concurrency=concurrency, progress=progress
        )
        again = []
        for text, before in asked:
            verifier = Verifier(text, before)
            for window, prompt in self._windows(text, before):
                again.append(self._copying(verifier, text, window, self._answers[prompt])[1])
        due = [prompt for prompt in dict.fromkeys(again) if prompt is not None]
        if due:
            copy, silent = self._copy, lambda *_: None
            self._answers |= answer_all(due, copy, concurrency=concurrency, progress=silent)

    def read(self, text: str, before: ToldBefore = NOTHING_BEFORE) -> ChapterReading:
        return self.extract(text, before).reading

    def extract(self, text: str, before: ToldBefore = NOTHING_BEFORE) -> ModelReading:
        """Reads a chapter's body. A part that the model refuses is passed over and counted among the
        reading's failures; other ModelErrors are raised."""
        verifier, answers, refusals = Verifier(text, before), list[Generation](), list[str]()
        windows = self._windows(text, before)
        for window, prompt in windows:
            answer = self._answers.pop(prompt, None) or self._answer(prompt)
            if isinstance(answer, ModelRefused):
                refusals.append(str(answer))
                continue
            answers.append(answer)
            read = read_answer(answer.text, ChapterAnswer)
            wrong, copying = self._copying(verifier, text, window, answer)
            again: dict[str, str] = {}
            if copying is not None:
                copied = self._answers.pop(copying, None) or self._copy(copying)
                if isinstance(copied, Generation):
                    answers.append(copied)
                    again = _copied(wrong, copied.text)
            verifier.odd(read.odd)
            verifier.take(read.value, window, again)
        refused = (ReaderFailure(MODEL_READER, len(refusals)),) if refusals else ()
        found = ModelReading(
            verifier.reading(refused),
            len(windows),
            verifier.claimed,
            tuple(verifier.left_out),
            verifier.tiers,
            tuple(answers),
            tuple(refusals),
            sum(answer.finish_reason == "length" for answer in answers),
        )
        self._found.append(found)
        return found

    @property
    def report(self) -> ModelReport:
        """What came of all that was read so far."""
        dropped = Counter(each.reason for found in self._found for each in found.left_out)
        dropped["answers that broke off"] = sum(found.broken_off for found in self._found)
        answers = [answer for found in self._found for answer in found.answers]
        refusals = [refusal for found in self._found for refusal in found.refusals]
        return ModelReport(
            self._generator.name,
            len(answers) + len(refusals),
            sum(answer.prompt_tokens for answer in answers),
            sum(answer.completion_tokens for answer in answers),
            len(refusals),
            refusals[0] if refusals else "",
            sum(found.claimed for found in self._found),
            tuple(sorted((+dropped).items())),
        )

    @property
    def left_out(self) -> tuple[tuple[LeftOut, ...], ...]:
        """Of each chapter read so far, what was not kept."""
        return tuple(found.left_out for found in self._found)

    def _prompts(self, asked: Iterable[Asked]) -> list[Prompt]:
        prompts = (prompt for text, before in asked for _, prompt in self._windows(text, before))
        return list(dict.fromkeys(prompts))

    def _answer(self, prompt: Prompt) -> Generation | ModelRefused:
        return self._asked(prompt, self._answer_tokens)

    def _copy(self, prompt: Prompt) -> Generation | ModelRefused:
        return self._asked(prompt, min(_COPY_TOKENS, self._answer_tokens))

    def _asked(self, prompt: Prompt, most: int) -> Generation | ModelRefused:
        try:
            return self._generator.generate(prompt, max_tokens=most)
        except ModelRefused as error:
            return error

    def _copying(
        self, verifier: Verifier, text: str, window: Span, answer: Generation | ModelRefused
    ) -> tuple[list[str], Prompt | None]:
        """The quotes of an answer that stand nowhere, and the prompt that asks for them again."""
        if isinstance(answer, ModelRefused):
            return [], None
        wrong = verifier.missing(read_answer(answer.text, ChapterAnswer).value, window)
        return wrong, copy_prompt(window.of(text), wrong) if wrong else None

    def _windows(self, text: str, before: ToldBefore) -> list[tuple[Span, Prompt]]:
        """The chapter if it fits, else pieces of whole sentences, one that does not fit alone cut; each with
        its prompt."""
        if not text.strip():
            return []
        known, count = "\n".join(map(_line, before.names)), self._generator.count_tokens
        frame = chapter_prompt("", known=known, before="word " * _WORDS_BEFORE)
        room = self._generator.context_tokens - self._answer_tokens - _SLACK
        room = max(200, room - count(frame.system) - count(frame.user))
        room = min(room, int(_TEXT_TO_ANSWER * self._answer_tokens))
        spans = (
            (Span(0, len(text)),)
            if count(text) <= room
            else tuple(text_windows(text, sentences(text), room=room, count=count))
        )
        told = (before.words, *(span.of(text) for span in spans))
        return [
            (
                span,
                chapter_prompt(span.of(text), known=known, before=" ".join(words.split()[-_WORDS_BEFORE:])),
            )
            for span, words in zip(spans, told, strict=False)
        ]


def _copied(wrong: Sequence[str], answer: str) -> dict[str, str]:
    numbered = read_answer(answer, CopiedAgain).value.quotes
    return {wrong[one.number - 1]: one.quote for one in numbered if 1 <= one.number <= len(wrong)}


def _line(known: KnownName) -> str:
    also = f" (also {', '.join(known.also)})" if known.also else ""
    return f"{known.name}{also}: {known.kind.value}"
