"""What a window shows of how two stand to each other: words, and where they stand to the two."""

from __future__ import annotations

import re
from itertools import pairwise

_TOKEN = re.compile(r"§[abc]|[a-z][a-z'-]*|[!?]")
_SHORT = {
    "sentence": "s",
    "next": "n",
    "says to": "to",
    "hears from": "from",
    "says of": "of",
    "is said of by": "by",
}
_TWO = ("§a", "§b")
_SWAP = {"§a": "§b", "§b": "§a"}
_MASK = re.compile("§[ab]")
_BACK = {"to": "from", "from": "to", "of": "by", "by": "of"}
_BESIDE, _PAIRS = 4, 2  # words to either side that are seen with where they stand; as pairs
_BETWEEN, _PATH = 14, 6  # words apart, to be seen as standing between; as a path


def turned_feature(feature: str) -> str:
    """The same thing seen from the other of the two."""
    short, _, rest = feature.partition(":")
    feature = f"{_BACK[short]}:{rest}" if short in _BACK else feature
    return _MASK.sub(lambda mask: _SWAP[mask[0]], feature)


def window_features(kind: str, words: str) -> frozenset[str]:
    """What is seen of a window (see ``windows.Window``)."""
    tokens, short = _TOKEN.findall(words), _SHORT[kind]
    found = {f"{short}:{token}" for token in tokens}
    if short in ("s", "n"):
        found |= _around(short, tokens)
    else:
        found |= {f"{short}:{one}_{two}" for one, two in pairwise(tokens)}
    return frozenset(found)


def _around(short: str, tokens: list[str]) -> set[str]:
    places = [i for i, token in enumerate(tokens) if token in _TWO]
    found: set[str] = set()
    for i in places:
        for j in range(max(0, i - _BESIDE), min(len(tokens), i + _BESIDE + 1)):
            if j != i:
                found.add(f"{short}:{tokens[i]}{'<' if j < i else '>'}{tokens[j]}")
        for j in range(max(0, i - _PAIRS), min(len(tokens) - 1, i + _PAIRS + 1)):
            found.add(f"{tokens[i]}|{tokens[j]}_{tokens[j + 1]}")
    if len(places) > 1:
        first, second, last = places[0], places[1], places[-1]
        if last - first < _BETWEEN:
            found |= {f"{short}:between:{tokens[first]}:{word}" for word in tokens[first + 1 : last]}
        if second - first < _PATH:
            found.add("path:" + "_".join(tokens[first : second + 1]))
    return found
