"""A PyTerrier transformer over a project: a frame of queries in, a frame of ranked passages out.

For example, two ways to search in one experiment::

    with Project.open(Path("my-novel")) as project:
        systems = [FabulaTransformer(project, mode=mode) for mode in ("hybrid", "lexical")]
        print(pt.Experiment(systems, topics, qrels, eval_metrics=[nDCG @ 10]))

Judgements name passages by ``docno``, the ids that ``fabula search --json`` shows.
"""

from __future__ import annotations

from ..core.search import Mode
from ..core.types import RUN_STEP
from ..engine import Project
from . import not_installed

try:
    import pandas as pd
    import pyterrier as pt
except ModuleNotFoundError as error:
    raise not_installed("pyterrier", error) from None


class FabulaTransformer(pt.Transformer):
    """Ranks ``k`` passages of an open ``project`` for each query, told up to chapter ``as_of`` (None: the
    whole story), by ``mode``: ``hybrid``, ``lexical`` or ``semantic``.

    Wants the columns ``qid`` and ``query``; gives ``docno`` (the passage's id), ``text``, ``score``
    (no two of a query are equal) and ``rank`` (from 0) beside them. Raises what ``Project.search`` does."""

    def __init__(
        self, project: Project, *, k: int = 10, mode: Mode = "hybrid", as_of: int | None = None
    ) -> None:
        self._project, self._k, self._mode, self._as_of = project, k, mode, as_of

    def transform(self, topics: pd.DataFrame) -> pd.DataFrame:
        """The ranked passages of all queries, in their order."""
        rows = []
        for topic in topics.to_dict("records"):
            found = self._project.search(topic["query"], self._k, mode=self._mode, as_of=self._as_of).passages
            for rank, one in enumerate(found):
                row = {"qid": topic["qid"], "query": topic["query"], "docno": one.chunk.id, "rank": rank}
                rows.append({**row, "text": one.chunk.text, "score": one.score - rank * RUN_STEP})
        return pd.DataFrame(rows, columns=["qid", "query", "docno", "text", "score", "rank"])
