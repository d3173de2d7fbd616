"""A benchmark that others can enter: where does a story contradict itself, in two quotes?

    python experiments/run.py open_continuity texts --set test -o FILE
    python experiments/run.py open_continuity find --set test [--set-option KEY=VALUE …] -o FILE
    python experiments/run.py open_continuity score --set test --findings FILE [--prompt FILE] [--add NAME]
    python experiments/run.py open_continuity … --set constory|booookscore --data DIR

``texts`` writes the stories without what is known of them, a JSON object a line: ``story`` and ``text``. An
entry is a file of findings, a JSON object a line: ``story``, ``earlier`` and ``later``, which are quotes of
the text, and, if given, ``sure`` (0 to 1), ``tokens_in`` and ``tokens_out`` (of the story's first line).
``find`` makes one with fabula's critic: the rules, or the language model that the settings name. ``score``
measures an entry; ``--add`` puts it on the leaderboard (``results/leaderboard.json``).

A finding meets a contradiction where its quotes touch both sides. A quote that does not stand in the text
touches nothing; with the ``--prompt`` that a model was given, those that were copied from it are counted.

Two public sets lie under ``DIR``; their entries are in ``results/leaderboard_public.json``. ``booookscore``
are summaries of novels by language models; of a pair that its readers labelled *inconsistency* both sides are
known. ``constory`` are stories by language models with another's findings as judge, which nobody checked:
those whose two quotes stand in the story tell how far an entry and that judge agree, and no recall.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiments.common.folders import RESULTS
from experiments.common.options import new_parser
from experiments.common.result_file import machine, write_result
from experiments.common.story_data import rows as rows_of
from experiments.user_view.modern_prose import Text, document_of, share, texts_of
from experiments.user_view.story_sets import DIFFICULTIES, SPLITS
from fabula.bench.shared import Models
from fabula.config import load_config
from fabula.core.types import Horizon
from fabula.project.indexing import link
from fabula.project.trust import user_settings
from fabula.story.continuity.by_model.critic import ModelCritic
from fabula.story.continuity.critic import ContinuityCritic
from fabula.story.evidence.quote_finder import QuoteFinder
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph

Row = dict[str, Any]
BOARD = "leaderboard"
PUBLIC = {
    "constory": Path("contradiction/constory_dev.jsonl"),
    "booookscore": Path("coherence/booookscore_summaries.jsonl"),
}


def main(options: argparse.Namespace) -> None:
    """Writes or scores an entry."""
    if options.set in PUBLIC and options.data is None:
        raise SystemExit(f"--set {options.set} needs --data DIR")
    found = public_texts(options.set, options.data) if options.set in PUBLIC else texts_of(options.set)
    texts = list(found)[:: options.every]
    if options.what == "texts":
        _write(options.output, ({"story": one.id, "text": one.text} for one in texts))
    elif options.what == "find":
        _write(options.output, _found(texts, options.assignments))
    else:
        summary = scored(texts, rows_of(options.findings), _read(options.prompt))
        for name, value in summary.items():
            print(f"{name}: {value}")
        if options.add:
            _add(
                options.add,
                f"{options.set}, every {options.every}" if options.every > 1 else options.set,
                summary,
            )


def public_texts(name: str, data: Path) -> Iterator[Text]:
    """The texts of a public set, with the pairs that contradict each other as somebody says."""
    for row in rows_of(data / PUBLIC[name]):
        text = row.get("story") or row.get("summary", "")
        finder = QuoteFinder(text)
        pairs = [(one["quote"], one["contradicts"]) for one in row.get("errors", ())]
        pairs += [(p["span_a"], p["span_b"]) for p in row.get("pairs", ()) if "inconsistency" in p["labels"]]
        placed = [[one[0] for quote in pair if (one := finder.place(quote))] for pair in pairs]
        sides = [sorted((one.start, one.end) for one in pair) for pair in placed if len(pair) == 2]
        if text.strip():
            yield Text(row["id"], row["doc"], text, [("all", "", first, second) for first, second in sides])


def scored(texts: Sequence[Text], findings: Sequence[Row], prompt: str = "") -> Row:
    """What an entry found and missed; intervals resample stories. Findings in stories that are not of the
    set do not count."""
    by_story: dict[str, list[Row]] = {one.id: [] for one in texts}
    for row in findings:
        by_story.get(row["story"], []).append(row)
    copied = QuoteFinder(prompt)
    planted: dict[str, list[tuple[str, bool]]] = {name: [] for name in ("all", *DIFFICULTIES)}
    later: list[tuple[str, bool]] = []
    either: list[tuple[str, bool]] = []
    meets: list[tuple[str, bool]] = []
    changes: list[tuple[str, bool]] = []
    stands: list[tuple[str, bool]] = []
    from_prompt = on_clean = clean_words = tokens_in = tokens_out = 0
    for text in texts:
        finder, own = QuoteFinder(text.text), by_story[text.id]
        spans = []
        for row in own:
            found = [finder.place(row[side]) for side in ("earlier", "later")]
            stands += [(text.id, one is not None) for one in found]
            absent = [row[side] for side, one in zip(("earlier", "later"), found, strict=True) if one is None]
            from_prompt += sum(bool(quote.strip()) and copied.find(quote) is not None for quote in absent)
            spans.append([(one[0].start, one[0].end) for one in found if one is not None])
            tokens_in += row.get("tokens_in", 0)
            tokens_out += row.get("tokens_out", 0)
        for difficulty, _, first, second in text.planted:
            hit = any(_touch(one, first) and _touch(one, second) for one in spans)
            for name in {"all", difficulty}:
                planted[name].append((text.id, hit))
            later.append((text.id, any(_touch(one, second) for one in spans)))
            either.append((text.id, any(_touch(one, first) or _touch(one, second) for one in spans)))
        met = [any(_touch(one, a) and _touch(one, b) for _, _, a, b in text.planted) for one in spans]
        meets += [(text.id, hit) for hit in met]
        changes += [(text.id, any(_touch(s, a) and _touch(s, b) for s in spans)) for a, b in text.changes]
        if not text.planted:
            on_clean += len(own)
            clean_words += len(text.text.split())
    return {
        "recall": {name: share(pairs) for name, pairs in planted.items()},
        "later side alone": share(later),
        "either side": share(either),
        "findings that meet one": share(meets),
        "changes flagged": share(changes),
        "quotes that stand": share(stands),
        "quotes copied from the prompt": from_prompt,
        "findings in 10,000 words of stories without a contradiction": round(
            10_000 * on_clean / max(1, clean_words), 2
        ),
        "findings": len(meets),
        "findings in 10,000 words": round(
            10_000 * len(meets) / max(1, sum(len(one.text.split()) for one in texts)), 2
        ),
        "tokens": [tokens_in, tokens_out],
        "stories": len(texts),
    }


def _touch(spans: Sequence[tuple[int, int]], side: tuple[int, int]) -> bool:
    return any(start < side[1] and side[0] < end for start, end in spans)


def _found(texts: Sequence[Text], assignments: Sequence[str]) -> Iterator[Row]:
    """By the critic that the user's settings and ``assignments`` make."""
    config = load_config(*user_settings(), assignments=assignments)
    models, reader = Models(config), StoryReader(config.parsing.model)
    for text in texts:
        document = document_of(text.id, text.text)
        readings = [reader.read(chapter.body.of(document.text)) for chapter in document.chapters]
        view = StoryKnowledgeGraph.from_log(link(document, readings).log).as_of(Horizon())
        model = ModelCritic(models.generator, document) if config.model_reads else None
        report = ContinuityCritic(model=model).check(view, words=len(text.text.split()))
        for one in report.violations:
            quotes = {"earlier": one.evidence[0].quote, "later": one.evidence[-1].quote}
            yield {"story": text.id, **quotes, "sure": one.confidence}
    models.close()


