"""How much of what a careful reader notes does the extractor find, and how much of what it says is right?

Usage:  python experiments/run.py extraction

Reads the demo story and sets what it finds beside the notes made by hand (``common.demo_notes``). Writes
results/extraction.json. Real novels: ``story_model``.

Measures: characters found (of the gold ones, and how many of those found are characters at all); B³ (Bagga
and Baldwin 1998) over the names that both sides know; relations and events with who does what to whom, once
by the same predicate and once by any predicate of the same sign; who is in a chapter; who dies, and where.
The notes are not everything that is true in the story, so a statement that they do not hold is
"unlisted", not wrong; "contrary" is one of the opposite sign between two who never stood so.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.demo_notes import Gold, GoldEvent, GoldRelation, gold
from experiments.common.options import new_parser
from experiments.common.result_file import digest_of, machine, write_result
from experiments.common.story_data import read_story
from fabula.core.documents import read_document
from fabula.core.types import Document, Horizon
from fabula.demo import save_story
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.arc_tracker import DynamicArcTracker
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model.predicates import PREDICATES
from fabula.story.model.types import EntityKind, EventTold, Modality, Relation, StoryLog

SAID = frozenset({Modality.FACT, Modality.FLASHBACK, Modality.REPORTED})
PLACED = frozenset({"LOCATED_AT"})


@dataclass(frozen=True, slots=True)
class Ratio:
    """``hits`` of ``n``; ``value`` is 0 to 1, or None of nothing."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return round(self.hits / self.n, 4) if self.n else None

    def row(self) -> dict[str, Any]:
        return {"hits": self.hits, "n": self.n, "value": self.value}


@dataclass(frozen=True, slots=True)
class BCubed:
    """Mean over ``n`` names; each 0 to 1."""

    precision: float
    recall: float
    f1: float
    n: int


class Cast:
    """The entities of a log, merges applied: their kinds, and who each written name means most often."""

    def __init__(self, log: StoryLog) -> None:
        self._into = {merge.entity: merge.into for merge in log.merges}
        kinds: dict[str, Counter[EntityKind]] = {}
        names: dict[str, Counter[str]] = {}
        for mention in log.mentions:
            root = self.root(mention.entity)
            kinds.setdefault(root, Counter())[mention.kind] += 1
            names.setdefault(_key(mention.surface), Counter())[root] += 1
        self.kinds = {root: votes.most_common(1)[0][0] for root, votes in kinds.items()}
        self.meant = {name: votes.most_common(1)[0][0] for name, votes in names.items()}

    def root(self, entity: str) -> str:
        while entity in self._into:
            entity = self._into[entity]
        return entity

    def characters(self) -> list[str]:
        return sorted(root for root, kind in self.kinds.items() if kind is EntityKind.CHARACTER)


def _key(name: str) -> str:
    return name.casefold().replace("’", "'").rstrip(".").removeprefix("the ")


def b_cubed(found: Mapping[str, str], truth: Mapping[str, str]) -> BCubed:
    """Over the names that stand on both sides, each weighing the same."""
    names = sorted(found.keys() & truth.keys())
    if not names:
        return BCubed(0.0, 0.0, 0.0, 0)
    precision = recall = 0.0
    for name in names:
        same_found = {other for other in names if found[other] == found[name]}
        same_truth = {other for other in names if truth[other] == truth[name]}
        both = len(same_found & same_truth)
        precision += both / len(same_found)
        recall += both / len(same_truth)
    precision, recall = precision / len(names), recall / len(names)
    f1 = 2 * precision * recall / (precision + recall)
    return BCubed(round(precision, 4), round(recall, 4), round(f1, 4), len(names))


def _owners(names: Iterable[tuple[str, Collection[str]]]) -> dict[str, str]:
    """name → id, without the names that two go by."""
    owners: dict[str, set[str]] = {}
    for entity, own in names:
        for name in own:
            owners.setdefault(_key(name), set()).add(entity)
    return {name: next(iter(ids)) for name, ids in owners.items() if len(ids) == 1}


class Matcher:
    """The log's entities as ids of the notes: each goes to whom most of its names belong to there."""

    def __init__(self, notes: Gold, log: StoryLog) -> None:
        self.cast = Cast(log)
        joined = {merge.pseudonym: merge.character for merge in notes.merges}
        people = ((joined.get(c.id, c.id), {c.name, *c.aliases}) for c in notes.characters)
        things = (
            *((p.id, {p.name, *p.aliases}) for p in notes.places),
            *((o.id, {o.name}) for o in notes.objects),
        )
        self.people = _owners(people)
        self.owners = {**_owners(things), **self.people}
        votes: dict[str, Counter[str]] = {}
        for mention in log.mentions:
            owner = self.owners.get(_key(mention.surface))
            if owner is not None:
                votes.setdefault(self.cast.root(mention.entity), Counter())[owner] += 1
        self._ids = {root: counts.most_common(1)[0][0] for root, counts in votes.items()}

    def id(self, entity: str) -> str:
        """The id in the notes, or the log's own where the notes do not know it."""
        root = self.cast.root(entity)
        return self._ids.get(root, f"({root})")


