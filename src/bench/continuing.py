"""A story written on, chapter after chapter: what a pipeline wrote becomes part of the story that it reads.

Each line of writing (one pipeline, one seed) is a folder: the chapters it wrote, each a file that is there
whole or not at all, and a project made of the story and them. All else follows from these files, so a run
that is killed at any instant goes on where it stopped.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..config import Config, load_config
from ..core.documents import document_from_text, read_document
from ..core.files.atomic import replace_file
from ..core.store.sqlite import digest
from ..core.types import Document
from ..engine import Project
from ..errors import HorizonError, ProjectError, UsageError
from ..project.indexing import Progress
from ..story.writing.pipelines import PIPELINES, STANDARD, Pipeline
from ..views.text.render import Answer, table
from .results import against, summed
from .shared import Models, averaged, curves, keep, kept

PROMPT = "Write the next chapter of the story: what happens next?"
TEMPERATURE = "comparison.temperature=0.8"  # at 0 every seed would write the same
_MEASURES = (
    "consistency",
    "violations_per_10k_words",
    "coverage",
    "repetition",
    "presence",
)
_STORY = "story.md"
_HEADING = re.compile(r"^[ \t]*#+[ \t]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WrittenChapter:
    """One chapter that a pipeline wrote; ``number`` counts on from the story's own. ``scores`` are those of
    ``compare``, of the draft set after everything before it; ``rules`` names the rule of each finding.
    ``seconds`` are those of the stages, and under ``graph`` those until the story graph held the chapter.
    Where nothing came, ``error`` says why and the line ends."""

    pipeline: str
    seed: int
    number: int
    text: str
    scores: dict[str, float | None]
    rules: tuple[str, ...]
    facts_checked: int
    facts_checkable: int
    context_tokens: int
    revised: bool
    seconds: dict[str, float]
    error: str = ""


def continue_story(
    book: Path,
    work: Path,
    *,
    config: Config,
    chapters: int,
    seeds: Sequence[int] = (0,),
    pipelines: Sequence[Pipeline] = PIPELINES,
    prompt: str = PROMPT,
    progress: Progress = lambda *_: None,
) -> tuple[WrittenChapter, ...]:
    """Has each pipeline write ``chapters`` chapters with each seed; what ``work`` holds already is not
    written again. In order of pipeline, seed and chapter.

    Raises UsageError for a count below 1, ProjectError where ``work`` holds the run of another story or
    prompt, and ModelError where a model cannot be used at all.
    """
    if chapters < 1 or not seeds or not pipelines:
        raise UsageError("a continuation takes one chapter, seed and pipeline at least")
    found: list[WrittenChapter] = []
    with closing(Models(config)) as models:
        desk = _Desk(read_document(book), work, models, prompt)
        for pipeline in pipelines:
            for seed in seeds:
                for written in desk.line(pipeline, seed, chapters):
                    found.append(written)
                    progress("writing on", len(found), len(pipelines) * len(seeds) * chapters)
    return tuple(found)


class _Desk:
    """One run: the story, its models, and where the lines are."""

    def __init__(self, document: Document, work: Path, models: Models, prompt: str) -> None:
        """Writes down what the run is of, or sees that it is the same."""
        self._document = document
        self._work = work
        self._models = models
        self._prompt = prompt
        told = {
            "schema": "fabula.continuation/1",
            "story": digest(document.text),
            "prompt": prompt,
            "model": models.generator.name,
            "settings": models.config.model_dump(include={"comparison", "retrieval", "chunking"}),
        }
        path = work / "run.json"
        if not path.exists():
            keep(path, told)
        before = kept(path, dict, "choose an empty folder")
        for what, value in told.items():
            if before.get(what) != value:
                raise ProjectError(f"{work} holds a run with another {what}: choose an empty folder")

    def line(self, pipeline: Pipeline, seed: int, chapters: int) -> Iterator[WrittenChapter]:
        """The chapters of one line, those that stand and then new ones."""
        name = re.sub(r"\W+", "-", pipeline.name.lower()).strip("-")
        folder = self._work / f"{name}-{seed}"
        before: list[str] = []
        first = len(self._document.chapters) + 1
        for number in range(first, first + chapters):
            path = folder / f"chapter-{number:04d}.json"
            if not path.exists():
                keep(path, self._written(pipeline, seed, number, folder, before))
            written = kept(path, _chapter, "delete it, and it is written anew")
            yield written
            if written.error:
                return
            before.append(written.text)

    def _written(
        self, pipeline: Pipeline, seed: int, number: int, folder: Path, before: Sequence[str]
    ) -> WrittenChapter:
        place, story = folder / "project", folder / _STORY
        if not place.exists():
            self._lay_out(place)
        self._index(story, place, before)
        with self._models.project(place) as project:
            if len(project.document.chapters) != number - 1:
                raise ProjectError(
                    f"{story} reads as {len(project.document.chapters)} chapters, not {number - 1}: "
                    "a draft holds something that looks like a heading"
                )
            report = project.compare(self._prompt, chapter=number - 1, pipelines=[pipeline], seed=seed)
            [result] = report.results
            # A draft without headings of its own.
            text = _HEADING.sub("", result.generation.text).strip() if result.generation else ""
            seconds = dict(result.metrics.seconds) | self._grown(project, [*before, text])
        check = result.check
        return WrittenChapter(
            pipeline=result.pipeline,
            seed=seed,
            number=number,
            text=text,
            scores={score.name: score.value for score in result.metrics.scores},
            rules=tuple(violation.rule for violation in result.violations),
            facts_checked=check.facts_checked if check else 0,
            facts_checkable=check.facts_checkable if check else 0,
            context_tokens=result.context.context.tokens if result.context else 0,
            revised=len(result.drafts) > 1,
            seconds=seconds,
            error=result.error if not result.drafts else "",
        )

    def _grown(self, project: Project, written: Sequence[str]) -> dict[str, float]:
        """How long it takes to append the last of what was written; nothing where that makes no chapter."""
        started, book = time.perf_counter(), project.document
        whole = document_from_text(_story(self._document, written), id=book.id, title=book.title)
        try:
            project.draft_checker().grown(whole)
        except HorizonError:
            return {}
        return {"graph": time.perf_counter() - started}

    def _index(self, story: Path, place: Path, written: Sequence[str]) -> None:
        replace_file(story, _story(self._document, written))
        self._models.index(story, place)

    def _lay_out(self, place: Path) -> None:
        """A copy of the story's own project, which is made once: what every line begins with."""
        base = self._work / "story"
        if not (base / "project").exists():
            self._index(base / _STORY, base / "making", ())
            (base / "making").rename(base / "project")
        partial = place.with_name("project.partial")
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(base / "project", partial)
        partial.rename(place)


