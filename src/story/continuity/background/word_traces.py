"""What a stretch of text is about, as the stems of its telling words, to find the same matter told again.

A word tells nothing where it is a function word, a verb that goes with everything, or one that a story uses
all the time: of quotations in it more than ``COMMON`` have it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from ....core.text.term_evidence import FUNCTION_WORDS
from ....core.text.tokenizing import STOP_WORDS
from ...graph_rag.views.story_view import StoryView
from ...lexicon.inflection import base_form
from ...lexicon.verbs_and_nouns import DEEDS
from ...passages.scene_cues import stem

__all__ = ["WordTraces", "stems_of"]

COMMON = 0.02
_ENOUGH = 150  # quotations from which on their share tells what is common
_LETTERS = 3
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LIGHT = frozenset(
    """be have do go come say tell know think see look make take get give let put want seem mean keep hear
    ask answer speak talk find feel become leave call try begin turn bring use show happen
    something anything nothing everything somebody anybody nobody everybody someone anyone everyone one
    thing things way time day never ever always still yet even ever also much many more most such well now
    then today tonight tomorrow yesterday back away off far long little great good bad old new first last
    two three four five six seven eight nine ten hundred thousand yes please sir madam mister dear oh
    really quite rather very almost enough perhaps maybe because though although while until since
    himself herself itself themselves myself yourself ourselves
    whether without within upon between against among whatever whoever because
    another other others toward towards certain certainly end minute moment care rest set sure once
    man woman boy girl lady gentleman people person fellow""".split()
)
_AS_THING = {"will": "testament", "well": "wellspring"}
_THINGS = re.compile(
    r"\b(the|an?|his|her|their|my|your|this|that|old|new|last|second|first|poisoned|forged|burnt|burned) "
    r"(will|well)\b(?! (?:be|have|not|known|nigh|dressed|as)\b)"
)
_CONTRACTED = ("'s", "’s", "n't", "n’t", "'ll", "’ll", "'d", "’d", "'ve", "’ve", "'re", "’re", "'m", "’m")


@lru_cache(maxsize=20_000)
def _stem_of(word: str) -> str:
    """Empty for a word that tells nothing."""
    for ending in _CONTRACTED:
        word = word.removesuffix(ending)
    base = base_form(word)
    if len(word) < _LETTERS or {word, base} & (FUNCTION_WORDS | STOP_WORDS | _LIGHT):
        return ""
    return stem(DEEDS.get(word) or DEEDS.get(base) or base)


@lru_cache(maxsize=60_000)  # a draft is checked beside the same story again and again
def stems_of(text: str) -> frozenset[str]:
    """The stems of the telling words of a text; irregular verbs by their base. "The will" and "a well" are
    things."""
    plain = _THINGS.sub(lambda found: f"{found[1]} {_AS_THING[found[2]]}", text.casefold())
    return frozenset(found for word in _WORD.findall(plain) if (found := _stem_of(word)))


class WordTraces:
    """The telling words of one story at its horizon. Costs one pass over its quotations."""

    def __init__(self, view: StoryView) -> None:
        self._view = view
        counts: Counter[str] = Counter()
        quotations = view.quotations()
        for quotation in quotations:
            counts.update(stems_of(" ".join(piece.line for piece in quotation.evidence[: quotation.pieces])))
        least = COMMON * len(quotations) if len(quotations) >= _ENOUGH else float("inf")
        self._common = frozenset(word for word, count in counts.items() if count > least)
        self._counts = counts

    def keys(self, text: str, *, without: Iterable[str] = ()) -> frozenset[str]:
        """What tells this matter from others; the names of the entities ``without`` do not."""
        names: set[str] = set()
        for who in without:
            entity = self._view.entity(who)
            for surface in (entity.name, *entity.aliases) if entity else ():
                names |= stems_of(surface)
        return stems_of(text) - self._common - names

    def common(self, words: Iterable[str]) -> frozenset[str]:
        """Those of the words that the story uses all the time."""
        return self._common.intersection(words)

    def rare(self, word: str) -> bool:
        """Do at most three quotations of the story have it?"""
        return self._counts[word] <= 3
