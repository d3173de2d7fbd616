"""What the two fits of the linear readers share: the told sentences, the novels they are set against, and the
options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from experiments.common.folders import DATA
from experiments.common.options import add_parses, new_parser
from experiments.common.story_data import document_of, held_out
from fabula.story.extraction.clauses.arguments import Arguments
from fabula.story.extraction.coreference.pronouns import PronounReader
from fabula.story.extraction.mentions.finder import find_mentions
from fabula.story.extraction.mentions.narrator import find_narrator
from fabula.story.extraction.parsing.chapter import ParsedChapter
from fabula.story.model.types import EntityKind

__all__ = ["DATA", "MOST_PEOPLE", "chapters_of_novels", "new_fit_parser", "people_called", "prepared"]

LONGEST_NOVEL = 1_400_000  # bytes
MOST_PEOPLE = 4


def chapters_of_novels(data: Path, words: dict[str, int]) -> Iterator[tuple[str, str, int]]:
    """Name, text and offset of every chapter of the novels that are not held out; the length of each novel
    in words goes to ``words``."""
    for path in sorted((data / "novels").glob("*.txt")):
        if held_out(path.stem) or path.stat().st_size > LONGEST_NOVEL:
            continue
        document = document_of(path)
        words[path.stem] = len(document.text.split())
        for chapter in document.chapters:
            yield path.stem, chapter.body.of(document.text), chapter.body.start
        print(f"{path.stem}: {words[path.stem]} words", file=sys.stderr, flush=True)


def prepared(chapter: ParsedChapter) -> tuple[ParsedChapter, Arguments]:
    """The chapter with its people found."""
    find_mentions(chapter)
    find_narrator(chapter)
    return chapter, Arguments.of(chapter, PronounReader.of(chapter))


def people_called(chapter: ParsedChapter, arguments: Arguments, name: str, at: int) -> set[int]:
    """Whom the mentions mean that stand where ``name`` was found in the text, at ``at``; nobody below 0."""
    keys = arguments.pronouns.cast.who
    return {
        keys[index]
        for index, mention in enumerate(chapter.mentions)
        if mention.kind is EntityKind.CHARACTER
        and mention.span.start < at + len(name)
        and mention.span.end > at >= 0
    }


def new_fit_parser(description: str | None) -> argparse.ArgumentParser:
    """The options of both fits."""
    options = new_parser(description, data=True)
    add_parses(options)
    options.add_argument("--keep", action="store_true", help="write what was fitted into the package")
    return options
