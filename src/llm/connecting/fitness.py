"""What a model is fit for: one paragraph with known answers, asked with a schema and without."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import json_repair

from ...core.interfaces import Generator
from ...core.types import Prompt
from ...errors import ModelRefused
from ..request import form_in_words

_VERSION = "fitness/1"
_MOST_TOKENS = 1500  # a model that thinks first needs some
_TEXT = (
    "Marta Kell had kept the toll bridge at Varne since her brother Oskar went to sea. On the Tuesday before "
    "the fair a carter named Ivo Brandt came with two mules and no money, and she let him cross against his "
    'silver watch. "I shall want it back by Sunday," he said. She hung it on the nail beside the lamp, where '
    "her father's keys had hung, and wrote nothing down."
)
_BROTHER, _QUOTED, _NOT_TOLD = "oskar", "silver watch", "not told"
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("brother", "quote", "colour")},
    "required": ["brother", "quote", "colour"],
    "additionalProperties": False,
}
_PROMPT = Prompt(
    "You read a paragraph of a story and answer from it alone, as JSON.",
    f"{_TEXT}\n\nbrother: the name of Marta's brother. quote: the words that tell what Ivo Brandt left with "
    "her, 8 to 30 words in a row, copied exactly, mark for mark. colour: the colour of the mules, or "
    f'"{_NOT_TOLD}" where the paragraph does not tell it.',
    _VERSION,
    json.dumps(_SCHEMA),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One request: is the ``relation`` right, does the ``quote`` stand in the paragraph, did it leave
    ``untold`` what is not told? ``problem`` says why there was no answer."""

    with_schema: bool
    relation: bool
    quote: bool
    untold: bool
    tokens: int
    seconds: float
    problem: str = ""

    @property
    def reads(self) -> bool:
        """Would facts come out of a chapter, with quotes that stand in it?"""
        return self.relation and self.quote

    @property
    def answers(self) -> bool:
        """Would it answer questions, and not make up what is not told?"""
        return self.relation and self.untold

    @property
    def text(self) -> str:
        """One line."""
        marks = {"relation": self.relation, "quote": self.quote, "what is not told": self.untold}
        return self.problem or ", ".join(f"{what} {'right' if ok else 'wrong'}" for what, ok in marks.items())


@dataclass(frozen=True, slots=True)
class Fitness:
    """With a schema, then without."""

    trials: tuple[Trial, Trial]

    @property
    def reads(self) -> bool:
        return any(trial.reads for trial in self.trials)

    @property
    def answers(self) -> bool:
        return any(trial.answers for trial in self.trials)

    @property
    def needs_words(self) -> bool:
        """Does it do better where the form of an answer stands in the prompt?"""
        held, free = ((trial.reads, trial.answers) for trial in self.trials)
        return sum(free) > sum(held)

    @property
    def tokens_per_second(self) -> float:
        """Written, over both requests."""
        seconds = sum(trial.seconds for trial in self.trials)
        return sum(trial.tokens for trial in self.trials) / seconds if seconds else 0.0


def examine_model(generator: Generator) -> Fitness:
    """Costs two requests of some 250 tokens. Raises ModelError, but for what the model refuses."""
    words = replace(form_in_words(_PROMPT, True), schema="")
    return Fitness((_trial(generator, _PROMPT), _trial(generator, words)))


def _trial(generator: Generator, prompt: Prompt) -> Trial:
    most = min(_MOST_TOKENS, generator.context_tokens // 2)
    held = bool(prompt.schema)
    try:
        made = generator.generate(prompt, max_tokens=most)
    except ModelRefused as error:
        return Trial(held, False, False, False, 0, 0.0, str(error))
    told = json_repair.loads(made.text)
    answers = told if isinstance(told, dict) else {}
    brother, quote, colour = (str(answers.get(name, "")).strip(' ."“”') for name in _SCHEMA["required"])
    return Trial(
        held,
        _BROTHER in brother.casefold(),
        _QUOTED in quote and quote in _TEXT and 4 <= len(quote.split()) <= 40,
        colour.casefold() == _NOT_TOLD,
        made.completion_tokens,
        made.seconds,
        "" if answers else "no JSON in the answer",
    )
