"""Searches as the settings name them, and what is said beside their results."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..config import Config
from ..core.fusion.presets import PRESETS, FusionPreset
from ..core.lexical.bm25 import BM25Settings, LexicalIndex
from ..core.lexical.rank_bm25 import RankBM25Index
from ..core.reranking import reranked_by_answers
from ..core.search import Query, Reranker, SearchResult
from ..core.text.tokenizing import Tokenizer
from ..errors import UsageError
from ..story.names.spelling import near_names

if TYPE_CHECKING:
    from ..story.graph_rag.views.story_view import StoryView

_WORD = re.compile(r"[^\W\d_]{3,}")
_BARE = 2  # words


def suggest_names(
    asked: Query, lexical: LexicalIndex, view: Callable[[int | None], StoryView]
) -> tuple[str, ...]:
    """A sentence for each name in the query that stands nowhere up to its horizon, where a name known by then
    is spelt nearly so. Capitalised words count as names, and all of a query of one or two."""
    words = _WORD.findall(asked.text)
    said = [word for word in words if word[0].isupper() or len(words) <= _BARE]
    terms_of, limit = Tokenizer().terms, asked.selection.limit
    known = {one.term for one in lexical.statistics(" ".join(said), limit=limit) if one.df}
    unknown = [word for word in said if known.isdisjoint(terms_of(word))]
    if not unknown:
        return ()
    entities = view(asked.horizon.chapter).entities()
    names = [name for one in entities for name in (one.name, *one.aliases)]
    return tuple(
        f"{word} is not in the story so far: did you mean {near}?"
        for word in dict.fromkeys(unknown)
        for near in near_names(word, names)[:1]
    )


def with_hints(
    found: SearchResult, asked: Query, lexical: LexicalIndex, view: Callable[[int | None], StoryView]
) -> SearchResult:
    """With names that were meant perhaps; where words alone found something, that is found at once."""
    if asked.mode == "lexical" and found.passages:
        return found
    return replace(found, notices=(*found.notices, *suggest_names(asked, lexical, view)))


def chapter_range(text: str) -> tuple[int, int | None]:
    """``3-9``, ``4-`` (to the horizon), ``-5`` or ``7``. Raises UsageError for anything else."""
    first, dash, last = text.strip().partition("-")
    try:
        start = int(first) if first.strip() else 1
        end = (int(last) if last.strip() else None) if dash else start
    except ValueError:
        raise UsageError(f"{text!r} is not a range of chapters: write 3-9, 4- or 7") from None
    return start, end


def preset_of(config: Config) -> FusionPreset:
    """The fusion that the settings name, with their weight."""
    preset, weight = PRESETS[config.retrieval.fusion], config.retrieval.semantic_weight
    return preset if weight is None else replace(preset, semantic_weight=weight)


def bm25_settings(config: Config) -> BM25Settings:
    """As the backend scores: rank_bm25 is Okapi."""
    return BM25Settings(variant="lucene" if config.retrieval.backend == "fabula" else "okapi")


def make_lexical(config: Config, index: LexicalIndex, texts: Callable[[], list[str]]) -> LexicalIndex:
    """The index that the settings name; rank_bm25 is built from the texts, now."""
    if config.retrieval.backend == "fabula":
        return index
    return RankBM25Index.from_texts(texts(), settings=bm25_settings(config))


def make_reranker(config: Config) -> Reranker | None:
    """The reader of answers, where the settings ask for it; it is loaded at its first use."""
    if not config.retrieval.reranker:
        return None
    from ..core.answering.answer_reader import packaged_reader

    return partial(reranked_by_answers, packaged_reader())
