"""Fits the linear reader of looks, hands and families, and says how much of what others write it reads.

Usage:  python experiments/run.py slot_reader --data DIR [--parses DIR] [--keep]

``data/told_facts`` holds sentences written for this, one writer a file ("ours": by who knows the
rules): what each tells of whom (``frame``, ``who``, ``value``), and near misses that tell it not (``no``).
They are read as chapters of their own behind a line that names the person, their people numbered
(``masked``), and set against the candidates (``slot_candidates``) in the novels that are not held out, but
for those from which the rules read such a fact and those in ``data/told_in_novels.json``, which a reader
found to be true. One logistic regression a kind over ``linear_features``.

For every kind: of the sentences in which the right value and person are candidates at all, the share read by
a model that was fitted without their writer, at the threshold from which on ``RATE`` sentences in 100,000
words of novels that the model was not fitted to are read (true ones among them). ``--keep`` writes the model
fitted to all into the package.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments.common.result_file import write_result
from experiments.common.story_data import CachedReader
from fabula.story.extraction.clauses.arguments import Arguments
from fabula.story.extraction.clauses.fact_collector import FactCollector
from fabula.story.extraction.learned.features import features
from fabula.story.extraction.learned.scorer import SLOT_WEIGHTS
from fabula.story.extraction.learned.slot_candidates import KINDS, candidates, day_of
from fabula.story.extraction.learned.slot_traits import slot_words
from fabula.story.extraction.parsing.chapter import ParsedChapter
from fabula.story.extraction.patterns.masking import masked
from fabula.story.extraction.presence.durations import LENGTH, days_of
from fabula.story.extraction.presence.sighting_wordings import the_place
from fabula.story.extraction.reader import StoryReader
from fabula.story.extraction.trait_reader import read_traits
from fabula.story.lexicon.trait_words import EYE_COLOURS, FIELDS, HAIR_COLOURS

from .linear_fit import Case, keep, measured
from .told_sentences import DATA, MOST_PEOPLE, chapters_of_novels, new_fit_parser, people_called, prepared

RATE = dict.fromkeys(KINDS, 1.0) | {"hair": 1.5, "profession": 0.5}
FITTED = ("ours-[12].jsonl", "plain-[1346].jsonl", "writer-*.jsonl")
"""The other writers are unknown to this reader."""
_FRAMES = {"profession": "trade"}
_READ_AS = {"child": "children", "son": "children", "daughter": "children"}


def main(options: argparse.Namespace) -> None:
    """Reads, measures, writes ``results/slot_reader.json`` and, where asked, the model."""
    sentences = sorted(p for names in FITTED for p in (DATA / "told_facts").glob(names))
    written = [case for path in sentences for case in _written(path)]
    reader = CachedReader(options.parses) if options.parses else StoryReader()
    true = json.loads((DATA / "told_in_novels.json").read_text(encoding="utf-8"))
    novels: list[Case] = []
    words: dict[str, int] = {}
    for novel, body, opens in chapters_of_novels(options.data, words):
        novels += _of_novel(novel, reader, body, opens, true)
    kinds, models = {}, {}
    for kind in KINDS:
        own = [case for case in written if case.kind == kind]
        kinds[kind], models[kind] = measured(own, [c for c in novels if c.kind == kind], words, RATE[kind])
        print(kind, json.dumps(kinds[kind]), flush=True)
    facts = {
        "question": "How much of what others write of looks, hands and families is read?",
        "kinds": kinds,
        "writers": len(sentences),
        "novels": words,
        "rate_per_100k_words": RATE,
    }
    write_result("slot_reader", facts=facts, measured={})
    if options.keep:
        keep(models, SLOT_WEIGHTS)


# --- cases ---------------------------------------------------------------------------------------


def _written(path: Path) -> Iterator[Case]:
    reader = StoryReader()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        name = str(row["who"])
        opening = f"{name[0].upper()}{name[1:]} was there.\n\n"
        text = opening + row["text"]
        chapter, arguments = prepared(reader.parse(text))
        keys = arguments.pronouns.cast.who
        meant = people_called(chapter, arguments, name, text.find(name, len(opening)))
        no = bool(row.get("no"))
        for start, people, each in _candidates(chapter, arguments):
            if start < len(opening):
                continue
            ours = row["frame"] == _FRAMES.get(each.kind, each.kind)
            right = ours and not no and each.value == _wanted(row)
            for who, reference in enumerate(people):
                told = right and keys[reference.mention] in meant
                seen = features(each.words, who)
                yield Case(path.stem, f"{path.stem}:{number}", each.kind, seen, told, no and ours)


def _wanted(row: dict[str, Any]) -> str | None:
    told = str(row.get("value", "")).lower()
    if row["frame"] == "wedding":
        return day_of(told)
    if row["frame"] == "stay":
        length = LENGTH.search(told)
        days = days_of(length) if length is not None else None
        return f"{days:g}" if days is not None else None
    if row["frame"] == "trade":
        return FIELDS.get(told.split()[-1]) if told else None
    if row["frame"] not in ("eyes", "hair"):
        return told
    table = EYE_COLOURS if row["frame"] == "eyes" else HAIR_COLOURS
    return next((table[word] for word in told.replace("-", " ").split() if word in table), None)


def _of_novel(
    source: str, reader: StoryReader, body: str, opens: int, true: dict[str, list[str]]
) -> Iterator[Case]:
    """All from which the rules read nothing of the kind."""
    chapter, arguments = prepared(reader.parse(body))
    taken: dict[str, list[tuple[int, int]]] = {}
    for trait in read_traits(chapter, arguments, FactCollector(chapter, arguments)):
        group, _, kin = trait.aspect.partition(":")
        kind = _READ_AS.get(kin, "siblings") if group == "count" else trait.aspect
        taken.setdefault(kind, []).extend((span.start, span.end) for span in trait.evidence)
    for start, people, each in _candidates(chapter, arguments):
        row = f"{source}:{opens + start}"
        inside = any(a <= start < b for a, b in taken.get(each.kind, ()))
        if inside or row in true.get(each.kind, ()):
            continue
        for who in range(len(people)):
            yield Case(source, row, each.kind, features(each.words, who), told=False, near=False)


def _candidates(chapter: ParsedChapter, arguments: Arguments) -> Iterator[Any]:
    for paragraph in chapter.paragraphs:
        for sentence in paragraph.sentences:
            seen = masked(chapter, arguments, paragraph, sentence)
            if 0 < len(seen.people) <= MOST_PEOPLE:
                place = the_place(chapter, paragraph, sentence)
                for each in candidates(slot_words(seen, place)):
                    yield sentence.span.start, seen.people, each


def parser() -> argparse.ArgumentParser:
    return new_fit_parser(__doc__)
