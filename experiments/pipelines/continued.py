"""Six stories written on for ten chapters by four pipelines, each chapter upon what the same pipeline wrote.

What a chapter is asked for stands in ``data/continuation/plans.json``: an opening, which is part of the
story, and what happens then. Whoever writes sees one request at a time. Only texts are kept
(``drafts.jsonl``), with what was read in them (``readings.jsonl``): all else follows from these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA
from experiments.common.recordings import RECORDINGS, file_of
from experiments.common.result_file import digest_of
from experiments.common.story_data import rows
from fabula.config import load_config
from fabula.core.documents import document_from_text, read_document
from fabula.core.interfaces import Generator
from fabula.core.types import Document, Generation, Horizon, Prompt
from fabula.demo import story_text
from fabula.engine import Project, index_book, make_embedder
from fabula.llm.kept_answers import KeptAnswers, key_of
from fabula.project.comparing import context_maker, settings_of
from fabula.project.indexing import asked_of
from fabula.story.evidence.quote_finder import QuoteFinder
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.extraction.combined_reader import CombinedReader
from fabula.story.extraction.reader import StoryReader
from fabula.story.writing.context import StoryContext
from fabula.story.writing.pipelines import GRAPH, NO_CONTEXT, STANDARD, Pipeline
from fabula.story.writing.prompts import continuation

FOLDER = DATA / "continuation"
PLANS, DRAFTS, READINGS = FOLDER / "plans.json", FOLDER / "drafts.jsonl", FOLDER / "readings.jsonl"
PLAIN_FUSED = Pipeline("fused", passages=True, notes=True, note_share=0.4)
"""Without its revision: what is compared is what each pipeline gives to the writer."""
CHAPTERS = 10
WORDS = 250
_MOST_TOKENS = 600
_FROM = {  # the story, and how many of its chapters are its opening
    "demo": ("demo", None),
    "office": ("modern_graph/02.md", None),
    "station": ("modern_graph/04.md", None),
    "farm": ("modern_graph/06.md", None),
    "staircase": ("novels_more/the-circular-staircase.txt", 4),
    "castaways": ("novels/in-search-of-the-castaways.txt", 4),
}
STORIES = tuple(_FROM)
_SHORT, _LONG = 700, 3000


@dataclass(frozen=True, slots=True)
class Arm:
    """A pipeline, and how many tokens of context it may give."""

    pipeline: Pipeline
    budget: int

    @property
    def name(self) -> str:
        return self.pipeline.name if self.budget == _SHORT else f"{self.pipeline.name}, {self.budget:,}"


ARMS = (
    *(Arm(one, _SHORT) for one in (NO_CONTEXT, STANDARD, GRAPH, PLAIN_FUSED)),
    *(Arm(one, _LONG) for one in (STANDARD, GRAPH)),
)
UNANSWERED = "{}"


def are_compared(one: Arm, other: Arm) -> bool:
    """Those of one budget, and one pipeline with two."""
    return one.budget == other.budget or one.pipeline == other.pipeline


@dataclass(frozen=True, slots=True)
class Draft:
    """One chapter that a pipeline wrote; ``context`` is a digest of what it was given, ``tokens`` its length,
    ``sources`` how many of each kind stood in it, ``held`` the facts at stake of which one of them tells."""

    story: str
    pipeline: str
    chapter: int
    text: str
    context: str
    tokens: int
    sources: dict[str, int]
    held: list[str]


def plans() -> dict[str, Any]:
    """By story: ``chapters`` with ``opening`` and ``beat``, and ``probes``."""
    told: dict[str, Any] = json.loads(PLANS.read_text(encoding="utf-8"))
    return told


def drafts() -> list[Draft]:
    """In order of story, pipeline and chapter."""
    found = [Draft(**row) for row in rows(DRAFTS)] if DRAFTS.is_file() else []
    names = [one.name for one in ARMS]
    return sorted(found, key=lambda d: (STORIES.index(d.story), names.index(d.pipeline), d.chapter))


def opening_of(story: str, data: Path | None) -> Document:
    """The chapters that are written on. Raises SystemExit for a novel without ``--data``."""
    where, most = _FROM[story]
    if where == "demo":
        whole = document_from_text(story_text(), id=story, title="The Bloom Line")
    elif where.startswith("modern"):
        whole = read_document(DATA / where)
    elif data is None:
        raise SystemExit(f"{story}: name the folder of the evaluation data with --data")
    else:
        whole = read_document(data / where)
    chapters = [one.body.of(whole.text).strip() for one in whole.chapters[:most]]
    return document_from_text(_markdown(chapters), id=story, title=story)


def written_on(opening: Document, plan: Mapping[str, Any], texts: Iterable[str]) -> Document:
    """The story with the chapters written so far, each after its own opening."""
    chapters = [one.body.of(opening.text).strip() for one in opening.chapters]
    told = zip(plan["chapters"], texts, strict=False)
    chapters += [f"{row['opening']}\n\n{text}" for row, text in told]
    return document_from_text(_markdown(chapters), id=opening.id, title=opening.title)


def _markdown(chapters: Iterable[str]) -> str:
    return "".join(f"## Chapter {number}\n\n{text}\n\n" for number, text in enumerate(chapters, start=1))


def asked_for(row: Mapping[str, Any]) -> str:
    """What the writer is asked."""
    return f"The chapter opens: “{row['opening']}” Go on from there, in some {WORDS} words: {row['beat']}"


def held_in(context: StoryContext, story: str, probes: Iterable[Mapping[str, Any]]) -> list[str]:
    """The ids of those of which a source of the context tells: it stands on the words that told them."""
    finder, quotes = QuoteFinder(story), [quote.span for one in context.sources for quote in one.evidence]
    found = []
    for probe in probes:
        span = finder.find(probe["told"]["quote"])
        if span and any(quote.start < span.end and span.start < quote.end for quote in quotes):
            found.append(probe["id"])
    return found


class Answers:
    """Answers that are kept, then those in ``folder``; ``waiting`` names the requests without one."""

    concurrency, context_tokens, name = 1, KeptAnswers.context_tokens, "a strong model"

    def __init__(self, folder: Generator, answers: Path) -> None:
        self._folder = folder
        self._answers = answers
        self._kept = [KeptAnswers.read(name, file_of(name)) for name in RECORDINGS]
        self.found = {row["key"]: json.dumps(row["answer"], ensure_ascii=False) for row in _kept_rows()}
        self.waiting: list[str] = []

    def answered(self, request: str) -> bool:
        return (self._answers / f"{request}.txt").is_file()

    def count_tokens(self, text: str) -> int:
        return self._folder.count_tokens(text)

    def generate(self, prompt: Prompt, *, max_tokens: int, **_: object) -> Generation:
        for kept in (*self._kept, KeptAnswers(self.name, self.found)):
            if prompt.schema and kept.holds(prompt):
                return kept.generate(prompt, max_tokens=max_tokens)
        made = self._folder.generate(prompt, max_tokens=max_tokens)
        if made.text == UNANSWERED:
            self.waiting.append(str(dict(made.settings)["request"]))
        elif prompt.schema:
            self.found[key_of(prompt)] = made.text
        return made

    def close(self) -> None:
        """Nothing is held."""


def _kept_rows() -> list[dict[str, Any]]:
    return rows(READINGS) if READINGS.is_file() else []


class Writing:
    """All lines of writing; ``work`` keeps their projects."""

    def __init__(self, answers: Answers, work: Path, data: Path | None) -> None:
        self._answers, self._work, self._data = answers, work, data
        self._config = load_config()
        self._embedder = make_embedder(self._config)
        self._rules = StoryReader(self._config.parsing.model, kept_chars=10**8)
        self._read: dict[str, Any] = {}

    def step(self, story: str, arm: Arm, before: list[str]) -> Iterator[Draft | str]:
        """The next chapter of one line, or the keys of the requests that it waits for."""
        plan, opening, pipeline = plans()[story], opening_of(story, self._data), arm.pipeline
        document = written_on(opening, plan, before)
        self._answers.waiting.clear()
        model = ModelReader(self._answers) if pipeline.notes else None
        if model is not None:
            bodies = [chapter.body.of(document.text) for chapter in document.chapters]
            model.ask(asked_of(document, [*map(self._by_rules, bodies)]))
            if self._answers.waiting:
                yield from self._answers.waiting
                return
        row = plan["chapters"][len(before)]
        place = self._work / re.sub(r"\W+", "-", f"{story}-{arm.name}")
        place.mkdir(parents=True, exist_ok=True)
        file = place / "story.md"
        file.write_text(document.text, encoding="utf-8")
        reader = CombinedReader(self._rules, model) if model is not None else self._rules
        parts: dict[str, Any] = {"embedder": self._embedder, "reader": reader}
        index_book(file, place / "project", config=self._config, **parts)
        with closing(Project.open(place / "project")) as project:
            budget = f"comparison.budget={arm.budget}"
            project.config = load_config(assignments=("comparison.max_tokens=500", budget))
            project.__dict__.update(generator=self._answers, **parts)
            maker, prompt = context_maker(project), asked_for(row)
            room = settings_of(project)
            task = maker.task(prompt, horizon=Horizon(len(project.document.chapters)), room=room)
            made = maker.make(task, pipeline).context
        text = made.text if made is not None else ""
        written = self._answers.generate(continuation(prompt, context=text), max_tokens=_MOST_TOKENS)
        if written.text == UNANSWERED:
            yield from self._answers.waiting
            return
        kinds: dict[str, int] = {}
        for source in made.sources if made is not None else ():
            kinds[source.kind] = kinds.get(source.kind, 0) + 1
        tokens = made.context.tokens if made is not None else 0
        at_stake = [one for one in plan["probes"] if len(before) + 1 in one["at_stake"]]
        held = held_in(made, document.text, at_stake) if made is not None else []
        number, said, digest = len(before) + 1, _plain(written.text), digest_of(text)
        yield Draft(story, arm.name, number, said, digest, tokens, kinds, held)

    def _by_rules(self, body: str) -> Any:
        if body not in self._read:
            self._read[body] = self._rules.read(body)
        return self._read[body]


def _plain(text: str) -> str:
    """Without headings, which would begin a chapter."""
    return "\n".join(line.lstrip("# ") for line in text.strip().splitlines())


def go_on(writing: Writing, answers: Answers, waiting: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Takes every line as far as there are answers, keeps what was written, and tells what is waited for: by
    request, its story, pipeline and chapter. Lines that wait for a request of ``waiting`` still stand."""
    found = drafts()
    waiting = {key: line for key, line in waiting.items() if not answers.answered(key)}
    for story in STORIES:
        for arm in ARMS:
            before = [one.text for one in found if (one.story, one.pipeline) == (story, arm.name)]
            while len(before) < CHAPTERS and [story, arm.name, len(before) + 1] not in waiting.values():
                told = list(writing.step(story, arm, before))
                keys = [one for one in told if isinstance(one, str)]
                waiting |= {key: [story, arm.name, len(before) + 1] for key in keys}
                new = [one for one in told if isinstance(one, Draft)]
                before += [one.text for one in new]
                found += new
                keep(found, answers)
    return waiting


def keep(found: Iterable[Draft], answers: Answers) -> None:
    """Writes drafts and readings down."""
    lines = [json.dumps(asdict(one), ensure_ascii=False) for one in found]
    DRAFTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    read = [{"key": key, "answer": json.loads(text)} for key, text in sorted(answers.found.items())]
    told = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in read]
    READINGS.write_text("\n".join(told) + "\n" * bool(told), encoding="utf-8")
