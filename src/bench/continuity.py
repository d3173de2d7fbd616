"""A benchmark of continuity checkers: where does a story contradict itself, in two quotes?

A set is a file of JSON lines, a story each: ``id``, ``text``, ``contradictions`` (``difficulty``, and the
spans ``earlier`` and ``later`` with half-open character offsets ``start`` and ``end``) and ``legitimate``
changes (two spans). An entry is a file of findings: ``story``, ``earlier`` and ``later``, which are quotes of
its text, and, if given, ``sure`` (0 to 1), ``tokens_in`` and ``tokens_out`` (of the story's first line).

A finding meets a contradiction where its quotes touch both sides. A quote that does not stand in the text
touches nothing; of those, the ones that stand in the prompt that a model was given are counted as copied.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..config import Config
from ..core.documents import document_from_text
from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json
from ..core.types import Horizon
from ..errors import UsageError
from ..project.indexing import Progress, link
from ..story.continuity.by_model.critic import ModelCritic
from ..story.continuity.critic import ContinuityCritic
from ..story.evidence.quote_finder import QuoteFinder
from ..story.extraction.reader import StoryReader
from ..story.graph_rag.story_graph import StoryKnowledgeGraph
from ..story.model.findings import bootstrap_interval
from ..views.text.render import Answer
from .shared import Models

Row = dict[str, Any]
Span = tuple[int, int]
Hits = list[tuple[str, bool]]
"""A story and a yes or no, as often as something was asked of it."""


@dataclass(frozen=True, slots=True)
class Text:
    """A story; ``planted`` are (difficulty, earlier side, later side) of its contradictions, ``changes`` the
    two sides of changes that the text explains."""

    id: str
    text: str
    planted: Sequence[tuple[str, Span, Span]] = ()
    changes: Sequence[tuple[Span, Span]] = ()


def read_texts(files: Iterable[Path]) -> Iterator[Text]:
    """The stories of a set. Raises UsageError for a line that is none."""
    for row in _rows(files, ("id", "text")):
        planted = [
            (one.get("difficulty", ""), _at(one["earlier"]), _at(one["later"]))
            for one in row.get("contradictions", ())
        ]
        changes = [(_at(one["earlier"]), _at(one["later"])) for one in row.get("legitimate", ())]
        yield Text(row["id"], row["text"], planted, changes)


def read_findings(file: Path) -> list[Row]:
    """An entry. Raises UsageError for a line that is no finding."""
    return list(_rows([file], ("story", "earlier", "later")))


def find(
    texts: Sequence[Text], config: Config, on_done: Callable[[int, int], None] = lambda *_: None
) -> Iterator[Row]:
    """An entry by fabula's critic: its rules, or the language model that the settings connect."""
    models, reader = Models(config), StoryReader(config.parsing.model)
    try:
        for number, text in enumerate(texts):
            on_done(number, len(texts))
            document = document_from_text(text.text, id=text.id, title=text.id)
            readings = [reader.read(chapter.body.of(document.text)) for chapter in document.chapters]
            view = StoryKnowledgeGraph.from_log(link(document, readings).log).as_of(Horizon())
            model = ModelCritic(models.generator, document) if config.model_reads else None
            report = ContinuityCritic(model=model).check(view, words=len(text.text.split()))
            for one in report.violations:
                quotes = {"earlier": one.evidence[0].quote, "later": one.evidence[-1].quote}
                yield {"story": text.id, **quotes, "sure": one.confidence}
    finally:
        models.close()


