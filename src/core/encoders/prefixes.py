"""Instructions before a text, by which some embedding models tell a query from a document.

From the cards of the models: nomic-embed-text (Nussbaum et al. 2024), BGE in English (Xiao et al. 2023),
E5 (Wang et al. 2022), mxbai-embed-large. A model that is not among them gets none.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

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