# --- the demo ------------------------------------------------------------------------------------


def measure_demo(notes: Gold, document: Document, log: StoryLog) -> dict[str, Any]:
    """All measures on the demo, with what was missed by name."""
    match = Matcher(notes, log)
    joined = {merge.pseudonym for merge in notes.merges}
    wanted = {c.id for c in notes.characters} - joined
    found = {match.id(one) for one in match.cast.characters()}
    clusters = {name: match.cast.meant[name] for name in match.people if name in match.cast.meant}
    return {
        "characters_found": Ratio(len(wanted & found), len(wanted)).row(),
        "characters_right": Ratio(len(wanted & found), len(found)).row(),
        "characters_extra": sorted(found - wanted),
        "names_found": Ratio(len(clusters), len(match.people)).row(),
        "aliases": asdict(b_cubed(clusters, match.people)),
        "relations": _relations(notes, match, log.relations),
        "events": _events(notes, match, log.events),
        "presence": _presence(notes, match, log),
        "deaths": _deaths(notes, match, log.events),
        "moods": _moods(notes, log),
        "words": len(document.text.split()),
    }


def _pairs(one: str, other: str, predicate: str) -> set[tuple[str, str]]:
    return {(one, other), (other, one)} if PREDICATES[predicate].symmetric else {(one, other)}


def _says(told: Relation, note: GoldRelation, match: Matcher, *, sign: bool) -> bool:
    """Is it the same statement; with ``sign``, one of the same sign?"""
    pair = (match.id(told.subject), match.id(told.object))
    row = PREDICATES[note.predicate]
    if told.predicate == note.predicate:
        return pair in _pairs(note.subject, note.object, note.predicate)
    if told.predicate == row.inverse:
        return pair == (note.object, note.subject)
    same = PREDICATES[told.predicate].sign == row.sign != 0
    return sign and same and pair in _pairs(note.subject, note.object, told.predicate)


def _relations(notes: Gold, match: Matcher, told: Iterable[Relation]) -> dict[str, Any]:
    said = [r for r in told if r.modality in SAID]
    strict = [n for n in notes.relations if any(_says(r, n, match, sign=False) for r in said)]
    loose = [n for n in notes.relations if any(_says(r, n, match, sign=True) for r in said)]
    verdicts = Counter(_verdict(notes, match, r) for r in said if r.predicate not in PLACED)
    places = {(s.chapter, c, s.place) for s in notes.presence for c in s.characters}
    at = [r for r in said if r.predicate in PLACED and r.modality is Modality.FACT]
    known = [r for r in at if match.id(r.object) in {p.id for p in notes.places}]
    there = [r for r in known if (r.told, match.id(r.subject), match.id(r.object)) in places]
    return {
        "strict": Ratio(len(strict), len(notes.relations)).row(),
        "same_sign": Ratio(len(loose), len(notes.relations)).row(),
        "told": len(said),
        "verdicts": {verdict: verdicts[verdict] for verdict in ("listed", "contrary", "unlisted")},
        "whereabouts_right": Ratio(len(there), len(known)).row(),
        "missed": [f"{n.subject} {n.predicate} {n.object}" for n in notes.relations if n not in loose],
    }


def _verdict(notes: Gold, match: Matcher, told: Relation) -> str:
    if any(_says(told, note, match, sign=True) for note in notes.relations):
        return "listed"
    pair = {match.id(told.subject), match.id(told.object)}
    signs = {PREDICATES[n.predicate].sign for n in notes.relations if {n.subject, n.object} == pair}
    own = PREDICATES[told.predicate].sign
    return "contrary" if own and -own in signs and own not in signs else "unlisted"


def _events(notes: Gold, match: Matcher, told: Iterable[EventTold]) -> dict[str, Any]:
    said = [e for e in told if e.modality in SAID]
    people = set(match.people.values())
    strict = [n for n in notes.events if any(_happens(e, n, match, people, least=2) for e in said)]
    loose = [n for n in notes.events if any(_happens(e, n, match, people, least=1) for e in said)]
    return {
        "strict": Ratio(len(strict), len(notes.events)).row(),
        "one_participant": Ratio(len(loose), len(notes.events)).row(),
        "told": len(said),
        "missed": [f"{n.id} {n.predicate}" for n in notes.events if n not in loose],
    }


def _happens(told: EventTold, note: GoldEvent, match: Matcher, people: set[str], *, least: int) -> bool:
    """Same predicate in the same chapter, with at least so many (or all) of the persons noted."""
    if told.predicate != note.predicate or told.told != note.chapter:
        return False
    here = {(role, match.id(entity)) for role, entity in told.participants}
    wanted = {(role, who) for role, who in note.participants if who in people}
    if told.predicate == "DIES":
        here, wanted = {("", who) for _, who in here}, {("", who) for _, who in wanted}
    return len(here & wanted) >= min(least, len(wanted))


