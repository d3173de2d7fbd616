import ir_measures
import pandas as pd
import pyterrier as pt
import pytest
from ir_measures import RR, R, nDCG
from tests.browser.stories import LATER_WORD

from fabula.engine import Project
from fabula.integrations.pyterrier import FabulaTransformer

TOPICS = pd.DataFrame(
    [("1", "Who kept the lock at Moss End?"), ("2", "Who hated Bela Stone?")], columns=["qid", "query"]
)


def test_an_experiment_compares_modes_and_the_horizon_holds(later_project):
    with Project.open(later_project) as project:
        first = FabulaTransformer(project, k=9).transform(TOPICS)
        assert list(first.columns) == ["qid", "query", "docno", "text", "score", "rank"]
        assert "kept the lock" in first[first["qid"] == "1"]["text"].iloc[0]
        early = FabulaTransformer(project, k=9, as_of=2).transform(TOPICS)
        assert (
            not early["text"].str.contains(LATER_WORD).any() and first["text"].str.contains(LATER_WORD).any()
        )
        best = first[first["rank"] == 0]
        qrels = pd.DataFrame({"qid": best["qid"], "docno": best["docno"], "label": 1})
        systems = [FabulaTransformer(project, k=9, mode=mode) for mode in ("hybrid", "lexical")]
        table = pt.Experiment(systems, TOPICS, qrels, eval_metrics=[nDCG @ 10, RR @ 10, R @ 5])
        assert table["nDCG@10"].iloc[0] == pytest.approx(1.0)
        assert len(table) == 2 and (table["R@5"] <= 1).all()
        again = ir_measures.calc_aggregate(
            [nDCG @ 10],
            qrels.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"}),
            first.rename(columns={"qid": "query_id", "docno": "doc_id"})[["query_id", "doc_id", "score"]],
        )
        assert again[nDCG @ 10] == pytest.approx(1.0)
