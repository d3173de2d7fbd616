"""LangChain: BM25Retriever (rank_bm25) and its FAISS store under an EnsembleRetriever, both lists 30 deep.
The retriever's words are lower-cased and without stop words, which also makes it faster than its default."""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.peers.given import DEEP, STOP_WORDS, Given, K

MODES = ("hybrid", "lexical", "dense")
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def warm() -> None:
    warnings.filterwarnings("ignore")
    import faiss
    import langchain_community.retrievers
    import langchain_community.vectorstores  # noqa: F401

    faiss.omp_set_num_threads(1)


def _embeddings(known: dict[str, Any]) -> Any:
    from langchain_core.embeddings import Embeddings

    class Known(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [known[text] for text in texts]

        def embed_query(self, text: str) -> list[float]:
            vector: list[float] = known[text]
            return vector

    return Known()


def build(given: Given, folder: Path) -> Any:  # noqa: ARG001
    from langchain_community.retrievers import BM25Retriever
    from langchain_community.vectorstores import FAISS
    from langchain_community.vectorstores.utils import DistanceStrategy
    from langchain_core.documents import Document

    ids = [str(i) for i in range(len(given.texts))]
    documents = [Document(page_content=text, id=i) for i, text in zip(ids, given.texts, strict=True)]
    lexical = BM25Retriever.from_documents(documents, preprocess_func=words, k=DEEP)
    dense = FAISS.from_embeddings(
        zip(given.texts, given.vectors, strict=True),
        _embeddings({}),
        ids=ids,
        distance_strategy=DistanceStrategy.MAX_INNER_PRODUCT,
    )
    return lexical, dense


def save(built: Any, folder: Path) -> None:
    """Its FAISS store as documented; for the retriever there is no way but pickle."""
    (folder / "bm25.pickle").write_bytes(pickle.dumps(built[0]))
    built[1].save_local(str(folder / "faiss"))


class Opened:
    def __init__(self, folder: Path, data: Path) -> None:  # noqa: ARG002
        from langchain_classic.retrievers import EnsembleRetriever
        from langchain_community.vectorstores import FAISS
        from langchain_community.vectorstores.utils import DistanceStrategy

        self._known: dict[str, Any] = {}
        self._lexical = pickle.loads((folder / "bm25.pickle").read_bytes())  # noqa: S301 (made above)
        store = FAISS.load_local(
            str(folder / "faiss"),
            _embeddings(self._known),
            allow_dangerous_deserialization=True,
            distance_strategy=DistanceStrategy.MAX_INNER_PRODUCT,
        )
        self._dense = store.as_retriever(search_kwargs={"k": DEEP})
        self._both = EnsembleRetriever(retrievers=[self._lexical, self._dense], weights=[0.5, 0.5])

    def prepare(self, text: str, vector: Any) -> str:
        self._known[text] = vector.tolist()
        return text

    def search(self, mode: str) -> Callable[[str], Any]:
        deep = DEEP if mode == "hybrid" else K
        self._lexical.k = self._dense.search_kwargs["k"] = deep
        if mode == "hybrid":
            return lambda query: self._both.invoke(query)[:K]
        chosen: Any = self._lexical if mode == "lexical" else self._dense
        found: Callable[[str], Any] = chosen.invoke
        return found

    def hits(self, mode: str, answer: Any) -> list[tuple[int, float]]:  # noqa: ARG002
        return [(int(document.id), 1 / (1 + rank)) for rank, document in enumerate(answer)]


def cold_lexical(folder: Path, query: str, data: Path) -> str:  # noqa: ARG001
    warnings.filterwarnings("ignore")
    retriever = pickle.loads((folder / "bm25.pickle").read_bytes())  # noqa: S301 (made above)
    return str(retriever.invoke(query)[0].page_content)
