"""What is each reader, wording table and linking step worth on prose that it was not written on?

    python experiments/ablation.py --data DIR --parses DIR [--only NAME …] [--workers N] [--work DIR]

One step after another is taken out of the whole, everything else left as it is, and three things are
measured anew: slips injected into novels that were held out while rules were written, in the held-out
wordings (recall, false findings, clean alarms); the known novels of the development split (cast, relations,
fates, events, turning points); and the project's modern stories (contradictions met, findings that meet
none). ``changed`` counts the records of the story logs that are lost or gained: a step that changes none
never fires. A step earns its place where taking it out loses more than ``noise``: the half-width of the
bootstrap interval, over novels or stories, of the paired difference.
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from injection_scoring import score_copy
from known_novels_scores import cast_of, events, fates, relations, turning_points
from modern_prose import _document, _finding, _meets, _met, _texts
from novel_gold import load_gold
from story_data import CachedReader, document_of

from fabula.core.types import Document, Horizon
from fabula.story.codex.codex import Codex
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.extraction.parsing.parse_cache import KeptParses
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.injection import Half, InjectedBook, inject
from fabula.story.linking.linker import Linker
from fabula.story.model.types import StoryLog

Row = dict[str, Any]
INJECTED = ("o-pioneers", "the-invisible-man", "the-mysterious-affair-at-styles")
KNOWN = ("the-great-gatsby", "the-mysterious-affair-at-styles", "treasure-island", "the-secret-garden")
COPIES = 2
_G = "story.graph_rag."


def _nothing(*_: Any, **__: Any) -> tuple[()]:
    return ()


def _none(*_: Any, **__: Any) -> None:
    return None


def _false(*_: Any, **__: Any) -> bool:
    return False


def _first(value: Any, *_: Any, **__: Any) -> Any:
    return value


def _mapping(*_: Any, **__: Any) -> dict[str, str]:
    return {}


Patch = tuple[str, str, Callable[..., Any]]
STEPS: dict[str, list[Patch]] = {
    # readers, as the pipeline runs them
    "kin_patterns": [(_G + "kin_patterns", "KinReader.read", _nothing)],
    "relation_patterns": [(_G + "relation_patterns", "ClauseReader.read", _nothing)],
    "inner_life": [(_G + "inner_life", "InnerLifeReader.read", _nothing)],
    **{
        name: [(_G + "chapter_readers", function, _nothing)]
        for name, function in {
            "narrator": "find_narrator",
            "narrator_name": "narrator_names",
            "noun_bonds": "read_noun_bonds",
            "bond_gist": "read_bond_gist",
            "bond_tone": "read_bond_tone",
            "deeds": "read_deeds",
            "deed_gist": "read_deed_gist",
            "deed_doers": "name_doers",
            "event_frames": "read_frames",
            "learning": "read_learnings",
            "kept_secrets": "read_secrets",
            "shown_knowledge": "read_shown",
            "knowledge_gist": "read_knowledge_gist",
            "quotations": "read_quotations",
            "traits": "read_traits",
            "introductions": "read_introductions",
            "full_names": "read_full_names",
            "as_known": "read_as_known",
            "kin_hints": "read_kin_hints",
            "deaths": "read_deaths",
            "whereabouts": "read_whereabouts",
            "slot_traits": "read_slots",
            "causes": "read_causes",
            "orders": "read_orders",
            "presence": "read_presences",
            "story_time": "read_times",
            "things": "read_handlings",
        }.items()
    },
    "sentence_facts": [
        (_G + "sentence_facts", f"SentenceReader.{m}", _nothing) for m in ("tell", "traits", "learnings")
    ],
    "learned (both)": [
        (_G + "chapter_readers", "read_slots", _nothing),
        *((_G + "sentence_facts", f"SentenceReader.{m}", _nothing) for m in ("tell", "traits", "learnings")),
    ],
    # parts of readers
    "traits: ages": [(_G + "traits", "read_age", _nothing)],
    "traits: wordings (trait_gist)": [(_G + "traits", "read_gist", _nothing)],
    "traits: kin counts by wording (count_gist)": [(_G + "traits", "read_count_gist", _nothing)],
    "traits: kin totals": [(_G + "count_gist", "totals", _nothing)],
    "traits: kin counts by grammar": [(_G + "traits", "read_count", _nothing)],
    "traits: hair changes": [(_G + "traits", "read_hair_turns", _nothing)],
    "traits: trade signs": [(_G + "traits", "read_trade_signs", _nothing)],
    "traits: odd spellings": [(_G + "traits", "read_spellings", _nothing)],
    "traits: looks": [(_G + "traits", "read_look", _nothing)],
    "traits: bodies": [(_G + "traits", "read_body", _nothing)],
    "traits: births": [(_G + "traits", "read_birth", _nothing)],
    "traits: trades": [(_G + "traits", "read_trade", _nothing)],
    "traits: trade by deed": [(_G + "trait_gist", "trade_by_deed", _none)],
    "traits: hand by habit": [(_G + "trait_gist", "hand_by_habit", _none)],
    "traits: denied behind": [(_G + "traits", "denied_behind", _false)],
    "traits: called a lie": [(_G + "traits", "called_a_lie", _false)],
    "traits: turned": [(_G + "traits", "turned", _false)],
    "deaths: wordings": [(_G + "deaths", "read_death_gist", _nothing)],
    "deaths: told otherwise": [(_G + "deaths", "told_otherwise", _false)],
    "deaths: foreseen": [(_G + "deaths", "foreseen", _false)],
    "goals: vows": [(_G + "inner_life", "read_vows", _nothing)],
    "goals: vow wordings": [(_G + "inner_life", "read_vow_gist", _nothing)],
    "bonds: noun shapes": [(_G + "noun_bonds", "read_bond_shapes", _nothing)],
    "events: noun order": [(_G + "story_time", "read_noun_orders", _nothing)],
    "whereabouts: sightings": [(_G + "whereabouts", "read_sightings", _nothing)],
    "whereabouts: stays": [(_G + "whereabouts", "read_stays", _nothing)],
    "sightings: away": [(_G + "sightings", "away", _nothing)],
    "sightings: at hours": [(_G + "sightings", "places_at_hours", _nothing)],
    "things: wordings": [(_G + "things", "gist_of", _none)],
    "things: end frames": [(_G + "things", "ended", _none)],
    # linking steps
    "link: roles in apposition": [(_G + "linker", "give_role", _none)],
    "link: named beside": [(_G + "linker", "named_beside", _mapping)],
    "link: set side by side": [(_G + "linker", "set_side_by_side", _none)],
    "link: told other names": [(_G + "linker", "other_names", _nothing)],
    "link: own names in speech": [(_G + "linker", "own_names", _nothing)],
    "link: spoken to": [(_G + "linker", "spoken_to", _none)],
    "link: answers to a name": [(_G + "answers", "Answers.add", _nothing)],
    "link: answers to a familiar name": [(_G + "answers", "Answers.add_familiar", _nothing)],
    "link: couples": [(_G + "couples", "Couples.add", _nothing)],
    "link: families": [(_G + "linker", "learn_families", _none)],
    "link: marriages": [(_G + "linker", "Linker._link_marriages", _none)],
    "link: epithets": [(_G + "linker", "epithet_mentions", _nothing)],
    "link: of another couple": [(_G + "linker", "Linker._of_another_couple", _false)],
    "link: promoted to a person": [(_G + "linker", "Linker._is_somebody", _false)],
}


class Ground:
    """All texts with their parses in memory, and the injected copies: made once, shared by every variant."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.reader = CachedReader(options.parses)
        self.reader._parses = KeptParses(10**10)
        self.novels = {
            name: document_of(options.data / "novels" / f"{name}.txt") for name in {*INJECTED, *KNOWN}
        }
        self.gold = [gold for gold in load_gold("dev") if gold.slug in KNOWN]
        self.copies: dict[str, list[InjectedBook]] = {}
        for name in INJECTED:
            view = _view(self.log(self.novels[name]))
            self.copies[name] = [
                inject(self.novels[name], view=view, seed=seed, half=Half("held-out"))
                for seed in range(COPIES)
            ]
        stories = argparse.Namespace(set="dev", data=options.data)
        self.stories = [(one, _document(one)) for one in _texts(stories)]
        plain = StoryReader()  # stories are short: parsed in memory, kept in no folder
        plain._parses = self.reader._parses
        self.plain = plain

    def log(self, document: Document, codex: str = "", reader: StoryReader | None = None) -> StoryLog:
        linker = Linker(canon=Codex.parse(codex).log if codex else None)
        for chapter in document.chapters:
            linker.add(document, chapter, (reader or self.reader).read(chapter.body.of(document.text)))
        return linker.log


