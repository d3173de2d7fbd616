"""What does PyTerrier measure of three ways to search, and are its figures those of fabula's own measures?

    .venv-integrations/bin/python experiments/run.py pyterrier --data DIR

25 tales of FairytaleQA, each a project with its sections as chapters. A passage from a section that answers
has grade 1, or 2 if it holds the answer's words. ``pt.Experiment`` compares the searches with rank-bm25 over
the same passages (paired t-tests, Holm's correction). Each figure of each question is compared with
``measures``, and so are those that ir-measures gives for the runs of ``fabula search --topics``."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

from click.testing import CliRunner
from rank_bm25 import BM25Okapi

from experiments.common.indexed import indexed
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from experiments.user_view.revelation import in_chapters
from experiments.user_view.text_questions import TEST_TALES, WORD, shuffled_tales
from fabula.cli.commands import cli
from fabula.core.search import Mode

from .measures import measure, ndcg

__all__ = ["differing"]

PEER, MODES, MEASURED = "BM25 of rank-bm25", get_args(Mode), ("nDCG@10", "R@10", "RR")
SHOWN = ("", " +", " -", " p-value corrected")


def main(options: argparse.Namespace) -> None:
    """Writes ``results/pyterrier.json``."""
    import pandas as pd
    import pyterrier as pt
    from ir_measures import iter_calc, parse_measure, read_trec_run

    from fabula.integrations.pyterrier import FabulaTransformer

    frames: dict[str, list[Any]] = {name: [] for name in (PEER, *MODES)}
    runs, topics, grades = dict.fromkeys(MODES, ""), [], []
    with ExitStack() as opened, tempfile.TemporaryDirectory() as folder:
        for tale in shuffled_tales(options.data)[: options.tales]:
            project = opened.enter_context(indexed(tale.name, in_chapters(tale).text))
            asked = [(f"{tale.name}.{number}", one.text) for number, one in enumerate(tale.questions)]
            topics.append(pd.DataFrame(asked, columns=["qid", "query"]))
            chunks = project.search_index.chunks
            for (qid, _), question in zip(asked, tale.questions, strict=True):
                sections, answers = (
                    {tale.sections.index(one) + 1 for one in question.within},
                    question.answers,
                )
                for one in (one for one in chunks if one.chapter in sections):
                    grade = 1 + any(answer.casefold() in one.text.casefold() for answer in answers)
                    grades.append({"qid": qid, "docno": one.id, "label": grade})
            file = Path(folder) / "topics.tsv"
            topics[-1].to_csv(file, sep="\t", header=False, index=False)
            frames[PEER].append(_peer(topics[-1], chunks))
            for mode in MODES:
                frames[mode].append(FabulaTransformer(project, k=10, mode=mode)(topics[-1]))
                command = ["search", str(project.folder), "--topics", str(file), "--mode", mode, "-k", "10"]
                runs[mode] += CliRunner().invoke(cli, command, catch_exceptions=False).stdout
    measures = [parse_measure(name) for name in MEASURED]
    systems = {name: pd.concat(own) for name, own in frames.items()}
    ranked = {name: own.groupby("qid")["docno"].agg(list).to_dict() for name, own in systems.items()}
    judged, tables, compared = pd.DataFrame(grades), {}, {}
    for kind, qrels in {"graded": judged, "binary": judged.assign(label=1)}.items():
        by_query = {qid: dict(one[["docno", "label"]].values) for qid, one in qrels.groupby("qid")}
        given = (list(systems.values()), pd.concat(topics), qrels, measures, list(systems))
        rows = pt.Experiment(*given, baseline=0, correction="holm").to_dict("records")
        tables[kind] = {one["name"]: {m: [one[m + s] for s in SHOWN] for m in MEASURED} for one in rows}
        tables[kind][PEER] = {m: values[:1] for m, values in tables[kind][PEER].items()}
        for name, own in pt.Experiment(*given, perquery=True).groupby("name"):
            values = own[["qid", "measure", "value"]].itertuples(index=False)
            compared[f"{kind}, {name}"] = differing(values, ranked[name], by_query)
        named = qrels.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
        for mode, run in runs.items():
            values = iter_calc(measures, named, read_trec_run(run))
            compared[f"{kind}, {mode}, TREC run"] = differing(values, ranked[mode], by_query)
    facts = {"question": (__doc__ or "").partition("\n")[0], "tales": options.tales, "tables": tables}
    facts |= {"queries": sum(map(len, topics)), "digest": digest_of(grades), "compared": compared}
    write_result("pyterrier", facts=facts, measured=machine(pyterrier=pt.__version__))


def differing(
    values: Iterable[Sequence[Any]],
    ranked: Mapping[str, Sequence[str]],
    judged: Mapping[str, Mapping[str, int]],
) -> list[int]:
    """How many values (query, measure, value) there are, and how many of them differ by more than 1e-9 from
    the project's own measures of the ranked passages with these grades."""
    gaps = []
    for query, name, value in values:
        grades = judged.get(query, {})
        relevant = frozenset(docno for docno, grade in grades.items() if grade > 0)
        *_, recall, first = measure(ranked.get(query, []), relevant)
        own = {"nDCG@10": ndcg(ranked.get(query, []), grades), "R@10": recall, "RR": first}
        gaps.append(abs(own[str(name)] - value) > 1e-9)
    return [len(gaps), sum(gaps)]


def _peer(topics: Any, chunks: Any) -> Any:
    """The best by lower-case words, without stems; of equal ones the earlier."""
    bm25, rows = BM25Okapi([WORD.findall(one.text.lower()) for one in chunks]), []
    for topic in topics.to_dict("records"):
        scores = bm25.get_scores(WORD.findall(topic["query"].lower()))
        best = (-scores).argsort(kind="stable")[:10]
        rows += [
            topic | {"docno": chunks[at].id, "score": scores[at], "rank": n} for n, at in enumerate(best)
        ]
    return type(topics)(rows)


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    options.add_argument("--tales", type=int, default=TEST_TALES, help="how many tales")
    return options