def _presence(notes: Gold, match: Matcher, log: StoryLog) -> dict[str, Any]:
    """Named in a chapter, against being in one of its scenes."""
    people = set(match.people.values())
    truth = {(scene.chapter, who) for scene in notes.presence for who in scene.characters if who in people}
    found = {(m.told, match.id(m.entity)) for m in log.mentions}
    found = {(chapter, who) for chapter, who in found if who in people}
    both = len(truth & found)
    precision, recall = both / max(1, len(found)), both / max(1, len(truth))
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(f1, 4),
        "n": len(truth),
    }


def _moods(notes: Gold, log: StoryLog) -> dict[str, Any]:
    """Spearman's rank correlation between noted and tracked valence over all (character, chapter)."""
    view = StoryKnowledgeGraph.from_log(log).as_of(Horizon())
    tracker = DynamicArcTracker(view)
    people = {c.id: (c.name, *c.aliases) for c in notes.characters}
    noted, tracked = [], []
    for arc in notes.arcs:
        found = next((e for e in map(view.find, people[arc.character]) if e), None)
        if found is not None and arc.chapter > 0:
            noted.append(arc.valence)
            tracked.append(tracker.state(found.id, arc.chapter).valence)
    rho = float(np.corrcoef(_ranks(noted), _ranks(tracked))[0, 1])
    return {"spearman": round(rho, 4), "n": len(noted)}


def _ranks(values: list[float]) -> list[float]:
    """From 0; those that tie share the mean of their ranks."""
    return [sum(v < one for v in values) + (sum(v == one for v in values) - 1) / 2 for one in values]


def _deaths(notes: Gold, match: Matcher, told: Iterable[EventTold]) -> dict[str, Any]:
    truth = {(c.id, c.dies.chapter) for c in notes.characters if c.dies}
    found = {
        (match.id(entity), e.told)
        for e in told
        if e.predicate in ("DIES", "KILLS") and e.modality is Modality.FACT
        for role, entity in e.participants
        if role == "patient"
    }
    return {
        "found": Ratio(len(truth & found), len(truth)).row(),
        "told": sorted(f"{who} in {n}" for who, n in found),
    }


def print_demo(facts: Mapping[str, Any]) -> None:
    def ratio(row: Mapping[str, Any]) -> str:
        return f"{row['hits']}/{row['n']} = {row['value']:.2f}" if row["n"] else "nothing to judge"

    relations, events, b3, here = facts["relations"], facts["events"], facts["aliases"], facts["presence"]
    lines = (
        ("characters found", ratio(facts["characters_found"])),
        ("characters right", f"{ratio(facts['characters_right'])}  extra: {facts['characters_extra']}"),
        ("names found", ratio(facts["names_found"])),
        ("aliases B³ P/R/F1", f"{b3['precision']:.3f} / {b3['recall']:.3f} / {b3['f1']:.3f}"),
        ("relations, strict", ratio(relations["strict"])),
        ("relations, same sign", ratio(relations["same_sign"])),
        ("statements told", f"{relations['told']}: {relations['verdicts']} (whereabouts apart)"),
        ("whereabouts right", ratio(relations["whereabouts_right"])),
        ("events, all persons", ratio(events["strict"])),
        ("events, one person", f"{ratio(events['one_participant'])} (told {events['told']})"),
        ("presence P/R/F1", f"{here['precision']:.3f} / {here['recall']:.3f} / {here['f1']:.3f}"),
        ("moods, rank correlation", f"{facts['moods']['spearman']} n={facts['moods']['n']}"),
        ("deaths", f"{ratio(facts['deaths']['found'])}  told: {facts['deaths']['told']}"),
    )
    for name, value in lines:
        print(f"{name:<22} {value}")
    print("relations missed:", "; ".join(relations["missed"]))
    print("events missed:", "; ".join(events["missed"]))


def main(_: argparse.Namespace) -> None:
    """Measures, prints, writes."""
    began = time.perf_counter()
    reader = StoryReader()
    with tempfile.TemporaryDirectory() as folder:
        document = read_document(save_story(Path(folder)))
    facts: dict[str, Any] = {
        "question": "How much of what a reader notes is found, and how much of what is said is right?",
        "reader": reader.version,
        "text": digest_of(document.text),
        "demo": measure_demo(gold(), document, read_story(document, reader)),
    }
    print_demo(facts["demo"])
    file = write_result(
        "extraction", facts=facts, measured=machine(seconds=round(time.perf_counter() - began, 1))
    )
    print(f"written: {file}")


def parser() -> argparse.ArgumentParser:
    return new_parser(__doc__)