def _view(log: StoryLog) -> StoryView:
    return StoryKnowledgeGraph(log).as_of(Horizon())


def _checked(view: StoryView, document: Document) -> Any:
    return ContinuityCritic().check(view, words=len(document.text.split())).violations


def measured(ground: Ground) -> Row:
    """All measures of the code as it stands patched now."""
    records: Counter[str] = Counter()
    injected, alarms, known, modern = [], [], [], []
    for name, document in ground.novels.items():
        log = ground.log(document)
        records.update(f"{name} {one}" for one in _records(log))
        view = _view(log)
        if name in INJECTED:
            clean = _checked(view, document)
            alarms.append({"novel": name, "alarms": len(clean)})
            for number, book in enumerate(ground.copies[name]):
                copied = ground.log(book.document)
                found = _checked(_view(copied), book.document)
                canon = found
                if book.codex:
                    canon = _checked(_view(ground.log(book.document, book.codex)), book.document)
                row = score_copy(book, clean=clean, found=found, with_canon=canon)
                injected.append({"novel": name, "copy": number, **row})
        for gold in ground.gold:
            if gold.slug == name:
                cast = cast_of(view, gold)
                known.append(
                    {
                        "novel": name,
                        "cast": list(cast.rows),
                        "relations": relations(view, gold, cast),
                        "fates": fates(view, gold, cast),
                        "events": events(view, gold, cast),
                        "turning_points": turning_points(view, document, gold),
                    }
                )
    for one, document in ground.stories:
        log = ground.log(document, reader=ground.plain)
        records.update(f"{one.id} {record}" for record in _records(log))
        found = [_finding(violation) for violation in _checked(_view(log), document)]
        modern.append(
            {
                "story": one.id,
                "met": [_met(planted, found)["found"] for planted in one.planted],
                "others": sum(row["counts"] and not _meets(row, one.planted) for row in found),
            }
        )
    return {
        "injected": injected,
        "alarms": alarms,
        "known": known,
        "modern": modern,
        "records": records,
    }


