"""A reader's answers that come with a text: what a strong language model read in it, without the model."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from ..core.interfaces import Asking
from ..core.types import Generation, Prompt
from ..errors import ConfigError, ModelRefused
from .request import say

_DRAFT = re.compile(r"\[Draft\]\n(.*?)\nSTORY>>>", re.DOTALL)
_SECTION = re.compile(r"^\[(?:Story So Far|Character Info)\]$", re.MULTILINE)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_CONTEXT = 32_768


def key_of(prompt: Prompt, *, loosely: bool = False) -> str:
    """Of the prompt's version and what it asks; where a chapter is read, of the chapter alone: which names
    were told before it may differ from one machine to the next, since a parser's do. ``loosely``: of a
    checked chapter too; of a written one the task and the kinds of its material."""
    found = _DRAFT.search(prompt.user) if loosely or prompt.version.startswith("read_chapter") else None
    asked = found[1] if found is not None else prompt.user
    if loosely and prompt.version.startswith("continue"):
        asked = f"{_SECTION.findall(asked)}{asked.rpartition('STORY>>>')[2]}"
    return hashlib.sha256(f"{prompt.version}\n{asked}".encode()).hexdigest()[:16]


class KeptAnswers:
    """Gives the answer that ``answers`` has for a prompt's passage (see ``key_of``), and raises ModelRefused
    where it has none. A token is a word or a mark. Safe in threads."""

    concurrency = 1
    context_tokens = _CONTEXT

    def __init__(self, name: str, answers: Mapping[str, str]) -> None:
        self.name = name
        self._answers = answers

    @classmethod
    def read(cls, name: str, file: Path) -> KeptAnswers:
        """From JSON lines: ``key`` and ``answer``, prose or a JSON object. Raises ConfigError for others."""
        try:
            rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        except (OSError, ValueError) as error:
            raise ConfigError(f"generator.folder, {file}, holds no kept answers ({error})") from error
        told = ((row["key"], row["answer"]) for row in rows)
        return cls(name, {k: a if isinstance(a, str) else json.dumps(a, ensure_ascii=False) for k, a in told})

    def count_tokens(self, text: str) -> int:
        return len(_TOKEN.findall(text))

    def holds(self, prompt: Prompt) -> bool:
        return self._answer(prompt) is not None

    def _answer(self, prompt: Prompt) -> str | None:
        return self._answers.get(key_of(prompt), self._answers.get(key_of(prompt, loosely=True)))

    def generate(self, prompt: Prompt, **how: Unpack[Asking]) -> Generation:
        text = self._answer(prompt)
        if text is None:
            raise ModelRefused(f"{self.name} has no answer for this passage")
        say(how, text)
        asked = self.count_tokens(prompt.system) + self.count_tokens(prompt.user)
        return Generation(text, self.name, asked, self.count_tokens(text), 0.0)

    def close(self) -> None:
        """Nothing is held."""
