"""The values of an injection: what was put into a book, where it stands now, and what a checker should
say."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.types import Document, Evidence, Span

__all__ = ["Edit", "GoldSide", "InjectedBook", "Injection"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the text. ``replaced`` is the span of the original that gave way (empty for an
    insertion), ``placed`` where the new words stand in the new text, separators left out.

    ``side`` is ``"early"`` (what sets up), ``"turn"`` (what accounts for a change) or ``"late"``;
    ``phrasing`` names the wording.
    """

    chapter: int
    replaced: Span
    placed: Span
    words: str
    side: str
    phrasing: str


@dataclass(frozen=True, slots=True)
class GoldSide:
    """One side of a contradiction: any of the ``quotes``, spans in the new text (or in the codex), shows it.
    Two-sided insertions have one quote; what the novel itself tells may be told more than once."""

    side: str
    quotes: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Injection:
    """A slip put into a book on purpose, or, where ``control``, a legitimate change that is none.

    ``family`` is the name of the rule that should find it (or must not); ``aspect`` what it is about;
    ``characters`` the ids of those concerned, or the names of those who were made up; ``source`` says where
    the earlier side comes from: ``"inserted"``, ``"novel"``, ``"codex"`` or ``"none"``.
    """

    id: str
    family: str
    aspect: str
    control: bool
    characters: tuple[str, ...]
    edits: tuple[Edit, ...]
    gold: tuple[GoldSide, ...]
    source: str = "inserted"


@dataclass(frozen=True, slots=True)
class InjectedBook:
    """An edited copy. ``document`` keeps the original's id, title and number of chapters; ``codex`` is the
    author's canon, in YAML, that the canon conflicts go against (empty where there are none)."""

    document: Document
    injections: tuple[Injection, ...]
    codex: str = ""

    def slips(self) -> tuple[Injection, ...]:
        """What was put in and should be found."""
        return tuple(injection for injection in self.injections if not injection.control)

    def controls(self) -> tuple[Injection, ...]:
        """What was put in and should not be found: legitimate changes."""
        return tuple(injection for injection in self.injections if injection.control)

    def verify(self) -> None:
        """Raises EvidenceError where a gold quote or an edit is not in the text at its span."""
        for injection in self.injections:
            for quote in (quote for side in injection.gold for quote in side.quotes):
                inside = quote.document_id == self.document.id
                quote.verify(self.document.text if inside else self.codex)
            for edit in injection.edits:
                placed = Evidence(self.document.id, edit.chapter, edit.placed, edit.words)
                placed.verify(self.document.text)