def _records(log: StoryLog) -> Iterator[str]:
    for name in StoryLog.__dataclass_fields__:
        yield from (f"{name} {record!r}" for record in getattr(log, name))


def _patched(patches: Sequence[Patch]) -> None:
    for module, name, instead in patches:
        owner: Any = importlib.import_module(f"fabula.{module}")
        *path, last = name.split(".")
        for part in path:
            owner = getattr(owner, part)
        if not hasattr(owner, last):
            raise SystemExit(f"{module} has no {name}")
        setattr(owner, last, instead)


_GROUND: Ground | None = None


def _variant(job: tuple[str, str]) -> str:
    name, file = job
    _patched(STEPS.get(name, []))
    started = time.perf_counter()
    found = measured(_GROUND)  # type: ignore[arg-type]
    found["seconds"] = time.perf_counter() - started
    Path(file).write_text(json.dumps(found), encoding="utf-8")
    return name


def main(options: argparse.Namespace) -> None:
    global _GROUND  # noqa: PLW0603 (what forked workers share)
    options.work.mkdir(parents=True, exist_ok=True)
    for name in STEPS:
        _patched([])  # every name is looked up before hours are spent
    for patches in STEPS.values():
        for module, name, _ in patches:
            owner: Any = importlib.import_module(f"fabula.{module}")
            for part in name.split("."):
                owner = getattr(owner, part)
    _GROUND = Ground(options)
    measured(_GROUND)  # fills the parses
    print("ground is ready", flush=True)
    names = ["all", *(options.only or STEPS)]
    jobs = []
    for name in names:
        file = options.work / f"{name.replace('/', '-').replace(':', '').replace(' ', '_')}.json"
        if not file.exists():
            jobs.append((name, str(file)))
    context = multiprocessing.get_context("fork")
    with context.Pool(options.workers, maxtasksperchild=1) as pool:
        for done in pool.imap_unordered(_variant, jobs, chunksize=1):
            print(done, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--parses", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    main(parser.parse_args())