def _add(name: str, set_: str, summary: Row) -> None:
    """Replaces the line of that name and set."""
    board = f"{BOARD}_public" if set_.startswith(tuple(PUBLIC)) else BOARD
    path = RESULTS / f"{board}.json"
    lines = json.loads(path.read_text(encoding="utf-8"))["facts"]["lines"] if path.is_file() else []
    kept = [one for one in lines if (one["name"], one["set"]) != (name, set_)]
    kept.append({"name": name, "set": set_, **summary})
    kept.sort(key=lambda one: (one["set"], -one["recall"]["all"]["mean"], one["name"]))
    facts = {"question": (__doc__ or "").partition("\n")[0], "lines": kept}
    write_result(board, facts=facts, measured=machine())


def _write(path: Path, found: Iterator[Row]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in found:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()


def _read(path: Path | None) -> str:
    return path.read_text(encoding="utf-8") if path else ""


def parser() -> argparse.ArgumentParser:
    options = new_parser(__doc__, data=False)
    options.add_argument("what", choices=("texts", "find", "score"))
    options.add_argument("--findings", type=Path, metavar="FILE", help="to score")
    options.add_argument("--set", choices=(*SPLITS, *PUBLIC), default="test")
    options.add_argument("--every", type=int, default=1, help="only every Nth story")
    options.add_argument("-o", "--output", type=Path, metavar="FILE")
    options.add_argument("--set-option", dest="assignments", action="append", default=[], metavar="KEY=VALUE")
    options.add_argument("--prompt", type=Path, metavar="FILE", help="that a model was given")
    options.add_argument("--add", default="", metavar="NAME", help="puts it on the leaderboard")
    return options
