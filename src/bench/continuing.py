"""A story written on, chapter after chapter: what a pipeline wrote becomes part of the story that it reads.

Each line of writing (one pipeline, one seed) is a folder: the chapters it wrote, each a file that is there
whole or not at all, and a project made of the story and them. All else follows from these files, so a run
that is killed at any instant goes on where it stopped.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from ..config import Config, load_config
from ..core.documents import read_document
from ..core.files.atomic import replace_file
from ..core.store.sqlite import digest
from ..core.types import Document
from ..errors import ProjectError, UsageError
from ..project.indexing import Progress
from ..story.writing.pipelines import PIPELINES, STANDARD, Pipeline
from ..views.text.render import Answer, table
from .results import MEASURES, Values, against, differences, means, summed
from .shared import Models, keep, kept

PROMPT = "Write the next chapter of the story: what happens next?"
TEMPERATURE = "comparison.temperature=0.8"  # at 0 every seed would write the same
_STORY = "story.md"
_HEADING = re.compile(r"^[ \t]*#+[ \t]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WrittenChapter:
    """One chapter that a pipeline wrote; ``number`` counts on from the story's own. ``scores`` are those of
    ``compare``, of the draft set after everything before it; ``rules`` names the rule of each finding. Where
    nothing came, ``error`` says why and the line ends."""

    pipeline: str
    seed: int
    number: int
    text: str
    scores: dict[str, float | None]
    rules: tuple[str, ...]
    context_tokens: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Run:
    """The story, its models, and the folder of the run."""

    document: Document
    models: Models
    work: Path
    prompt: str


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
        run = _Run(read_document(book), models, work, prompt)
        _require_same(run)
        for pipeline, seed in product(pipelines, seeds):
            for written in _line(run, pipeline, seed, chapters):
                found.append(written)
                progress("writing on", len(found), len(pipelines) * len(seeds) * chapters)
    return tuple(found)


def _require_same(run: _Run) -> None:
    """Writes down what the run is of, or sees that it is the same."""
    facts = {
        "schema": "fabula.continuation/2",
        "story": digest(run.document.text),
        "prompt": run.prompt,
        "model": run.models.generator.name,
        "settings": run.models.config.model_dump(include={"comparison", "retrieval", "chunking"}),
    }
    path = run.work / "run.json"
    if not path.exists():
        keep(path, facts)
    before = kept(path, dict, "choose an empty folder")
    for what, value in facts.items():
        if before.get(what) != value:
            raise ProjectError(f"{run.work} holds a run with another {what}: choose an empty folder")


def _line(run: _Run, pipeline: Pipeline, seed: int, chapters: int) -> Iterator[WrittenChapter]:
    """The chapters of one line, those that stand and then new ones."""
    name = re.sub(r"\W+", "-", pipeline.name.lower()).strip("-")
    folder = run.work / f"{name}-{seed}"
    before: list[str] = []
    first = len(run.document.chapters) + 1
    for number in range(first, first + chapters):
        path = folder / f"chapter-{number:04d}.json"
        if not path.exists():
            keep(path, _write(run, pipeline, seed, number, folder, before))
        written = kept(path, _chapter, "delete it, and it is written anew")
        yield written
        if written.error:
            return
        before.append(written.text)


def _write(
    run: _Run, pipeline: Pipeline, seed: int, number: int, folder: Path, before: Sequence[str]
) -> WrittenChapter:
    place, story = folder / "project", folder / _STORY
    if not place.exists():
        _copy_story(run, place)
    _index(run, story, place, before)
    with run.models.project(place) as project:
        if len(project.document.chapters) != number - 1:
            raise ProjectError(
                f"{story} reads as {len(project.document.chapters)} chapters, not {number - 1}: "
                "a draft holds something that looks like a heading"
            )
        report = project.compare(run.prompt, chapter=number - 1, pipelines=[pipeline], seed=seed)
    [result] = report.results
    text = result.generation.text if result.generation else ""
    return WrittenChapter(
        pipeline=result.pipeline,
        seed=seed,
        number=number,
        text=_HEADING.sub("", text).strip(),  # a draft has no headings of its own
        scores={score.name: score.value for score in result.metrics.scores},
        rules=tuple(violation.rule for violation in result.violations),
        context_tokens=result.context.context.tokens if result.context else 0,
        error=result.error if not result.drafts else "",
    )


def _index(run: _Run, story: Path, place: Path, written: Sequence[str]) -> None:
    replace_file(story, _story(run.document, written))
    run.models.index(story, place)


def _copy_story(run: _Run, place: Path) -> None:
    """A copy of the story's own project, which is made once: what every line begins with."""
    base = run.work / "story"
    if not (base / "project").exists():
        _index(run, base / _STORY, base / "making", ())
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


def _chapter(row: dict[str, Any]) -> WrittenChapter:
    return WrittenChapter(**{**row, "rules": tuple(row["rules"])})


def continued(
    book: Path,
    work: Path,
    *,
    chapters: int,
    seeds: int,
    prompt: str | None = None,
    assignments: Sequence[str] = (),
    progress: Progress = lambda *_: None,
) -> Answer:
    """Runs what is missing and sums up."""
    config = load_config(assignments=(TEMPERATURE, *assignments))
    how: dict[str, Any] = {"prompt": prompt or PROMPT, "seeds": range(seeds), "progress": progress}
    rows = continue_story(book, work, config=config, chapters=chapters, **how)
    facts = summary(rows)
    parts = [f"{len(rows)} chapters; the unit of intervals and p is a seed's line."]
    for header, lines in (means(facts), differences(facts)):
        parts += [table(lines, header=header)] if lines else []
    return Answer({**facts, "rows": rows}, "\n\n".join([*parts, *facts["ended_early"]]))


def summary(rows: Sequence[WrittenChapter]) -> dict[str, Any]:
    """Means and 95 % intervals by pipeline, each against the standard one, and the curves: consistency at
    each chapter written, the mean over the seeds that could be scored. A line (a seed) is the unit: its
    chapters grow out of each other."""
    names = list(dict.fromkeys(row.pipeline for row in rows))
    scored: dict[tuple[str, str], Values] = {}
    for row, measure in product(rows, MEASURES):
        if (value := row.scores.get(measure)) is not None:
            scored.setdefault((measure, row.pipeline), {})[row.seed, row.number] = value
    cells = {key: scored.get(key, {}) for key in product(MEASURES, names)}
    called = {key: {"metric": key[0], "pipeline": key[1]} for key in cells}
    before = min((row.number for row in rows), default=1) - 1
    curves: dict[str, list[tuple[int, float]]] = {}
    for name in names:
        by_chapter: dict[int, list[float]] = {}
        for (_, number), value in sorted(cells["consistency", name].items()):
            by_chapter.setdefault(number - before, []).append(value)
        curves[name] = [(number, round(fmean(by_chapter[number]), 4)) for number in sorted(by_chapter)]
    return {
        "config": {"metrics": MEASURES, "pipelines": names, "baseline": STANDARD.name},
        "means": [{**called[key], **summed(values)} for key, values in cells.items()],
        "paired": against(
            (called[measure, name], values, scored.get((measure, STANDARD.name), {}))
            for (measure, name), values in cells.items()
            if name != STANDARD.name
        ),
        "curves": curves,
        "ended_early": [
            f"{row.pipeline}, seed {row.seed}, ch. {row.number}: {row.error}" for row in rows if row.error
        ],
    }
