"""The project's own short stories: planted contradictions, legitimate changes, near misses, and questions.

``data/stories/WRITER.jsonl`` holds a story a line; ``data/stories/README.md`` describes every field. Offsets
are half-open, in characters of ``text``; each span carries its words, and ``problems`` names every one that
does not stand where it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA

__all__ = ["DIFFICULTIES", "KINDS", "SPLITS", "STORIES", "Story", "load_stories", "problems"]

STORIES = DATA / "stories"
SPLITS: Mapping[str, tuple[str, ...]] = {
    "train": ("w01", "w02", "w03", "w04", "w05", "w06", "w07", "w08", "w13"),
    "dev": ("w09", "w10"),
    "test": ("w11", "w12"),
}
DIFFICULTIES = ("explicit", "paraphrase", "implicit")
KINDS = frozenset(
    """appearance body age_date kinship name death place possession knowledge bond sequence ability world_rule
    work quantity event setting""".split()
)
REASONS = frozenset(
    """dye promotion disguise dream flashback lie twin nickname years injury recovery gift repair reveal
    quarrel reconciliation move learning mistake other""".split()
)
NEAR_MISSES = frozenset(
    """simile namesake lie dream flashback negation hypothesis figure hearsay memory other_person near_value
    letter fiction""".split()
)
_CHAPTER = re.compile(r"^## (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Story:
    """One story with its gold, as ``data/stories/README.md`` describes it."""

    id: str
    writer: str
    split: str
    title: str
    text: str
    facts: Mapping[str, Any]
    contradictions: Sequence[Mapping[str, Any]]
    legitimate: Sequence[Mapping[str, Any]]
    near_misses: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]

    @property
    def words(self) -> int:
        return len(self.text.split())

    @property
    def clean(self) -> bool:
        return not self.contradictions


def load_stories(split: str | None = None, *, folder: Path = STORIES) -> tuple[Story, ...]:
    """The stories of a split (all, if None), by id. Raises KeyError for a split that does not exist."""
    writers = SPLITS[split] if split else tuple(w for part in SPLITS.values() for w in part)
    of = {writer: name for name, part in SPLITS.items() for writer in part}
    found = []
    for writer in writers:
        path = folder / f"{writer}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
            row = json.loads(line)
            found.append(
                Story(
                    row["id"],
                    writer,
                    of[writer],
                    row["title"],
                    row["text"],
                    {key: row[key] for key in ("genre", "person", "tense", "setting")},
                    row["contradictions"],
                    row["legitimate"],
                    row["near_misses"],
                    row["questions"],
                )
            )
    return tuple(sorted(found, key=lambda story: story.id))


def problems(story: Story) -> list[str]:
    """What is wrong with a story or its gold, a line each; empty where all is as described."""
    said = [f"{story.id}: {what}" for what in (*_shape(story), *_sides(story), *_questions(story))]
    for label, span in _spans(story):
        words = story.text[span["start"] : span["end"]]
        if words != span["quote"]:
            said.append(f"{story.id}: {label} says {span['quote'][:40]!r}, the text {words[:40]!r}")
        if story.text.count(span["quote"]) != 1 or "\n" in span["quote"]:
            said.append(f"{story.id}: {label} does not stand once, within one paragraph")
    return said


def _shape(story: Story) -> Iterator[str]:
    numbers = _CHAPTER.findall(story.text)
    if numbers != [str(n + 1) for n in range(len(numbers))] or not 3 <= len(numbers) <= 6:
        yield f"chapters {numbers}"
    if not story.text.startswith(f"# {story.title}\n"):
        yield "the text does not open with its title"
    if not 380 <= story.words <= 1260:
        yield f"{story.words} words"
    if story.facts["person"] not in ("first", "third") or story.facts["tense"] not in ("past", "present"):
        yield f"person or tense: {story.facts}"
    if story.clean and not story.legitimate:
        yield "a clean story without a legitimate change"


def _sides(story: Story) -> Iterator[str]:
    for one in story.contradictions:
        if one["kind"] not in KINDS or one["difficulty"] not in DIFFICULTIES or not one["why"]:
            yield f"contradiction {one['kind']}, {one['difficulty']}"
        if not one["earlier"]["end"] <= one["later"]["start"]:
            yield "the earlier side of a contradiction is not before the later"
    for one in story.legitimate:
        if one["kind"] not in KINDS or one["reason"] not in REASONS:
            yield f"legitimate change {one['kind']}, {one['reason']}"
        if not one["earlier"]["start"] < one["later"]["start"]:
            yield "the earlier side of a change is not before the later"
    for one in story.near_misses:
        if one["type"] not in NEAR_MISSES:
            yield f"near miss {one['type']}"


def _questions(story: Story) -> Iterator[str]:
    if story.questions and [q["answerable"] for q in story.questions].count(False) != 1:
        yield "questions without exactly one that is not answered"
    if story.questions and len(story.questions) != 5:
        yield f"{len(story.questions)} questions"
    for one in story.questions:
        if one["answerable"] != bool(one["spans"]) or one["answerable"] != bool(one["answer"]):
            yield f"question {one['question']!r}: answer and spans go together"


def _spans(story: Story) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for label, group, sides in (
        ("a contradiction", story.contradictions, ("earlier", "later")),
        ("a change", story.legitimate, ("earlier", "later", "told_by")),
        ("a near miss", story.near_misses, ("span",)),
    ):
        for one in group:
            yield from ((f"{label}'s {side}", one[side]) for side in sides)
    for question in story.questions:
        yield from (("an answer's span", span) for span in question["spans"])
