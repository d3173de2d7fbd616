"""Public benchmarks of contradiction: what the critic finds in short stories, beside artefact baselines.

    python experiments/run.py contradictions --data DIR [--parses DIR]
        [--only trip,pasta,timetravel,snac,novels]

TRIP (physically impossible stories), PASTA (claims about a story's states), TimeTravel (a changed beginning
with the old ending) and SNaC (characters never introduced), each over the documents seen while the rules
were written and the held-out half. Systems see texts alone. Writes ``results/contradictions.json``, which
holds no text.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from experiments.common.folders import WORK, default_cache
from experiments.common.options import add_parses, new_parser, split_names
from experiments.common.result_file import digest_of, machine, write_result
from experiments.common.story_data import CachedReader
from fabula.core.embeddings import EmbeddingManager
from fabula.story.continuity import state_conflict, thing_conflicts
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.continuity.rules import never_introduced
from fabula.story.continuity.state_conflict import StateConflict
from fabula.story.extraction.naming import introductions
from fabula.story.graph_rag import conditions, opposites, thing_states
from fabula.story.model.findings import Severity, Violation

from .data import Item, claims, stories, summaries
from .introductions import on_novels, on_summaries
from .measures import Verdict, flags, pairwise
from .systems import BASELINES, OnceReader, critic_findings, learned_scores, state_findings

_SETS: dict[str, tuple[str, Callable[[Path], list[Item]]]] = {
    "trip": ("trip_stories.jsonl", stories),
    "pasta": ("pasta_states.jsonl", claims),
    "timetravel": ("timetravel.jsonl", stories),
}
_BESIDE = "word overlap"
_MEASURED = (
    conditions, introductions, never_introduced, opposites, state_conflict, thing_conflicts, thing_states
)  # fmt: skip
_ALL = (*_SETS, "snac", "novels")


def _located(item: Item, found: Sequence[Violation]) -> tuple[tuple[int, int], ...]:
    if item.claim:
        return ()
    places = ([item.index(quote.span.start) for quote in one.evidence] for one in found)
    return tuple((each[0], each[-1]) for each in places if len(each) > 1)


def _weight(found: Sequence[Violation]) -> float:
    """A sure finding before a hint."""
    return max((2.0 if one.severity is not Severity.INFO else 1.0 for one in found), default=0.0)


def _verdicts(items: Sequence[Item], find: Callable[[Item], Sequence[Violation]]) -> list[Verdict]:
    found = [find(item) for item in items]
    return [Verdict(_weight(each), _located(item, each)) for item, each in zip(items, found, strict=True)]


def _measured(items: list[Item]) -> dict[str, Any]:
    states = StateConflict(OnceReader())
    systems = {name: _graded([score(item) for item in items]) for name, score in BASELINES.items()}
    for name, whole in (("learned, claim alone", False), ("learned, embeddings and cues", True)):
        scores = learned_scores(items, whole=whole, embedder=EmbeddingManager())
        systems[name] = [Verdict(score - 0.5) for score in scores]
    systems["state_conflict"] = _verdicts(items, lambda item: state_findings(item, states))
    found: dict[str, Any] = {
        name: {
            "flags": flags(items, verdicts),
            "pairs": pairwise(items, verdicts, beside=systems[_BESIDE]),
        }
        for name, verdicts in systems.items()
    }
    return found


def _of_critic(items: list[Item]) -> dict[str, Any]:
    reader, critic = OnceReader(), ContinuityCritic()
    verdicts = _verdicts(items, lambda item: critic_findings(item, reader, critic))
    rules = [rule.name for rule in critic.rules]
    return {"critic": {"rules": rules, "flags": flags(items, verdicts), "pairs": pairwise(items, verdicts)}}


def _graded(scores: Sequence[float]) -> list[Verdict]:
    """Flags what lies above the middle of all scores, since half of the items are contradictory."""
    middle = sorted(scores)[len(scores) // 2]
    return [Verdict(score - middle) for score in scores]


def _halves(items: list[Item]) -> dict[str, list[Item]]:
    ordered = sorted(items, key=lambda item: (digest_of(item.pair), item.bad))
    return {
        "seen": [item for item in ordered if not item.held_out],
        "held-out": [item for item in ordered if item.held_out],
    }


def main(options: argparse.Namespace) -> None:
    """One entry a data set and half; of PASTA and TimeTravel ``limit`` items of each half (0: all), the
    critic's full reading on the first ``critic_on``. Finished parts are kept in ``work`` and taken from
    there."""
    data, work, only = options.data, options.work, options.only
    limit, critic_on = options.limit, options.critic_on
    facts: dict[str, Any] = {"limit": limit, "critic_on": critic_on}
    for name, (file, load) in _SETS.items():
        path = data / "contradiction" / file
        for half, items in _halves(load(path)).items():
            kept = items[:limit] if limit and name != "trip" else items
            told = [name, half, len(kept), critic_on, _code(), digest_of(path.read_text(encoding="utf-8"))]
            part = _part(work, told, name in only, lambda kept=kept: _measured(kept))
            told = ["critic", *told, *(rule.name for rule in ContinuityCritic().rules)]
            of_critic = _part(work, told, name in only, lambda kept=kept: _of_critic(kept[:critic_on]))
            facts.setdefault(name, {})[half] = part = {**part, **of_critic}
            _show(f"{name} {half}", part)
    reader, path = CachedReader(options.parses), data / "coherence" / "snac_summaries.jsonl"
    texts = summaries(path)
    for half, keep in (("seen", False), ("held-out", True)):
        own = [text for text in texts if text.held_out is keep]
        told = ["snac", half, _code(), digest_of(path.read_text(encoding="utf-8"))]
        part = _part(work, told, "snac" in only, lambda own=own: on_summaries(own, reader))
        facts.setdefault("snac", {})[half] = part
        for system, row in part.items():
            print(f"snac {half:9}{system:55}F1 {row['f1']:.3f}  P {row['precision']}  R {row['recall']}")
    facts["novels"] = _part(
        work, ["novels", _code()], "novels" in only, lambda: on_novels(data / "novels", reader)
    )
    print(facts["novels"])
    parts = [facts["novels"], *(half for name in (*_SETS, "snac") for half in facts[name].values())]
    if all(parts):
        print(write_result("contradictions", facts=facts, measured=machine()))


def _part(work: Path, told: Sequence[object], wanted: bool, measure: Callable[[], Any]) -> Any:
    """What ``measure`` gives, measured once; empty where it is neither wanted nor there."""
    path = work / f"contradictions-{told[0]}-{digest_of(told)}.json"
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    if not wanted:
        return {}
    found = measure()
    work.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(found), encoding="utf-8")
    partial.replace(path)
    return json.loads(path.read_text(encoding="utf-8"))


def _code() -> str:
    """A digest of the modules under measure: a part made by others is not taken."""
    return digest_of([Path(str(one.__file__)).read_text(encoding="utf-8") for one in _MEASURED])


def _show(title: str, systems: dict[str, Any]) -> None:
    print(title if systems else f"{title}: not measured")
    for name, row in systems.items():
        one, two = row["flags"], row["pairs"]
        print(
            f"  {name:30}acc {one['accuracy']:.3f}  F1 {one['macro_f1']:.3f}  P {one['precision']}  "
            f"R {one['recall']}  pair found {one['pair_found']} | pairwise {two['accuracy']:.3f}, "
            f"decided {two['decided']} of {two['pairs']} at {two.get('accuracy_decided')} "
            f"(overlap there {two.get('baseline_there')}, p {two.get('p')})"
        )


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=True)
    add_parses(options, default_cache("parses"))
    options.add_argument("--work", type=Path, default=WORK, help="keeps finished parts")
    options.add_argument(
        "--only", type=split_names, default=_ALL, help="measure only these; others if they are there"
    )
    options.add_argument("--limit", type=int, default=0, help="items of each half; 0 takes all")
    options.add_argument("--critic-on", type=int, default=100, help="items on which the critic reads in full")
    return options
