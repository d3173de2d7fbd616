"""fabula: each document a chapter, read by the model beside the rules; asked as ``fabula ask`` does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from experiments.peers.reading.given import Edge, Given, Said
from fabula.config import load_config
from fabula.engine import Project, index_book

PACKAGE = "fabula"
MODE = "ask"
JOINED = 4400


class System:
    def __init__(self, folder: Path, given: Given) -> None:
        self._folder = folder
        self._settings = {
            "generator": {
                "provider": "folder",
                "folder": str(given.folder.resolve()),
                "model": given.reader,
                "timeout_s": given.timeout_s,
                "context_tokens": 32_768,
                "concurrency": 32,
            },
            "answering": {"model": "on"},
        }

    async def index(self, texts: Sequence[str]) -> None:
        book = self._folder / "book.txt"
        numbered = (f"CHAPTER {number}\n\n{text}" for number, text in enumerate(texts, start=1))
        book.write_text("\n\n\n".join(numbered) + "\n", encoding="utf-8")
        config = load_config(self._settings)
        await asyncio.to_thread(index_book, book, self._folder / "project", config=config)

    async def ask(self, question: str) -> Said:
        return await asyncio.to_thread(self._ask, question)

    def _ask(self, question: str) -> Said:
        with Project.open(self._folder / "project", settings=[self._settings]) as project:
            found = project.ask(question, model=True)
        return {"text": found.text, "cited": [one.quote for one in found.citations]}

    async def edges(self) -> list[Edge]:
        with Project.open(self._folder / "project", settings=[self._settings]) as project:
            view = project.view()
            names = {one.id: [one.name, *one.aliases] for one in view.entities()}
            told = [(one.subject, one.predicate, one.object) for one in view.relations(distinct=True)]
            told += [(tie.one, tie.predicate, tie.other) for tie in view.ties]
        return [
            {"a": names[a], "b": names[b], "says": f"{names[a][0]} {_words(says)} {names[b][0]}"}
            for a, says, b in dict.fromkeys(told)
            if a in names and b in names
        ]


def _words(predicate: str) -> str:
    return predicate.lower().replace("_", " ")
