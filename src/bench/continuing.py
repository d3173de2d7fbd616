"""A story written on, chapter after chapter: what a pipeline wrote becomes part of the story that it reads.

Each line of writing (one pipeline, one seed) is a folder: the chapters it wrote, each a file that is there
whole or not at all, and a project made of the story and them. All else follows from these files, so a run
that is killed at any instant goes on where it stopped.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.documents import document_from_text, read_document
from ..core.files.atomic import replace_file
from ..core.files.plain_json import parse_json
from ..core.types import Document
from ..engine import Project, index_book, make_embedder, make_reader
from ..errors import ProjectError, UsageError
from ..project.factories import make_generator
from ..story.writing.pipelines import PIPELINES
from .growing import GrowingStory

if TYPE_CHECKING:
    from ..config import Config
    from ..core.interfaces import DocumentEmbedder, Generator
    from ..project.indexing import Progress
    from ..story.evaluation.comparison_report import PipelineResult
    from ..story.graph_rag.story_graph import StoryKnowledgeGraph
    from ..story.model.chapter_reading import ChapterReader
    from ..story.writing.pipelines import Pipeline

__all__ = ["PROMPT", "SharedGenerator", "WrittenChapter", "continue_story"]

PROMPT = "Write the next chapter of the story: what happens next?"
_STORY = "story.md"
_HEADING = re.compile(r"^[ \t]*#+[ \t]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WrittenChapter:
    """One chapter that a pipeline wrote; ``number`` counts on from the story's own. ``scores`` are those of
    ``compare``, of the draft set after everything before it; ``rules`` names the rule of each finding.
    ``seconds`` are those of the stages, and under ``graph`` those from the draft's last word until the story
    graph held it. Where nothing came, ``error`` says why and the line ends."""

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


OnGraph = Callable[[WrittenChapter, "StoryKnowledgeGraph"], None]


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
    on_graph: OnGraph = lambda *_: None,
) -> tuple[WrittenChapter, ...]:
    """Has each pipeline write ``chapters`` chapters with each seed; what ``work`` holds already is not
    written again. In order of pipeline, seed and chapter. ``on_graph`` is called with each chapter that is
    written and the graph of the story that ends with it, the same as indexing that story makes.

    Raises UsageError for a count below 1, ProjectError where ``work`` holds the run of another story or
    prompt, and ModelError where a model cannot be used at all.
    """
    if chapters < 1 or not seeds or not pipelines:
        raise UsageError("a continuation takes one chapter, seed and pipeline at least")
    document = read_document(book)
    desk = _Desk(document, work, config, prompt, on_graph)
    desk.admit()
    found: list[WrittenChapter] = []
    total, done = len(pipelines) * len(seeds) * chapters, 0
    try:
        for pipeline in pipelines:
            for seed in seeds:
                for written in desk.line(pipeline, seed, chapters):
                    found.append(written)
                    done += 1
                    progress("writing on", done, total)
    finally:
        desk.close()
    return tuple(found)


class _Desk:
    """One run: the story, its models (loaded when first needed, once), and where the lines are."""

    def __init__(
        self, document: Document, work: Path, config: Config, prompt: str, on_graph: OnGraph
    ) -> None:
        self._document = document
        self._work = work
        self._config = config
        self._prompt = prompt
        self._on_graph = on_graph
        self._generator: Generator | None = None
        self._embedder: DocumentEmbedder | None = None
        self._reader: ChapterReader | None = None

    def admit(self) -> None:
        """Writes down what the run is of, or sees that it is the same."""
        from ..core.store.sqlite import digest

        told = {
            "schema": "fabula.continuation/1",
            "story": digest(self._document.text),
            "prompt": self._prompt,
            "model": self.generator.name,
            "settings": self._config.model_dump(include={"comparison", "retrieval", "chunking"}),
        }
        path = self._work / "run.json"
        if not path.exists():
            replace_file(path, json.dumps(told, indent=1) + "\n")
            return
        try:
            before = parse_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ProjectError(f"{path} is damaged ({error}): choose an empty folder") from error
        for what, value in told.items():
            if before.get(what) != value:
                raise ProjectError(f"{self._work} holds a run with another {what}: choose an empty folder")

    @property
    def generator(self) -> Generator:
        if self._generator is None:
            self._generator = make_generator(self._config)
        return self._generator

    def close(self) -> None:
        if self._generator is not None:
            self._generator.close()

    def line(self, pipeline: Pipeline, seed: int, chapters: int) -> Iterator[WrittenChapter]:
        """The chapters of one line, those that stand and then new ones."""
        folder = self._work / f"{_slug(pipeline.name)}-{seed}"
        before: list[WrittenChapter] = []
        first = len(self._document.chapters) + 1
        for number in range(first, first + chapters):
            path = folder / f"chapter-{number:04d}.json"
            written = _load(path) if path.exists() else None
            if written is None:
                written = self._write(pipeline, seed, number, folder, before)
                replace_file(path, _dump(written))
            yield written
            if written.error:
                return
            before.append(written)

    def _write(
        self, pipeline: Pipeline, seed: int, number: int, folder: Path, before: Sequence[WrittenChapter]
    ) -> WrittenChapter:
        place = folder / "project"
        if not place.exists():
            self._lay_out(place)
        story = folder / _STORY
        self._index(story, place, before)
        with Project.open(place) as project:
            project.config = self._config
            project.__dict__.update(
                generator=SharedGenerator(self.generator), embedder=self._embedder, reader=self._reader
            )
            if len(project.document.chapters) != number - 1:
                raise ProjectError(
                    f"{story} reads as {len(project.document.chapters)} chapters, not {number - 1}: "
                    "a draft holds something that looks like a heading"
                )
            growing = GrowingStory(self._grower(project, before))
            report = project.compare(
                self._prompt, chapter=number - 1, pipelines=[pipeline], seed=seed, on_event=growing.hear
            )
        result = report.results[0]
        grown = growing.grown(result.generation.text) if result.generation else None
        written = _written(result, seed, number, grown.seconds if grown else None)
        if grown is not None:
            self._on_graph(written, grown.graph)
        return written

    def _grower(
        self, project: Project, before: Sequence[WrittenChapter]
    ) -> Callable[[str], StoryKnowledgeGraph]:
        """Appends a draft to the story as the next indexing will find it."""
        checker, book = project.draft_checker(), project.document

        def grow(text: str) -> StoryKnowledgeGraph:
            whole = _story(self._document, [one.text for one in before] + [_chapter_text(text)])
            return checker.grown(document_from_text(whole, id=book.id, title=book.title))

        return grow

    def _index(self, story: Path, place: Path, written: Sequence[WrittenChapter]) -> None:
        replace_file(story, _story(self._document, [one.text for one in written]))
        if self._embedder is None or self._reader is None:
            self._embedder, self._reader = make_embedder(self._config), make_reader(self._config)
        index_book(story, place, config=self._config, embedder=self._embedder, reader=self._reader)

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


class SharedGenerator:
    """A generator that outlives the projects that use it."""

    def __init__(self, inner: Generator) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def close(self) -> None:
        """Left open."""


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


def _chapter_text(draft: str) -> str:
    """A draft without headings of its own."""
    return _HEADING.sub("", draft).strip()


def _written(result: PipelineResult, seed: int, number: int, until_graph: float | None) -> WrittenChapter:
    check = result.check
    text = result.generation.text if result.generation else ""
    return WrittenChapter(
        pipeline=result.pipeline,
        seed=seed,
        number=number,
        text=_chapter_text(text),
        scores={score.name: score.value for score in result.scores},
        rules=tuple(violation.rule for violation in result.violations),
        facts_checked=check.facts_checked if check else 0,
        facts_checkable=check.facts_checkable if check else 0,
        context_tokens=result.context.context.tokens if result.context else 0,
        revised=len(result.drafts) > 1,
        seconds=dict(result.seconds) | ({} if until_graph is None else {"graph": until_graph}),
        error=result.error if not result.drafts else "",
    )


def _dump(written: WrittenChapter) -> str:
    from ..core.files.plain_json import plain

    return json.dumps(plain(written), indent=1, ensure_ascii=False) + "\n"


def _load(path: Path) -> WrittenChapter:
    try:
        fields = parse_json(path.read_text(encoding="utf-8"))
        return WrittenChapter(**{**fields, "rules": tuple(fields["rules"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProjectError(f"{path} is damaged ({error}): delete it, and it is written anew") from error


def _slug(name: str) -> str:
    return re.sub(r"\W+", "-", name.lower()).strip("-")
