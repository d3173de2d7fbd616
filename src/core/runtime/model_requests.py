"""Many requests to a language model: what they will cost, and their answers, several at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TypeVar

from ...errors import ModelError
from ..types import Prompt

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """What is still to be asked: ``requests`` beside the ``answered`` ones, with so many tokens in and at
    most so many out. ``cost`` is the most that it can cost, in dollars, by ``prices``; None where the model
    has no price."""

    model: str
    requests: int
    answered: int
    prompt_tokens: int
    answer_tokens: int
    cost: float | None = None
    prices: str = ""

    def times(self, count: int) -> ModelPlan:
        """The same so many times; cost left out."""
        asked, answered = count * self.requests, count * self.answered
        return ModelPlan(self.model, asked, answered, count * self.prompt_tokens, count * self.answer_tokens)


@dataclass(frozen=True, slots=True)
class ModelReport:
    """What came of asking: the model refused ``refused`` of the requests, the first time for the reason of
    ``refusal``; of the facts that it ``claimed`` those in ``dropped`` did not stand up, by reason. Tokens are
    those of the answered requests."""

    model: str
    requests: int
    prompt_tokens: int
    answer_tokens: int
    refused: int
    refusal: str
    claimed: int
    dropped: tuple[tuple[str, int], ...]


def answer_all(
    prompts: Sequence[Prompt],
    answer: Callable[[Prompt], _T],
    *,
    concurrency: int,
    progress: Callable[[int, int], None],
) -> dict[Prompt, _T]:
    """The answer to each prompt, ``concurrency`` at once. Raises the first ModelError, once those that are
    being answered are done; the rest are not asked."""
    answers: dict[Prompt, _T] = {}
    progress(0, len(prompts))
    with ThreadPoolExecutor(max(1, concurrency)) as pool:
        asked = {pool.submit(answer, prompt): prompt for prompt in prompts}
        try:
            for done in as_completed(asked):
                answers[asked[done]] = done.result()
                progress(len(answers), len(prompts))
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if not isinstance(error, ModelError):
                raise
            left = (
                f"{len(answers)} of {len(prompts)} requests are answered: run this again to go on from there"
            )
            raise type(error)(f"{error} ({left})") from error
    return answers
