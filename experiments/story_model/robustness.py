"""Does the story model hang on what should not matter, what does it cost, and does its memory stay flat?

Usage:  python experiments/run.py story_model --data DIR --only robustness [--seen-only]

Renaming: the person mentioned most gets another name of the same sort and length throughout the text, so
that every offset stays; then relations and events are set side by side, names put back. Re-wrapping: every
line break within a paragraph becomes a space. Chunk size: the demo story is indexed at three chunk sizes.
Each gives a Jaccard index of edges (who, what, whom, where told, in which modality), 1 being "nothing
changed". A statistical parser reads a sentence with another name in it differently now and then: what
that alone does is shown by the share of words whose part of speech and head stay the same.

Speed: processor seconds of the spaCy pipeline alone over the same paragraphs, beside reading and linking,
in turns, chapter by chapter. Memory: what the process holds after each quarter of a long book, in MB, with
the parts of the log counted apart.
"""

from __future__ import annotations

import gc
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from experiments.common.story_data import document_of, held_out, read_story
from fabula.core.types import Document
from fabula.demo import save_story
from fabula.story.extraction.reader import StoryReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.linking.linker import Linker
from fabula.story.model.types import StoryLog
from fabula.story.prose import paragraphs, scenes_of

__all__ = ["costs", "measure", "renamed"]

_NOVELS = ("the-secret-garden", "o-pioneers", "persuasion")
_LONG = "anna-karenina"
_CHUNK_SIZES = (300, 540, 1_000)
_NEW_NAMES = (
    "Ann Eve Ada Amy Jane Ruth Dora Nora Edith Agnes Flora Grace Helen Alice Esther Louisa Sophia Harriet "
    "Matilda Beatrice Margaret Josephine Catherine Henrietta Tom Ned Max Hugh Mark Paul Luke Adam Peter "
    "Frank Henry Simon Edwin Edgar Philip Martin Walter Oliver Arthur Gilbert Herbert Theodore Benjamin "
    "Frederick Alexander Sebastian Archibald"
).split()

Edge = tuple[str, ...]


def measure(data: Path, reader: StoryReader, *, held: bool | None = None) -> dict[str, Any]:
    """Jaccard indexes of edges by novel, and of the demo story at three chunk sizes."""
    rows = []
    for doc in _NOVELS:
        path = data / "novels" / f"{doc}.txt"
        if path.exists() and (held is None or held_out(doc) is held):
            rows.append({"doc": doc, **_novel(document_of(path), reader)})
    return {"novels": rows, "chunk_sizes": {"sizes": _CHUNK_SIZES, **_chunk_sizes()}}


def _novel(document: Document, reader: StoryReader) -> dict[str, Any]:
    log = read_story(document, reader)
    old, new = _names(log, document.text)
    other = renamed(document, old, new)
    back = {_slug(new): _slug(old)}
    wrapped = replace(document, text=re.sub(r"(?<=\S)(\r\n|\n)(?=[^\s])", _spaces, document.text))
    return {
        "renamed": [old, new],
        "rename_jaccard": _jaccard(_edges(log), _edges(read_story(other, reader), back)),
        "rename_parse_kept": _parse_kept(document, other, reader),
        "wrap_jaccard": _jaccard(_edges(log), _edges(read_story(wrapped, reader))),
        "edges": sum(_edges(log).values()),
    }


def renamed(document: Document, old: str, new: str) -> Document:
    """The same with every word ``old`` (and OLD) as ``new``, which is as long."""
    text = re.sub(rf"\b{re.escape(old)}\b", new, document.text)
    return replace(document, text=re.sub(rf"\b{re.escape(old.upper())}\b", new.upper(), text))


def _names(log: StoryLog, text: str) -> tuple[str, str]:
    """The given name to be replaced, and the first name of our list that is as long, of the same gender
    where one is known, and nowhere in the text."""
    counts = Counter(m.surface for m in log.mentions if m.surface.istitle() and " " not in m.surface)
    for old, _ in counts.most_common():
        gender = Counter(m.gender for m in log.mentions if m.surface == old).most_common(1)[0][0]
        pool = _NEW_NAMES[: _NEW_NAMES.index("Tom")] if gender == "f" else _NEW_NAMES[24:]
        for new in pool if gender else ():
            if len(new) == len(old) and not re.search(rf"\b{new}\b", text):
                return old, new
    raise LookupError("no name of the same length that the text does not have")


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def _edges(log: StoryLog, back: Mapping[str, str] | None = None) -> Counter[Edge]:
    """Relations and events, each as often as it is told; ids with names put back."""
    names = back or {}

    def known(entity: str) -> str:
        return "-".join(names.get(part, part) for part in entity.split("-"))

    edges: Counter[Edge] = Counter()
    for r in log.relations:
        place = str(r.evidence[0].span.start)
        edges[known(r.subject), r.predicate, known(r.object), r.modality, place] += 1
    for e in log.events:
        people = " ".join(f"{role}:{known(entity)}" for role, entity in e.participants)
        edges[e.predicate, e.verb, people, e.modality, str(e.evidence[0].span.start)] += 1
    return edges


