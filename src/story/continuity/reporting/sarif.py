"""Findings as SARIF 2.1.0, the format in which editors and code hosts take the reports of linters.

OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (2020). The place of a finding is
its later side, the draft's where a draft was checked; the earlier sides are related locations. Columns count
Unicode characters (``columnKind``), as offsets do, and a region's end is the column after it. There is
nothing in it of the time or the machine: same findings, same bytes.
"""

from __future__ import annotations

import inspect
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

from ....core.text.sentences import in_marks
from ....core.types import Evidence
from ...model.findings import CheckReport, Severity, Suppressed, Violation
from ..rules.rule import Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_FINGERPRINT = "fabula/v1"
_LINKING = re.compile(r"[\[\]\\]")
Json = dict[str, Any]


@dataclass(frozen=True)
class SourceText:
    """A file that quotes stand in: ``path`` as the user named it, and the text that the offsets index."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(i + 1 for i, letter in enumerate(self.text) if letter == "\n")]

    @property
    def uri(self) -> str:
        """The path as a URI reference: ``file:///…`` where it is absolute, else relative."""
        path = self.path.replace("\\", "/")
        safe = quote(path, safe="/:@!$&'()*+,;=-._~")
        if path.startswith("/"):
            return f"file://{safe}"
        # A colon in the first part would make it a scheme: a drive letter, or an odd file name.
        drive = len(path) > 1 and path[1] == ":" and path[0].isalpha()
        if drive:
            return f"file:///{safe}"
        first, slash, rest = safe.partition("/")
        return first.replace(":", "%3A") + slash + rest

    def region(self, evidence: Evidence) -> Json:
        """Where the quote stands, in lines and columns from 1 and in characters from 0."""
        start, end = evidence.span.start, evidence.span.end
        first, last = (bisect_right(self._starts, place) - 1 for place in (start, end))
        return {
            "startLine": first + 1,
            "startColumn": start - self._starts[first] + 1,
            "endLine": last + 1,
            "endColumn": end - self._starts[last] + 1,
            "charOffset": start,
            "charLength": end - start,
            "snippet": {"text": evidence.quote},
        }


def rule_help(rule: Rule) -> str:
    """What the rule looks for, in one line: the first of its module's docstring, else of its own."""
    said = inspect.getdoc(inspect.getmodule(rule)) or inspect.getdoc(rule)
    return (said or rule.__name__.replace("_", " ")).splitlines()[0].replace("``", "")


def sarif_log(
    report: CheckReport,
    *,
    rules: Sequence[Rule],
    sources: Mapping[str, SourceText],
    version: str,
) -> Json:
    """The report as one SARIF log with one run, ready for JSON.

    ``rules`` are those that ran; ``sources`` gives the file of each document id. A quote of a document that
    has no file is told in words. Suppressed findings are results too, with their reasons, as viewers expect.
    """
    names = [rule.__name__ for rule in rules]
    files = _Files(sources)
    results = [_result(one, names, files) for one in report.violations]
    results += [_suppressed(one, names, files) for one in report.suppressed]
    run: Json = {
        "tool": {
            "driver": {
                "name": "fabula",
                "version": version,
                "rules": [_descriptor(rule) for rule in rules],
            }
        },
        "invocations": [{"executionSuccessful": True}],
        "columnKind": "unicodeCodePoints",
        "artifacts": [
            {"location": {"uri": sources[document].uri}, "roles": ["analysisTarget"]}
            for document in files.used
        ],
        "results": results,
        "properties": _scores(report),
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


class _Files:
    """Documents in the order in which results name them."""

    def __init__(self, sources: Mapping[str, SourceText]) -> None:
        self._sources = sources
        self.used: list[str] = []

    def location(self, evidence: Evidence, *, number: int | None = None) -> Json:
        place = f"{evidence.document_id}, chapter {evidence.chapter}"
        location: Json = {} if number is None else {"id": number}
        source = self._sources.get(evidence.document_id)
        if source is not None:
            if evidence.document_id not in self.used:
                self.used.append(evidence.document_id)
            location["physicalLocation"] = {
                "artifactLocation": {"uri": source.uri, "index": self.used.index(evidence.document_id)},
                "region": source.region(evidence),
            }
        location["logicalLocations"] = [{"name": place, "kind": "chapter"}]
        if number is not None:
            location["message"] = {"text": _without_links(in_marks(evidence.quote))}
        return location


def _without_links(text: str) -> str:
    """As a message's plain text: a story's own brackets, which would be a link there, are escaped (section
    3.11.6)."""
    return _LINKING.sub(r"\\\g<0>", text)


def _descriptor(rule: Rule) -> Json:
    text = rule_help(rule)
    first = (inspect.getdoc(rule) or text).split("\n\n", 1)[0]
    full = " ".join(first.replace("``", "").split())
    return {
        "id": rule.__name__,
        "name": "".join(word.capitalize() for word in rule.__name__.split("_")),
        "shortDescription": {"text": text},
        "fullDescription": {"text": full},
        "help": {"text": f"{text} {full}"},
    }


def _result(violation: Violation, rules: Sequence[str], files: _Files) -> Json:
    *earlier, later = violation.evidence
    more = f" To fix: {violation.suggestion}" if violation.suggestion else ""
    result: Json = {"ruleId": violation.rule}
    if violation.rule in rules:
        result["ruleIndex"] = rules.index(violation.rule)
    return result | {
        "level": _LEVEL[violation.severity],
        "message": {"text": _without_links(f"{violation.message}{more}")},
        "locations": [files.location(later)],
        "relatedLocations": [files.location(one, number=n) for n, one in enumerate(earlier, start=1)],
        "partialFingerprints": {_FINGERPRINT: violation.fingerprint},
        "properties": {
            "entities": list(violation.entities),
            "origin": violation.origin,
            "confidence": violation.confidence,
            "suggestion": violation.suggestion,
            "unless": violation.unless,
        },
    }


def _suppressed(one: Suppressed, rules: Sequence[str], files: _Files) -> Json:
    note = {"kind": "external", "status": "accepted", "justification": one.reason}
    return _result(one.violation, rules, files) | {"suppressions": [note]}


def _scores(report: CheckReport) -> Json:
    return {
        "consistency": report.consistency,
        "violationsPer10kWords": report.per_10k_words,
        "factsChecked": report.facts_checked,
        "factsCheckable": report.facts_checkable,
        "words": report.words,
    }
