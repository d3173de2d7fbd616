"""Plain facts by frames of grammar: sentences of a table, beside an opening that introduces everybody."""

from __future__ import annotations

from pathlib import Path

from tests.stories.examples import assert_read
from tests.stories.reading import OPENING, reading

from fabula.story.model.types import Modality

TABLE = Path(__file__).with_name("facts.tsv")


def facts(text: str) -> set[str]:
    found = reading(f"{OPENING}\n\n{text}")
    told = set()
    for fact in found.facts:
        if fact.modality.happened or fact.modality is Modality.REPORTED:
            name = found.mentions[fact.character].surface
            parts = [name, fact.aspect, fact.value, fact.when.lower(), "change" if fact.change else ""]
            early = fact.modality is Modality.FLASHBACK and fact.aspect == "age"
            parts.append("flashback" if early else "")
            parts.append("reported" if fact.modality is Modality.REPORTED else "")
            told.add(" ".join(filter(None, parts)))
    return told


def test_sentences() -> None:
    assert_read(TABLE, facts, parsed=False)
