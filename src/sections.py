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


class Wishes(Section):
    """What the author wants of every text that a language model writes: its ``style``, the kind of ``twist``
    that is liked, the ``language`` it is written in; in a few words each, and nothing where empty."""

    style: Annotated[Text, StringConstraints(max_length=400)] = ""
    twist: Annotated[Text, StringConstraints(max_length=400)] = ""
    language: Annotated[Text, StringConstraints(max_length=200)] = ""

    @property
    def words(self) -> str:
        """One line for a prompt; empty where nothing is wished."""
        heads = ("The style:", "If there is a twist, it is", "Write it in")
        told = zip(heads, (self.style, self.twist, self.language), strict=True)
        parts = (f"{head} {' '.join(said.split())}" for head, said in told if said.strip())
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
    limit where that is smaller."""

    budget_gb: float = Field(0.0, ge=0, le=LARGEST)


class Store(Section):
    """Where text, work, index, ratings and conversations are kept: in the project's folder, or with ``url``
    (``postgresql://host/database``, never with a password in it) on a PostgreSQL server, under the key
    ``book``, which the first indexing makes. ``vector_index`` and ``half_precision`` (two bytes a coordinate
    in place of four) are how vectors are kept there."""

    url: Text = ""
    book: Annotated[str, StringConstraints(pattern=r"^([a-z0-9][a-z0-9-]{0,62})?$")] = ""
    vector_index: VectorIndexKind = "exact"
    half_precision: bool = False

    @field_validator("url")
    @classmethod
    def _is_safe(cls, url: str) -> str:
        if url and (problem := url_problem(url)):
            raise ValueError(problem)
        return url

    def target(self) -> Target:
        """The book's place on the server."""
        return Target(**self.model_dump())
