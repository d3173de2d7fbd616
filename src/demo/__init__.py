"""The demo story, "The Bloom Line", and the prompts, questions and draft that it comes with.

The story is an original work written for this project, under the project's licence.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

STORY_NAME = "the-bloom-line"
QUESTIONS = ("Who is Harriet's uncle?", "How old is Harriet?", "Where did Barnaby Pellow die?")


@dataclass(frozen=True, slots=True)
class DemoPrompt:
    """A scene to write, set after ``chapter``, which is also its horizon."""

    chapter: int
    prompt: str
    default: bool


def story_text() -> str:
    """The story as Markdown: ``# Title``, then ``## Chapter n: Title``, scenes parted by ``***``."""
    return _read("story.md")


def save_story(folder: Path) -> Path:
    """Writes the story as a file that can be read, indexed and edited; an edited copy is written over."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{STORY_NAME}.md"
    file.write_text(story_text(), encoding="utf-8", newline="")
    return file


def save_draft(folder: Path) -> Path:
    """Writes a scene, set after the default prompt's chapter, that contradicts the story three times."""
    file = folder / "draft.md"
    file.write_text(_read("draft.md"), encoding="utf-8", newline="")
    return file


def reading_settings() -> tuple[str, ...]:
    """Settings by which the story and the draft are read as a strong language model read them once."""
    kept = resources.files(__name__).joinpath("reading.jsonl")
    model = "generator.model=a strong language model, recorded"
    return ("generator.provider=kept", model, f"generator.folder={kept}")


def prompts() -> tuple[DemoPrompt, ...]:
    """In order of their chapters, read afresh on each call (some milliseconds)."""
    return tuple(DemoPrompt(**row) for row in json.loads(_read("prompts.json"))["prompts"])


def default_prompt() -> DemoPrompt:
    """The prompt that the demo starts with."""
    return next(prompt for prompt in prompts() if prompt.default)


def _read(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
