"""What a strong reader answered, as it is shipped."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from experiments.common.folders import DATA
from fabula.llm.kept_answers import KeptAnswers

__all__ = ["RECORDINGS", "file_of", "recorded"]

RECORDINGS = ("demo", "modern", "novel")


def file_of(name: str) -> Path:
    """The demo story's lies in the package."""
    if name == "demo":
        return Path(str(resources.files("fabula.demo"))) / "reading.jsonl"
    return DATA / "recordings" / f"{name}.jsonl"


def recorded(name: str) -> KeptAnswers:
    """The reader that gives these answers."""
    return KeptAnswers.read("a strong model, recorded", file_of(name))
