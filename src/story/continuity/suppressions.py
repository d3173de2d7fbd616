"""Findings that are meant: a file in which an author says which, and why.

The file is TOML, one table an entry, each with a ``reason``. An entry names a finding by its fingerprint, or
by rule, entities and a quote::

    [[suppress]]
    fingerprint = "3f2a51c09d7e8b46"
    reason = "She lies about her age here; chapter 12 tells it."

    [[suppress]]
    rule = "attribute_conflict"
    entities = ["Elena Voss"]
    quote = "her eyes, brown as"
    reason = "Coloured lenses."
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ...core.files.atomic import changing, replace_file
from ...core.files.toml import list_text, tables_of
from ...errors import UsageError
from ..model.findings import Suppressed, Violation, normalised_quote

SUPPRESSIONS_FILE = "suppressions.toml"  # in a project's folder
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_KEYS = frozenset({"fingerprint", "rule", "entities", "quote", "reason"})
_HEAD = "# Findings of fabula check that are meant. Each entry needs a reason.\n"


@dataclass(frozen=True, slots=True)
class Suppression:
    """One entry. Where ``fingerprint`` is empty, ``rule``, ``entities`` (ids or names, all that the finding
    is about) and ``quote`` (words of a side of it) say which findings are meant."""

    reason: str
    fingerprint: str = ""
    rule: str = ""
    entities: tuple[str, ...] = ()
    quote: str = ""

    def covers(self, violation: Violation, *, name_of: Callable[[str], str] = str) -> bool:
        """Is it this finding that is meant? ``name_of`` gives an entity's name."""
        if self.fingerprint:
            return violation.fingerprint == self.fingerprint
        wanted = {name.casefold() for name in self.entities}
        about = [{one.casefold(), name_of(one).casefold()} for one in violation.entities]
        said = normalised_quote(self.quote)
        return (
            violation.rule == self.rule
            and all(names & wanted for names in about)
            and wanted <= set().union(*about)
            and any(said in normalised_quote(one.quote) for one in violation.evidence)
        )

    @property
    def label(self) -> str:
        """What to call the entry in a message."""
        if self.fingerprint:
            return self.fingerprint
        return f"{self.rule} ({', '.join(self.entities)}): “{' '.join(self.quote.split())}”"


@dataclass(frozen=True, slots=True)
class Sifted:
    """Findings that stay, those that are suppressed, and the entries that match none of them."""

    kept: tuple[Violation, ...]
    suppressed: tuple[Suppressed, ...]
    stale: tuple[Suppression, ...]


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The entries of one file, in its order; the first that covers a finding gives the reason."""

    entries: tuple[Suppression, ...] = ()

    @classmethod
    def load(cls, path: Path) -> Suppressions:
        """Raises UsageError, one line with file and entry, for a file that is missing, or damaged."""
        return cls.parse(list_text(path, "suppressions"), source=str(path))

    @classmethod
    def parse(cls, text: str, *, source: str = "suppressions") -> Suppressions:
        """The entries of a TOML text. Raises UsageError as :meth:`load` does."""
        tables = tables_of(text, "suppress", source=source)
        return cls(tuple(_entry(table, f"{source}, entry {n}") for n, table in enumerate(tables, start=1)))

    def sift(self, violations: Iterable[Violation], *, name_of: Callable[[str], str] = str) -> Sifted:
        """Parts the findings, their order kept."""
        kept: list[Violation] = []
        suppressed: list[Suppressed] = []
        used: set[int] = set()
        for violation in violations:
            covering = [i for i, one in enumerate(self.entries) if one.covers(violation, name_of=name_of)]
            used.update(covering)
            if covering:
                suppressed.append(Suppressed(violation, self.entries[covering[0]].reason))
            else:
                kept.append(violation)
        stale = tuple(entry for i, entry in enumerate(self.entries) if i not in used)
        return Sifted(tuple(kept), tuple(suppressed), stale)


def _entry(table: object, where: str) -> Suppression:
    if not isinstance(table, dict):
        raise UsageError(f"{where} is no table: write [[suppress]] above its keys")
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        raise UsageError(f"{where} has the key {unknown[0]!r}: it takes {', '.join(sorted(_KEYS))}")
    reason, print_ = _text(table, "reason", where), _text(table, "fingerprint", where)
    rule, quote = _text(table, "rule", where), _text(table, "quote", where)
    entities = table.get("entities", [])
    if not isinstance(entities, list) or not all(isinstance(one, str) and one.strip() for one in entities):
        raise UsageError(f"{where} has entities that are no list of names")
    if not reason:
        raise UsageError(f"{where} has no reason: say why the finding is meant")
    if print_ and not _FINGERPRINT.fullmatch(print_):
        raise UsageError(f"{where} has the fingerprint {print_!r}: one is 16 digits of 0-9 and a-f")
    if print_ and (rule or quote or entities):
        raise UsageError(f"{where} has a fingerprint and more: give that alone, or rule, entities and quote")
    if not print_ and not (rule and quote and entities):
        raise UsageError(f"{where} names no finding: give its fingerprint, or rule, entities and quote")
    return Suppression(reason, print_, rule, tuple(one.strip() for one in entities), quote)


def _text(table: dict[str, object], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{where} has a {key} that is no text: put it in quotation marks")
    return value.strip()


def append_suppression(path: Path, violation: Violation, *, reason: str) -> None:
    """Adds an entry for a finding to the file, made where there is none; what stands in it stays as it is.

    The file is replaced whole, under a lock beside it, so neither a crash nor a second writer loses an entry.
    Raises UsageError for an empty reason, a finding that is suppressed already, or a file that cannot be
    read or written.
    """
    why = _line(reason)
    if not why:
        raise UsageError("a suppression needs a reason: say why the finding is meant")
    try:
        with changing(path):
            text = list_text(path, "suppressions") if path.is_file() else _HEAD
            known = Suppressions.parse(text, source=str(path))
            if any(entry.fingerprint == violation.fingerprint for entry in known.entries):
                raise UsageError(f"{violation.fingerprint} is suppressed in {path} already")
            replace_file(path, f"{text.rstrip()}\n\n{_table(violation, why)}")
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or error
        raise UsageError(f"the suppressions {path} cannot be changed ({cause}): check the file") from error


def _table(violation: Violation, reason: str) -> str:
    said = _line(f"{violation.rule}: {violation.message}")
    # JSON's strings without control characters are TOML's basic strings
    why = json.dumps(reason, ensure_ascii=False)
    return f'# {said}\n[[suppress]]\nfingerprint = "{violation.fingerprint}"\nreason = {why}\n'


def _line(text: str) -> str:
    """On one line, without what TOML may not hold."""
    return " ".join(re.sub("[\x00-\x1f\x7f\ud800-\udfff]", " ", text).split())
