"""The files of a BookNLP 1.0.x run (English pipeline), as rows with checked columns.

``ID.tokens``, ``ID.entities``, ``ID.quotes`` and ``ID.supersense`` are tab-separated with a head and without
quoting; ``ID.book`` is one JSON object. Token columns count from 0 through the whole book and ends are
inclusive; ``byte_onset`` and ``byte_offset`` are, despite their names, characters of the text as Python reads
it (line ends made ``\\n``, a byte order mark kept).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.files.plain_json import parse_json
from ...errors import ProjectError
from .imported import read_text

__all__ = ["BookFiles", "EntityRow", "QuoteRow", "Token", "read_book_files"]

_TOKENS = ("paragraph_ID", "sentence_ID", "token_ID_within_document", "word", "lemma", "byte_onset")
_ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")
_QUOTES = ("quote_start", "quote_end", "mention_start", "mention_end", "char_id", "quote")


@dataclass(frozen=True, slots=True)
class Token:
    """``event`` says that BookNLP took the word for a thing that happened (Sims et al. 2019)."""

    paragraph: int
    sentence: int
    word: str
    lemma: str
    onset: int
    event: bool


@dataclass(frozen=True, slots=True)
class EntityRow:
    """A mention: ``prop`` is PROP, NOM or PRON, ``cat`` PER, FAC, GPE, LOC, VEH or ORG; ends inclusive."""

    coref: int
    start: int
    end: int
    prop: str
    cat: str
    text: str


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A quotation, ends inclusive; ``mention`` is the token of who speaks, None where nobody was found."""

    start: int
    end: int
    mention: int | None
    coref: int | None
    text: str


@dataclass(frozen=True, slots=True)
class BookFiles:
    """All of one run. ``characters`` are those of the ``.book`` file; ``supersenses`` only their number."""

    name: str
    tokens: tuple[Token, ...]
    entities: tuple[EntityRow, ...]
    quotes: tuple[QuoteRow, ...]
    characters: tuple[dict[str, Any], ...]
    supersenses: int


def read_book_files(path: Path) -> BookFiles:
    """The run in a folder that holds one, or the run that one of its files belongs to. ``.tokens`` and
    ``.entities`` must be there. Raises ProjectError, naming the file, for what is missing or damaged."""
    folder, name = _run(path)
    tokens = tuple(_tokens(folder / f"{name}.tokens"))
    entities = tuple(_entities(folder / f"{name}.entities", len(tokens)))
    quotes_file, senses_file = folder / f"{name}.quotes", folder / f"{name}.supersense"
    return BookFiles(
        name,
        tokens,
        entities,
        tuple(_quotes(quotes_file, len(tokens))) if quotes_file.is_file() else (),
        _characters(folder / f"{name}.book"),
        sum(1 for _ in _rows(senses_file, ("start_token",))) if senses_file.is_file() else 0,
    )


def _run(path: Path) -> tuple[Path, str]:
    if path.is_file():
        return path.parent, path.stem
    names = sorted(each.stem for each in path.glob("*.entities")) if path.is_dir() else []
    if len(names) != 1:
        found = f"holds {len(names)} runs ({', '.join(names)})" if names else "holds no .entities file"
        raise ProjectError(f"{path} {found}: name one BookNLP output folder, or one run's .entities file")
    return path, names[0]


def _rows(path: Path, columns: Sequence[str]) -> Iterator[dict[str, str]]:
    lines = read_text(path, what="a BookNLP file").split("\n")
    head = lines[0].rstrip("\r").split("\t")
    missing = [name for name in columns if name not in head]
    if missing:
        raise ProjectError(f"{path.name} has no column {', '.join(missing)}: BookNLP 1.0.x writes them")
    for line in lines[1:]:
        cells = line.rstrip("\r").split("\t")
        if len(cells) >= len(head):
            yield dict(zip(head, cells, strict=False))


def _tokens(path: Path) -> Iterator[Token]:
    try:
        for number, row in enumerate(_rows(path, _TOKENS)):
            if int(row["token_ID_within_document"]) != number:
                raise ValueError(f"token {number} is numbered {row['token_ID_within_document']}")
            yield Token(
                int(row["paragraph_ID"]),
                int(row["sentence_ID"]),
                row["word"],
                row["lemma"],
                int(row["byte_onset"]),
                row.get("event") == "EVENT",
            )
    except ValueError as error:
        raise _damaged(path, error) from error


def _entities(path: Path, count: int) -> Iterator[EntityRow]:
    try:
        for row in _rows(path, _ENTITIES):
            start, end = _ends(row["start_token"], row["end_token"], count)
            yield EntityRow(int(row["COREF"]), start, end, row["prop"], row["cat"], row["text"])
    except ValueError as error:
        raise _damaged(path, error) from error


def _quotes(path: Path, count: int) -> Iterator[QuoteRow]:
    try:
        for row in _rows(path, _QUOTES):
            start, end = _ends(row["quote_start"], row["quote_end"], count)
            mention = None if row["mention_start"] == "None" else int(row["mention_start"])
            coref = None if row["char_id"] == "None" else int(row["char_id"])
            if mention is not None and not 0 <= mention < count:
                raise ValueError(f"there is no token {mention}")
            yield QuoteRow(start, end, mention, coref, row["quote"])
    except ValueError as error:
        raise _damaged(path, error) from error


def _ends(start: str, end: str, count: int) -> tuple[int, int]:
    first, last = int(start), int(end)
    if not 0 <= first <= last < count:
        raise ValueError(f"there are no tokens {first} to {last}")
    return first, last


def _characters(path: Path) -> tuple[dict[str, Any], ...]:
    if not path.is_file():
        return ()
    try:
        content = parse_json(read_text(path, what="BookNLP's characters"))
        found = content["characters"]
        if not all(isinstance(each["id"], int) for each in found):
            raise ValueError("a character has no number")
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path, error) from error
    return tuple(found)


def _damaged(path: Path, error: Exception) -> ProjectError:
    return ProjectError(f"{path.name} is no BookNLP file ({error}): copy it again, or run BookNLP again")
