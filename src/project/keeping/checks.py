"""Checks of a project's parts: chunks against chapters, every quote of the story's log against the place
where it says it stands, and what readers and the author keep beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from ...core.chunks.table import ChunkTable
from ...core.store.sqlite import ProjectStore, problems_in
from ...core.types import Chapter, Document, Evidence, Horizon
from ...core.vectors.index import VectorIndex
from ...errors import FabulaError
from ...story.continuity.suppressions import SUPPRESSIONS_FILE, Suppressions
from ...story.corrections import CORRECTIONS_FILE, read_corrections, surface_key, uses
from ...story.model.types import StoryLog
from ...story.passages.chunk_facts import ChunkFactsTable
from ..factories import config_of
from ..pictures import file_of
from ..storage.pictures_file import PICTURES_FILE, read_pictures

Cure = Literal["index", "work", "ratings", ""]
"""What mends a break: the index made anew from text and kept work, work or ratings dropped; "": nobody but
the author."""
_ADVICE: Mapping[Cure, str] = {
    "index": "fabula verify --mend makes the index again",
    "work": "fabula verify --mend drops it, and it is done again when needed",
    "ratings": "fabula verify --mend drops it",
    "": "restore the project from a backup, or index the book again into a new folder",
}
_UNUSABLE = "it cannot be used"


@dataclass(frozen=True, slots=True)
class Break:
    """``part`` is a file or table of the project, ``advice`` what to do; only ``detail`` may quote it."""

    part: str
    problem: str
    cure: Cure
    advice: str
    detail: str = ""

    @property
    def line(self) -> str:
        """All of it on one line."""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.part}: {self.problem}{detail}: {self.advice}"


@dataclass(frozen=True, slots=True)
class Checked:
    """How many of what were compared."""

    what: str
    count: int


@dataclass(slots=True)
class Verified:
    """What the checks of the project add to. ``notes`` are worth knowing and no break: what a killed writer
    left, ratings of passages that the text no longer has."""

    title: str
    checked: list[Checked] = field(default_factory=list)
    broken: list[Break] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, what: str, count: int) -> None:
        self.checked.append(Checked(what, count))

    def add(
        self, part: str, problem: str, *, cure: Cure = "", advice: str = "", why: object | None = None
    ) -> None:
        """Something is broken. ``why`` is the error that said so."""
        detail = " ".join(str(why).split()) if why is not None else ""
        self.broken.append(Break(part, problem, cure, advice or _ADVICE[cure], detail))

    @contextmanager
    def using(self, part: str, *others: type[Exception], cure: Cure = "", advice: str = "") -> Iterator[None]:
        """An error of ours, or one of ``others``, within the block is a break of the part."""
        errors: tuple[type[Exception], ...] = (FabulaError, *others)
        try:
            yield
        except errors as error:
            self.add(part, _UNUSABLE, cure=cure, advice=advice, why=error)

    def give_up_index(self, why: Exception) -> None:
        """Nothing that is left can make the index anew; ``why`` says the way out."""
        advice = " ".join(str(why).split())
        self.broken = [
            replace(one, cure="", advice=advice) if one.cure == "index" else one for one in self.broken
        ]

    @property
    def is_clean(self) -> bool:
        return not self.broken

    @property
    def text(self) -> str:
        looked = ", ".join(f"{one.count:,} {one.what}" for one in self.checked if one.count)
        lines = [f"broken  {one.line}" for one in self.broken]
        lines += [f"note    {one}" for one in self.notes]
        state = "clean" if self.is_clean else f"{len(self.broken)} broken"
        return "\n".join([*lines, f"{self.title}: {state} ({looked or 'nothing could be compared'})"])


def check_chunks(folder: Path, document: Document, found: Verified) -> ChunkTable | None:
    """Every chunk lies in its chapter, so that no horizon admits it too early. None for unusable chunks."""
    part = f"index/{folder.name}/chunks.npy"
    with found.using(part, cure="index"):
        chunks = ChunkTable.load(folder, document)
        bodies = {chapter.number: chapter.body for chapter in document.chapters}
        wrong, last = 0, (0, 0)
        for chunk in chunks:
            body, place = bodies.get(chunk.chapter), (chunk.chapter, chunk.span.start)
            wrong += body is None or not body.contains(chunk.span) or place < last
            last = place
        found.count("chunks", len(chunks))
        for name, rows in (("vectors", VectorIndex.load(folder)), ("facts", ChunkFactsTable.load(folder))):
            if len(rows) != len(chunks):
                problem = f"it has {len(rows)} rows for {len(chunks)} chunks"
                found.add(f"index/{folder.name}/{name}.npy", problem, cure="index")
        if not wrong:
            return chunks
        found.add(part, f"chunks that are no part of their chapter: {wrong}", cure="index")
    return None


def check_log(log: StoryLog, document: Document, *, authored: str | None, part: str, found: Verified) -> None:
    """Every quote stands where it says; ``authored`` is the text of the codex that the index was made with.
    Breaks are counted by kind of record, with the place of the first."""
    chapters = {chapter.number: chapter for chapter in document.chapters}
    quotes = 0
    for each in fields(log):
        wrong: dict[str, list[str]] = {}
        for quote in (one for record in getattr(log, each.name) for one in _quotes(record)):
            quotes += 1
            if problem := _misplaced(quote, document, chapters, authored):
                wrong.setdefault(problem, []).append(f"{quote.span.start}:{quote.span.end}")
        for problem, places in wrong.items():
            found.add(part, f"{len(places)} {each.name} {problem}, first {places[0]}", cure="index")
    found.count("quotes", quotes)


def _quotes(record: Any) -> Iterator[Evidence]:
    for each in fields(record):
        value = getattr(record, each.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Evidence):
                yield one


def _misplaced(
    quote: Evidence, document: Document, chapters: Mapping[int, Chapter], authored: str | None
) -> str:
    text = document.text
    if quote.document_id != document.id:
        if authored is None:
            return "quote neither the book nor its codex"
        text = authored
    elif not (chapter := chapters.get(quote.chapter)) or not (
        chapter.heading.start <= quote.span.start and quote.span.end <= chapter.body.end
    ):
        return "have a quote that is not in the named chapter"
    return "" if quote.span.of(text) == quote.quote else "have a quote that is not there"


def check_records(store: ProjectStore, chunks: ChunkTable | None, found: Verified) -> None:
    """Ratings and conversations can be read; ratings of passages that the text no longer has are noted."""
    ratings = store.feedback().examined()
    known = {chunk.id for chunk in chunks} if chunks is not None and ratings else set()
    gone = 0
    for id, chunk, problem in ratings:
        if problem:
            found.add("fabula.db, feedback", f"rating {id} cannot be read", cure="ratings", why=problem)
        elif chunks is not None and chunk not in known:
            gone += 1
    if gone:
        found.notes.append(f"{gone} ratings are of passages that the text no longer has; they still count")
    found.count("ratings", len(ratings))
    with found.using("fabula.db, turns", advice="restore the project from a backup"):
        talks = store.conversations().listed(horizon=Horizon())
        found.count("turns", sum(talk.turns for talk in talks))


def check_corrections(
    folder: Path, document: Document, log: StoryLog | None, made_with: str | None, found: Verified
) -> None:
    """The book uses every name in ``corrections.toml``. ``made_with`` is the key of those in the index."""
    with found.using(CORRECTIONS_FILE, advice="fix that place"):
        corrections = read_corrections(folder / CORRECTIONS_FILE)
        text = " ".join(document.text.split()).casefold()
        ids = {surface_key(one.entity) for one in log.mentions} if log is not None else set()
        for number, one in enumerate(corrections.entries):
            for name in one.surfaces:
                if not uses(text, surface_key(name)) and surface_key(name) not in ids:
                    found.add(
                        CORRECTIONS_FILE,
                        f"{corrections.place(number)} names {name!r}, which the book does not have",
                        advice="fix the name, or remove the correction",
                    )
        if made_with is not None and corrections.key != made_with:
            found.notes.append(
                f"{CORRECTIONS_FILE} has changed since the index was made: fabula correct apply applies it"
            )
        found.count("corrections", len(corrections.entries))


def check_own_files(folder: Path, found: Verified) -> None:
    """Settings, suppressions, pictures, and what a model answered."""
    with found.using("fabula.toml", advice="fix that place"):
        config_of(folder)
    with found.using(SUPPRESSIONS_FILE, advice="fix that place"):
        if (folder / SUPPRESSIONS_FILE).is_file():
            Suppressions.load(folder / SUPPRESSIONS_FILE)
    with found.using(PICTURES_FILE, advice="fix that place, or add the picture again"):
        for one in read_pictures(folder):
            file_of(folder, one)
    for file in sorted(folder.glob("answers-*.sqlite")):
        for problem in problems_in(file)[:1]:
            advice = "remove the file: the model is asked again"
            found.add(file.name, "the database is damaged", advice=advice, why=problem)
