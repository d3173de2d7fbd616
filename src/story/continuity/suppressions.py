"""Findings that are meant: a file in which an author says which, and why.

The file is TOML, one table an entry, which names a finding by its fingerprint::

    [[suppress]]
    fingerprint = "3f2a51c09d7e8b46"
    reason = "She lies about her age here; chapter 12 tells it."
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ...core.files.atomic import changing, replace_file
from ...core.files.toml import list_text, tables_of
from ...errors import UsageError
from ..model.findings import Suppressed, Violation

SUPPRESSIONS_FILE = "suppressions.toml"  # in a project's folder
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_HEAD = "# Findings of fabula check that are meant. Each entry needs a reason.\n"


@dataclass(frozen=True, slots=True)
class Suppression:
    """One entry: the fingerprint of a finding, and why that is meant."""

    reason: str
    fingerprint: str


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

    def sift(self, violations: Iterable[Violation]) -> Sifted:
        """Parts the findings, their order kept."""
        reasons = {one.fingerprint: one.reason for one in reversed(self.entries)}
        told = [(one, reasons.get(one.fingerprint)) for one in violations]
        met = {one.fingerprint for one, _ in told}
        return Sifted(
            kept=tuple(one for one, reason in told if reason is None),
            suppressed=tuple(Suppressed(one, reason) for one, reason in told if reason is not None),
            stale=tuple(entry for entry in self.entries if entry.fingerprint not in met),
        )


def _entry(table: object, where: str) -> Suppression:
    if not isinstance(table, dict):
        raise UsageError(f"{where} is no table: write [[suppress]] above its keys")
    if unknown := sorted(set(table) - {"fingerprint", "reason"}):
        way = "it takes a reason and the fingerprint that fabula check --json shows"
        raise UsageError(f"{where} has the key {unknown[0]!r}: {way}")
    reason, fingerprint = _text(table, "reason", where), _text(table, "fingerprint", where)
    if not reason:
        raise UsageError(f"{where} has no reason: say why the finding is meant")
    if not _FINGERPRINT.fullmatch(fingerprint):
        raise UsageError(f"{where} has the fingerprint {fingerprint!r}: one is 16 digits of 0-9 and a-f")
    return Suppression(reason, fingerprint)


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
