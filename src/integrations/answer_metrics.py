# ruff: noqa: ARG001, ARG002 (each metric takes what any needs)
"""Metrics of an answer about a story that ask no language model to judge, for ragas and DeepEval.

Each gives 0 to 1, the higher the better. Nothing that is narrated after ``as_of`` changes any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..core.text.sentences import in_marks
from ..story.evidence.quote_finder import QuoteFinder, Tier
from ..story.evidence.untrusted import one_line
from ..story.metrics import repetition
from ..views.quotes import quotes_shown
from . import not_installed

if TYPE_CHECKING:
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase
    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics.base import SingleTurnMetric

    from ..engine import Project

_QUOTED = re.compile(r"“([^“”]+)”|\"([^\"]+)\"")


@dataclass(frozen=True, slots=True)
class Measured:
    """``score`` is None where there was nothing to judge; ``reasons`` say what lowered it, with quotes."""

    score: float | None
    reasons: tuple[str, ...]


def consistent(project: Project, answer: str, contexts: Sequence[str], as_of: int | None) -> Measured:
    """1 - 0.1 for each contradiction between the answer and the story so far, at least 0; None where none of
    its facts could be compared. The rules read it, as a draft of the next chapter."""
    report = project.draft_checker(as_of, by_rules=True).check(answer)
    reasons = []
    for one in report.violations:
        sides = (f"{side.place}: {in_marks(side.words)}" for side in quotes_shown(one.evidence))
        reasons.append(one_line(f"{one.message} {'; '.join(sides)}".replace("the draft:", "the answer:")))
    return Measured(report.consistency, tuple(reasons))


def quoted(project: Project, answer: str, contexts: Sequence[str], as_of: int | None) -> Measured:
    """The share of what the answer puts in double quotation marks that stands in the story so far, or in one
    of the contexts, word for word (case, punctuation and what an ellipsis leaves out aside)."""
    project.horizon(as_of)
    book = project.document
    told = book.text if as_of is None else book.text[: book.chapter(as_of).body.end]
    quotes = [said for pair in _QUOTED.findall(answer) if re.search(r"\w", said := pair[0] or pair[1])]
    placed = [[_finder(text).place(quote) for text in (*contexts, told)] for quote in quotes]
    stand = [any(one and one[1] is not Tier.BY_WORDS for one in places) for places in placed]
    missing = (in_marks(one_line(quote)) for quote, stands in zip(quotes, stand, strict=True) if not stands)
    reasons = tuple(f"{quote} stands neither in the story so far nor in the contexts" for quote in missing)
    return Measured(sum(stand) / len(stand) if stand else None, reasons)


def unrepeated(project: Project, answer: str, contexts: Sequence[str], as_of: int | None) -> Measured:
    """The share of the answer's runs of four words that repeat no earlier one (1 - seq-rep-4)."""
    found = repetition(answer)
    if not found.value:
        return Measured(None if found.value is None else 1.0, ())
    reason = f"{round(found.value * found.n)} of {found.n} runs of four words repeat an earlier one"
    return Measured(1.0 - found.value, (reason,))


METRICS: Mapping[str, Callable[[Project, str, Sequence[str], int | None], Measured]] = {
    one.__name__: one for one in (consistent, quoted, unrepeated)
}
"""By name, as the adapters take them."""


@lru_cache(maxsize=8)
def _finder(text: str) -> QuoteFinder:
    return QuoteFinder(text)


def ragas_metric(project: Project, of: str, *, as_of: int | None = None) -> SingleTurnMetric:
    """A metric for ``ragas.evaluate``: ``of`` is a name of ``METRICS``, the story is known up to chapter
    ``as_of``. It wants ``response`` and uses ``retrieved_contexts``; NaN where there is nothing to judge. Its
    ``measured(sample)`` gives the reasons too. Raises KeyError and HorizonError."""
    try:
        from ragas.metrics.base import MetricType, SingleTurnMetric
    except ModuleNotFoundError as error:
        raise not_installed("ragas", error) from None
    metric, _ = METRICS[of], project.horizon(as_of)

    class FabulaMetric(SingleTurnMetric):
        def init(self, run_config: object) -> None:
            """Nothing has to be made ready."""

        def measured(self, sample: SingleTurnSample) -> Measured:
            return metric(project, sample.response or "", sample.retrieved_contexts or (), as_of)

        async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: object) -> float:
            score = self.measured(sample).score
            return float("nan") if score is None else score

    columns = {MetricType.SINGLE_TURN: {"response", "retrieved_contexts:optional"}}
    return FabulaMetric(name=f"fabula_{of}", _required_columns=columns)


def deepeval_metric(
    project: Project, of: str, *, as_of: int | None = None, threshold: float = 1.0
) -> BaseMetric:
    """A metric for ``deepeval.evaluate`` and ``assert_test``: ``of`` is a name of ``METRICS``, the story is
    known up to chapter ``as_of``; a score below ``threshold`` fails, and ``reason`` says why it is not 1. It
    wants ``actual_output`` and uses ``retrieval_context``. Where there is nothing to judge it is skipped and
    fails nothing. Raises KeyError and HorizonError."""
    try:
        from deepeval.metrics import BaseMetric
    except ModuleNotFoundError as error:
        raise not_installed("deepeval", error) from None
    metric, _ = METRICS[of], project.horizon(as_of)

    class FabulaMetric(BaseMetric):
        def __init__(self, threshold: float = threshold) -> None:  # DeepEval copies a metric by its arguments
            self.threshold = threshold

        def measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
            contexts = test_case.retrieval_context or ()
            found = metric(project, test_case.actual_output or "", contexts, as_of)
            self.error, self.skipped, self.score = None, found.score is None, found.score
            self.reason = "\n".join(found.reasons) or "nothing speaks against it"
            self.success = self.is_successful()
            return found.score or 0.0

        async def a_measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
            return self.measure(test_case)

        def is_successful(self) -> bool | None:
            return True if self.skipped else bool(super().is_successful())

        @property
        def __name__(self) -> str:
            return f"fabula {of}"

    return FabulaMetric()
