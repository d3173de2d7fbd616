"""Fits the linear reader of bonds, wrongs, vows, secrets and absences, and says how much of what
others write it reads.
Usage:  python experiments/run.py sentence_reader --data DIR [--parses DIR] [--keep]

As ``slot_reader``, over whole sentences: those of ``data/told_facts`` (``frame``, ``who``, ``other``)
against those of the novels that are not held out, but for the ones in which the rules read such a thing. One
model over single words says which sentences are about any of it (``PASSING`` in 100,000 words of novels that
it was not fitted to); the rest of the models are fitted to and measured on what it lets through.

For every kind: of the sentences in which the right people are found, the share read by models that were
fitted without their writer, at the threshold from which on ``RATE`` sentences in 100,000 words of novels are
read (true ones among them). ``--keep`` writes the models fitted to all into the package.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.common.result_file import write_result
from experiments.common.story_data import CachedReader
from fabula.story.extraction.bonds.wordings import BONDS
from fabula.story.extraction.learned.features import features, plain_words
from fabula.story.extraction.learned.scorer import SENTENCE_WEIGHTS
from fabula.story.extraction.learned.sentence_facts import ANY, KINDS, WRONGS, pairs_of, unreal
from fabula.story.extraction.patterns.masking import masked, readings, text_of
from fabula.story.extraction.pipeline import LEARNED
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.chapter_reading import ChapterReading
from fabula.story.model.trait_values import SIGHTED

from .linear_fit import Case, Model, keep, measured, of_unknown_writers
from .told_sentences import DATA, MOST_PEOPLE, chapters_of_novels, new_fit_parser, people_called, prepared

RATE = {"warm": 4.0, "cold": 3.0, "deed": 2.0, "vow": 2.0, "secret": 2.0, "away": 1.0}
PASSING = 1200.0
LONGEST = 400
_FRAMES = {"loves": "warm", "hates": "cold", "harm": "deed"}


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence: ``words`` masked, ``told`` the kinds that it is known to tell, ``pair`` who is told of."""

    source: str
    row: str
    plain: frozenset[int]
    words: str
    people: int
    frame: str
    near: bool
    told: frozenset[str]
    pair: tuple[frozenset[int], frozenset[int]]


def main(options: argparse.Namespace) -> None:
    """Reads, measures, writes ``results/sentence_reader.json`` and, where asked, the models."""
    sentences = sorted((DATA / "told_facts").glob("[!u]*.jsonl"))
    written = [row for path in sentences for row in _written(path)]
    rules = CachedReader(options.parses, without=LEARNED) if options.parses else StoryReader(without=LEARNED)
    novels: list[Row] = []
    words: dict[str, int] = {}
    for novel, body, opens in chapters_of_novels(options.data, words):
        novels += _of_novel(novel, rules, body, opens)
    told, models = {}, {}
    plain = [_plain(row) for row in written if row.frame in KINDS]
    all_novels = [_plain(row) for row in novels]
    _, models[ANY] = measured(plain, all_novels, words, PASSING)
    reach = of_unknown_writers(plain, all_novels, models[ANY].least)
    passed = _passing(models[ANY], novels)
    for kind in KINDS:
        own = [case for row in written for case in _cases(row, kind)]
        told[kind], models[kind] = measured(
            own, [c for r in passed for c in _cases(r, kind)], words, RATE[kind], reach
        )
        print(kind, json.dumps(told[kind]), flush=True)
    facts = {
        "question": "How much of what others write of bonds, wrongs, vows and secrets is read?",
        "kinds": told,
        "writers": len(sentences),
        "novels": words,
        "rate_per_100k_words": RATE,
    }
    write_result("sentence_reader", facts=facts, measured={})
    if options.keep:
        keep(models, SENTENCE_WEIGHTS)


# --- rows ----------------------------------------------------------------------------------------