def _jaccard(one: Counter[Edge], other: Counter[Edge]) -> float | None:
    union = sum((one | other).values())
    return round(sum((one & other).values()) / union, 4) if union else None


def _parse_kept(one: Document, other: Document, reader: StoryReader) -> float:
    """Share of tokens with the same tag and head in both parses."""
    same = count = 0
    for mine, theirs in zip(_parses(one, reader), _parses(other, reader), strict=True):
        for a, b in zip(mine, theirs, strict=False):
            count += 1
            same += a.tag_ == b.tag_ and a.head.i == b.head.i
    return round(same / count, 4) if count else 0.0


def _parses(document: Document, reader: StoryReader) -> Iterable[Any]:
    reader.load()
    for chapter in document.chapters:
        text = chapter.body.of(document.text)
        prose = paragraphs(text, scenes_of(text))
        yield from reader._nlp.pipe(paragraph.text for paragraph in prose)


def _chunk_sizes() -> dict[str, Any]:
    """The demo story's relations and events at several chunk sizes, each set beside the first."""
    from fabula.config import load_config
    from fabula.engine import Project, index_book

    found: list[Counter[Edge]] = []
    with tempfile.TemporaryDirectory() as folder:
        story = save_story(Path(folder))
        for size in _CHUNK_SIZES:
            settings = [f"chunking.size={size}", f"chunking.overlap={size // 5}"]
            target = Path(folder) / str(size)
            index_book(story, target, config=load_config(assignments=settings))
            with Project.open(target) as project:
                graph: StoryKnowledgeGraph = project.graph
                found.append(_edges(graph.log))
    same = [_jaccard(found[0], other) for other in found[1:]]
    return {"jaccard": same, "least": min(j for j in same if j is not None), "edges": sum(found[0].values())}


# --- what it costs ---------------------------------------------------------------------------------


def costs(data: Path, novels: Sequence[str] = _NOVELS) -> dict[str, Any]:
    """Processor seconds by novel, and memory along a long one; for the machine half of a result."""
    reader = StoryReader()
    reader.load()
    rows = [{"doc": doc, **_speed(document_of(data / "novels" / f"{doc}.txt"), reader)} for doc in novels]
    for row in rows:
        row["ratio"] = round(row["spacy_cpu_s"] / row["extraction_cpu_s"], 3)
    ratio = sum(r["spacy_cpu_s"] for r in rows) / sum(r["extraction_cpu_s"] for r in rows)
    return {
        "speed_ratio": round(ratio, 3),
        "speed": rows,
        "memory": _memory(document_of(data / "novels" / f"{_LONG}.txt"), reader),
    }


def _speed(document: Document, reader: StoryReader) -> dict[str, Any]:
    linker, alone, whole = Linker(), 0.0, 0.0
    for number, chapter in enumerate(document.chapters):
        text = chapter.body.of(document.text)
        for turn in ((0, 1), (1, 0))[number % 2]:
            start = time.process_time()
            if turn:
                linker.add(document, chapter, reader.read(text))
                whole += time.process_time() - start
            else:
                prose = paragraphs(text, scenes_of(text))
                for _ in reader._nlp.pipe(paragraph.text for paragraph in prose):
                    pass
                alone += time.process_time() - start
    words = len(document.text.split())
    return {"words": words, "spacy_cpu_s": round(alone, 2), "extraction_cpu_s": round(whole, 2)}


def _memory(document: Document, reader: StoryReader) -> dict[str, Any]:
    """Resident MB after each quarter, and of the log as JSON there."""
    from fabula.story.graph_rag.story_graph import dump_log

    linker, process, rows = Linker(), psutil.Process(), []
    marks = {round(len(document.chapters) * part / 4): part for part in (1, 2, 3, 4)}
    for number, chapter in enumerate(document.chapters, start=1):
        linker.add(document, chapter, reader.read(chapter.body.of(document.text)))
        if number in marks:
            gc.collect()
            resident = round(process.memory_info().rss / 2**20)
            size = round(len(dump_log(linker.log)) / 2**20, 1)
            rows.append({"chapters": number, "resident_mb": resident, "log_json_mb": size})
    return {"doc": document.title, "quarters": rows}
