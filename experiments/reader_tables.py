"""Tables of what a reader sees on texts that nobody tuned to."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from experiments.common.folders import DATA
from experiments.common.tables import interval_cell, load_facts, share_cell, splits, table

__all__ = ["SUMMARIES", "TABLES"]

Row = Mapping[str, Any]


def known_novels(_: Row) -> str:
    """A measure a row; the novels kept back beside the others."""
    found = splits("known_novels")
    parts = {"novels": found["dev"], "novels kept back": found["test"]}
    names = [name for name in found["dev"]["aggregates"] if name != "questions"]
    rows = [
        [name, *(share_cell(facts["aggregates"].get(name)) for facts in parts.values())] for name in names
    ]
    for name in ("right", "wrong", "refused", "unanswerable, refused"):
        asked = [facts["aggregates"]["questions"][name] for facts in parts.values()]
        rows.append([f"questions: {name}", *map(share_cell, asked)])
    heads = [f"{len(facts['novels'])} {label}" for label, facts in parts.items()]
    return table(["what readers know, and is shown", *heads], rows)


def model_reading(result: dict[str, Any]) -> str:
    """A measure a row: what rules show, and what they show with a language model that reads each chapter."""
    parts = result["facts"]["aggregates"]
    rows = [[name, *(share_cell(part.get(name)) for part in parts.values())] for name in parts["rules"]]
    return table([f"{len(result['facts']['novels'])} novels", *parts], rows)


def modern_dev(_: Row) -> str:
    """The critic on the project's stories, on those of a language model, and on leaks of knowledge."""
    names = {
        "modern_dev": "stories, dev",
        "modern_test": "stories, test",
        "modern_constory": "ConStory",
        "modern_ikd": "IKD",
        "modern_reader": "dev, a strong reader",
        "modern_test_reader": "test, a strong reader",
        "modern_ikd_reader": "IKD, a strong reader",
    }
    parts = {label: load_facts(name)["aggregates"] for name, label in names.items()}
    rows = [["stories", *(f"{p['stories']}" for p in parts.values())]]
    rows.append(["words", *(f"{p['words']:,}" for p in parts.values())])
    for difficulty in ("all", "explicit", "paraphrase", "implicit"):
        label = "contradictions found" if difficulty == "all" else f"… {difficulty}"
        rows.append([label, *(share_cell(p["recall"][difficulty]) for p in parts.values())])
    rates = [f"{p['findings_per_10k_words']:.2f}" for p in parts.values()]
    rows.append(["findings per 10,000 words", *rates])
    rows.append(["of these right", *(_read(p["precision"]) for p in parts.values())])
    rows.append(["legitimate changes flagged", *(share_cell(p["changes_flagged"]) for p in parts.values())])
    rows.append(["facts checked, of those read", *(_checked(p) for p in parts.values())])
    return table(["", *parts], rows)


def _read(one: Row) -> str:
    unread = f" ({one['unread']} unread)" if one.get("unread") else ""
    return f"{share_cell(one)}{unread}"


def _checked(part: Row) -> str:
    return f"{part['facts_checked']} of {part['facts_checkable']}" if part["facts_checkable"] else "–"


def story_answers_dev(_: Row) -> str:
    """Questions about the project's stories."""
    known = splits("story_answers")
    names = ("right", "wrong", "refused", "unanswerable, refused", "short answers, right")
    rows = [
        [name, *(share_cell(facts["aggregates"].get(name)) for facts in known.values())] for name in names
    ]
    return table(["", *(f"{facts['stories']} stories, {name}" for name, facts in known.items())], rows)


def revelation_dev(_: Row) -> str:
    """Questions asked one chapter before the text answers them, and where it does."""
    found = {name: load_facts(f"revelation_{name}")["aggregates"] for name in ("dev", "test", "tales")}
    parts = {
        "stories, dev": found["dev"]["all"],
        "stories, test": found["test"]["all"],
        "60 tales": found["tales"]["all"],
        "25 of them, unseen": found["tales"]["unseen"],
    }
    measures = list(parts["stories, dev"])
    rows = [[name, *(interval_cell(part[name]) for part in parts.values())] for name in measures]
    heads = [f"{part[measures[0]]['n']} of {name}" for name, part in parts.items()]
    return table(["questions", *heads], rows)


