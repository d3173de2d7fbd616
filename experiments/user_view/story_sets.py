"""The project's own short stories: planted contradictions, legitimate changes, near misses, and questions.

``data/stories/WRITER.jsonl`` holds a story a line; ``data/stories/README.md`` describes every field. Offsets
are half-open, in characters of ``text``; each span carries its words, and ``misplaced`` names every one that
does not stand where it says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.common.folders import DATA

__all__ = ["DIFFICULTIES", "SPLITS", "STORIES", "Story", "load_stories", "misplaced"]

STORIES = DATA / "stories"
SPLITS: Mapping[str, tuple[str, ...]] = {
    "train": ("w01", "w02", "w03", "w04", "w05", "w06", "w07", "w08", "w13"),
    "dev": ("w09", "w10"),
    "test": ("w11", "w12"),
}
DIFFICULTIES = ("explicit", "paraphrase", "implicit")


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


def misplaced(story: Story) -> list[str]:
    """Which quotes of the gold do not stand, once and in one paragraph, where it says."""
    return [
        f"{story.id}: {label} says {span['quote'][:40]!r}"
        for label, span in _spans(story)
        if story.text[span["start"] : span["end"]] != span["quote"]
        or story.text.count(span["quote"]) != 1
        or "\n" in span["quote"]
    ]


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
