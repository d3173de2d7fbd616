import math
import socket

import pytest
from deepeval import evaluate as deepeval_evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.test_case import LLMTestCase
from ragas import EvaluationDataset, SingleTurnSample
from ragas import evaluate as ragas_evaluate
from tests.browser.stories import LATER_WORD
from tests.tables import values

from fabula.engine import Project
from fabula.errors import HorizonError
from fabula.integrations.answer_metrics import deepeval_metric, ragas_metric


@pytest.fixture(scope="module")
def project(later_project):
    with Project.open(later_project) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _nothing_goes_out(monkeypatch, tmp_path):
    def refuse(self, address):
        raise AssertionError(f"something asked for {address}")

    monkeypatch.chdir(tmp_path)  # DeepEval writes there
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize("of, answer, as_of, score, reason", values(__file__, "answers_measured.tsv"))
def test_both_frameworks_give_the_score(project, of, answer, as_of, score, reason):
    sample = SingleTurnSample(user_input="?", response=answer)
    metric = ragas_metric(project, of, as_of=as_of)
    done = ragas_evaluate(EvaluationDataset([sample]), [metric], show_progress=False, raise_exceptions=True)
    [given] = done[f"fabula_{of}"]
    assert math.isnan(given) if score is None else given == pytest.approx(score)
    assert reason in "\n".join(metric.measured(sample).reasons)

    case = LLMTestCase(input="?", actual_output=answer)
    quiet = {"display_config": DisplayConfig(show_indicator=False, print_results=False)}
    for run_async in (False, True):
        asked = [deepeval_metric(project, of, as_of=as_of, threshold=0.95)]
        result = deepeval_evaluate([case], asked, async_config=AsyncConfig(run_async=run_async), **quiet)
        told = result.test_results[0].metrics_data or []
        scores = [one.score for one in told if one.score is not None]
        assert scores == ([] if score is None else [pytest.approx(score)]) and (run_async or told)
        assert all(one.success == (score is None or score >= 0.95) and reason in one.reason for one in told)


def test_contexts_count_and_a_horizon_must_be_there(project):
    sample = SingleTurnSample(
        response="He said “no such\nwords”.", retrieved_contexts=["Here: No such words!"]
    )
    assert ragas_metric(project, "quoted").measured(sample).score == 1.0
    for metric in (ragas_metric, deepeval_metric):
        with pytest.raises(HorizonError):
            metric(project, "quoted", as_of=9)


def test_nothing_told_later_reaches_a_score_or_a_reason(project):
    answer = f"{LATER_WORD} hated Bela Stone. Bela Stone laughed at Moss End. “{LATER_WORD} died”"
    for of in ("consistent", "quoted", "unrepeated"):
        found = ragas_metric(project, of, as_of=2).measured(SingleTurnSample(response=answer))
        assert "father" not in str(found) and "ch. 3" not in str(found)