def modern_graph(result: dict[str, Any]) -> str:
    """What the graph shows of modern stories, and questions about them."""
    parts = {
        f"{result['facts']['stories']} stories, as installed": "modern_graph",
        "… with a strong model that reads": "modern_graph_reader",
        "8 others, test, as installed": "modern_graph_test",
        "… with the model": "modern_graph_test_reader",
    }
    found = {label: load_facts(name)["aggregates"] for label, name in parts.items()}
    names = {
        "relations with any tie shown": "any tie",
        "relations shown with their type": "typed",
        "… of those said in one sentence": "typed, said in one sentence",
    }
    rows = [[label, *(share_cell(one.get(name)) for one in found.values())] for label, name in names.items()]
    extra = (str(one["ties shown that the gold lacks"]) for one in found.values())
    rows.append(["ties shown that the reader did not note", *extra])
    for name in ("right", "wrong", "refused", "short answers, right"):
        rows.append(
            [f"questions, {name}", *(share_cell(one["questions"].get(name)) for one in found.values())]
        )
    return table(["", *found], rows)


def long_distance(result: dict[str, Any]) -> str:
    """Contradictions far apart in novels, found by a strong model with the canon."""
    found = result["facts"]["aggregates"]
    both = (found["first scoring"], found)
    recall = {
        "planted, found": "all",
        "… 20,000 words and more apart": "20,000 words and more",
        "… nearer": "nearer",
    }
    rows = [
        [label, *(share_cell(one["recall as judged"][name]) for one in both)]
        for label, name in recall.items()
    ]
    names = {
        "their earlier side was in the canon that went along": "canon holds the earlier side",
        "findings shown, real contradictions": "precision",
        "told changes flagged": "changes_flagged",
    }
    rows += [[label, *(share_cell(one[name]) for one in both)] for label, name in names.items()]
    rows.append(["hints (less than half sure), real", "–", share_cell(found["precision_of_hints"])])
    rules = share_cell(result["facts"]["rules"]["recall"]["all"])
    rows.append(["planted, found by the rules alone in what was read", "–", rules])
    return table(["three novels, 228,000 words", "first scoring", "as it is now"], rows)


def reading_audit(result: dict[str, Any]) -> str:
    """What two strong readers of the same chapters agree on, and what an erring one leaves."""
    found = result["facts"]["aggregates"]
    lists = ("all", "relations", "facts", "events", "knowing", "threads", "hearts")
    rows = [
        [name, share_cell(found["agreement"][name]), share_cell(found["errs"]["lost"][name])]
        for name in lists
    ]
    rows.append(["shown of the erring one, right", "–", share_cell(found["errs"]["right"])])
    return table(["of 30 chapters", "both readers have", "lost where one errs"], rows)


def answer_check(result: dict[str, Any]) -> str:
    """Sentences of an answer that pass the check."""
    return table(
        ["120 sentences", "shown"],
        [[name.removesuffix(", shown"), of] for name, of in result["facts"]["aggregates"].items()],
    )


