"""What a strong reader answered, as it is shipped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from experiments.common.folders import DATA
from fabula.llm.kept_answers import KeptAnswers

__all__ = ["RECORDINGS", "file_of", "recorded", "write_answers"]

RECORDINGS = ("demo", "modern", "novel")


def file_of(name: str) -> Path:
    """The demo story's lies in the package."""
    if name == "demo":
        return Path(str(resources.files("fabula.demo"))) / "reading.jsonl"
    return DATA / "recordings" / f"{name}.jsonl"


def recorded(name: str) -> KeptAnswers:
    """The reader that gives these answers."""
    return KeptAnswers.read("a strong model, recorded", file_of(name))


def write_answers(file: Path, answers: Iterable[tuple[str, str]]) -> None:
    """A line for each key and answer, in order of the keys."""
    rows = (
        {"key": key, "answer": json.loads(text) if text.startswith("{") else text}
        for key, text in sorted(answers)
    )
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
