"""Pairs of passages that may contradict each other, the likeliest first: a list to read, no findings.

Each sentence is set beside the sentences told before it that speak most of the same (half by words, half by
vectors), and a trained judge (:mod:`.pair_judge`) weighs the pairs. It tells better which sentence
contradicts something than what: so each sentence stands in the list once, by its likeliest pair, with the few
earlier ones that it may contradict. Nothing of it enters a score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.interfaces import Vectors
from ....core.lexical.bm25 import LexicalIndex
from ....core.text.sentences import sentences
from ....core.types import Document, Evidence, Horizon
from ...model.types import gathered

EARLIER = 10
"""So many earlier sentences are set beside each."""
SHOWN = 3
"""So many of them stand in the list."""
_LEAST_WORDS = 3
_BY_WORDS = 0.4  # what shared words weigh beside the cosine, both scaled from 0 to 1


Embed = Callable[[Sequence[str]], Vectors]
"""Makes a vector of length 1 of each text."""


Judge = Callable[[Sequence[tuple[str, str]]], Iterable[float]]
"""Tells pairs apart: the log odds that the second of each two passages contradicts the first."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A sentence and those before it that it may contradict, the likeliest first; ``odds``, 0 to 1, are the
    judge's of the first, and say which of two suspects is likelier, not how many like it are right."""

    earlier: tuple[Evidence, ...]
    later: Evidence
    odds: float


class Told(NamedTuple):
    """The sentences of a story in order of telling, and the places of those that are asked about."""

    sentences: Sequence[Evidence]
    asked: Sequence[int]

    @property
    def work(self) -> int:
        """How many sentences are embedded and pairs judged: some hundred a second, unless they were kept."""
        return len(self.sentences) + EARLIER * len(self.asked)


def told_in(
    documents: Sequence[Document],
    *,
    horizon: Horizon,
    chapters: tuple[int, int | None] | None = None,
    only_last: bool = False,
) -> Told:
    """``documents`` are in order of telling; what is told after the ``horizon`` is not read, in a draft, the
    last of several, all is. ``chapters``, a first and a last one (None: to the end), holds the sentences
    asked for; ``only_last`` asks for those of the last document alone."""
    told: list[Evidence] = []
    asked: list[int] = []
    first, last = chapters or (1, None)
    for number, document in enumerate(documents):
        draft = number > 0 and number == len(documents) - 1
        for chapter in document.chapters:
            if not draft and not horizon.admits(chapter.number):
                continue
            text = chapter.body.of(document.text)
            inside = first <= chapter.number and (last is None or chapter.number <= last)
            for span in sentences(text):
                if len(span.of(text).split()) >= _LEAST_WORDS:
                    if inside and (draft or not only_last):
                        asked.append(len(told))
                    place = span.moved(chapter.body.start)
                    told.append(Evidence.of(document, chapter.number, place))
    return Told(told, asked)


def suspects(told: Told, *, embed: Embed, judge: Judge, limit: int = 20) -> tuple[Suspect, ...]:
    """At most ``limit`` of the sentences asked about, the likeliest first."""
    texts = [one.quote for one in told.sentences]
    near = near_before(texts, told.asked, embed(texts), count=EARLIER)
    pairs = [(a, b) for a, b in near if texts[a] != texts[b]]  # a refrain contradicts nothing
    weighed = zip(pairs, judge([(texts[a], texts[b]) for a, b in pairs]), strict=True)
    beside = gathered((later, (-round(float(value), 4), earlier)) for (earlier, later), value in weighed)
    kept = {later: sorted(some)[:SHOWN] for later, some in beside.items()}
    ranked = sorted(kept, key=lambda later: (kept[later][0][0], later))[:limit]
    return tuple(
        Suspect(
            tuple(told.sentences[earlier] for _, earlier in kept[later]),
            told.sentences[later],
            round(1 / (1 + math.exp(kept[later][0][0])), 4),
        )
        for later in ranked
    )


def near_before(
    texts: Sequence[str], asked: Iterable[int], vectors: Vectors, *, count: int
) -> list[tuple[int, int]]:
    """Of each text asked for, the ``count`` before it that speak most of the same, as (earlier, later), the
    nearest first. ``vectors`` are those of the texts, shape (len(texts), dimension)."""
    index = LexicalIndex.from_texts(list(texts))
    found: list[tuple[int, int]] = []
    for later in asked:
        if not later:
            continue
        cosines = vectors[:later] @ vectors[later]
        shared = index.scores(texts[later])[:later]
        worth = np.round(_BY_WORDS * _scaled(shared) + (1 - _BY_WORDS) * _scaled(cosines), 5)
        found += [(int(earlier), later) for earlier in np.argsort(-worth, kind="stable")[:count]]
    return found


def _scaled(values: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    scaled: NDArray[np.floating[Any]] = (values - values.min()) / (np.ptp(values) + 1e-9)
    return scaled
