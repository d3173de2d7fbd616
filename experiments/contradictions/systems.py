"""What is set against the labels: the critic's rules, the check of states, baselines that read artefacts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.draft_checker import SourceChecker
from fabula.story.continuity.state_conflict import StateConflict
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.linking.linker import Linker
from fabula.story.model.findings import Violation

from .data import Item

__all__ = [
    "BASELINES",
    "OnceReader",
    "critic_findings",
    "document_of_text",
    "learned_scores",
    "state_findings",
]

_DENIALS = frozenset("not no never nothing nobody none neither nor without unable cannot".split())
_PLAIN = frozenset(
    """a an the is was were be been are to of and in on at for with it he she they his her their its had has
    have i my me we our him them that this did do does""".split()
)
_FOLDS = 5


class OnceReader(StoryReader):
    """Parses each paragraph once: many claims stand beside one story."""

    def load(self) -> None:
        if self._nlp is None:
            super().load()
            self._nlp = _Once(self._nlp)


class _Once:
    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp
        self._docs: dict[str, Any] = {}

    def pipe(self, texts: Iterable[str]) -> Iterator[Any]:
        for text in texts:
            if text not in self._docs:
                self._docs[text] = self._nlp(text)
            yield self._docs[text]


def document_of_text(name: str, text: str) -> Document:
    """A text as a document of one chapter."""
    return Document(name, name, text, (Chapter(1, "", Span(0, 0), Span(0, len(text))),))


def critic_findings(item: Item, reader: StoryReader, critic: ContinuityCritic) -> tuple[Violation, ...]:
    """The critic as it stands: a story against itself, or a claim told as a draft on top of the story."""
    document, linker = document_of_text("story", item.story), Linker()
    linker.add(document, document.chapters[0], reader.read(item.story))
    if item.claim:
        return SourceChecker(linker, reader, critic, horizon=1).check(item.claim).violations
    view = StoryKnowledgeGraph.from_log(linker.log).as_of(Horizon(1))
    return critic.check(view, words=len(item.story.split())).violations


def state_findings(item: Item, states: StateConflict) -> tuple[Violation, ...]:
    return states.check_claim(item.story, item.claim) if item.claim else states.check(item.story)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+(?:['’]t)?", text.lower())


def _content(text: str) -> list[str]:
    return [word[:5] for word in _words(text) if word not in _PLAIN]


def _judged(item: Item) -> str:
    """What is under judgement: the claim, or the story's last sentence."""
    return item.claim or item.sentences[-1]


def _overlap(item: Item) -> float:
    before = item.story if item.claim else " ".join(item.sentences[:-1])
    known, own = set(_content(before)), _content(_judged(item))
    return -sum(word in known for word in own) / max(1, len(own))


def _denials(item: Item) -> float:
    return float(
        sum(word in _DENIALS or (word.endswith("t") and "'" in word) for word in _words(_judged(item)))
    )


BASELINES: dict[str, Callable[[Item], float]] = {
    "label only": lambda _: 0.0,
    "length": lambda item: float(len(_judged(item))),
    "word overlap": _overlap,
    "denials": _denials,
}
"""The higher the score, the likelier a contradiction; none of them reads what is said."""


def learned_scores(items: Sequence[Item], *, whole: bool, embedder: Any) -> list[float]:
    """A logistic regression, cross-validated over documents, on a bag of words of the claim alone (of a
    story: its last sentence) or, ``whole``, on MiniLM embeddings of both sides and their products with the
    lexical cues: what a small trained model gets out of the same items. No part of the critic."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    labels, groups = [item.bad for item in items], [item.doc for item in items]
    folds = GroupKFold(n_splits=_FOLDS)
    if not whole:
        model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2), LogisticRegression(max_iter=500))
        features: Any = [_judged(item) for item in items]
    else:
        model = LogisticRegression(max_iter=500, C=0.3)
        features = _features(items, embedder)
    found = cross_val_predict(model, features, labels, groups=groups, cv=folds, method="predict_proba")
    return [float(row[1]) for row in found]


def _features(items: Sequence[Item], embedder: Any) -> np.ndarray:
    before = [item.story if item.claim else " ".join(item.sentences[:-1]) for item in items]
    stories = list(dict.fromkeys(before))
    rows = dict(zip(stories, np.asarray(embedder.embed_documents(stories), dtype=np.float32), strict=True))
    one = np.stack([rows[text] for text in before])
    other = np.asarray(embedder.embed_documents([_judged(item) for item in items]), dtype=np.float32)
    cues = np.asarray([[score(item) for score in BASELINES.values()] for item in items], dtype=np.float32)
    cues[:, 1] /= 100.0
    return np.hstack([other, one * other, cues])