def model_costs() -> str:
    """Requests and prompt tokens (of four characters) that 100,000 words cost, beside published prompts."""
    facts = load_facts("long_distance_test")
    costs = [one["of_four_characters"] for one in facts["costs"].values()]
    words = sum(one["words"] for one in costs)
    calls = facts["requests"]
    rows = [
        [
            f"fabula, {name}",
            f"{calls[part] * 100_000 / words:.0f}",
            f"{sum(one[part] for one in costs) * 100_000 / words:,.0f}",
        ]
        for part, name in (
            ("reading", "reading"),
            ("windows", "checking against the canon"),
            ("trials", "trying what was found"),
        )
    ]
    for peer in json.loads((DATA / "peer_prompts.json").read_text(encoding="utf-8"))["systems"]:
        chunks = _TOKENS / (peer["chunk"] - peer["overlap"])
        once = peer["prompt"] / 4 + peer.get("calls", 1) * peer["chunk"]
        again = peer["gleanings"] * (once + _ANSWER + peer["again"] / 4)
        each = peer.get("calls", 1) + peer["gleanings"]
        rows.append(
            [f"{peer['name']}, building its graph", f"{chunks * each:.0f}", f"{chunks * (once + again):,.0f}"]
        )
    return table(["of 100,000 words", "requests", "prompt tokens"], rows)


def reading_peers() -> str:
    """Systems that read with the same model, a line each corpus."""
    facts = load_facts("reading_peers")
    head = ["", "right", "ties: any, typed", "quotes that stand", "requests", "prompt, answer tokens"]
    rows = []
    for name, one in facts["aggregates"].items():
        label = name.replace("_reading", "").replace("_", "-")
        if "failed" in one:
            rows.append([label, f"did not run: {_cell(one['failed'], 120)}", *[""] * 6])
            continue
        phases = [[one.get(f"{what}, {phase}", 0) for phase in ("index", "ask")] for what in _ASKED]
        requests, prompt, answer = (sum(each) for each in phases)
        quotes = f"{one['quotes that stand']} of {one['quotes']}" if one["quotes"] else "gives none"
        ties = f"{one['any tie']}, {one['typed tie']} of {one['ties']}" if one["ties"] else "–"
        rows.append(
            [
                f"{label} ({one['version']}, {one['mode']})",
                f"{one['right']} of {one['questions']}",
                ties,
                quotes,
                f"{requests}, {phases[0][0]} of them to read",
                f"{prompt // 4:,}, {answer // 4:,}",
                f"{sum(one['own seconds'].values()):.0f} s",
                f"{one['installed, MB']:,} MB",
            ]
        )
    return table([*head, "own processor time", "installed"], rows)


def model_answers(result: dict[str, Any]) -> str:
    """Answers of a strong model behind the folder provider."""
    found = result["facts"]["aggregates"]
    read = found["as read"]
    rows = [[name, share_cell(read[name])] for name in ("right", "wrong", "refused", "unanswerable, refused")]
    without = f"{found['shown without support']} of {found['sentences shown']}"
    rows.append(["sentences shown that their sources do not tell", without])
    return table(["60 questions", "as readers say"], rows)


def suspects_dev(_: Row) -> str:
    """How high planted contradictions stand in the list of pairs to read."""
    known = splits("suspects")
    rows = []
    for judge, label in (("judge", "judge"), ("likeness", "likeness alone")):
        for first in ("5", "10"):
            for kind in ("all", "explicit", "paraphrase", "implicit"):
                if judge == "judge" or kind == "all":
                    what = f"{label}, among the first {first}" if kind == "all" else f"… {kind}"
                    shares = (share_cell(facts["aggregates"][judge][first][kind]) for facts in known.values())
                    rows.append([what, *shares])
    heads = [f"{facts['stories']} stories, {name}" for name, facts in known.items()]
    return table(["contradictions", *heads], rows)


def impact_dev(_: Row) -> str:
    """Pairs of places that speak of one thing, found one from the other."""
    known = splits("impact")
    labels = {"all": "all pairs", "change": "… legitimate changes"}
    rows = [
        [
            f"{labels.get(kind, f'… {kind}')}, {side}",
            *(share_cell(f["aggregates"][kind][side]) for f in known.values()),
        ]
        for kind in ("all", "explicit", "paraphrase", "implicit", "change")
        for side in ("from the earlier side", "from the later side")
    ]
    return table(
        ["among the first 7", *(f"{f['stories']} stories, {name}" for name, f in known.items())], rows
    )


