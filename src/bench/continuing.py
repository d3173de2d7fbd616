"""A story written on, chapter after chapter: what a pipeline wrote becomes part of the story that it reads.

Each line of writing (one pipeline, one seed) is a folder: the chapters it wrote, each a file that is there
whole or not at all, and a project made of the story and them. All else follows from these files, so a run
that is killed at any instant goes on where it stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any

from ..config import load_config
from ..core.documents import read_document
from ..core.files.atomic import replace_file
from ..core.store.sqlite import digest
from ..core.types import Document
from ..errors import ProjectError
from ..project.indexing import Progress
from ..story.writing.pipelines import PIPELINES, STANDARD, Pipeline
from ..views.text.render import Answer, table
from .results import MEASURES, differences, means, summed_up
from .shared import Models, copy_project, keep, kept

PROMPT = "Write the next chapter of the story: what happens next?"
TEMPERATURE = "comparison.temperature=0.8"  # at 0 every seed would write the same
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

    def require_same(self) -> None:
        """Writes down what the run is of, or sees that it is the same."""
        facts = {
            "schema": "fabula.continuation/2",
            "story": digest(self.document.text),
            "prompt": self.prompt,
            "model": self.models.generator.name,
            "settings": self.models.config.model_dump(include={"comparison", "retrieval", "chunking"}),
        }
        path = self.work / "run.json"
        if not path.exists():
            keep(path, facts)
        before = kept(path, dict, "choose an empty folder")
        for what, value in facts.items():
            if before.get(what) != value:
                raise ProjectError(f"{self.work} holds a run with another {what}: choose an empty folder")

    def line(self, pipeline: Pipeline, seed: int, chapters: int) -> Iterator[WrittenChapter]:
        """The chapters of one line, those that stand and then new ones."""
        name = re.sub(r"\W+", "-", pipeline.name.lower()).strip("-")
        folder = self.work / f"{name}-{seed}"
        before: list[str] = []
        first = len(self.document.chapters) + 1
        for number in range(first, first + chapters):
            path = folder / f"chapter-{number:04d}.json"
            if not path.exists():
                keep(path, self._write(pipeline, seed, number, folder / "project", before))
            row = kept(path, dict, "delete it, and it is written anew")
            written = WrittenChapter(**{**row, "rules": tuple(row["rules"])})
            yield written
            if written.error:
                return
            before.append(written.text)

    def _write(
        self, pipeline: Pipeline, seed: int, number: int, place: Path, before: Sequence[str]
    ) -> WrittenChapter:
        if not place.exists():  # the story is read once, whatever the number of lines
            story = self.work / "story" / "project"
            self._index(story, ())
            copy_project(story, place)
        self._index(place, before)
        with self.models.project(place) as project:
            if len(project.document.chapters) != number - 1:
                raise ProjectError(
                    f"{place.parent} reads as {len(project.document.chapters)} chapters, not {number - 1}: "
                    "a draft holds something that looks like a heading"
                )
            report = project.compare(self.prompt, chapter=number - 1, pipelines=[pipeline], seed=seed)
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

    def _index(self, place: Path, written: Sequence[str]) -> None:
        """The story and what was written, as Markdown, so that every chapter has a heading of one kind."""
        parts = [f"# {self.document.title}"]
        for chapter in self.document.chapters:
            parts.append(f"## Chapter {chapter.number}: {' '.join(chapter.title.split())}")
            parts.append(_HEADING.sub("", chapter.body.of(self.document.text).strip()))
        for number, text in enumerate(written, start=len(self.document.chapters) + 1):
            parts += [f"## Chapter {number}", text]
        story = place.with_name("story.md")
        replace_file(story, "\n\n".join(parts) + "\n")
        self.models.index(story, place)


def continued(
    book: Path,
    work: Path,
    *,
    chapters: int,
    seeds: int,
    pipelines: Sequence[Pipeline] = PIPELINES,
    prompt: str | None = None,
    assignments: Sequence[str] = (),
    progress: Progress = lambda *_: None,
) -> Answer:
    """Has each pipeline write ``chapters`` chapters with each seed, and sums up; what ``work`` holds already
    is not written again. ``rows`` are in order of pipeline, seed and chapter.

    Raises ProjectError where ``work`` holds the run of another story or prompt, and ModelError where a model
    cannot be used at all.
    """
    rows: list[WrittenChapter] = []
    with closing(Models(load_config(assignments=(TEMPERATURE, *assignments)))) as models:
        run = _Run(read_document(book), models, work, prompt or PROMPT)
        run.require_same()
        for pipeline, seed in product(pipelines, range(seeds)):
            for written in run.line(pipeline, seed, chapters):
                rows.append(written)
                progress("writing on", len(rows), len(pipelines) * seeds * chapters)
    facts = summary(rows)
    parts = [f"{len(rows)} chapters; the unit of intervals and p is a seed's line."]
    for header, lines in (means(facts), differences(facts)):
        parts += [table(lines, header=header)] if lines else []
    return Answer({**facts, "rows": rows}, "\n\n".join([*parts, *facts["ended_early"]]))


def summary(rows: Sequence[WrittenChapter]) -> dict[str, Any]:
    """Means and 95 % intervals by pipeline, each against the standard one, and the curves: consistency at
    each chapter written, the mean over the seeds that could be scored. A line (a seed) is the unit: its
    chapters grow out of each other."""
    config = {
        "metrics": MEASURES,
        "pipelines": list(dict.fromkeys(row.pipeline for row in rows)),
        "baseline": STANDARD.name,
    }
    before = min((row.number for row in rows), default=1) - 1
    curves: dict[str, list[tuple[int, float]]] = {}
    for name in config["pipelines"]:
        scored = sorted(
            (row.number - before, value)
            for row in rows
            if row.pipeline == name and (value := row.scores.get("consistency")) is not None
        )
        by_chapter = groupby(scored, key=itemgetter(0))
        curves[name] = [(number, round(fmean(one for _, one in own), 4)) for number, own in by_chapter]
    found = summed_up(map(asdict, rows), config, key=("seed", "number"))
    return {
        "config": config,
        **found,
        "curves": curves,
        "ended_early": [
            f"{row.pipeline}, seed {row.seed}, ch. {row.number}: {row.error}" for row in rows if row.error
        ],
    }