def _written(path: Path) -> Iterator[Row]:
    reader = StoryReader(without=LEARNED)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        name, other = str(row["who"]), str(row.get("other") or "")
        if not name:
            continue
        there = [
            f"{each[0].upper()}{each[1:]} was there." for each in (name, other) if each and each[-1] != "."
        ]
        opening = " ".join(there) + "\n\n"
        text = opening + row["text"]
        chapter, arguments = prepared(reader.parse(text))
        keys = arguments.pronouns.cast.who
        pair = [
            people_called(chapter, arguments, each, text.find(each, len(opening)) if each else -1)
            for each in (name, other)
        ]
        frame = _FRAMES.get(row["frame"], row["frame"])
        for paragraph in chapter.paragraphs:
            for sentence in paragraph.sentences:
                if sentence.span.start < len(opening):
                    continue
                seen = masked(chapter, arguments, paragraph, sentence)
                if not 0 < len(seen.people) <= MOST_PEOPLE:
                    continue
                mine = [keys[each.mention] for each in seen.people]
                who, to = (frozenset(i for i, key in enumerate(mine) if key in each) for each in pair)
                yield Row(
                    path.stem,
                    f"{path.stem}:{number}",
                    plain_words(text_of(paragraph, sentence)),
                    readings(seen.words)[0],
                    len(mine),
                    frame,
                    bool(row.get("no")),
                    frozenset(),
                    (who, to),
                )


def _of_novel(source: str, reader: StoryReader, body: str, opens: int) -> Iterator[Row]:
    known = _known(reader.read(body))
    chapter, arguments = prepared(reader.parse(body))
    for paragraph in chapter.paragraphs:
        if paragraph.prose.letter or chapter.scenes[paragraph.prose.scene].dream:
            continue
        for sentence in paragraph.sentences:
            text = text_of(paragraph, sentence)
            if len(text) > LONGEST:
                continue
            seen = masked(chapter, arguments, paragraph, sentence)
            if 0 < len(seen.people) <= MOST_PEOPLE:
                start = sentence.span.start
                told = frozenset(kind for kind in KINDS if start in known[kind])
                plain, words = plain_words(text), readings(seen.words)[0]
                row = f"{source}:{opens + start}"
                yield Row(
                    source, row, plain, words, len(seen.people), "", False, told, (frozenset(), frozenset())
                )


def _known(reading: ChapterReading) -> dict[str, frozenset[int]]:
    """Where the sentences begin from which rules read each kind."""
    away = frozenset(
        span.start for trait in reading.traits if trait.aspect == SIGHTED for span in trait.evidence
    )
    bonds = frozenset(each.evidence[0].start for each in reading.statements if each.predicate in BONDS)
    return {
        "warm": bonds,
        "cold": bonds,
        "deed": frozenset(each.evidence[0].start for each in reading.happenings if each.predicate in WRONGS),
        "vow": frozenset(each.evidence.start for each in reading.goals),
        "secret": frozenset(each.evidence[0].start for each in reading.learnings if each.kept),
        "away": away,
    }


# --- cases ---------------------------------------------------------------------------------------


def _plain(row: Row) -> Case:
    return Case(row.source, row.row, ANY, row.plain, row.frame in KINDS and not row.near, row.near)


def _passing(model: Model, rows: Sequence[Row]) -> list[Row]:
    scores = model.scores([_plain(row) for row in rows])
    return [row for row, score in zip(rows, scores, strict=True) if score >= model.least]


def _cases(row: Row, kind: str) -> Iterator[Case]:
    """One for each who may be told of; none where the rules read the kind, or it is only supposed."""
    if kind in row.told or unreal(kind, row.words):
        return
    ours = row.frame == kind
    for who, other in pairs_of(kind, row.people):
        meant = who in row.pair[0] and (other is None or other in row.pair[1])
        seen = features(row.words, who, other)
        yield Case(row.source, row.row, kind, seen, ours and meant and not row.near, ours and row.near)


def parser() -> argparse.ArgumentParser:
    return new_fit_parser(__doc__)
