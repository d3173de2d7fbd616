"""By which names is somebody called: are those of one person known as one?

Usage:  python experiments/run.py story_model --data DIR --only names [--seen-only]

**Names of one person.** The gold names of PDNC (Vishnubhotla et al. 2022; characters that are ``named`` and
``in_text``), clustered by whom the log of the whole novel means most often by each, against the character
whose names they are: B³ (Bagga and Baldwin 1998) over names, each weighing the same. A name that two
characters share has no true cluster, and one that never stands in the text as written cannot be known: both
are left out and counted. A name that is no surface of the log as it stands ("my dear
Miss Eliza", "old Sally") means whom the mentions that end where it ends in the text mean most often. A name
that stands in the text and that the log does not know counts, as a cluster of its own; ``coverage`` is the
part known. ``alone`` is the setting of the literature: the ``AliasBook`` gets
the names alone, in order of first appearance. Baseline: ``last_word`` (names are one where the last word, and
the gender of the title, agree).

**Named mentions.** LitBank (Bamman et al. 2019), 50 extracts, each read as one chapter: PROP mentions of
people (PER) and places (LOC, FAC, GPE), exact span and head; baseline: the parser's own PERSON and
GPE, LOC, FAC entities in the same text (``mentions``).

All by the half of the documents that rules were written on ("seen") and the other ("held_out").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from experiments.common.story_data import document_of, held_out, read_story, rows
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.findings import bootstrap_interval
from fabula.story.model.types import StoryLog
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_record import PersonName

from .mentions import measure_mentions

__all__ = ["measure"]

KINDS = ("b3", "b3_alone", "b3_last_word")


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """All measures; ``data`` holds ``characters/`` and ``novels/``. Costs the reading of the novels."""
    novels: list[dict[str, Any]] = []
    for row in rows(data / "characters" / "pdnc.jsonl"):
        path = data / row["file"]
        if path.exists() and held in (None, held_out(row["doc"])):
            document = document_of(path)
            novels.append(measure_novel(row, document.text, read_story(document, reader)))
    mentions = measure_mentions(data / "characters" / "litbank.jsonl", reader, held=held)
    halves = {}
    for name, half in (("seen", False), ("held_out", True)):
        part = [row for row in novels if held_out(row["doc"]) is half]
        if part:
            halves[name] = {"novels": _aggregate(part), "mentions": mentions["aggregates"].get(name)}
    return {**halves, "rows": novels, "mention_rows": mentions["rows"]}


# --- one novel -----------------------------------------------------------------------------------


class Cast:
    """Whom each name of a log means most often, merges applied."""

    def __init__(self, log: StoryLog) -> None:
        into = {merge.entity: merge.into for merge in log.merges}
        self._ends: dict[int, str] = {}
        meant: dict[str, Counter[str]] = {}
        for mention in log.mentions:
            root = mention.entity
            while root in into:
                root = into[root]
            meant.setdefault(name_key(mention.surface), Counter())[root] += 1
            self._ends.setdefault(mention.evidence.span.end, root)
        self.meant = {name: votes.most_common(1)[0][0] for name, votes in meant.items()}

    def meant_by_place(self, name: str, text: str) -> str | None:
        """Whom the mentions mean that end where the name ends in the text."""
        ends = (found.end() for found in _pattern(name).finditer(text))
        roots = Counter(root for end in ends if (root := self._ends.get(end)) is not None)
        return roots.most_common(1)[0][0] if roots else None


def name_key(name: str) -> str:
    """As names are compared: case, apostrophes, full stops and a leading article aside."""
    words = name.casefold().replace("’", "'").replace("_", "").replace(".", "").split()
    return " ".join(words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words)


def measure_novel(row: Mapping[str, Any], text: str, log: StoryLog) -> dict[str, Any]:
    cast = Cast(log)
    present = [c for c in row["characters"] if c["named"] and c["in_text"]]
    owners = _owners(present)
    places = {name: place for name in owners if (place := _first_place(name, text)) is not None}
    truth = {name: ids[0] for name, ids in owners.items() if len(ids) == 1 and name in places}
    known = {name: cast.meant.get(name) or cast.meant_by_place(name, text) for name in truth}
    found = {name: root or f"({name})" for name, root in known.items()}
    ordered = sorted(truth, key=lambda name: (places[name], -len(name)))
    written = {name_key(alias): alias for c in present for alias in (c["name"], *c["aliases"])}
    return {
        "doc": row["doc"],
        "names": len(truth),
        "shared_names": sum(len(ids) > 1 for ids in owners.values()),
        "names_not_in_text": len(owners) - len(places),
        "coverage": round(sum(root is not None for root in known.values()) / len(truth), 4),
        "b3": b_cubed(found, truth),
        "b3_alone": b_cubed(by_book(ordered, written), truth),
        "b3_last_word": b_cubed({name: _last_word(name) for name in truth}, truth),
    }


def _owners(characters: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    owners: dict[str, list[str]] = {}
    for character in characters:
        for name in sorted({name_key(each) for each in (character["name"], *character["aliases"])}):
            owners.setdefault(name, []).append(character["id"])
    return dict(sorted(owners.items()))


def _pattern(name: str) -> re.Pattern[str]:
    """The name as it stands in a text, whole, its case aside, whitespace and marks between words free."""
    words = r"[\s._]+".join(re.escape(word).replace("'", "['’]") for word in name.split())
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def _first_place(name: str, text: str) -> int | None:
    found = _pattern(name).search(text)
    return found.start() if found else None


def b_cubed(found: Mapping[str, str], truth: Mapping[str, str]) -> dict[str, Any]:
    """Over the names of ``truth``; ``found`` must hold them all."""
    precision = recall = 0.0
    for name in truth:
        same_found = {other for other in truth if found[other] == found[name]}
        same_truth = {other for other in truth if truth[other] == truth[name]}
        both = len(same_found & same_truth)
        precision += both / len(same_found) / len(truth)
        recall += both / len(same_truth) / len(truth)
    f1 = 2 * precision * recall / (precision + recall) if truth else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


def by_book(ordered: Iterable[str], written: Mapping[str, str]) -> dict[str, str]:
    """Whom an AliasBook takes each name for, merges applied, given the names in this order, twice over."""
    book, into = AliasBook(), {}
    order = list(ordered)
    for name in order:
        surface = written[name]
        surface = surface[:1].lower() + surface[1:] if surface.startswith("The ") else surface
        parsed = PersonName.parse(surface)
        gender = TITLES.get(parsed.title, "") or GIVEN.get(parsed.given, "")
        meant = book.resolve(surface, gender, fresh_id=name)
        if meant.merged:
            into[meant.merged] = meant.id
        into.setdefault(f"={name}", meant.id)
    found = {}
    for name in order:
        root = into[f"={name}"]
        while root in into:
            root = into[root]
        found[name] = root
    return found


def _last_word(name: str) -> str:
    words = name.split()
    gender = TITLES.get(words[0], "") if len(words) > 1 else ""
    return f"{words[-1]}/{gender}"


# --- all novels ----------------------------------------------------------------------------------


def _aggregate(part: list[dict[str, Any]]) -> dict[str, Any]:
    docs = [row["doc"] for row in part]

    def mean(value: Callable[[dict[str, Any]], float]) -> dict[str, Any]:
        values = [value(row) for row in part]
        interval = bootstrap_interval(values, groups=docs) if len(values) > 1 else None
        return {"mean": round(sum(values) / len(values), 4), "interval": interval, "n": len(values)}

    return {
        **{
            kind: {side: mean(lambda r, k=kind, s=side: r[k][s]) for side in ("precision", "recall", "f1")}
            for kind in KINDS
        },
        "coverage": mean(lambda row: row["coverage"]),
    }
