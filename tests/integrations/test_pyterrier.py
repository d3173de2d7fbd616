from itertools import pairwise

import ir_measures
import pandas as pd
import pyterrier as pt
import pytest
from ir_measures import RR, R, nDCG
from tests.browser.stories import LATER_WORD

from experiments.retrieval.pyterrier import MEASURED, differing
from fabula.engine import Project, index_book
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


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_equal_scores_graded_judgements_and_nothing_relevant_are_measured_as_fabula_does(
    tmp_path, run_cli, mode
):
    same = "The ferry crossed at noon and the bell rang twice."
    parts = [f"## Chapter {n}\n\n{same if n % 2 else f'Ann fed hen number {n}.'}" for n in range(1, 13)]
    (tmp_path / "book.md").write_text("# Ferry\n\n" + "\n\n".join(parts), encoding="utf-8")
    index_book(tmp_path / "book.md", tmp_path / "project")
    asked = {"bell": "When did the bell ring?", "hen": "Who fed hens?", "none": "ferry", "unfound": "zyzzyva"}
    topics = pd.DataFrame(asked.items(), columns=["qid", "query"])
    (tmp_path / "topics.tsv").write_text("".join(f"{qid}\t{query}\n" for qid, query in asked.items()))
    with Project.open(tmp_path / "project") as project:
        found = FabulaTransformer(project, mode=mode).transform(topics)
        chunks = project.search_index.chunks
    bell = found[found["qid"] == "bell"]["score"].astype("float32").tolist()
    assert all(above > below for above, below in pairwise(bell))
    grades = [(qid, one.id, one.chapter % 4) for qid in ("bell", "hen", "unfound") for one in chunks]
    graded = pd.DataFrame([*grades, ("none", chunks[0].id, 0)], columns=["qid", "docno", "label"])
    measures = [ir_measures.parse_measure(name) for name in MEASURED]
    run = run_cli(
        "search", tmp_path / "project", "--topics", tmp_path / "topics.tsv", "--mode", mode, "-k", 10
    )
    ranked = found.groupby("qid")["docno"].agg(list).to_dict()
    for qrels in (graded, graded.assign(label=graded["label"].clip(upper=1))):
        judged = {qid: dict(own[["docno", "label"]].values) for qid, own in qrels.groupby("qid")}
        table = pt.Experiment([found], topics, qrels, measures, ["fabula"], perquery=True)
        values = table[["qid", "measure", "value"]].itertuples(index=False)
        assert differing(values, ranked, judged) == [len(asked) * len(MEASURED), 0]
        named = qrels.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
        read = list(ir_measures.iter_calc(measures, named, ir_measures.read_trec_run(run.out)))
        assert differing(read, ranked, judged) == [len(asked) * len(MEASURED), 0]
