"""Findings that are meant: a file in which an author says which, and why.

The file is TOML, one table an entry, which names a finding by its fingerprint::

    [[suppress]]
    fingerprint = "3f2a51c09d7e8b46"
    reason = "She lies about her age here; chapter 12 tells it."

An entry with the ``state`` "later" or "fixed" is a note for the author: the finding is still reported.
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
MEANT = "meant"
STATES = (MEANT, "later", "fixed")
_KEYS = frozenset({"fingerprint", "reason", "state"})
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_HEAD = "# Findings of fabula check that are meant. Each entry needs a reason.\n"


@dataclass(frozen=True, slots=True)
class Suppression:
    """One entry: the fingerprint of a finding, its state, and why."""

    reason: str
    fingerprint: str
    state: str = MEANT


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
        reasons = {one.fingerprint: one.reason for one in reversed(self.entries) if one.state == MEANT}
        told = [(one, reasons.get(one.fingerprint)) for one in violations]
        met = {one.fingerprint for one, _ in told}
        return Sifted(
            kept=tuple(one for one, reason in told if reason is None),
            suppressed=tuple(Suppressed(one, reason) for one, reason in told if reason is not None),
            stale=tuple(one for one in self.entries if one.state == MEANT and one.fingerprint not in met),
        )


def _entry(table: object, where: str) -> Suppression:
    if not isinstance(table, dict):
        raise UsageError(f"{where} is no table: write [[suppress]] above its keys")
    if unknown := sorted(set(table) - _KEYS):
        way = "it takes a reason, a state and the fingerprint that fabula check --json shows"
        raise UsageError(f"{where} has the key {unknown[0]!r}: {way}")
    reason, fingerprint = _text(table, "reason", where), _text(table, "fingerprint", where)
    state = _text(table, "state", where) or MEANT
    if state not in STATES:
        raise UsageError(f"{where} has the state {state!r}: use {', '.join(STATES)}")
    if not reason and state == MEANT:
        raise UsageError(f"{where} has no reason: say why the finding is meant")
    if not _FINGERPRINT.fullmatch(fingerprint):
        raise UsageError(f"{where} has the fingerprint {fingerprint!r}: one is 16 digits of 0-9 and a-f")
    return Suppression(reason, fingerprint, state)


def _text(table: dict[str, object], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{where} has a {key} that is no text: put it in quotation marks")
    return value.strip()


def note_finding(path: Path, violation: Violation, *, reason: str, state: str | None = MEANT) -> None:
    """Writes into the file, made where there is none, in which state a finding is; with None takes its entry
    out. All else in the file stays as it is.

    The file is replaced whole, under a lock beside it, so neither a crash nor a second writer loses an entry.
    Raises UsageError for a finding that is meant without a reason, or a file that cannot be read or written.
    """
    why = _line(reason)
    if state == MEANT and not why:
        raise UsageError("a suppression needs a reason: say why the finding is meant")
    try:
        with changing(path):
            text = list_text(path, "suppressions") if path.is_file() else _HEAD
            entries = Suppressions.parse(text, source=str(path)).entries
            if any(one.fingerprint == violation.fingerprint for one in entries):
                text = _without(text, violation.fingerprint)
            replace_file(path, f"{text.rstrip()}\n\n{_table(violation, why, state)}" if state else text)
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or error
        raise UsageError(f"the suppressions {path} cannot be changed ({cause}): check the file") from error


def _without(text: str, fingerprint: str) -> str:
    """The file without the entries of a finding; comments that stand in them are kept, but for what says
    which finding it was."""
    import tomlkit

    document, comments = tomlkit.parse(text), []
    entries = document["suppress"].body
    for turn in reversed(range(len(entries))):
        if str(entries[turn].get("fingerprint", "")).strip() == fingerprint:
            comments += [one for one in entries[turn].as_string().splitlines()[1:] if one.startswith("#")]
            del document["suppress"][turn]
    if not entries:
        del document["suppress"]
    return "\n".join([tomlkit.dumps(document).rstrip(), *comments])


def _table(violation: Violation, reason: str, state: str) -> str:
    said = _line(f"{violation.rule}: {violation.message}")
    # JSON's strings without control characters are TOML's basic strings
    why = json.dumps(reason, ensure_ascii=False)
    more = "" if state == MEANT else f'state = "{state}"\n'
    return f'[[suppress]]\n# {said}\nfingerprint = "{violation.fingerprint}"\nreason = {why}\n{more}'


def _line(text: str) -> str:
    """On one line, without what TOML may not hold."""
    return " ".join(re.sub("[\x00-\x1f\x7f\ud800-\udfff]", " ", text).split())