def tale_answers(result: dict[str, Any]) -> str:
    """The reader of answers on tales beside three ways to choose a sentence."""
    found = result["facts"]["aggregates"]
    ways = list(dict.fromkeys(key.partition(": ")[0] for key in found if ": " in key))
    measures = ("right section", "token F1, answers that stand in the text")
    rows = [[way, *(interval_cell(found[f"{way}: {measure}"]) for measure in measures)] for way in ways]
    refused = [[f"refused, of {whose}", interval_cell(found[f"refused, of {whose}"]), ""] for whose in _TALES]
    count = found["reader: right section"]["n"]
    return table([f"{count} questions of {result['facts']['tales']} tales", *measures], rows + refused)


def gold_agreement(result: dict[str, Any]) -> str:
    """What two readers of the same novel agree on."""
    found = result["facts"]["aggregates"]
    rows = [[name, f"{one['agreed']} of {one['n']}", f"{one['share']:.2f}"] for name, one in found.items()]
    return table([f"of {len(result['facts']['novels'])} novels", "agreed", "share"], rows)


def weaknesses() -> str:
    """The README's few lines of how much a reader gets on texts that nobody tuned to."""
    novels, stories = (
        [load_facts(f"{name}_{part}")["aggregates"] for part in ("dev", "test")]
        for name in ("known_novels", "modern")
    )
    names = {
        "who a character of a known novel is": "cards right",
        "relations that its readers know, shown with their type": "relations shown, by type",
        "deaths in it, shown": "deaths shown",
    }
    rows = [[label, *(_counted(part[name]) for part in novels)] for label, name in names.items()]
    rows.append(
        ["questions about it, answered rightly", *(_counted(p["questions"]["right"]) for p in novels)]
    )
    rows.append(
        ["contradictions planted in modern stories, found", *(_counted(p["recall"]["all"]) for p in stories)]
    )
    listed = [load_facts(f"suspects_{part}")["aggregates"]["judge"]["5"]["all"] for part in ("dev", "test")]
    rows.append(
        [
            "… or among the first five sentences of a story that `check` suggests reading",
            *map(_counted, listed),
        ]
    )
    asked = [load_facts(f"story_answers_{part}")["aggregates"]["right"] for part in ("dev", "test")]
    rows.append(["questions about modern stories, answered rightly", *map(_counted, asked)])
    return table(["right", "open set", "kept back"], rows)


def forty_answers() -> str:
    """Forty of the questions about the open novels, one in every six or seven, with what is shown first."""
    every = load_facts("known_novels_dev")["answers"]
    some = [every[i * len(every) // 40] for i in range(40)]
    rows = [[_cell(row[key], 90) for key in ("question", "gold", "shown")] + [row["verdict"]] for row in some]
    return table(["question", "answer", "shown", "verdict"], rows)


def _cell(text: str, most: int) -> str:
    return textwrap.shorten(text or "(not told)", most, placeholder=" …").replace("|", "/")


def _counted(one: Row) -> str:
    return f"{one['hits']:.0f} of {one['n']}"


_TALES = ("its own tale", "another tale")
SUMMARIES: dict[str, Callable[[], str]] = {
    "forty_answers": forty_answers,
    "weaknesses": weaknesses,
    "model_costs": model_costs,
    "reading_peers": reading_peers,
}
_ASKED = ("requests", "prompt", "answer")
_TOKENS, _ANSWER = 140_000, 1000  # of 100,000 words, and of an answer about a chunk

TABLES: dict[str, Callable[[dict[str, Any]], str]] = {
    "known_novels_dev": known_novels,
    "model_reading_dev": model_reading,
    "modern_dev": modern_dev,
    "model_answers": model_answers,
    "long_distance_test": long_distance,
    "reading_audit": reading_audit,
    "answer_check": answer_check,
    "story_answers_dev": story_answers_dev,
    "revelation_dev": revelation_dev,
    "modern_graph": modern_graph,
    "suspects_dev": suspects_dev,
    "impact_dev": impact_dev,
    "gold_agreement": gold_agreement,
    "tale_answers": tale_answers,
}
