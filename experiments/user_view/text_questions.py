"""Questions with the places that answer them: FairytaleQA, and the project's own of ``data/questions``.

FairytaleQA (Xu et al., ACL 2022) names sections; the sentence is the one with the answer's words, where some
answer stands in the text, else the one that holds most of its words, else the section as a whole."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA
from experiments.common.story_data import rows as rows_of
from experiments.user_view.story_sets import load_stories
from fabula.core.text.sentences import sentences
from fabula.core.types import Chunk, Span

__all__ = [
    "CALIBRATING_TALES",
    "TEST_TALES",
    "AskedText",
    "TextQuestion",
    "answers",
    "chapters",
    "overlap",
    "shuffled_tales",
    "stories",
    "whole_novels",
]

QUESTIONS = DATA / "questions"
TEST_TALES, CALIBRATING_TALES = 25, 14
WORD = re.compile(r"\w+")
REASON = re.compile(r"^(?:because|so that|in order to|that|to)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """``places`` hold the answer; ``words`` are it, where known. ``sections``: the places are whole sections,
    of which some sentence answers. ``within`` are the sections that FairytaleQA names."""

    text: str
    answers: tuple[str, ...]
    places: tuple[Span, ...]
    words: Span | None = None
    sections: bool = False
    within: tuple[Span, ...] = ()


@dataclass(slots=True)
class AskedText:
    """A text and its questions; its chunks, once it was indexed; the sections of a tale."""

    name: str
    text: str
    questions: list[TextQuestion]
    chunks: list[Chunk] = field(default_factory=list)
    sections: list[Span] = field(default_factory=list)


def shuffled_tales(data: Path) -> list[AskedText]:
    """The tales in the order by which they are split: nothing is fitted to the first
    :data:`TEST_TALES`, and to the next only how sure the reader may be."""
    found = tales(data)
    random.Random(29).shuffle(found)
    return found


def tales(data: Path) -> list[AskedText]:
    """FairytaleQA, a tale each, by name."""
    folder = data / "retrieval" / "fairytaleqa"
    parts: dict[str, list[dict[str, Any]]] = {}
    for row in rows_of(folder / "corpus.jsonl"):
        parts.setdefault(row["doc"], []).append(row)
    found, places = {}, {}
    for name, rows in sorted(parts.items()):
        text = ""
        found[name] = tale = AskedText(name, "", [])
        for row in sorted(rows, key=lambda row: row["n"]):
            text += "\n\n" * bool(text)
            places[row["_id"]] = Span(len(text), len(text) + len(row["text"]))
            tale.sections.append(places[row["_id"]])
            text += row["text"]
        tale.text = text
    sections: dict[str, list[Span]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, section, _ = line.split("\t")
        sections.setdefault(query, []).append(places[section])
    for row in rows_of(folder / "queries.jsonl"):
        tale = found[row["doc"]]
        tale.questions.append(_located(tale.text, row["text"], tuple(row["answers"]), sections[row["_id"]]))
    return list(found.values())


def _located(text: str, question: str, answers: tuple[str, ...], sections: Sequence[Span]) -> TextQuestion:
    """The sentence with the answer's words, else the one that holds most of them, else the whole sections."""
    asked = _telling(question)
    for answer in answers:
        words = WORD.findall(REASON.sub("", answer))
        pattern = re.compile(r"\b" + r"\W+".join(map(re.escape, words)) + r"\b", re.IGNORECASE)
        hits = [
            Span(match.start(), match.end())
            for section in sections
            for match in pattern.finditer(text, section.start, section.end)
            if words
        ]
        if hits:
            around = [_sentence(text, sections, hit) for hit in hits]
            best = max(range(len(hits)), key=lambda i: len(asked & _telling(around[i].of(text))))
            return TextQuestion(question, answers, (around[best],), hits[best], within=tuple(sections))
    share, best = (
        max(
            (len(said & _telling(span.of(text))) / len(said), span)
            for said in (_telling(answer) for answer in answers)
            if len(said) > 1
            for section in sections
            for span in _sentences(text, section)
        )
        if any(len(_telling(answer)) > 1 for answer in answers)
        else (0.0, sections[0])
    )
    if share >= 0.6:
        return TextQuestion(question, answers, (best,), within=tuple(sections))
    return TextQuestion(question, answers, tuple(sections), sections=True, within=tuple(sections))


def stories(writers: Collection[str]) -> list[AskedText]:
    """The project's stories of these writers, by id."""
    written: dict[str, list[dict[str, Any]]] = {}
    for path in sorted((QUESTIONS / "stories").glob("*.jsonl")):
        for row in rows_of(path):
            written.setdefault(row["id"], []).append(row)
    found = []
    for story in load_stories():
        if story.writer in writers:
            asked = AskedText(story.id, story.text, [])
            for q in story.questions:
                places = tuple(Span(s["start"], s["end"]) for s in q["spans"])
                told = (q["answer"],) if q["answerable"] else ()
                asked.questions.append(TextQuestion(q["question"], told, places))
            asked.questions += [_own(row) for row in written.get(story.id, ())]
            found.append(asked)
    return found


def chapters(data: Path) -> list[AskedText]:
    """Chapters of novels, by novel and place."""
    found: dict[tuple[str, int, int], AskedText] = {}
    for name, text, rows in _asked_novels(data):
        for row in rows:
            start, end = row["chapter"]
            asked = found.setdefault((name, start, end), AskedText(name, text[start:end], []))
            asked.questions.append(_own(row, start))
    return list(found.values())


def whole_novels(data: Path, names: Collection[str]) -> list[AskedText]:
    """The same questions asked of the whole text of some novels."""
    return [
        AskedText(name, text, [_own(row) for row in rows])
        for name, text, rows in _asked_novels(data)
        if name in names
    ]


def _asked_novels(data: Path) -> Iterator[tuple[str, str, list[Any]]]:
    for path in sorted((QUESTIONS / "novels").glob("*.jsonl")):
        head, *rows = rows_of(path)
        books = (data / part / f"{path.stem}.txt" for part in ("novels", "novels_more"))
        book = next(book for book in books if book.is_file())
        with book.open(encoding="utf-8", newline="") as file:
            text = file.read()
        if hashlib.sha256(text.encode()).hexdigest() != head["sha256"]:
            raise SystemExit(f"{book} is not the text that was asked about")
        yield path.stem, text, rows


def _own(row: dict[str, Any], before: int = 0) -> TextQuestion:
    if not row["answerable"]:
        return TextQuestion(row["question"], (), ())
    at, words = (
        Span(row[key][0] - before, row[key][1] - before) if row[key] else None for key in ("at", "words")
    )
    return TextQuestion(row["question"], (row["answer"], *row["accept"]), (at,) if at else (), words)


def _telling(text: str) -> frozenset[str]:
    return frozenset(word for word in map(str.casefold, WORD.findall(text)) if len(word) > 3)


def _sentences(text: str, section: Span) -> Iterator[Span]:
    for span in sentences(section.of(text)):
        yield Span(section.start + span.start, section.start + span.end)


def _sentence(text: str, sections: Sequence[Span], hit: Span) -> Span:
    for section in sections:
        for span in _sentences(text, section):
            if span.start <= hit.start < span.end:
                return Span(span.start, max(span.end, hit.end))
    return hit


def overlap(one: Span, other: Span) -> int:
    """How many characters the two share."""
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def answers(span: Span, question: TextQuestion) -> bool:
    """Is the sentence one of those that answer?"""
    return any(2 * overlap(span, place) >= min(len(span), len(place)) > 0 for place in question.places)