def scored(texts: Sequence[Text], findings: Iterable[Mapping[str, Any]], prompt: str = "") -> Row:
    """What an entry found and missed. Shares come with 95 % intervals that resample stories; findings in
    stories that are not of the set do not count."""
    by_story: dict[str, list[Mapping[str, Any]]] = {one.id: [] for one in texts}
    for row in findings:
        by_story.get(row["story"], []).append(row)
    copied, sides = QuoteFinder(prompt), ("earlier", "later")
    planted: dict[str, Hits] = {"all": []}
    later, either, meets, changes, stands = (Hits() for _ in range(5))
    from_prompt, on_clean, tokens = 0, 0, [0, 0]
    for text in texts:
        finder, spans = QuoteFinder(text.text), []
        for row in by_story[text.id]:
            placed = [(row[side], finder.place(row[side])) for side in sides]
            stands += [(text.id, place is not None) for _, place in placed]
            absent = [quote for quote, place in placed if place is None and quote.strip()]
            from_prompt += sum(copied.find(quote) is not None for quote in absent)
            spans.append([(place[0].start, place[0].end) for _, place in placed if place is not None])
            tokens = [n + row.get(key, 0) for n, key in zip(tokens, ("tokens_in", "tokens_out"), strict=True)]
        for difficulty, first, second in text.planted:
            hit = any(_touch(one, first, second) for one in spans)
            for name in dict.fromkeys(("all", difficulty or "all")):
                planted.setdefault(name, []).append((text.id, hit))
            later.append((text.id, any(_touch(one, second) for one in spans)))
            either.append((text.id, any(_touch(one, first) or _touch(one, second) for one in spans)))
        meets += [(text.id, any(_touch(one, *pair) for _, *pair in text.planted)) for one in spans]
        changes += [(text.id, any(_touch(one, *pair) for one in spans)) for pair in text.changes]
        on_clean += 0 if text.planted else len(spans)
    return {
        "recall": {name: share(pairs) for name, pairs in planted.items()},
        "later side alone": share(later),
        "either side": share(either),
        "findings that meet one": share(meets),
        "changes flagged": share(changes),
        "quotes that stand": share(stands),
        "quotes copied from the prompt": from_prompt,
        "findings in 10,000 words of stories without a contradiction": _rate(
            on_clean, [one for one in texts if not one.planted]
        ),
        "findings": len(meets),
        "findings in 10,000 words": _rate(len(meets), texts),
        "tokens": tokens,
        "stories": len(texts),
    }


def share(pairs: Sequence[tuple[str, bool]]) -> Row:
    """How often yes, with a 95 % interval that resamples stories."""
    if not pairs:
        return {"n": 0}
    values = [float(hit) for _, hit in pairs]
    low, high = bootstrap_interval(values, groups=[story for story, _ in pairs])
    mean = round(sum(values) / len(values), 4)
    return {"n": len(values), "hits": int(sum(values)), "mean": mean, "low": low, "high": high}


def benched(
    stories: Sequence[Path],
    *,
    every: int,
    findings: Path | None,
    output: Path | None,
    prompt: Path | None,
    config: Config,
    progress: Progress,
) -> Answer:
    """Scores the entry in the file ``findings``, or makes one first and writes it to ``output``."""
    texts = sorted(read_texts(stories), key=lambda one: one.id)[::every]
    entry = read_findings(findings) if findings else []
    if findings is None:
        entry += find(texts, config, lambda done, total: progress("check", done, total))
        if output is not None:
            replace_file(output, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in entry))
    summary = scored(texts, entry, prompt.read_text(encoding="utf-8") if prompt else "")
    return Answer(summary, "\n".join(f"{key}: {_worded(value)}" for key, value in summary.items()))


def _worded(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    if "n" not in value:
        return "; ".join(f"{name} {_worded(one)}" for name, one in value.items())
    if not value["n"]:
        return "none"
    return f"{value['hits']} of {value['n']}, {value['mean']:.2f} [{value['low']:.2f}, {value['high']:.2f}]"


def _rate(count: int, texts: Sequence[Text]) -> float:
    return round(10_000 * count / max(1, sum(len(one.text.split()) for one in texts)), 2)


def _touch(spans: Sequence[Span], *sides: Span) -> bool:
    """Do they touch each of the sides?"""
    return all(any(start < side[1] and side[0] < end for start, end in spans) for side in sides)


def _at(span: Mapping[str, int]) -> Span:
    return span["start"], span["end"]


def _rows(files: Iterable[Path], needed: Sequence[str]) -> Iterator[Row]:
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if not line.strip():
                continue
            try:
                row = parse_json(line)
            except ValueError as error:
                raise UsageError(f"{file}, line {number}: {error}") from error
            if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in needed):
                raise UsageError(f"{file}, line {number}: an object with {', '.join(needed)} is needed")
            yield row
