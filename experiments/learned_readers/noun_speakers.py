"""Who is "said the old gentleman"? Fits and measures the model of ``story.graph_rag.epithets``.

Usage:  python experiments/run.py noun_speakers --data DIR [--parses DIR]

The novels of PDNC (Vishnubhotla et al. 2022) with their quotations: for every noun beside speech, as one
chapter uses it, and everybody in sight there, what the turns tell (``epithets.signs``) against whether he is
who speaks by the corpus (most often, over the turns of the noun). Logistic regression on the novels that are
not held out; written down is how often the likeliest is right, by what the model gives him: with each of
those novels left out of the fit in turn, and, by the weights in the package, on the novels held out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from experiments.common.options import add_parses, new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import CachedReader, document_of, held_out, rows
from experiments.story_model.quotations import Names
from fabula.core.types import Document
from fabula.story.extraction.reader import StoryReader
from fabula.story.linking.epithets import WEIGHTS, signs
from fabula.story.linking.linker import Linker
from fabula.story.linking.quotations import nouns_beside
from fabula.story.linking.state import ToldChapter
from fabula.story.model.chapter_reading import ChapterReading

BANDS = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8)
SOFTNESS = 2.0  # the inverse of the penalty on squares of weights


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun beside ``turns`` speeches of a chapter; ``people`` holds the signs of each in sight and whether
    he is the speaker."""

    novel: str
    turns: int
    people: tuple[tuple[Mapping[str, float], bool], ...]


class _Watching(Linker):
    """Keeps, as each chapter is told, what the turns say of the nouns in it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[list[int], dict[str, dict[str, float]]]] = []
        self.last: list[tuple[list[int], dict[str, dict[str, float]]]] = []

    def _link_mentions(self, told: ToldChapter, reading: ChapterReading, calls: Any) -> list[str | None]:
        ids = super()._link_mentions(told, reading, calls)
        nouns, scene = nouns_beside(told, reading, ids, self._state)
        groups: dict[str, list[int]] = {}
        for turn, phrase in sorted(nouns.items()):
            groups.setdefault(phrase, []).append(turn)
        self.last = [(turns, signs(phrase, turns, scene)) for phrase, turns in groups.items()]
        return ids


def nouns_of(
    document: Document, reader: StoryReader, gold: Sequence[Mapping[str, Any]], row: Mapping[str, Any]
) -> list[Noun]:
    """Every noun of the novel whose speaker the corpus knows."""
    linker, told = _Watching(), []
    for chapter in document.chapters:
        reading = reader.read(chapter.body.of(document.text))
        linker.add(document, chapter, reading)
        told += [(chapter.body.start, reading, turns, found) for turns, found in linker.last]
    names, found_nouns = Names(row["characters"], linker.log), []
    spans = sorted((start, end, quote["speaker"]) for quote in gold for start, end in quote["spans"])
    for start, reading, turns, found in told:
        speakers = Counter(
            speaker
            for turn in turns
            for begin, end, speaker in spans
            if begin < start + reading.quotations[turn].pieces[0].end
            and end > start + reading.quotations[turn].pieces[0].start
        )
        if speakers:
            right = speakers.most_common(1)[0][0]
            people = tuple((own, names.of(who) == right) for who, own in found.items())
            found_nouns.append(Noun(row["doc"], len(turns), people))
    return found_nouns


def fitted(nouns: Sequence[Noun]) -> dict[str, float]:
    """The weights that suit the nouns best."""
    keys = [key for key in WEIGHTS if key != "bias"]
    people = [each for noun in nouns for each in noun.people]
    line = LogisticRegression(C=SOFTNESS, max_iter=1000)
    line.fit([[own.get(key, 0.0) for key in keys] for own, _ in people], [right for _, right in people])
    weights = dict(zip(keys, line.coef_[0], strict=True)) | {"bias": line.intercept_[0]}
    return {key: round(float(weight), 2) for key, weight in weights.items()}


def best(noun: Noun, weights: Mapping[str, float]) -> tuple[float, bool]:
    """The likeliest: how likely, and whether he is it."""
    scored = [
        (1 / (1 + np.exp(-sum(weights.get(sign, 0.0) * value for sign, value in own.items()))), right)
        for own, right in noun.people
    ]
    return max(scored, key=lambda each: each[0], default=(0.0, False))


def bands(nouns: Sequence[Noun], weights: Mapping[str, Mapping[str, float]]) -> list[dict[str, Any]]:
    """How many nouns, how many turns have them, and how many of the nouns are rightly read, by what the
    likeliest is given; ``weights`` by novel."""
    chosen = [(*best(noun, weights[noun.novel]), noun.turns) for noun in nouns]
    told = []
    for low, high in zip(BANDS, (*BANDS[1:], 1.01), strict=True):
        inside = [(right, turns) for chance, right, turns in chosen if low <= chance < high]
        told.append(
            {
                "from": low,
                "nouns": len(inside),
                "turns": sum(turns for _, turns in inside),
                "right": round(sum(right for right, _ in inside) / len(inside), 3) if inside else None,
            }
        )
    return told


def main(options: argparse.Namespace) -> None:
    """Fits, measures, writes ``results/noun_speakers.json``."""
    data = options.data
    reader = CachedReader(options.parses) if options.parses else StoryReader()
    gold: dict[str, list[dict[str, Any]]] = {}
    for quote in rows(data / "characters" / "pdnc_quotes.jsonl"):
        gold.setdefault(quote["doc"], []).append(quote)
    seen: list[Noun] = []
    held: list[Noun] = []
    for row in rows(data / "characters" / "pdnc.jsonl"):
        if row["doc"] in gold and (data / row["file"]).exists():
            part = held if held_out(row["doc"]) else seen
            part += nouns_of(document_of(data / row["file"]), reader, gold[row["doc"]], row)
    novels = sorted({noun.novel for noun in seen})
    left_out = {novel: fitted([noun for noun in seen if noun.novel != novel]) for novel in novels}
    facts = {
        "question": "Whom does a noun beside speech mean?",
        "reader": reader.version,
        "weights": {"fitted": fitted(seen), "in_use": dict(WEIGHTS)},
        "seen_left_out": {"nouns": len(seen), "bands": bands(seen, left_out)},
        "held_out": {
            "nouns": len(held),
            "bands": bands(held, dict.fromkeys({noun.novel for noun in held}, WEIGHTS)),
        },
    }
    write_result("noun_speakers", facts=facts, measured=machine())
    for half in ("seen_left_out", "held_out"):
        print(half, facts[half])
    print(facts["weights"])


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options)
    return options
