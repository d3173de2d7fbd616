"""A ragas metric over a project: an answer's consistency, quotes or repetition, without a judge.

For example, two metrics of the same samples::

    with Project.open(Path("my-novel")) as project:
        metrics = [FabulaMetric(project, of, as_of=12) for of in ("consistent", "quoted")]
        print(evaluate(EvaluationDataset(samples), metrics))
"""

from __future__ import annotations

from typing import Any

from ragas.dataset_schema import SingleTurnSample
from ragas.metrics.base import MetricType, SingleTurnMetric

from ..engine import Project
from .answer_metrics import METRICS, Measured


class FabulaMetric(SingleTurnMetric):
    """``of`` is a name of :data:`~.answer_metrics.METRICS`; an answer is compared with an open ``project``
    as it is told up to chapter ``as_of`` (None: the whole story). Raises KeyError for another name, and
    HorizonError for a chapter that is not there.

    Wants ``response``, and uses ``retrieved_contexts``. The score is NaN where there is nothing to judge."""

    def __init__(self, project: Project, of: str, *, as_of: int | None = None) -> None:
        columns = {MetricType.SINGLE_TURN: {"response", "retrieved_contexts:optional"}}
        super().__init__(name=f"fabula_{of}", _required_columns=columns)
        self._project, self._measure, self._as_of = project, METRICS[of], as_of
        project.horizon(as_of)

    def init(self, run_config: object) -> None:
        """Nothing has to be made ready."""

    def measured(self, sample: SingleTurnSample) -> Measured:
        """The score with its reasons, which ragas has no place for."""
        contexts = sample.retrieved_contexts or ()
        return self._measure(self._project, sample.response or "", contexts, self._as_of)

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:  # noqa: ARG002
        score = self.measured(sample).score
        return float("nan") if score is None else score
