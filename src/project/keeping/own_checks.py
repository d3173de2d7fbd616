"""What readers and the author keep in a project: ratings, conversations, corrections, settings, graphs,
answers of a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...core.chunks.table import ChunkTable
from ...core.store.sqlite import ProjectStore
from ...core.store.upkeep import problems_in
from ...core.types import Document, Horizon
from ...errors import FabulaError, ProjectError
from ...story.continuity.reporting.suppressions import SUPPRESSIONS_FILE, Suppressions
from ...story.corrections.corrections import surface_key, uses
from ...story.corrections.file import CORRECTIONS_FILE, read_corrections
from ...story.model.types import StoryLog
from ..factories import config_of
from ..foreign_graphs import GRAPHS, graph_names, load_graph
from ..pictures.shelf import file_of
from ..storage.pictures_file import PICTURES_FILE, read_pictures
from .broken import Findings

__all__ = ["check_corrections", "check_own_files", "check_ratings", "check_turns"]


def check_ratings(store: ProjectStore, chunks: ChunkTable | None, found: Findings) -> None:
    """Every rating can be read; those of passages that the text no longer has are noted."""
    ratings = store.feedback().examined()
    known = {chunk.id for chunk in chunks} if chunks is not None and ratings else set()
    gone = 0
    for id, chunk, problem in ratings:
        if problem:
            why = ProjectError(problem)
            found.add("fabula.db, feedback", f"rating {id} cannot be read", cure="ratings", why=why)
        elif chunks is not None and chunk not in known:
            gone += 1
    if gone:
        found.notes.append(f"{gone} ratings are of passages that the text no longer has; they still weigh")
    found.count("ratings", len(ratings))


def check_turns(store: ProjectStore, found: Findings) -> None:
    """Every conversation can be read."""
    with _said("fabula.db, turns", found, advice="restore the project from a backup"):
        whole = Horizon()
        talks = store.conversations().listed(horizon=whole)
        turns = [turn for talk in talks for turn in store.conversations().turns(talk.id, horizon=whole)]
        found.count("turns", len(turns))


def check_corrections(
    folder: Path, document: Document, log: StoryLog | None, made_with: str | None, found: Findings
) -> None:
    """Every name in ``corrections.toml`` is one that the book uses. ``made_with`` is the key of those that
    the index was made with."""
    with _said(CORRECTIONS_FILE, found, advice="mend that place"):
        corrections = read_corrections(folder / CORRECTIONS_FILE)
        text = " ".join(document.text.split()).casefold()
        ids = {surface_key(one.entity) for one in log.mentions} if log is not None else set()
        for number, one in enumerate(corrections.entries):
            for name in one.surfaces:
                if not uses(text, surface_key(name)) and surface_key(name) not in ids:
                    place = corrections.place(number)
                    found.add(
                        CORRECTIONS_FILE,
                        f"{place} names {name!r}, which the book does not have",
                        advice="mend the name, or take the correction out",
                    )
        if made_with is not None and corrections.key != made_with:
            found.notes.append(
                f"{CORRECTIONS_FILE} has changed since the index was made: fabula correct apply makes it hold"
            )
        found.count("corrections", len(corrections.entries))


def check_own_files(folder: Path, document: Document | None, found: Findings) -> None:
    """Settings, suppressions, graphs of other programs, and what a model answered."""
    with _said("fabula.toml", found, advice="mend that place"):
        config_of(folder)
    with _said(SUPPRESSIONS_FILE, found, advice="mend that place"):
        if (folder / SUPPRESSIONS_FILE).is_file():
            Suppressions.load(folder / SUPPRESSIONS_FILE)
    with _said(PICTURES_FILE, found, advice="mend that place, or put the picture in again"):
        for one in read_pictures(folder):
            file_of(folder, one)
    if document is not None:
        for name in graph_names(folder):
            with _said(f"{GRAPHS}/{name}.json", found, advice="import it again, or remove the file"):
                load_graph(folder, name, document)
    for file in sorted(folder.glob("answers-*.sqlite")):
        for problem in problems_in(file)[:1]:
            advice = "remove the file: the model is asked again"
            found.add(file.name, "the database is damaged", advice=advice, why=ProjectError(problem))


@contextmanager
def _said(part: str, found: Findings, *, advice: str) -> Iterator[None]:
    """Has an error told as a break of the part."""
    try:
        yield
    except FabulaError as error:
        found.add(part, "it cannot be used", advice=advice, why=error)