def _story(document: Document, written: Sequence[str]) -> str:
    """The story as Markdown, so that every chapter has a heading of one kind, whatever the book's are."""
    parts = [f"# {document.title}"]
    for chapter in document.chapters:
        title = " ".join(chapter.title.split())
        parts.append(f"## Chapter {chapter.number}: {title}")
        parts.append(_HEADING.sub("", chapter.body.of(document.text).strip()))
    for number, text in enumerate(written, start=len(document.chapters) + 1):
        parts += [f"## Chapter {number}", text]
    return "\n\n".join(parts) + "\n"


def _chapter(told: dict[str, Any]) -> WrittenChapter:
    return WrittenChapter(**{**told, "rules": tuple(told["rules"])})


def continued(
    book: Path,
    work: Path,
    *,
    chapters: int,
    seeds: int,
    prompt: str | None = None,
    plot: Path | None = None,
    assignments: Sequence[str] = (),
    progress: Progress = lambda *_: None,
) -> Answer:
    """Runs what is missing and sums up; ``plot`` is where to draw consistency over chapters."""
    rows = continue_story(
        book,
        work,
        config=load_config(assignments=(TEMPERATURE, *assignments)),
        chapters=chapters,
        seeds=range(seeds),
        prompt=prompt or PROMPT,
        progress=progress,
    )
    data = summary(rows)
    if plot is not None:
        replace_file(plot, draw(data["curves"]))
    return Answer({**data, "rows": rows}, _text(data, rows))


def summary(rows: Sequence[WrittenChapter]) -> dict[str, Any]:
    """Means and 95 % intervals by pipeline, each against the standard one, and the curves: consistency at
    each chapter written, the mean over the seeds that could be scored. A line (a seed) is the unit: its
    chapters grow out of each other."""

    def values(pipeline: str, measure: str) -> dict[tuple[int, int], float]:
        scored = {(row.seed, row.number): row.scores.get(measure) for row in rows if row.pipeline == pipeline}
        return {key: value for key, value in scored.items() if value is not None}

    names = [p.name for p in PIPELINES if any(row.pipeline == p.name for row in rows)]
    means = {name: {measure: summed(values(name, measure)) for measure in _MEASURES} for name in names}
    pairs: list[dict[str, Any]] = []
    for measure in _MEASURES:
        base = values(STANDARD.name, measure)
        others = [name for name in names if name != STANDARD.name]
        pairs += against(
            ({"measure": measure, "pipeline": one}, values(one, measure), base) for one in others
        )
    before = min((row.number for row in rows), default=1) - 1
    shown: dict[str, list[tuple[int, float]]] = {}
    for name in dict.fromkeys(row.pipeline for row in rows):
        points = [(number - before, value) for (_, number), value in values(name, "consistency").items()]
        shown[name] = [(int(number), round(mean, 4)) for number, mean in averaged(points)]
    ended = [f"{row.pipeline}, seed {row.seed}, ch. {row.number}: {row.error}" for row in rows if row.error]
    return {"means": means, "against_standard": pairs, "curves": shown, "ended_early": ended}


def _text(data: dict[str, Any], rows: Sequence[WrittenChapter]) -> str:
    def cell(one: dict[str, Any]) -> str:
        if one["mean"] is None:
            return "-"
        low, high = one["interval"]
        return f"{one['mean']:.3f} [{low:.3f}, {high:.3f}]"

    means = data["means"]
    lines = [[measure, *(cell(means[name][measure]) for name in means)] for measure in _MEASURES]
    parts = [
        f"{len(rows)} chapters; means over chapters, with 95 % intervals over seeds:",
        "",
        table(lines, header=["mean", *means]),
        "",
    ]
    for pair in data["against_standard"]:
        if pair["measure"] == "consistency":
            need = f"; to see it surely, about {pair['needed']} seeds" if pair["needed"] else ""
            parts.append(
                f"consistency, {pair['pipeline']} against standard: {pair['difference']:+.3f} "
                f"[{pair['low']:+.3f}, {pair['high']:+.3f}], p {pair['p_holm']:.2f} over "
                f"{pair['groups']} seeds{need}"
            )
    return "\n".join([*parts, *data["ended_early"]])


def draw(lines: dict[str, list[tuple[int, float]]]) -> str:
    """Consistency, 0 to 1, over the chapters written, as an SVG picture."""
    most = max((number for line in lines.values() for number, _ in line), default=2)
    across = [(number, str(number)) for number in range(1, max(2, most) + 1)]
    title = "Consistency of each chapter with all before it"
    return curves(lines, title, "chapter written", "consistency", across=across)
