"""What a language model answers from numbered sources, and whether they say so.

One request answers, each sentence with the numbers of its sources. A second, short one is given these
sentences with the sources that they name, and gives a verdict on each; what it does not find supported is
left out. Words in common would cost nothing, but they pass a source's own words put together wrongly and
refuse a right paraphrase.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from ...errors import ModelRefused
from ..interfaces import Generator
from ..prompting import ModelT, Template, load_template, read_answer
from ..types import Span
from .answered import AnswerSettings
from .grounding import AnswerSource, SentenceSupport, nearest, source_block

_PROMPTS = Path(__file__).parents[1] / "prompts"
_MARK = re.compile(r"\s*\[\s*(\d{1,3})\s*\]")
_MARK_UP = re.compile(r"<[a-z/!?][^\s>]*|\]\(\S*|\]:|\b[a-z][a-z0-9+.-]*:/\S*|\bwww\.\S*", re.IGNORECASE)
_MOST_SEARCHES = 4
_TOKENS_A_SENTENCE = 60  # of an answer or of a verdict, with the words that it copies


class Said(BaseModel):
    """A sentence of an answer, and the sources that say it."""

    says: str
    sources: list[int]


class Reply(BaseModel):
    """What a model answers; ``search`` are wordings of other passages that it asks for instead."""

    sentences: list[Said] = []
    unanswered: bool = False
    search: list[str] = []


class Verdict(BaseModel):
    """On a sentence, by its number from 1, with the words of the sources that decide."""

    sentence: int
    words: str
    verdict: Literal["supported", "contradicted", "not supported"]


class Verdicts(BaseModel):
    """One for each sentence."""

    verdicts: list[Verdict] = []


class FollowUp(BaseModel):
    """A question that can be understood alone."""

    question: str = ""


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """The sentences that their sources support, each with its quotes, in ``text``; ``written`` are all that
    the model wrote."""

    text: str
    sentences: tuple[SentenceSupport, ...]
    written: int

    @property
    def notice(self) -> str:
        """How many were left out, and why; empty where none was."""
        left = self.written - len(self.sentences)
        if left == 1:
            return "one sentence was left out: its sources do not say so"
        return f"{left} sentences were left out: their sources do not say so" if left else ""


@dataclass(frozen=True, slots=True)
class Fence:
    """``clean`` makes text from outside harmless, so that nothing in it can pose as the prompt; ``guard``
    names how, and is part of the prompts' versions."""

    clean: Callable[[str], str]
    guard: str


class CheckedWriter:
    """Asks ``generator``, text from outside behind the ``fence``. ``on_text`` gets empty pieces while the
    model writes, so that whoever has left can say so by an exception. All raise what the generator raises,
    and ModelRefused for an answer in another form.
    """

    def __init__(
        self,
        generator: Generator,
        settings: AnswerSettings,
        *,
        fence: Fence,
        on_text: Callable[[str], None] | None = None,
    ) -> None:
        self._generator = generator
        self._settings = settings
        self._clean = fence.clean
        self._guard = fence.guard
        self._tick = None if on_text is None else lambda _: on_text("")
        self.model = generator.name
        """Who wrote what was written last."""

    def standalone(self, question: str, history: Sequence[tuple[str, str]]) -> str:
        """The question with names for what it leaves to the questions and answers before it, latest last;
        empty where the model gives none."""
        told = "\n".join(f"Asked: {self._line(q)}\nAnswered: {self._line(a)}" for q, a in history)
        asked = {"conversation": told, "question": self._line(question)}
        return self._ask("follow_up", FollowUp, 2 * _TOKENS_A_SENTENCE, **asked).question.strip()

    def reply(self, question: str, sources: Sequence[AnswerSource], *, most: int, searches: int = 0) -> Reply:
        """An answer of at most so many sentences, unchecked; or what to search for, where that is allowed."""
        made = self._ask(
            "answer",
            Reply,
            max(self._settings.max_tokens, most * _TOKENS_A_SENTENCE),
            sources=self._blocks(sources),
            question=self._line(question),
            most=str(most),
            searches=str(searches),
        )
        wanted = () if made.sentences else dict.fromkeys(one.strip() for one in made.search if one.strip())
        if not (made.sentences or made.unanswered or wanted):
            raise ModelRefused("its answer has another form than was asked for")
        made.search = list(wanted)[:_MOST_SEARCHES] if searches > 0 else []
        return made

    def check(self, question: str, reply: Reply, sources: Sequence[AnswerSource]) -> CheckedAnswer:
        """What of the reply its sources support: one request, or none where no sentence names a source.
        Mark-up and web addresses have to stand in the sources as they are."""
        known = {source.number: source for source in sources}
        claims: list[tuple[str, list[AnswerSource]]] = []
        for one in reply.sentences:
            says = " ".join(_MARK.sub("", self._clean(one.says)).split())
            named = [known[number] for number in dict.fromkeys(one.sources) if number in known]
            told = "\n".join(source.text for source in named)
            if says and named and all(mark in told for mark in _MARK_UP.findall(says)):
                claims.append((says, named))
        verdicts = self._verdicts(question, claims) if claims else []
        text, kept = "", list[SentenceSupport]()
        for number, (says, named) in enumerate(claims, start=1):
            given = [one for one in verdicts if one.sentence == number]
            if given and all(one.verdict == "supported" for one in given):
                quotes = tuple(nearest(source, given[0].words, says) for source in named)
                line = f"{says} {''.join(f'[{source.number}]' for source in named)}"
                start = len(text) + bool(text)
                text = f"{text} {line}".strip()
                kept.append(SentenceSupport(Span(start, len(text)), quotes))
        return CheckedAnswer(text, tuple(kept), len(reply.sentences))

    def _verdicts(self, question: str, claims: Sequence[tuple[str, Sequence[AnswerSource]]]) -> list[Verdict]:
        named = {source.number: source for _, those in claims for source in those}
        lines = [
            f"{number}. (sources {', '.join(str(source.number) for source in those)}) {says}"
            for number, (says, those) in enumerate(claims, start=1)
        ]
        made = self._ask(
            "check",
            Verdicts,
            _TOKENS_A_SENTENCE * (len(claims) + 1),
            sources=self._blocks([named[number] for number in sorted(named)]),
            sentences="\n".join(lines),
            question=self._line(question),
            count=str(len(claims)),
        )
        if not made.verdicts:
            raise ModelRefused("its check of the answer has another form than was asked for")
        return made.verdicts

    def _ask(self, name: str, model: type[ModelT], max_tokens: int, **values: str) -> ModelT:
        made = self._generator.generate(
            _template(name, self._guard).fill(model, **values),
            max_tokens=max_tokens,
            temperature=self._settings.temperature,
            seed=self._settings.seed,
            on_text=self._tick,
        )
        self.model = made.model
        return read_answer(made.text, model).value

    def _blocks(self, sources: Sequence[AnswerSource]) -> str:
        """What looks like a source's number loses its brackets."""
        return "\n\n".join(source_block(source, text=self._harmless) for source in sources)

    def _harmless(self, text: str) -> str:
        return _MARK.sub(r" (\1)", self._clean(text))

    def _line(self, text: str) -> str:
        return " ".join(self._clean(text).split())


def answer_version(guard: str) -> str:
    """That of all prompts of an answer, for cache keys."""
    return " ".join(_template(name, guard).version for name in ("answer", "check", "follow_up"))


def _template(name: str, guard: str) -> Template:
    return load_template(_PROMPTS / f"{name}.md", mark=guard)
