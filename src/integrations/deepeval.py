"""A DeepEval metric over a project: an answer's consistency, quotes or repetition, without a judge.

For example, a test that fails where an answer contradicts the story::

    with Project.open(Path("my-novel")) as project:
        assert_test(LLMTestCase(input=question, actual_output=answer), [FabulaMetric(project, "consistent")])
"""

from __future__ import annotations

from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase, SingleTurnParams

from ..engine import Project
from .answer_metrics import METRICS


class FabulaMetric(BaseMetric):
    """``of`` is a name of :data:`~.answer_metrics.METRICS`; an answer is compared with an open ``project``
    as it is told up to chapter ``as_of`` (None: the whole story). A score below ``threshold`` (0 to 1) fails.
    Raises KeyError for another name, and HorizonError for a chapter that is not there.

    Wants ``actual_output``, and uses ``retrieval_context``. It is skipped where there is nothing to judge."""

    _required_params = [SingleTurnParams.ACTUAL_OUTPUT]  # noqa: RUF012 (as DeepEval has it)

    def __init__(
        self, project: Project, of: str, *, as_of: int | None = None, threshold: float = 1.0
    ) -> None:
        # DeepEval copies a metric by the attributes that are named as these arguments
        self.project, self.of, self.as_of, self.threshold = project, of, as_of, threshold
        self._measured = METRICS[of]
        project.horizon(as_of)

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """The score, which is 0 where nothing can be judged; ``reason`` says why it is not 1."""
        contexts = test_case.retrieval_context or ()
        found = self._measured(self.project, test_case.actual_output or "", contexts, self.as_of)
        self.error, self.skipped = None, found.score is None
        self.score, self.reason = found.score, "\n".join(found.reasons) or "nothing speaks against it"
        self.success = self.is_successful()
        return found.score or 0.0

    def is_successful(self) -> bool | None:
        """An answer of which nothing can be judged does not fail."""
        succeeded: bool | None = True if self.skipped else super().is_successful()
        return succeeded

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """The same: nothing is waited for."""
        return self.measure(test_case)

    @property
    def __name__(self) -> str:
        return f"fabula {self.of}"
