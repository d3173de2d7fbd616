"""Who is in a novel, and by which names: is everybody found, once each, and is everybody found somebody?

Usage:  python experiments/run.py story_model --data DIR --only names [--seen-only]

**Names of one person.** The gold names of PDNC (Vishnubhotla et al. 2022; characters that are ``named`` and
``in_text``), clustered by whom the log of the whole novel means most often by each, against the character
whose names they are: B³ (Bagga and Baldwin 1998) over names, each weighing the same. A name that two
characters share has no true cluster, and one that never stands in the text as written cannot be known: both
are left out and counted. A name that is no surface of the log as it stands ("my dear
Miss Eliza", "old Sally") means whom the mentions that end where it ends in the text mean most often. A name
that stands in the text and that the log does not know counts, as a cluster of its own; ``coverage`` is the
part known. ``alone`` is the setting of the literature: the ``AliasBook`` gets
the names alone, in order of first appearance. Baselines: every name by itself, and ``last_word`` (names are
one where the last word, and the gender of the title, agree).

**Characters.** A gold character is found when an entity of kind character has one of its names as a surface
and means this character in most of its mentions that bear a gold name. Precision over entities of kind
character with ten mentions or more: the usual surface, without title and article, is a name of some gold
character (``strict``; PDNC lists who speaks or is spoken of, so it is a lower bound), or was judged to be
somebody of the story by reading (``judged``, see ``data/story_names_judged.json``: novel, surface, offset of
the first mention, verdict; what was not judged is left out).

**Named mentions.** LitBank (Bamman et al. 2019), 50 extracts, each read as one chapter: PROP mentions of
people (PER) and places (LOC, FAC, GPE), exact span and head; baseline: the parser's own PERSON and
GPE, LOC, FAC entities in the same text (``mentions``).

All by the half of the documents that rules were written on ("seen") and the other ("held_out").
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA
from experiments.common.story_data import document_of, held_out, read_story, rows
from fabula.story.extraction.reader import StoryReader
from fabula.story.model.findings import bootstrap_interval
from fabula.story.model.types import EntityKind, StoryLog
from fabula.story.names.alias_book import AliasBook
from fabula.story.names.lexicon import GIVEN, TITLES
from fabula.story.names.person_record import PersonName

from .mentions import measure_mentions

__all__ = ["measure"]

LEAST = 10  # mentions of an entity that precision asks about
JUDGED = DATA / "story_names_judged.json"
TIERS = ("major", "intermediate", "minor")


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """All measures; ``data`` holds ``characters/`` and ``novels/``. Costs the reading of the novels."""
    judged = _judgements()
    novels: list[dict[str, Any]] = []
    for row in rows(data / "characters" / "pdnc.jsonl"):
        path = data / row["file"]
        if path.exists() and held in (None, held_out(row["doc"])):
            document = document_of(path)
            novels.append(measure_novel(row, document.text, read_story(document, reader), judged))
    mentions = measure_mentions(data / "characters" / "litbank.jsonl", reader, held=held)
    halves = {}
    for name, half in (("seen", False), ("held_out", True)):
        part = [row for row in novels if held_out(row["doc"]) is half]
        if part:
            halves[name] = {"novels": _aggregate(part), "mentions": mentions["aggregates"].get(name)}
    return {**halves, "rows": novels, "mention_rows": mentions["rows"]}


# --- one novel -----------------------------------------------------------------------------------


class Cast:
    """The entities of a log, merges applied: kinds, surfaces, and whom each name means most often."""

    def __init__(self, log: StoryLog) -> None:
        into = {merge.entity: merge.into for merge in log.merges}
        self.surfaces: dict[str, Counter[str]] = {}
        self.first: dict[str, int] = {}
        self.ends: dict[int, str] = {}
        kinds: dict[str, Counter[EntityKind]] = {}
        meant: dict[str, Counter[str]] = {}
        for mention in log.mentions:
            root = mention.entity
            while root in into:
                root = into[root]
            self.surfaces.setdefault(root, Counter())[mention.surface] += 1
            self.first.setdefault(root, mention.evidence.span.start)
            kinds.setdefault(root, Counter())[mention.kind] += 1
            meant.setdefault(name_key(mention.surface), Counter())[root] += 1
            self.ends.setdefault(mention.evidence.span.end, root)
        self.kinds = {root: votes.most_common(1)[0][0] for root, votes in kinds.items()}
        self.meant = {name: votes.most_common(1)[0][0] for name, votes in meant.items()}

    def meant_by_place(self, name: str, text: str) -> str | None:
        """Whom the mentions mean that end where the name ends in the text."""
        ends = (found.end() for found in _pattern(name).finditer(text))
        roots = Counter(root for end in ends if (root := self.ends.get(end)) is not None)
        return roots.most_common(1)[0][0] if roots else None

    def people(self) -> list[str]:
        return sorted(root for root, kind in self.kinds.items() if kind is EntityKind.CHARACTER)


def name_key(name: str) -> str:
    """As names are compared: case, apostrophes, full stops and a leading article aside."""
    words = name.casefold().replace("’", "'").replace("_", "").replace(".", "").split()
    return " ".join(words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words)


def plain_key(name: str) -> str:
    """``name_key`` without titles."""
    words = name_key(name).split()
    while len(words) > 1 and words[0] in TITLES:
        words.pop(0)
    return " ".join(words)


def measure_novel(
    row: Mapping[str, Any], text: str, log: StoryLog, judged: Mapping[tuple[str, str], bool]
) -> dict[str, Any]:
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
        "coverage": _share(sum(root is not None for root in known.values()), len(truth)),
        "b3": b_cubed(found, truth),
        "b3_alone": b_cubed(by_book(ordered, written), truth),
        "b3_last_word": b_cubed({name: _last_word(name) for name in truth}, truth),
        "b3_each_alone": b_cubed({name: name for name in truth}, truth),
        "recall": _recall(present, truth, cast),
        "precision": _precision(row, cast, judged),
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


def _recall(present: list[Mapping[str, Any]], truth: Mapping[str, str], cast: Cast) -> dict[str, Any]:
    """By tier: of the characters with a name of their own that stands in the text, those found."""
    means: dict[str, str] = {}
    for root in cast.people():
        votes: Counter[str] = Counter()
        for surface, count in cast.surfaces[root].items():
            if (owner := truth.get(name_key(surface))) is not None:
                votes[owner] += count
        if votes:
            means[root] = votes.most_common(1)[0][0]
    found = set(means.values())
    tiers: dict[str, Any] = {}
    for tier in TIERS:
        wanted = [c for c in present if c["category"] == tier and c["id"] in set(truth.values())]
        tiers[tier] = {"hits": sum(c["id"] in found for c in wanted), "n": len(wanted)}
    return tiers


def _precision(row: Mapping[str, Any], cast: Cast, judged: Mapping[tuple[str, str], bool]) -> dict[str, Any]:
    names = {
        key(n) for c in row["characters"] for n in (c["name"], *c["aliases"]) for key in (name_key, plain_key)
    }
    listed, unmatched = 0, []
    people = [root for root in cast.people() if cast.surfaces[root].total() >= LEAST]
    for root in people:
        usual = cast.surfaces[root].most_common(1)[0][0]
        if names & {name_key(usual), plain_key(usual)}:
            listed += 1
        else:
            unmatched.append({"surface": usual, "first": cast.first[root], "n": cast.surfaces[root].total()})
    verdicts = [judged[key] for one in unmatched if (key := (row["doc"], one["surface"])) in judged]
    return {
        "entities": len(people),
        "listed": listed,
        "judged_right": sum(verdicts),
        "judged": len(verdicts),
        "unmatched": unmatched,
    }


def _judgements() -> dict[tuple[str, str], bool]:
    if not JUDGED.exists():
        return {}
    kept = json.loads(JUDGED.read_text(encoding="utf-8"))
    return {(one["novel"], one["surface"]): one["right"] for one in kept["judgements"]}


# --- all novels ----------------------------------------------------------------------------------


def _aggregate(part: list[dict[str, Any]]) -> dict[str, Any]:
    def mean(value: Callable[[dict[str, Any]], float | None]) -> dict[str, Any]:
        pairs = [(got, row["doc"]) for row in part if (got := value(row)) is not None]
        values, docs = [v for v, _ in pairs], [d for _, d in pairs]
        interval = bootstrap_interval(values, groups=docs) if len(values) > 1 else None
        return {"mean": round(sum(values) / len(values), 4), "interval": interval, "n": len(values)}

    def tier(name: str) -> Callable[[dict[str, Any]], float | None]:
        return lambda row: _share(row["recall"][name]["hits"], row["recall"][name]["n"])

    kinds = ("b3", "b3_alone", "b3_last_word", "b3_each_alone")
    return {
        **{
            kind: {part_: mean(lambda r, k=kind, p=part_: r[k][p]) for part_ in ("precision", "recall", "f1")}
            for kind in kinds
        },
        "coverage": mean(lambda row: row["coverage"]),
        "recall": {name: {**mean(tier(name)), "pooled": _pooled(part, name)} for name in TIERS},
        "precision_strict": mean(lambda r: _share(r["precision"]["listed"], r["precision"]["entities"])),
        "precision_judged": mean(_judged_share),
    }


def _pooled(part: Collection[Mapping[str, Any]], tier: str) -> dict[str, int]:
    return {key: sum(row["recall"][tier][key] for row in part) for key in ("hits", "n")}


def _judged_share(row: Mapping[str, Any]) -> float | None:
    p = row["precision"]
    return _share(p["listed"] + p["judged_right"], p["listed"] + p["judged"])


def _share(hits: int, n: int) -> float | None:
    return round(hits / n, 4) if n else None
