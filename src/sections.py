"""Sections of the settings that say where things are kept and what they may take; see :mod:`.config`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from .core.formats.converting import ReadingLimits
from .core.store.postgres.target import Target, VectorIndexKind, url_problem

LARGEST = 2**31 - 1
"""What every library below takes for a number."""
Text = Annotated[str, StringConstraints(max_length=4096, pattern=r"^[^\x00]*$")]


class Section(BaseModel):
    """A table of the settings; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, allow_inf_nan=False)


class Recall(Section):
    """How many passages of ``chapters``, profiles of ``characters``, things of the ``codex`` and
    ``pictures`` come back where all memories are asked. A model that answers a question is shown as many
    things of the codex, none whose cosine to the question is below ``least``; 0 shows none."""

    chapters: int = Field(5, ge=1, le=1000)
    characters: int = Field(3, ge=0, le=1000)
    codex: int = Field(3, ge=0, le=1000)
    pictures: int = Field(3, ge=0, le=1000)
    least: float = Field(0.3, ge=-1, le=1)


class Pictures(Section):
    """``model`` is the folder of a CLIP model for sentence-transformers, by which pictures are found that
    look like another; none is packaged."""

    model: Text = ""


class Wishes(Section):
    """What the author wants of every text that a language model writes: its ``style``, the kind of ``twist``
    that is liked, the ``language`` it is written in; in a few words each, and nothing where empty."""

    style: Annotated[Text, StringConstraints(max_length=400)] = ""
    twist: Annotated[Text, StringConstraints(max_length=400)] = ""
    language: Annotated[Text, StringConstraints(max_length=40)] = ""

    @property
    def words(self) -> str:
        """One line for a prompt; empty where nothing is wished."""
        told = (
            ("The style", self.style),
            ("If there is a twist, it is", self.twist),
            ("Write it in", self.language),
        )
        parts = [
            f"{head}{':' if head == 'The style' else ''} {' '.join(said.split())}"
            for head, said in told
            if said.strip()
        ]
        return " ".join(f"{part.rstrip('.')}." for part in parts)


class Documents(Section):
    """What reading one file that is no text yet (.epub, .docx, .html, .pdf), or one folder, may take:
    ``seconds`` of computing (twice as many may pass), and ``memory_mb``."""

    seconds: float = Field(ReadingLimits().seconds, gt=0, le=86_400)
    memory_mb: int = Field(ReadingLimits().memory_mb, ge=256, le=1_000_000)

    @property
    def limits(self) -> ReadingLimits:
        return ReadingLimits(self.seconds, self.memory_mb)


class Memory(Section):
    """``budget_gb`` counts GiB; 0 means 75 % of 16 GiB, or of the host, the container or the process's own
    limit where that is smaller. Indexing waits ``wait_s`` seconds for memory before it gives up."""

    budget_gb: float = Field(0.0, ge=0, le=LARGEST)
    wait_s: float = Field(60.0, ge=0, le=86_400)


class Store(Section):
    """Where text, work, index, ratings and conversations are kept: in the project's folder, or with ``url``
    (``postgresql://host/database``, never with a password in it) on a PostgreSQL server, under the key
    ``book``, which the first indexing makes. ``vector_index`` and ``half_precision`` (two bytes a coordinate
    in place of four) are how vectors are kept there. ``pool`` is the number of connections that a process
    keeps to the server, ``statement_timeout_s`` what one statement of a search may take. ``wait_s``: how many
    seconds one who writes an index waits for another who does."""

    wait_s: float = Field(10.0, ge=0, le=86_400)
    url: Text = ""
    book: Annotated[str, StringConstraints(pattern=r"^([a-z0-9][a-z0-9-]{0,62})?$")] = ""
    vector_index: VectorIndexKind = "exact"
    half_precision: bool = False
    pool: int = Field(5, ge=1, le=1000)
    statement_timeout_s: float = Field(30, ge=0.1, le=86_400)

    @field_validator("url")
    @classmethod
    def _is_safe(cls, url: str) -> str:
        if url and (problem := url_problem(url)):
            raise ValueError(problem)
        return url

    def target(self) -> Target:
        """The book's place on the server."""
        return Target(**self.model_dump(exclude={"wait_s"}))
