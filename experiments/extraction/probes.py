"""How much of what a short passage plainly says is read, and how much of what is read is right?

    python experiments/run.py probes [--folder DIR] [--only a,b] [--show] [--name NAME]

``data/probes/dev`` holds passages by writers who knew nothing of any program: who is what to whom, facts of
somebody, near misses (``not``), and pairs of passages with and without a slip. Each passage is a document
of one chapter. A relation of the gold is found where one of its type and direction is read between the two
(names match where one holds the other). Of those read, *strict* counts as right what the gold has; *judged*
leaves out what the gold says nothing of, so that wrong is only what it has otherwise or names as a near
miss. Facts likewise. A slip is found by a finding that quotes both sides. ``--show`` prints what was missed
and what was wrong. Nothing is written without ``--name``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA
from experiments.common.options import new_parser, split_names
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import read_story, rows
from fabula.core.types import Chapter, Document, Horizon, Span
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.graph_rag.views.ties import shown_relations
from fabula.story.lexicon.emotions import EMOTION_WORDS
from fabula.story.model.aspects import holds
from fabula.story.model.predicates import PREDICATES
from fabula.story.time.amounts import number_of

Row = dict[str, Any]
Pair = tuple[str, str]

# type of the gold → predicates that say it, those in capitals alone from a to b, "~" from b to a
TYPES: Mapping[str, str] = {
    "parent": "PARENT_OF ~CHILD_OF",
    "sibling": "SIBLING_OF",
    "spouse": "MARRIED_TO MARRIES",
    "partner": "PARTNER_OF MARRIED_TO",
    "engaged": "ENGAGED_TO",
    "ex": "MARRIED_TO PARTNER_OF ENGAGED_TO",
    "grandparent": "GRANDPARENT_OF",
    "aunt_uncle": "AUNT_OR_UNCLE_OF",
    "cousin": "COUSIN_OF",
    "in_law": "IN_LAW_OF",
    "step": "STEP_KIN_OF",
    "friend": "FRIEND_OF",
    "enemy": "ENEMY_OF",
    "rival": "RIVAL_OF",
    "boss": "SERVED_BY ~SERVES",
    "colleague": "COLLEAGUE_OF",
    "teacher": "TEACHES",
    "doctor": "TREATS",
    "neighbour": "NEIGHBOUR_OF",
    "owner": "OWNS",
    "tenant": "RENTS_FROM",
    "loves": "LOVES",
    "hates": "HATES",
    "trusts": "TRUSTS",
    "betrays": "BETRAYS",
    "kills": "KILLS",
}
_SCORED = {word.strip("~") for words in TYPES.values() for word in words.split()} | {"KIN_OF"}
_ASPECTS = {
    ("emotion", 0): "feeling",
    ("goal", 1): "goal",
    ("goal", -1): "goal_lost",
    ("goal", 2): "goal_reached",
}
_SMALL = frozenset("the and his her their its for with from into that own of a an in on at to".split())


@dataclass(frozen=True, slots=True)
class Told:
    """A relation as the graph has it: every name of both sides."""

    one: frozenset[str]
    predicate: str
    other: frozenset[str]
    ended: bool
    shown: str


@dataclass(slots=True)
class Score:
    """Counts of one kind of thing, with what went wrong in words."""

    gold: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    right: int = 0
    wrong: int = 0
    unlisted: int = 0
    lines: list[str] = field(default_factory=list)

    def facts(self) -> Row:
        gold, found = sum(self.gold.values()), sum(self.found.values())
        return {
            "gold": gold,
            "found": found,
            "recall": _share(found, gold),
            "right": self.right,
            "wrong": self.wrong,
            "unlisted": self.unlisted,
            "precision_judged": _share(self.right, self.right + self.wrong),
            "precision_strict": _share(self.right, self.right + self.wrong + self.unlisted),
            "by_kind": {kind: f"{self.found[kind]}/{self.gold[kind]}" for kind in sorted(self.gold)},
        }


def main(options: argparse.Namespace) -> None:
    """Reads every passage of the folder and prints the scores."""
    reader = StoryReader()
    relations, facts = Score(), Score()
    status, slips = Counter[str](), Counter[str]()
    for path in sorted(options.folder.glob("*.jsonl")):
        writer = path.stem.removesuffix("-slips")
        if options.only and writer not in split_names(options.only):
            continue
        for row in rows(path):
            if "before" in row:
                _score_slip(row, reader, slips, options.show)
                continue
            view = _view(reader, row["text"])
            _score_relations(row, view, relations, status)
            _score_facts(row, view, facts)
    found = {
        "relations": relations.facts() | {"ended": f"{status['ended found']}/{status['ended']}"},
        "facts": facts.facts(),
        "slips": {
            "found": f"{slips['found']}/{slips['slips']}",
            "clean flagged": f"{slips['flagged']}/{slips['clean']}",
        },
    }
    if options.show:
        print(*relations.lines, *facts.lines, sep="\n")
    print(json.dumps(found, indent=1))
    if options.name:
        write_result(options.name, facts={"aggregates": found}, measured=machine())


def _view(reader: StoryReader, *texts: str) -> StoryView:
    document = _document(*texts)
    return StoryKnowledgeGraph.from_log(read_story(document, reader)).as_of(Horizon(None))


def _document(*texts: str) -> Document:
    chapters, whole = [], ""
    for number, text in enumerate(texts, 1):
        start = len(whole)
        whole += text + "\n\n"
        chapters.append(Chapter(number, str(number), Span(start, start), Span(start, start + len(text))))
    return Document("probe", "probe", whole, tuple(chapters))


# --- relations ---------------------------------------------------------------------------------------


def _score_relations(row: Row, view: StoryView, score: Score, status: Counter[str]) -> None:
    read = list(_told(view))
    for gold in row["relations"]:
        score.gold[gold["type"]] += 1
        hits = [told for told in read if _says(told, gold)]
        over = gold["type"] != "ex" and gold["status"] == "ended"
        status["ended"] += over
        status["ended found"] += over and any(told.ended for told in hits)
        if hits:
            score.found[gold["type"]] += 1
        else:
            near = [told.shown for told in read]
            score.lines.append(
                f"MISSED {row['id']} {gold['a']} {gold['type']} {gold['b']} | {row['text']} | {near}"
            )
    for told in read:
        if any(_says(told, gold) for gold in row["relations"]):
            score.right += 1
        elif any(_says(told, gold) for gold in row["not"] if "type" in gold) or any(
            _between(told, gold) for gold in row["relations"]
        ):
            score.wrong += 1
            score.lines.append(f"WRONG {row['id']} {told.shown} | {row['text']}")
        else:
            score.unlisted += 1
            score.lines.append(f"UNLISTED {row['id']} {told.shown} | {row['text']}")


def _told(view: StoryView) -> Iterator[Told]:
    """Everything between two that is shown and that the gold could hold, each once."""
    seen = set()
    first, rest = shown_relations(view)
    triples = [
        (one.subject, one.predicate, one.object, isinstance(one.holds.end, int) and one.holds.end < one.told)
        for one in (*first, *rest)
    ]
    for event in view.events():
        sides = dict(event.participants)
        if {"agent", "patient"} <= set(sides):
            triples.append((sides["agent"], event.predicate, sides["patient"], False))
    for one, predicate, other, ended in triples:
        pair = tuple(sorted((one, other))) if PREDICATES[predicate].symmetric else (one, other)
        if predicate in _SCORED and (pair, predicate) not in seen:
            seen.add((pair, predicate))
            shown = f"{view.name(one)} {predicate} {view.name(other)}{' (ended)' * ended}"
            yield Told(_names(view, one), predicate, _names(view, other), ended, shown)


def _names(view: StoryView, entity: str) -> frozenset[str]:
    known = view.entity(entity)
    return frozenset(_plain(name) for name in ((known.name, *known.aliases) if known else (entity,)))


def _says(told: Told, gold: Row) -> bool:
    if gold["type"] == "ex" and not told.ended:
        return False
    wanted = TYPES[gold["type"]].split()
    one, other = _same(told.one, gold["a"]), _same(told.other, gold["b"])
    if told.predicate in wanted and one and other:
        return True
    turned = f"~{told.predicate}" in wanted or (
        told.predicate in wanted and PREDICATES[told.predicate].symmetric
    )
    return turned and _same(told.one, gold["b"]) and _same(told.other, gold["a"])


def _between(told: Told, gold: Row) -> bool:
    a, b = gold["a"], gold["b"]
    return (_same(told.one, a) and _same(told.other, b)) or (_same(told.one, b) and _same(told.other, a))


def _same(names: Iterable[str], gold: str) -> bool:
    wanted = _plain(gold)
    return any(
        name == wanted or f" {name} " in f" {wanted} " or f" {wanted} " in f" {name} " for name in names
    )


def _plain(name: str) -> str:
    return " ".join(
        re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", name.casefold().replace("’", "'").removeprefix("the "))
    )


# --- facts -------------------------------------------------------------------------------------------


def _score_facts(row: Row, view: StoryView, score: Score) -> None:
    read = list(_facts(view))
    for gold in row["facts"]:
        score.gold[gold["aspect"]] += 1
        if any(_tells(fact, gold) for fact in read):
            score.found[gold["aspect"]] += 1
        else:
            near = [f"{min(names, default='')} {aspect}={value}" for names, aspect, value in read]
            missed = f"{gold['about']} {gold['aspect']}={gold['value']}"
            score.lines.append(f"MISSED {row['id']} {missed} | {row['text']} | {near}")
    for fact in read:
        names, aspect, value = fact
        shown = f"{row['id']} {min(names, default='')} {aspect}={value} | {row['text']}"
        if any(_tells(fact, gold) for gold in row["facts"]):
            score.right += 1
        elif any(_tells(fact, gold) for gold in row["not"] if "aspect" in gold) or any(
            aspect == gold["aspect"] and _same(names, gold["about"]) for gold in row["facts"]
        ):
            score.wrong += 1
            score.lines.append(f"WRONG {shown}")
        else:
            score.unlisted += 1
            score.lines.append(f"UNLISTED {shown}")


def _facts(view: StoryView) -> list[tuple[frozenset[str], str, str]]:
    found = {}
    for fact in view.facts():
        if holds(fact):
            found[fact.entity, fact.aspect, fact.value] = None
    for entity in view.entities():
        for state in view.states(entity.id):
            aspect = _ASPECTS.get((state.aspect, 0 if state.aspect == "emotion" else int(state.valence)))
            if aspect:
                found[entity.id, aspect, state.value] = None
    return [(_names(view, entity), aspect, value) for entity, aspect, value in found]


def _tells(fact: tuple[frozenset[str], str, str], gold: Row) -> bool:
    names, aspect, value = fact
    if aspect != gold["aspect"] or not _same(names, gold["about"]):
        return False
    wanted = str(gold["value"])
    if (number := number_of(wanted.split(" (", maxsplit=1)[0])) is not None:  # "two (brothers)"
        return number == number_of(value)
    if aspect == "feeling" and any(EMOTION_WORDS.get(word) == value for word in _words(wanted)):
        return True
    return bool({word[:5] for word in _words(wanted)} & {word[:5] for word in _words(value)})


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in _SMALL}


# --- slips -------------------------------------------------------------------------------------------


def _score_slip(row: Row, reader: StoryReader, slips: Counter[str], show: bool) -> None:
    document = _document(row["before"], row["after"])
    view = StoryKnowledgeGraph.from_log(read_story(document, reader)).as_of(Horizon(None))
    report = ContinuityCritic().check(view, words=len(document.text.split()))
    told = [f"{one.rule}: {one.message}" for one in report.violations]
    if row["kind"] == "clean":
        slips["clean"] += 1
        slips["flagged"] += bool(told)
        if told and show:
            print(f"FLAGGED {row['id']} {told} | {row['before']} || {row['after']}")
        return
    spans = []
    for chapter, side in zip(document.chapters, ("before", "after"), strict=True):
        start = chapter.body.start + row[side].index(row[f"quote_{side}"])
        spans.append((start, start + len(row[f"quote_{side}"])))
    hit = any(
        all(any(q.span.start < end and start < q.span.end for q in one.evidence) for start, end in spans)
        for one in report.violations
    )
    slips["slips"] += 1
    slips["found"] += hit
    if not hit and show:
        print(f"SLIP {row['id']} {row['kind']} {told} | {row['before']} || {row['after']}")


def _share(hits: int, n: int) -> float | None:
    return round(hits / n, 3) if n else None


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__)
    options.add_argument("--folder", type=Path, default=DATA / "probes" / "dev")
    options.add_argument(
        "--only", default="", help="writers, by the names of their files, with commas between"
    )
    options.add_argument("--show", action="store_true", help="print what was missed and what was wrong")
    options.add_argument("--name", default="", help="of the result file; none is written without it")
    return options
